package example

import (
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/spec"
)

func TestOriginalsBreakNothing(t *testing.T) {
	for _, base := range []string{measure.BaseVirtual, measure.BaseReal, measure.BaseOneHost, measure.BaseDeclared, measure.BaseFloor, measure.BaseReduced} {
		r, err := Result(spec.Example{Base: base})
		if err != nil {
			t.Fatalf("%q: %v", base, err)
		}
		want := measure.StatusSimulated
		if r.Conformance.Time == "real" {
			want = measure.StatusConformant
		}
		if len(r.Conformance.Violations) > 0 || !r.Conformance.Complete || r.Conformance.Status != want {
			t.Errorf("%q: %s, complete %v, %v", base, r.Conformance.Status, r.Conformance.Complete, r.Conformance.Violations)
		}
	}
}

// implied are the only rules that an example may break besides its own, since
// its violation cannot be without them.
var implied = map[string]string{
	"FD-3.4-4": "FD-3.4-5", // a marker makes the whole series invalid
	"FD-3.4-5": "FD-3.4-4",
	"FD-5.4-3": "FD-5.4-6 FD-5.4-7", // without a False Detection Rate there is neither
	"FD-5.4-6": "FD-5.4-3 FD-5.4-7",
	"FD-5.4-7": "FD-5.4-3 FD-5.4-6",
}

// Every example that breaks a rule breaks that one, and only what follows from
// it; every other one breaks nothing.
func TestExamples(t *testing.T) {
	for _, r := range measure.Rules() {
		want := append(strings.Fields(implied[r.ID]), r.ID)
		slices.Sort(want)
		for _, x := range r.Bad {
			ids, err := Check(x)
			slices.Sort(ids)
			if err != nil || !slices.Equal(ids, want) {
				t.Errorf("%s: %s: breaks %v, want %v (%v)", r.ID, x.Name, ids, want, err)
			}
		}
		for _, x := range r.Good {
			if ids, err := Check(x); err != nil || len(ids) > 0 {
				t.Errorf("%s: %s: breaks %v, want nothing (%v)", r.ID, x.Name, ids, err)
			}
		}
	}
}

// A series in real time that breaks a rule is nonconformant, whatever it is that
// it breaks; one in virtual time stays simulated.
func TestNothingBrokenIsConformant(t *testing.T) {
	for _, r := range measure.Rules() {
		for _, x := range r.Bad {
			if x.Base != measure.BaseVirtual {
				continue
			}
			x.Base = measure.BaseReal
			res, err := Result(x)
			if err != nil {
				continue // refused, or made for the other series
			}
			if c := res.Conformance; c.Status != measure.StatusNonconform && len(c.Violations) > 0 || c.Status != measure.StatusConformant && len(c.Violations) == 0 {
				t.Errorf("%s: %s: status %q with %v", r.ID, x.Name, c.Status, c.Violations)
			}
			for _, v := range res.Conformance.Violations {
				if v.Effect == "" || v.Detail == "" {
					t.Errorf("%s: %s: violation %+v", r.ID, x.Name, v)
				}
			}
		}
	}
}

// What the run itself saw is in the result once, whether it can be derived or
// not, with the stricter of both effects.
func TestViolationsOfTheRun(t *testing.T) {
	const before = "commit\n  before violation "
	for _, x := range []struct {
		name, text string
		rules      string
		effect     string
	}{
		{"one that nothing else shows", before + `{"rule": "FD-3.4-4", "subject": "10 req/s", "detail": "x-fault-id", "effect": "stops the series"}`,
			"FD-3.4-4", "stops the series"},
		{"one that the trials show as well", `trial {"purpose": "trials", "kept": true}` + "\n  put readbacks 1\n" + before +
			`{"rule": "FD-3.2-2", "subject": "10 req/s", "detail": "changed", "effect": "stops the series"}`, "FD-3.2-2", "stops the series"},
		{"one that is marked and stops", `trial {"purpose": "trials", "kept": true}` + "\n  put requests 1\n" + before +
			`{"rule": "FD-3.3-1", "subject": "10 req/s", "detail": "load", "effect": "stops the series"}`, "FD-3.3-1", "stops the series"},
	} {
		r, err := Result(spec.Example{Text: x.text})
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		v := r.Conformance.Violations
		if len(v) != 1 || v[0].Rule != x.rules || v[0].Effect != x.effect {
			t.Errorf("%s: %+v", x.name, v)
		}
	}
	for _, text := range []string{before + `{"rule": "FD-9.9-9", "effect": "stops the series"}`, before + `{"rule": "FD-3.4-4", "effect": "is ignored"}`} {
		if _, err := Result(spec.Example{Text: text}); err == nil || !strings.Contains(err.Error(), "line") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWrongExamples(t *testing.T) {
	for _, x := range []spec.Example{{Base: "none"}, {Text: "trial\n  bend {}"}, {Text: "plan\n  drop"}, {Text: "plan\n  put digest 3"}} {
		if ids, err := Check(x); err == nil {
			t.Errorf("%+v gave %v", x, ids)
		}
	}
}
