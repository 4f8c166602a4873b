package compiler

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/stdlib/corpus"
	"github.com/hashicorp/hcl/v2"
)

// reach works out how far each fault class can shift its indicator in this
// environment. It is false where that is not known for some class.
func (s *series) reach() bool {
	if !s.ctx.Knows(rule.Environment) {
		return false
	}
	ok := true
	switch s.environment.serving.plan.Kind {
	case "recorded":
		ok = s.changes() && s.buildData()
	case "simulated":
		ok = s.needBehaviours()
	}
	if !ok {
		return false
	}
	for _, f := range s.classes {
		n, good := s.largest(f)
		if !good {
			ok = false
			continue
		}
		s.ctx.Classes[f.plan.Name] = rule.Class{Block: f.block, Indicator: f.indicator.plan, Largest: n, Baseline: s.expected(f.plan.Indicator)}
	}
	return ok
}

// needBehaviours checks that a simulated deployment knows every indicator that
// is faulted or computed: without text nothing else says how it behaves.
func (s *series) needBehaviours() bool {
	v := s.environment.serving
	ok := true
	for _, i := range s.indicators {
		if v.behaviours[i.plan.Name] != nil {
			continue
		}
		write := "rate = 0.02"
		if i.plan.Kind == "mean" {
			write = fmt.Sprintf("distribution = \"normal 180 %s, 20\"", i.plan.Unit)
		}
		s.c.errorAt(v.block.DefRange, "LANG-behaviour", "Missing behaviour",
			fmt.Sprintf("Series %q needs indicator.%s, and the simulated deployment does not say how it behaves without a fault. Add: behaviour { indicator = indicator.%s, %s } on lines of their own.", s.name, i.plan.Name, i.plan.Name, write))
		ok = false
	}
	return ok
}

// largest is the change of the indicator's mean when every response is
// affected, signed.
func (s *series) largest(f *faultClass) (exact.Number, bool) {
	v := s.environment.serving
	var n exact.Number
	if s.live() {
		return bound(f), true
	}
	if v.plan.Kind == "recorded" {
		n = dataset.Shift(s.data.Of(f.plan.Indicator), s.data.Twin(f.plan.Name, f.plan.Indicator))
	} else {
		b := behaviourOf(v.plan, f.plan.Indicator)
		switch {
		case b.Rate != nil && f.plan.Direction == "up":
			n = exact.Int(1).Sub(*b.Rate)
		case b.Rate != nil:
			n = b.Rate.Neg()
		case !f.hasScale:
			s.c.errorAt(f.block.DefRange, "LANG-behaviour", "Missing scale",
				fmt.Sprintf("indicator.%s is a mean, and a simulated deployment has no text that fault_class.%s could change. Say what it multiplies the score by: scale = 2.", f.plan.Indicator, f.plan.Name))
			return n, false
		default:
			mean, _ := meanOf(*b.Distribution)
			n = mean.Mul(f.plan.Scale.Sub(exact.Int(1)))
		}
	}
	want := 1
	if f.plan.Direction == "down" {
		want = -1
	}
	if n.Sign() == want {
		return n, true
	}
	detail := fmt.Sprintf("fault_class.%s is declared to shift indicator.%s %s, and in this deployment it shifts it by %s even if every response is affected.", f.plan.Name, f.plan.Indicator, f.plan.Direction, n.Decimal(6))
	if n.Sign() == 0 {
		detail = fmt.Sprintf("fault_class.%s cannot shift indicator.%s in this deployment: it is the same with every response affected.", f.plan.Name, f.plan.Indicator)
	}
	s.c.errorAt(s.placeOfClass(f), "LANG-magnitude", "Fault without effect", detail+" Choose another class, or another deployment.")
	return n, false
}

