package reason

import (
	"strings"
	"testing"
)

func TestReasons(t *testing.T) {
	for _, tt := range []struct {
		text               string
		given, placeholder bool
	}{
		{"", false, true},
		{" ", false, true},
		{".", false, true},
		{"—", false, true},
		{"\t\n\u00a0\u200b", false, true},
		{"x", false, false},
		{"12", false, false},
		{"1", false, true},
		{"ab", false, false},
		{"abc", true, false},
		{"é漢字", true, false},
		{"e\u0301te\u0301", true, false},
		{"xxx", false, true},
		{"????", false, true},
		{"1111", false, true},
		{"todo", false, true},
		{"TODO", false, true},
		{"Todo: say why", false, true},
		{"[todo]", false, true},
		{"tbd later", false, true},
		{"FIXME(ann): the machine", false, true},
		{"n/a", false, true},
		{"N. A.", false, true},
		{"not applicable", false, true},
		{"none", false, true},
		{"yes, ok.", false, true},
		{"no reason", false, true},
		{"because", false, true},
		{"asdf asdf", false, true},
		{"a a a", true, false},
		{"the list of what is to do: see todo.md", true, false},
		{"a test", true, false},
		{"a first look", true, false},
		{"screening", true, false},
		{"no deployment is intended yet", true, false},
		{"none of the machines takes more", true, false},
		{"the machine", true, false},
		{"Because the machine is small", true, false},
		{"unknown load of the deployment", true, false},
	} {
		if got := Given(tt.text); got != tt.given {
			t.Errorf("Given(%q) is %v", tt.text, got)
		}
		if got := Placeholder(tt.text); got != tt.placeholder {
			t.Errorf("Placeholder(%q) is %v", tt.text, got)
		}
	}
}

// What stands around a text makes no reason of it, and takes none away; no
// placeholder is a reason.
func FuzzReason(f *testing.F) {
	for _, s := range []string{"", "todo", "the machine", "n/a", "é漢字", "\xff", "xxx"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if Given(s) && Placeholder(s) {
			t.Errorf("%q is a reason and a placeholder", s)
		}
		for _, around := range []string{" " + s, s + ".", "(" + s + ")", "\t" + s + "\n", "- " + s} {
			if Given(s) != Given(around) || Placeholder(s) != Placeholder(around) {
				t.Errorf("%q and %q are not the same", s, around)
			}
		}
		// A mark may become a letter when it is raised: only what comes back
		// the same is the same text.
		up := strings.ToUpper(s)
		if back := strings.ToLower(up); back == strings.ToLower(s) && Placeholder(s) != Placeholder(up) {
			t.Errorf("%q and %q are not the same", s, up)
		}
	})
}
