package openai

import (
	"slices"
	"testing"
)

func TestMembers(t *testing.T) {
	m := members{}
	m.add([]byte(`{"id":"x","choices":[{"delta":{"content":"{\"inner\":1}"}},{"delta":{"role":"a"}}]}`))
	m.add([]byte(`[DONE]`))
	m.add([]byte(`{"usage":null}`))
	m.add([]byte(`[[{"a":1}]]`))
	want := []string{"[][].a", "choices", "choices[].delta", "choices[].delta.content", "choices[].delta.role", "id", "usage"}
	if got := m.sorted(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
