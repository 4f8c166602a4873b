package predicate

import (
	"fmt"
	"strings"
	"testing"
)

func TestDecide(t *testing.T) {
	s := Signal{Type: "alert", Status: "firing", Labels: map[string]string{"alertname": "High", "severity": "page"}}
	f := Fault{Class: "refusal", Profile: "step"}
	for _, tt := range []struct {
		src, unknown string
		want         Truth
	}{
		{`signal.status == "firing"`, "", True},
		{`signal.status == "resolved"`, "", False},
		{`signal.status == "firing"`, "signal.status", Unknown},
		{`not (signal.status == "firing")`, "signal.status", Unknown},
		{`not (signal.status == "firing")`, "signal.value", False},
		{`signal.value == "1" and signal.status == "resolved"`, "signal.value", False},
		{`signal.status == "resolved" and signal.value == "1"`, "signal.value", False},
		{`signal.value == "1" or signal.status == "firing"`, "signal.value", True},
		{`signal.value == "1" and signal.status == "firing"`, "signal.value", Unknown},
		{`signal.value == "1" or signal.status == "resolved"`, "signal.value", Unknown},
		{`not (signal.value == "1" or signal.status == "firing")`, "signal.value", False},
		{`signal.labels.alertname == "High"`, "signal.labels.team signal.labels", True},
		{`signal.labels.team == ""`, "signal.labels.team signal.labels", Unknown},
		{`"team" in signal.labels`, "signal.labels", Unknown},
		{`"team" in signal.labels`, "", False},
		{`len(signal.labels) == 2`, "signal.labels", Unknown},
		{`lower(signal.labels["alertname"]) == lower(signal.labels.severity)`, "signal.labels.severity", Unknown},
		{`lower(signal.labels["alertname"]) matches "^high$" and fault.class in ["a", "refusal"]`, "signal.reason", True},
		{`true and signal.repeat`, "", False},
		{`fault.profile == "step"`, "fault.profile", Unknown},
	} {
		a, err := CompileAttribution(tt.src)
		if err != nil {
			t.Fatalf("%s: %v", tt.src, err)
		}
		known := func(field string) bool { return !strings.Contains(" "+tt.unknown+" ", " "+field+" ") }
		if got := a.Decide(s, f, known); got != tt.want {
			t.Errorf("%s without %q: %v, want %v", tt.src, tt.unknown, got, tt.want)
		}
	}
}

// With every field known Decide is Match, and with fewer it never contradicts
// it.
func TestDecideAgreesWithMatch(t *testing.T) {
	tests := []string{`signal.status == "firing"`, `signal.repeat`, `signal.labels.a != "x"`, `"b" in signal.labels`, `fault.class == "c"`}
	for _, x := range tests {
		for _, y := range tests {
			for _, z := range tests {
				src := fmt.Sprintf("%s and not (%s or %s) or %s and %s", x, y, z, z, y)
				a, err := CompileAttribution(src)
				if err != nil {
					t.Fatal(err)
				}
				for bits := range 32 {
					s := Signal{Status: "resolved", Repeat: bits&2 != 0, Labels: map[string]string{"a": "x"}}
					if bits&1 != 0 {
						s.Status = "firing"
					}
					if bits&4 != 0 {
						s.Labels["a"] = "y"
					}
					if bits&8 != 0 {
						s.Labels["b"] = ""
					}
					f := Fault{Class: map[bool]string{true: "c", false: "d"}[bits&16 != 0]}
					ok, err := a.Match(s, f)
					if err != nil {
						t.Fatal(err)
					}
					want := map[bool]Truth{true: True, false: False}[ok]
					if got := a.Decide(s, f, func(string) bool { return true }); got != want {
						t.Fatalf("%s with %+v: %v, and Match says %v", src, s, got, ok)
					}
					for _, hidden := range []string{"signal.status", "signal.repeat", "signal.labels.a", "signal.labels", "fault.class"} {
						got := a.Decide(s, f, func(name string) bool { return name != hidden })
						if got != want && got != Unknown {
							t.Fatalf("%s with %+v without %s: %v, and Match says %v", src, s, hidden, got, ok)
						}
					}
				}
			}
		}
	}
}
