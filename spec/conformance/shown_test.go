package conformance

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/measure/example"
	"github.com/fdbench/fdbench/spec"
)

func measured(t *testing.T, text string) *measure.Result {
	t.Helper()
	r, err := example.Result(in("", text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The declared event clock stamps the event (AMB-13): the emitter's stamp may
// be anything while the receiver's counts, and counts itself where the signal
// says so.
func TestEventClock(t *testing.T) {
	const (
		stamp   = "trial {\"purpose\": \"trials\", \"detected\": true}\n  shift {\"event.emitted_at\": -1}\n"
		emitter = "plan\n  set {\"declaration\": {\"signal\": {\"event_clock\": \"emitter\"}}}\n"
	)
	for text, want := range map[string][]string{stamp: nil, emitter: nil, emitter + stamp: {"FD-3.5-1"}} {
		if got := example.Broken(measured(t, text)); !slices.Equal(got, want) {
			t.Errorf("%s\nbreaks %v, want %v", text, got, want)
		}
	}
}

// A signal during a trial that is not the fault's is counted with the trial
// (AMB-30), and is neither a detection nor a false one.
func TestOtherSignalsAreCountedApart(t *testing.T) {
	const pick = "trial {\"purpose\": \"trials\"}\n  "
	before, after := measured(t, pick+"shift {\"attempt\": 0}"), measured(t, pick+"shift {\"not_attributed\": 3, \"early\": 1}")
	a, b := before.Supplementary.Signals[0], after.Supplementary.Signals[0]
	if b.NotAttributed != a.NotAttributed+3 || b.Early != a.Early+1 {
		t.Errorf("counted %+v after %+v", b, a)
	}
	if !reflect.DeepEqual(before.Latency, after.Latency) || !reflect.DeepEqual(before.FalseDetection, after.FalseDetection) {
		t.Error("the counts have changed a latency or a false detection")
	}
	if len(after.Conformance.Violations) > 0 {
		t.Errorf("violations %v", after.Conformance.Violations)
	}
}

// A resolution is declared, and none of them is a reduction by itself (AMB-27).
func TestCoarseResolutionIsNoReduction(t *testing.T) {
	files, err := rule.Files(spec.Example{In: spec.InScenario, Text: "series \"example\" {\n  threshold \"refusals\" { resolution = 0.1 }\n}\n"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, diags := compiler.CompilePath(dir, compiler.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if d := r.Plans[0].Declaration; len(d.Reductions) > 0 {
		t.Errorf("reductions %v", d.Reductions)
	}
	if q := r.Plans[0].Combinations.Searches[0]; q.Resolution.String() != "0.1" {
		t.Errorf("the plan's resolution is %s", q.Resolution)
	}
}
