package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Key pairs a request at one point with the same request at another, by what
// was asked and nothing that was added: a marker would tell the detector
// (FD-3.4-4). Prompts have to be unique, which their salt makes them.
//
// body is the request's JSON. A body without messages or a prompt is its own
// key.
func Key(body []byte) string {
	var m struct {
		Messages json.RawMessage `json:"messages"`
		Prompt   json.RawMessage `json:"prompt"`
	}
	var asked any
	if json.Unmarshal(body, &m) == nil && len(m.Messages)+len(m.Prompt) > 0 {
		json.Unmarshal(m.Messages, &asked)
		if asked == nil {
			json.Unmarshal(m.Prompt, &asked)
		}
		if b, err := json.Marshal(asked); err == nil && asked != nil {
			body = b
		}
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:16])
}