// expected is the mean of an indicator without a fault, as far as it is known
// before a run.
func (s *series) expected(indicator string) exact.Number {
	if s.data != nil {
		return dataset.Mean(s.data.Of(indicator))
	}
	if s.live() {
		for _, i := range s.indicators {
			if i.plan.Name == indicator && i.planning != nil {
				return *i.planning
			}
		}
		return exact.Number{}
	}
	b := behaviourOf(s.environment.serving.plan, indicator)
	if b.Rate != nil {
		return *b.Rate
	}
	mean, _ := meanOf(*b.Distribution)
	return mean
}

// bound is the largest change that is possible at all. What a running
// deployment allows is known when its baseline has been measured.
func bound(f *faultClass) exact.Number {
	n := exact.Int(1)
	if f.indicator.plan.Kind == "mean" {
		n = exact.Int(maxCount)
	}
	if f.plan.Direction == "down" {
		return n.Neg()
	}
	return n
}

// changes checks that every class says what becomes of a text, which recorded
// responses have.
func (s *series) changes() bool {
	ok := true
	for _, f := range s.classes {
		if f.plan.Transform == "" && f.plan.Replace == "" {
			s.c.errorAt(s.placeOfClass(f), "LANG-behaviour", "Missing transform",
				fmt.Sprintf("Recorded responses have a text, and fault_class.%s does not say what becomes of it. Give the class a transform or a file that replaces the responses.", f.plan.Name))
			ok = false
		}
	}
	return ok
}

// placeOfClass is where the series first names a class.
func (s *series) placeOfClass(f *faultClass) hcl.Range {
	for _, typ := range []string{"fault", "threshold", "masking"} {
		for _, b := range s.block.All(typ) {
			if a := b.Attr("class"); a != nil {
				if sym := s.c.refOf(a); sym != nil && sym.name == f.plan.Name {
					return a.Expr.Range()
				}
			}
		}
	}
	return s.block.DefRange
}

func behaviourOf(v plan.Serving, indicator string) plan.Behaviour {
	for _, b := range v.Behaviours {
		if b.Indicator == indicator {
			return b
		}
	}
	return plan.Behaviour{}
}

// buildData scores the recorded responses and their twins.
func (s *series) buildData() bool {
	v := s.environment.serving
	d := s.c.decode(v.block)
	f := s.c.rows(d, "responses", v.plan.Responses, "responses")
	if f == nil {
		return false
	}
	other := func(name string) ([]corpus.Row, string, error) {
		for _, class := range s.classes {
			if class.plan.Replace == name {
				if r := s.c.rows(s.c.decode(class.block), "replace", name, "replacement"); r != nil {
					return r.rows, r.sha256, nil
				}
			}
		}
		return nil, "", errReported
	}
	data, err := s.c.builder.Build(&s.plan.Declaration, f.rows, f.sha256, other)
	if err == nil {
		s.data = data
		return true
	}
	if err != errReported {
		if p, ok := err.(*dataset.ProblemError); ok {
			for _, class := range s.classes {
				if class.plan.Replace == p.Replace {
					s.c.unpaired(s.c.decode(class.block).at("replace"), s.c.files[p.File], p.Problems)
				}
			}
		} else {
			s.c.errorAt(s.block.DefRange, "LANG-responses", "Responses cannot be scored", sentence(err.Error()))
		}
	}
	return false
}

// errReported stands for a failure that has its diagnostic already.
var errReported = fmt.Errorf("already reported")

