package tap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// row is one line of a log of responses: a JSON object with "response" and,
// optionally, "id", "prompt", "model", "finish_reason" and "error". Others are
// ignored.
type row struct {
	ID           string
	Prompt       string
	Response     string
	Model        string
	FinishReason string
	Failed       bool // an error, or the finish reason "error"
}

// parseLine reads a line, or says why it cannot be used.
func parseLine(line []byte) (row, error) {
	var r row
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
	switch {
	case !utf8.Valid(line):
		return r, errors.New("it is not valid UTF-8")
	case len(line) == 0 || line[0] != '{':
		return r, errors.New(`it is not a JSON object, such as {"prompt": "...", "response": "..."}`)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return r, fmt.Errorf("it is not valid JSON: %w", err)
	}
	if raw := fields["error"]; len(raw) > 0 && string(raw) != "null" && string(raw) != `""` && string(raw) != "false" {
		r.Failed = true
	}
	if _, ok := fields["response"]; !ok && !r.Failed {
		return r, errors.New(`the field "response" is missing; it holds the text of the response`)
	}
	for _, f := range []struct {
		name string
		to   *string
	}{{"id", &r.ID}, {"prompt", &r.Prompt}, {"response", &r.Response}, {"model", &r.Model}, {"finish_reason", &r.FinishReason}} {
		raw, ok := fields[f.name]
		switch {
		case !ok, string(raw) == "null" && (f.name != "response" || r.Failed):
		case f.name == "id" && raw[0] != '"' && raw[0] != '{' && raw[0] != '[':
			r.ID = string(raw) // numbers serve as ids in many logs
		case raw[0] != '"':
			return r, fmt.Errorf("the field %q is no text", f.name)
		default:
			if err := json.Unmarshal(raw, f.to); err != nil {
				return r, fmt.Errorf("the field %q is no text: %w", f.name, err)
			}
		}
	}
	r.Failed = r.Failed || r.FinishReason == "error"
	return r, nil
}
