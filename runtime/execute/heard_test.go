package execute

import (
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/detector"
)

// TestHeard takes a signal for the fault's only in the time that it has.
func TestHeard(t *testing.T) {
	a, perr := predicate.CompileAttribution(`signal.labels.alertname == "A" and signal.status == "firing"`)
	if perr != nil {
		t.Fatal(perr)
	}
	p := &plan.Plan{}
	p.Declaration.Signal.Type = "alert"
	const onset, wait = 100, 50
	signal := func(name, status string, at int64) detector.Signal {
		return detector.Signal{Type: "alert", Component: "rules", Status: status, Labels: map[string]string{"alertname": name}, At: at}
	}
	again, dark := signal("A", "firing", 110), signal("A", "firing", 110)
	again.Repeat, dark.NoData = true, true
	none := "none came at all: see whether the detector notices the fault, or give it longer with --wait"
	for _, x := range []struct {
		signals []detector.Signal
		active  []string
		heard   bool
		others  string
	}{
		{nil, nil, false, none},
		{[]detector.Signal{signal("A", "firing", 100)}, nil, false, none},
		{nil, []string{"A"}, false, "none came at all, though by then A was pending or fired: give it longer with --wait, or see what keeps its notification back"},
		{[]detector.Signal{signal("A", "firing", 150)}, nil, true, ""},
		{[]detector.Signal{signal("A", "firing", 151)}, nil, false, "what came was A firing from rules later than that: compare the attribution with that, and --wait"},
		{[]detector.Signal{again, dark, signal("B", "firing", 110), signal("B", "firing", 120)}, nil, false,
			"what came was A firing from rules again, A firing from rules for missing data, B firing from rules: compare the attribution with that, and --wait"},
	} {
		r := &rehearsal{p: p, attribution: a, signals: x.signals}
		if got := r.heard(&plan.FaultClass{}, onset, &Rehearsed{Waited: exact.Duration(wait)}); got != x.heard {
			t.Errorf("%+v: heard %t", x.signals, got)
		}
		if got := r.others(onset, wait, x.active); !x.heard && got != x.others {
			t.Errorf("%+v: %s\nwant %s", x.signals, got, x.others)
		}
	}
}
