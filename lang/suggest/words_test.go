package suggest

import "testing"

func TestWords(t *testing.T) {
	for _, x := range []struct {
		words   []string
		and, or string
	}{
		{nil, "", ""}, {[]string{"a"}, "a", "a"}, {[]string{"a", "b"}, "a and b", "a or b"}, {[]string{"a", "b", "c"}, "a, b and c", "a, b or c"},
	} {
		if and, or := And(x.words), Or(x.words); and != x.and || or != x.or {
			t.Errorf("%q: %q and %q", x.words, and, or)
		}
	}
}
