package compare_test

import (
	"regexp"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
)

// A remedy that says to add --study can be followed: the study is not refused
// in its turn. Where it would be, the remedy says what else is needed.
func TestRemediesCanBeFollowed(t *testing.T) {
	raised := func(p *plan.Plan) {
		n := exact.MustParse("0.09")
		p.Declaration.Detector.Alerts[0].Threshold = &n
	}
	model := func(p *plan.Plan) { p.Declaration.Serving.Model = "another" }
	// sameGeneration undoes what declare says of a declaration before this one.
	sameGeneration := func(change func(*plan.Plan)) func(*synthetic.Case) {
		return func(c *synthetic.Case) {
			declare(change)(c)
			c.Open.Generation, c.Open.Earlier = 1, nil
		}
	}
	study := regexp.MustCompile(`--study ([a-z_]+)\.`)
	a := load(t, first(t))
	for _, x := range []struct {
		name          string
		change        func(*synthetic.Case)
		advised, says string // the study that the first remedy names for these two as they are, or what it says
	}{
		{"the detector of the next generation", declare(raised), compare.DetectorConfiguration, "with the other four"},
		{"the detector within one generation", sameGeneration(raised), "", "--new-series or under another series name"},
		{"the declared signal", sameGeneration(func(p *plan.Plan) { p.Declaration.Signal.Name = "alarm2" }), compare.DetectorConfiguration, "with the other four"},
		{"the deployment", declare(model), compare.ServingConfiguration, "with the other four"},
		{"both", declare(func(p *plan.Plan) { raised(p); model(p) }), "", "here 2 differ"},
		{"the detector, in another environment", declare(func(p *plan.Plan) {
			raised(p)
			p.Declaration.Environment.Name = "elsewhere"
		}), "", "for what else stands here"},
	} {
		b := load(t, written(t, small, x.change))
		c := compare.Compare(a, b, "")
		if c.Comparable {
			t.Errorf("%s: they are compared", x.name)
			continue
		}
		said := false
		for _, r := range c.Refusals {
			said = said || regexp.MustCompile(x.says).MatchString(r.Remedy)
			m := study.FindStringSubmatch(r.Remedy)
			if m == nil || regexp.MustCompile("--new-series").MatchString(r.Remedy) {
				continue
			}
			if m[1] != x.advised {
				t.Errorf("%s: %s advises a study of %q, want %q", x.name, r.Rule, m[1], x.advised)
			}
			if s := compare.Compare(a, b, m[1]); !s.Comparable {
				t.Errorf("%s: %s advises %s, which is refused: %+v", x.name, r.Rule, m[0], s.Refusals)
			}
		}
		if !said {
			t.Errorf("%s: no remedy says %q: %+v", x.name, x.says, c.Refusals)
		}
	}
}
