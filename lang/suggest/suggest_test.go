package suggest

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"rps", "ms", "timeout", "count", "above", "below", "at_least", "at_most"}
	for written, want := range map[string]string{
		"mss":      "ms",      // not the first that is near, but the nearest
		"cuont":    "count",   // a transposition is one mistake
		"tiemout":  "timeout", //
		"timeouts": "timeout",
		"at_mots":  "at_most",
		"at_leest": "at_least",
		"xyz":      "",
		"m":        "ms",
		"":         "",
		"counting": "",
		"ábove":    "above",
	} {
		if got := Nearest(written, names); got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
}

func TestNearestTakesTheEarliestOfEquals(t *testing.T) {
	if got := Nearest("cat", []string{"bat", "car", "cut"}); got != "bat" {
		t.Error(got)
	}
	if got := Nearest("cat", []string{"cut", "car", "bat"}); got != "cut" {
		t.Error(got)
	}
}
