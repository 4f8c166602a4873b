package reporttest

import (
	"testing"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
)

// Nothing is wrong with the originals themselves.
func TestOriginals(t *testing.T) {
	for _, base := range Bases() {
		b, err := Original(base)
		if err != nil {
			t.Fatalf("%q: %v", base, err)
		}
		p, err := report.Read(b)
		if err != nil {
			t.Errorf("%q: %v", base, err)
			continue
		}
		want := map[string]string{"reduced": measure.StatusReduced, "virtual": measure.StatusSimulated}[base]
		if want == "" {
			want = measure.StatusConformant
		}
		if c := p.Result().Conformance; c.Status != want || len(c.Violations) > 0 {
			t.Errorf("%q is %s, want %s: %v", base, c.Status, want, c.Violations)
		}
	}
	if len(Bases()) != len(originals) {
		t.Error("Bases does not list every original")
	}
}