// expand fills in the matrix: by load, fault block, class, magnitude and
// profile, as declared.
func (s *series) expand() {
	p := s.plan
	loads := p.Declaration.Load.Points
	total := 0
	for _, f := range s.ctx.Faults {
		total += len(loads) * len(f.Magnitudes) * len(f.Profiles)
	}
	if int64(total) > s.maxCombinations {
		s.c.errorAt(s.d.at("max_combinations"), "LANG-matrix", "Too many combinations",
			fmt.Sprintf("The series expands to %d combinations of load, class, magnitude and profile, and at most %d are allowed. Leave some out, or raise max_combinations.", total, s.maxCombinations))
		s.unknown(rule.Matrix)
		return
	}
	ok := true
	for _, f := range s.ctx.Faults {
		for i, m := range f.Magnitudes {
			ok = s.reachable(f.Class, m, f.Places[i]) && ok
		}
	}
	ok = s.expandMasking() && ok
	ok = s.checkBounds() && ok
	if !ok {
		s.unknown(rule.Matrix)
		s.d.bad = true
		return
	}
	trials := p.Declaration.Trials
	fractions := make([][]exact.Number, len(s.ctx.Faults))
	for i, f := range s.ctx.Faults {
		for _, m := range f.Magnitudes {
			fractions[i] = append(fractions[i], s.fraction(m, f.Class))
		}
	}
	p.Combinations.Trials = make([]plan.Combination, 0, total)
	for l, point := range loads {
		for i, f := range s.ctx.Faults {
			for j, m := range f.Magnitudes {
				for _, profile := range f.Profiles {
					p.Combinations.Trials = append(p.Combinations.Trials, plan.Combination{
						ID: len(p.Combinations.Trials), Fault: f.Label, Class: f.Class, Magnitude: m, Profile: profile,
						Load: l, Fraction: fractions[i][j], Trials: trials.Count, Attempts: trials.Attempts,
						Timeout: point.Timeout + profile.Ramp, Verification: verified(point, profile),
					})
				}
			}
		}
	}
	perUnit, steps := make([]exact.Number, len(s.ctx.Thresholds)), make([]int, len(s.ctx.Thresholds))
	for i, t := range s.ctx.Thresholds {
		perUnit[i] = s.fraction(exact.Int(1), t.Class)
		steps[i] = stats.SearchSteps(t.Lower.Abs(), t.Upper.Abs(), t.Resolution)
	}
	for l, point := range loads {
		for i, t := range s.ctx.Thresholds {
			p.Combinations.Searches = append(p.Combinations.Searches, plan.Search{
				ID: len(p.Combinations.Searches), Threshold: t.Label, Class: t.Class, Profile: t.Profile, Load: l,
				Target: t.Target, TargetText: t.TargetText, Resolution: t.Resolution, Floor: t.Floor, Lower: t.Lower,
				Upper: t.Upper, PerUnit: perUnit[i], Largest: s.reachOf(t.Class), Trials: trials.Count,
				Attempts: trials.Attempts, Timeout: point.Timeout + t.Profile.Ramp, Verification: verified(point, t.Profile),
				Steps: steps[i],
			})
		}
	}
}

// fraction is the share of responses to change for a magnitude. It is 0 where
// the deployment runs by itself: the baseline gives it.
func (s *series) fraction(m exact.Number, class string) exact.Number {
	if s.live() {
		return exact.Number{}
	}
	return m.Div(s.ctx.Classes[class].Largest)
}

// reachOf is the largest magnitude of a class, 0 where it is not known yet.
func (s *series) reachOf(class string) exact.Number {
	if s.live() {
		return exact.Number{}
	}
	return s.ctx.Classes[class].Largest
}

// verified is how long the achieved magnitude is measured: the declared span
// from the start of the plateau, within the time that a pulse lasts (AMB-07,
// AMB-11). An intermittent fault is measured in its on phases.
func verified(l plan.LoadPoint, p plan.Profile) exact.Duration {
	if p.Shape == "pulse" {
		return min(l.Verification, p.On)
	}
	return l.Verification
}

