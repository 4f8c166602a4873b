package synthetic

import (
	"bytes"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/readback"
)

// TestRealCase wants a case in real time to hold the evidence that one needs.
func TestRealCase(t *testing.T) {
	c := New(Options{Time: "real"})
	if c.Open.Hosts.Apparatus == c.Open.Hosts.Detector || c.Plan.Declaration.Environment.Clocks != "probed" || c.Plan.Declaration.Environment.Kind != "lab" {
		t.Errorf("hosts %+v in %+v", c.Open.Hosts, c.Plan.Declaration.Environment)
	}
	if n := len(c.Plan.Declaration.Attestations); n != 14 {
		t.Errorf("%d attestations", n)
	}
	moments := map[int][]string{}
	load, bound := 0, int64(0)
	for _, r := range c.Records {
		switch d := r.Data.(type) {
		case *journal.Segment:
			load = d.Load
		case *journal.ClockRecord:
			moments[load] = append(moments[load], d.Moment)
			bound = max(bound, d.Bound)
		}
	}
	for load := range c.Plan.Declaration.Load.Points {
		m := moments[load]
		if len(m) < 3 || m[0] != "before" || m[1] != "between" || m[len(m)-1] != "after" {
			t.Errorf("load %d: clocks probed %q", load, m)
		}
	}
	Each(c, func(r *journal.TrialRecord) {
		if r.Detected && int64(r.Latency) <= 100*bound {
			t.Errorf("%s: a latency of %s and a clock bound of %d ns", r.Trial, r.Latency, bound)
		}
	})
	same := New(Options{Time: "real", Clocks: "same_host"})
	Each(same, func(*journal.ClockRecord) { t.Error("the clocks of one host were probed") })
	if same.Open.Hosts.Apparatus != same.Open.Hosts.Detector {
		t.Errorf("hosts %+v", same.Open.Hosts)
	}
}

// TestEvidence wants every segment to begin with the reading that the plan
// leads one to expect, and every baseline to name its environment and methods.
func TestEvidence(t *testing.T) {
	for _, o := range []Options{{}, {Time: "real"}, {Position: "same"}} {
		c := New(o)
		want, err := readback.Expected(c.Plan)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range c.Records {
			if r.Kind != journal.KindSegment {
				continue
			}
			b, ok := c.Records[i+1].Data.(*journal.Readback)
			if !ok || b.Detector != want.Detector || b.Serving != want.Serving || b.Population != want.Population || b.Moment != journal.ReadAtBegin {
				t.Fatalf("%+v: after a segment comes %+v", o, c.Records[i+1].Data)
			}
		}
		Each(c, func(b *journal.BaselineRecord) {
			if b.Environment != plan.EnvironmentDigest(c.Plan) || b.Indicators[0].Method != "refusal/1" {
				t.Errorf("baseline of %s by %s", b.Environment, b.Indicators[0].Method)
			}
		})
		masking := 0
		Each(c, func(r *journal.TrialRecord) {
			v := r.Verification
			if r.Readbacks != 2 || r.Magnitude.Sign() != 0 && (v.ObservedFrom != v.From || v.ObservedTo != v.To || v.ObservedN != v.N || v.N == 0) {
				t.Errorf("%s: %+v", r.Trial, r)
			}
			if o.Position == "same" && v.Observed != v.Injected {
				t.Errorf("%s: %d observed and %d injected at one point", r.Trial, v.Observed, v.Injected)
			}
			if r.Purpose == journal.PurposeMasking {
				masking++
			}
		})
		if (masking > 0) == (o.Position == "same") {
			t.Errorf("%+v: %d masking trials", o, masking)
		}
	}
}

func TestSameOptionsSameBytes(t *testing.T) {
	a, err := New(Options{Time: "real"}).Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(Options{Time: "real"}).Write(t.TempDir())
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("%v, and the bytes differ", err)
	}
}
