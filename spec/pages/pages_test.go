package pages

import (
	"strings"
	"testing"

	"github.com/fdbench/fdbench/spec"
)

func TestEveryRequirementIsOnThePage(t *testing.T) {
	page := string(Requirements())
	for _, r := range spec.Requirements() {
		if !strings.Contains(page, "\n### "+r.ID+"\n\n"+string(r.Level)+". "+r.Text+"\n") {
			t.Errorf("the page lacks %s with its text", r.ID)
		}
	}
	if n := strings.Count(page, "```"); n%2 != 0 {
		t.Errorf("%d fences: a code block is not closed", n)
	}
}

func TestFenced(t *testing.T) {
	in := "Text.\n\nThis breaks it:\n\n  a {\n\n    b = 1\n  }\n\nThis keeps it:\n\n  a {}"
	want := "Text.\n\nThis breaks it:\n\n```hcl\na {\n\n  b = 1\n}\n```\n\nThis keeps it:\n\n```hcl\na {}\n```"
	if got := fenced(in); got != want {
		t.Errorf("fenced:\n%s\nwant\n%s", got, want)
	}
	if got := fenced("no example"); got != "no example" {
		t.Errorf("fenced = %q", got)
	}
}

func TestNearest(t *testing.T) {
	for id, want := range map[string]string{"fd-5.1-88": " (did you mean FD-5.1-8?)", "banana": ""} {
		if got := Nearest(id); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", id, got, want)
		}
	}
}
