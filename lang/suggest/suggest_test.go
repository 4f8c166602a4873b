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

func TestOnly(t *testing.T) {
	for _, tt := range []struct {
		written string
		from    []string
		want    string
	}{
		{"watch3", []string{"watch1", "watch2"}, ""},
		{"watch3", []string{"watch1", "watch33"}, ""},
		{"wacth", []string{"watch", "match"}, "watch"},
		{"watchh", []string{"watch", "watch", "witch"}, "watch"},
		{"detector", []string{"sensor"}, ""},
		{"a", nil, ""},
	} {
		if got := Only(tt.written, tt.from); got != tt.want {
			t.Errorf("Only(%q, %q) = %q, want %q", tt.written, tt.from, got, tt.want)
		}
	}
}
