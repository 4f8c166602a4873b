package library

import (
	"slices"
	"testing"

	"github.com/fdbench/fdbench/stdlib"
)

func TestFind(t *testing.T) {
	for _, e := range stdlib.Entries() {
		if got := Find(e.Kind + "." + e.Name); len(got) != 1 || got[0].Line != e.Line {
			t.Errorf("Find(%s.%s) = %v", e.Kind, e.Name, got)
		}
		if got := Find(e.Name); len(got) == 0 {
			t.Errorf("Find(%s) found nothing", e.Name)
		}
	}
	if got := Find("no_such_thing"); got != nil {
		t.Errorf("Find of an unknown name = %v", got)
	}
}

func TestKinds(t *testing.T) {
	want := []string{"indicator", "fault_class", "profile", "population", "gate"}
	if got := Kinds(); !slices.Equal(got, want) {
		t.Errorf("Kinds() = %v, want %v", got, want)
	}
}

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{
		"refusal_rat":         " (did you mean refusal_rate?)",
		"fault_class.refusel": " (did you mean fault_class.refusal?)",
		"qqqqqqqqqqqq":        "",
	} {
		if got := Nearest(name); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}
