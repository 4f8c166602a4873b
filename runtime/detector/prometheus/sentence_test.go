package prometheus

import (
	"errors"
	"testing"
)

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       ".",
		"no answer":                              "No answer.",
		"http://127.0.0.1:1/x cannot be reached": "http://127.0.0.1:1/x cannot be reached.",
		"it answers at http://127.0.0.1:1":       "It answers at http://127.0.0.1:1.",
	} {
		if got := sentence(errors.New(text)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
