package openai

import "testing"

func TestReadAsked(t *testing.T) {
	for body, want := range map[string]Asked{
		`{"prompt":"p","model":"m"}`:         {Prompt: "p", Model: "m"},
		`{"prompt":["p","q"],"stream":true}`: {Prompt: "pq", Stream: true},
		`{"prompt":[1,2]}`:                   {},
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"a"},{"role":"assistant","content":"x"},{"role":"user","content":[{"type":"text","text":"b"},{"type":"image_url"},{"type":"text","text":"c"}]},{"role":"assistant","content":"y"}]}`: {Prompt: "bc"},
		`{"messages":[{"a":1}]}`: {},
		`{`:                      {},
		`nonsense`:               {},
	} {
		if got := ReadAsked([]byte(body)); got != want {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

func TestCompletes(t *testing.T) {
	for path, want := range map[string]bool{"/v1/completions": true, "/v1/chat/completions": true, "/v1/models": false, "/v1/embeddings": false, "/completions/x": false} {
		if Completes(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}