// reachable refuses a magnitude that no share of the responses gives.
func (s *series) reachable(class string, m exact.Number, place hcl.Range) bool {
	k := s.ctx.Classes[class]
	largest := k.Largest
	unit := ""
	if k.Indicator.Unit != "1" {
		unit = " " + k.Indicator.Unit
	}
	switch {
	case m.Sign() == 0:
		s.c.errorAt(place, "LANG-magnitude", "Magnitude of 0", "A magnitude of 0 is no fault. Trials without a fault run by themselves as sham trials.")
	case m.Sign() != largest.Sign():
		s.c.errorAt(place, "LANG-magnitude", "Magnitude of the wrong sign",
			fmt.Sprintf("A magnitude is a signed change, and fault_class.%s shifts indicator.%s %s: write %s.", class, k.Indicator.Name, direction(largest), m.Neg()))
	case m.Abs().Cmp(largest.Abs()) > 0 && s.live():
		s.c.errorAt(place, "LANG-magnitude", "Magnitude out of reach",
			fmt.Sprintf("A change of %s%s is beyond any: indicator.%s moves by less than %s%s.", m, unit, k.Indicator.Name, largest, unit))
	case m.Abs().Cmp(largest.Abs()) > 0:
		s.c.errorAt(place, "LANG-magnitude", "Magnitude out of reach",
			fmt.Sprintf("A change of %s%s cannot be reached: with every response affected, fault_class.%s shifts indicator.%s by %s%s, which is the largest magnitude here.", m, unit, class, k.Indicator.Name, largest.Decimal(6), unit))
	default:
		return true
	}
	return false
}

func direction(n exact.Number) string {
	if n.Sign() < 0 {
		return "down"
	}
	return "up"
}

// checkBounds refuses a search whose bounds cannot be reached or are in the
// wrong order. For a class that lowers its indicator the bounds are negative,
// and the lower one is the smaller change.
func (s *series) checkBounds() bool {
	ok := true
	for _, t := range s.ctx.Thresholds {
		d := s.c.decode(t.Block)
		if !s.reachable(t.Class, t.Upper, d.at("upper")) {
			ok = false
			continue
		}
		if t.Resolution.Sign() <= 0 {
			d.refuse("resolution", "Resolution out of range", fmt.Sprintf("The search ends when its interval is smaller than the resolution, so it is above 0; this is %s.", t.Resolution))
			ok = false
		}
		if t.Floor {
			continue
		}
		if t.Lower.Sign() != 0 && !s.reachable(t.Class, t.Lower, d.at("lower")) {
			ok = false
			continue
		}
		if t.Lower.Abs().Cmp(t.Upper.Abs()) >= 0 {
			d.refuse("lower", "Bounds in the wrong order", fmt.Sprintf("The search begins between a lower and an upper bound, and %s is not a smaller change than %s.", t.Lower, t.Upper))
			ok = false
		}
	}
	return ok
}

// expandMasking fills in the faults that masking is measured with: every class
// of the series at its largest declared magnitude, or the one that is named.
func (s *series) expandMasking() bool {
	m := s.plan.Declaration.Masking
	if m == nil {
		return true
	}
	d := s.c.decode(s.masking)
	ok := true
	for _, f := range s.classes {
		name := f.plan.Name
		if s.maskClass != nil && s.maskClass != f {
			continue
		}
		magnitude, found := exact.Number{}, false
		for _, fault := range s.ctx.Faults {
			if fault.Class != name {
				continue
			}
			for _, n := range fault.Magnitudes {
				if !found || n.Abs().Cmp(magnitude.Abs()) > 0 {
					magnitude, found = n, true
				}
			}
		}
		for _, t := range s.ctx.Thresholds {
			if t.Class == name && !found {
				magnitude, found = t.Upper, true
			}
		}
		if s.maskMagnitude != nil {
			magnitude, found = *s.maskMagnitude, true
			if !s.reachable(name, magnitude, d.at("magnitude")) {
				ok = false
				continue
			}
		}
		if !found {
			s.c.errorAt(s.masking.DefRange, "FD-5.5-1", "Masking without a magnitude",
				fmt.Sprintf("The series declares no magnitude of fault_class.%s. Say which to measure masking with: magnitude = 0.1.", name))
			ok = false
			continue
		}
		m.Targets = append(m.Targets, plan.MaskingTarget{
			Class: name, Magnitude: magnitude, Fraction: s.fraction(magnitude, name),
		})
	}
	if len(s.classes) == 0 {
		s.c.errorAt(s.masking.DefRange, "FD-5.5-1", "Masking without a fault", "Masking is measured with a fault of known magnitude. Name its class and magnitude.")
		return false
	}
	return ok
}
