package compiler

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/hashicorp/hcl/v2"
)

// forecastDigits is how many significant digits of a forecast a plan keeps.
// Processors differ in the last bits of a logarithm; a plan does not.
const forecastDigits = 3

// moments are what a forecast needs to know of an indicator under a class.
type moments struct {
	rate                       bool
	sampling                   float64 // share of the responses that the detector looks at
	baseline                   float64 // mean without a fault
	largest                    float64 // shift with every response affected
	before, after              float64 // variance of the score without and with the fault
	difference, differenceMean float64 // variance and mean of twin - original
}

// moments of a class, from the declared behaviour or from the recorded scores.
// Of a running deployment they are known where the indicator has a figure for
// planning, and for rates only.
func (s *series) moments(class string) (moments, bool) {
	if !s.live() {
		return s.knownMoments(class), true
	}
	k := s.ctx.Classes[class]
	m := moments{rate: k.Indicator.Kind == "rate", baseline: k.Baseline.Float64(), sampling: s.plan.Declaration.SamplingOf(k.Indicator.Name).Float64()}
	m.largest = 1 - m.baseline
	if k.Largest.Sign() < 0 {
		m.largest = -m.baseline
	}
	return m, m.rate && k.Baseline.Sign() > 0 && m.largest != 0
}

func (s *series) knownMoments(class string) moments {
	k := s.ctx.Classes[class]
	m := moments{rate: k.Indicator.Kind == "rate", largest: k.Largest.Float64(), sampling: s.plan.Declaration.SamplingOf(k.Indicator.Name).Float64()}
	m.differenceMean = m.largest
	if s.data != nil {
		before, after := s.data.Of(k.Indicator.Name), s.data.Twin(class, k.Indicator.Name)
		m.baseline = dataset.Mean(before).Float64()
		diff := make([]int32, len(before))
		for i := range diff {
			diff[i] = after[i] - before[i]
		}
		m.before, m.after, m.difference = variance(before), variance(after), variance(diff)
		return m
	}
	b := behaviourOf(s.plan.Declaration.Serving, k.Indicator.Name)
	if b.Rate != nil {
		m.baseline = b.Rate.Float64()
		return m
	}
	mean, _ := meanOf(*b.Distribution)
	scale := 1.0
	for _, f := range s.classes {
		if f.plan.Name == class {
			scale = f.plan.Scale.Float64()
		}
	}
	m.baseline, m.before = mean.Float64(), varianceOf(*b.Distribution)
	m.after = m.before * scale * scale
	m.difference = m.before * (scale - 1) * (scale - 1)
	return m
}

func variance(x []int32) float64 {
	var sum, squares float64
	for _, v := range x {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	n := float64(len(x))
	return max(squares/n-sum/n*sum/n, 0)
}

// discard forecasts how often an attempt is discarded by the ten percent rule
// through sampling alone, with n responses verified (AMB-06).
func (m moments) discard(a plan.Apparatus, n int, magnitude float64) float64 {
	quota := a.Sampling == "quota"
	if n < 1 {
		return 1
	}
	if m.rate {
		switch {
		case a.Verify == "paired":
			// A picked response changes its score with probability |largest|.
			return stats.DiscardPaired(n, 1-math.Abs(m.largest), math.Abs(magnitude), quota)
		case quota:
			return stats.DiscardQuota(n, m.baseline, magnitude)
		}
		return stats.DiscardBernoulli(n, m.baseline, magnitude)
	}
	// A mean: the normal approximation.
	f := magnitude / m.largest
	var v float64
	switch {
	case a.Verify == "paired" && quota:
		v = f * m.difference
	case a.Verify == "paired":
		v = f*(m.difference+m.differenceMean*m.differenceMean) - magnitude*magnitude
	case quota:
		v = (1-f)*m.before + f*m.after
	default:
		v = (1-f)*m.before + f*m.after + f*(1-f)*m.differenceMean*m.differenceMean
	}
	if v <= 0 {
		return 0
	}
	return math.Erfc(0.1 * math.Abs(magnitude) / math.Sqrt(2*v/float64(n)))
}

// responses is how many are offered in a span, rounded down.
func responses(d exact.Duration, rate exact.Number) int {
	n, ok := d.Seconds().Mul(rate).Int64()
	if !ok || n > maxCount {
		return maxCount
	}
	return int(n)
}

// forecastText rounds a forecast for the plan.
func forecastText(x float64) string {
	if x < 1e-6 {
		return "0"
	}
	n, ok := stats.Significant(x, forecastDigits)
	if !ok {
		return ""
	}
	return n.String()
}

// forecast is what is expected of a combination.
type forecast struct {
	discard float64 // probability that an attempt is discarded
	floor   float64 // evidence floor in seconds; 0 where it has no meaning
}

// forecastKey is everything that a forecast depends on, so that series over
// equal deployments share the work.
type forecastKey struct {
	moments          moments
	sampling, verify string
	n                int     // responses that are verified
	magnitude        float64 // in the indicator's unit
	rate, gamma      float64 // load, and responses between two false alarms
	floor            bool
}

// atLoad is what all combinations at a load share.
type atLoad struct {
	rate, gamma  float64
	verification exact.Duration
	n            int // responses in the verification
}

func (s *series) atLoads() []atLoad {
	d := s.plan.Declaration
	list := make([]atLoad, len(d.Load.Points))
	for i, p := range d.Load.Points {
		rate := p.Rate.Float64()
		list[i] = atLoad{rate, min(seconds(d.FalseDetection.AtLeast)*rate, maxGamma), p.Verification, responses(p.Verification, p.Rate)}
	}
	return list
}

// seconds is for forecasts only.
func seconds(d exact.Duration) float64 { return float64(d) / float64(exact.Second) }

// forecastOf computes a forecast, or remembers it. In a check the evidence
// floor is only computed where it could be above the limit in seconds.
func (s *series) forecastOf(m moments, c *plan.Combination, at atLoad) forecast {
	a := s.plan.Declaration.Apparatus
	key := forecastKey{
		moments: m, sampling: a.Sampling, verify: a.Verify, n: at.n,
		magnitude: c.Magnitude.Float64(), rate: at.rate, gamma: at.gamma,
	}
	if c.Verification != at.verification {
		key.n = responses(c.Verification, s.plan.Declaration.Load.Points[c.Load].Rate)
	}
	key.floor = m.rate && key.magnitude > 0
	if key.floor && s.c.options.Check {
		key.floor = mayExceed(m.baseline, key.magnitude, key.gamma*m.sampling, seconds(c.Timeout)*key.rate*m.sampling)
	}
	f, ok := s.c.forecasts[key]
	if !ok {
		f.discard = m.discard(a, key.n, key.magnitude)
		if key.floor {
			f.floor = stats.EvidenceFloor(m.baseline, min(m.baseline+key.magnitude, 1), key.gamma*m.sampling) / (key.rate * m.sampling)
		}
		s.c.forecasts[key] = f
	}
	return f
}

// maxGamma bounds the false alarm budget of the evidence floor, in responses.
const maxGamma = 1e7

// mayExceed tells whether the evidence floor can be above n responses. Twice
// (ln gamma + 3) over the information of one response bounds it from above:
// the first-order formula alone is already too large wherever a false alarm
// is rarer than one in a few responses.
func mayExceed(p0, d, gamma, n float64) bool {
	p1 := p0 + d
	if p0 <= 0 || p1 >= 1 {
		return true
	}
	return n < 2*(math.Log(max(gamma, 1))+3)/stats.Information(p1, p0)
}

// forecast fills in the expected discards and the evidence floor of every
// combination, and refuses one whose attempts will not do (FD-3.4-8).
//
// The evidence floor is how long the best detector takes that alarms falsely
// once in the declared false detection period: the budget of a series that
// shows no false detection in that period. It counts the responses that the
// detector samples. A discard depends on all responses, since the apparatus
// measures at the injection point, where nothing is sampled.
func (s *series) forecast() {
	p := s.plan
	type short struct {
		place hcl.Range
		q     float64
		rate  exact.Number
		c     plan.Combination
	}
	var order []string
	shorts := map[string]*short{}
	warned := map[string]bool{}
	var small []func() // warnings, for magnitudes that are not refused
	all := map[string]moments{}
	var blind []string
	for _, name := range sortedKeys(s.ctx.Classes) {
		if m, ok := s.moments(name); ok {
			all[name] = m
		} else {
			blind = append(blind, "fault_class."+name)
		}
	}
	s.withoutForecast(blind)
	loads := s.atLoads()
	for i := range p.Combinations.Trials {
		c := &p.Combinations.Trials[i]
		if _, ok := all[c.Class]; !ok {
			continue
		}
		f := s.forecastOf(all[c.Class], c, loads[c.Load])
		// The time budget, which lint says too, rests on the discards.
		c.Discard = forecastText(f.discard)
		if f.floor > 0 && !s.c.options.Check {
			c.Floor = forecastText(f.floor)
		}
		id := c.Fault + " " + c.Magnitude.String()
		if f.floor > seconds(c.Timeout) && !warned[id] {
			// The lowest load comes first, and is the worst.
			warned[id] = true
			small = append(small, func() {
				if shorts[id] == nil {
					s.belowFloor(c, f.floor)
				}
			})
		}
		if enough(c.Trials, c.Attempts, f.discard) {
			continue
		}
		e := shorts[id]
		if e == nil {
			e = &short{place: s.placeOfMagnitude(c)}
			shorts[id] = e
			order = append(order, id)
		}
		if f.discard >= e.q {
			e.q, e.rate, e.c = f.discard, p.Declaration.Load.Points[c.Load].Rate, *c
		}
	}
	for _, warn := range small {
		warn()
	}
	for _, id := range order {
		e := shorts[id]
		s.fine = slices.DeleteFunc(s.fine, func(d diag.Diagnostic) bool { return *d.Subject == e.place })
		detail := s.shortText(all[e.c.Class], e.q, e.rate, e.c)
		if !s.live() {
			s.c.errorAt(e.place, "FD-3.4-8", "Too few attempts", detail)
			continue
		}
		s.c.diags.Add(diag.Diagnostic{Severity: diag.Warning, Rule: "FD-3.4-8", Summary: "Too few attempts", Subject: &e.place,
			Detail: detail + " This is a forecast from the indicator's planning_baseline; the measured baseline may say otherwise."})
	}
	s.forecastSearches(all)
}

// withoutForecast notes the classes of which nothing can be forecast before
// the baseline has been measured.
func (s *series) withoutForecast(classes []string) {
	if len(classes) == 0 {
		return
	}
	s.c.diags.Add(diag.Diagnostic{Severity: diag.Note, Rule: "FD-3.4-8", Summary: "No forecast", Subject: s.block.DefRange.Ptr(),
		Detail: fmt.Sprintf("How often chance will discard an attempt with %s depends on a baseline that is measured in the run, and the indicator has no planning_baseline. The plan counts on every attempt being used.", strings.Join(classes, ", "))})
}

// enough tells whether the expected number of attempts, trials/(1-q), is
// allowed, or a discard so rare that not one is expected in a hundred
// combinations. The little more forgives the last bits of a forecast.
func enough(trials, attempts int, q float64) bool {
	return float64(trials) <= float64(attempts)*(1-q)*(1+1e-9) ||
		trials <= attempts && float64(trials)*q <= 0.01
}

func (s *series) placeOfMagnitude(c *plan.Combination) hcl.Range {
	for _, f := range s.ctx.Faults {
		if f.Label != c.Fault {
			continue
		}
		for i, m := range f.Magnitudes {
			if m.Cmp(c.Magnitude) == 0 {
				return f.Places[i]
			}
		}
	}
	return s.block.DefRange
}

// shortText says what would help: a longer verification, or more attempts.
func (s *series) shortText(m moments, q float64, rate exact.Number, c plan.Combination) string {
	a, n := s.plan.Declaration.Apparatus, responses(c.Verification, rate)
	text := fmt.Sprintf("At %s req/s a trial of magnitude %s is verified over %d responses (%s), and by chance alone the achieved magnitude misses the ten percent %s of the time. %d trials then take %s attempts on average, and %d are allowed.",
		rate, c.Magnitude, n, c.Verification, percent(q), c.Trials, attempts(c.Trials, q), c.Attempts)
	longer := func(n int) bool { return enough(c.Trials, c.Attempts, m.discard(a, n, c.Magnitude.Float64())) }
	if need, ok := leastFor(max(n, 1), longer); ok {
		whole, _ := exact.Int(int64(need)).Div(rate).Ceil()
		span := exact.Duration(whole) * exact.Second
		if c.Profile.Shape == "pulse" && span > c.Profile.On {
			text += fmt.Sprintf(" Let the pulse and the verification last at least %s (%d responses)", span, need)
		} else {
			text += fmt.Sprintf(" Verify over at least %s (%d responses)", span, need)
		}
	} else {
		text += " No verification is long enough"
	}
	if q < 0.95 {
		text += fmt.Sprintf(", or allow %s attempts.", attempts(c.Trials, q))
	} else {
		text += "."
	}
	return text
}

func percent(q float64) string {
	if q > 0.9995 {
		return "all"
	}
	n, _ := stats.Significant(100*q, 2)
	return n.String() + " percent"
}

func attempts(trials int, q float64) string {
	if q > 0.9999 {
		return "endlessly many"
	}
	return fmt.Sprint(int(math.Ceil(float64(trials)/(1-q) - 1e-6)))
}

// leastFor finds the smallest n from low on for which ok holds, for an ok that
// stays true; it gives up beyond maxCount.
func leastFor(low int, ok func(int) bool) (int, bool) {
	high := low
	for !ok(high) {
		low = high + 1
		if high *= 2; high > maxCount/10 {
			return 0, false
		}
	}
	for low < high {
		mid := low + (high-low)/2
		if ok(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return high, true
}

// belowFloor warns where a trial ends before the evidence can be in.
func (s *series) belowFloor(c *plan.Combination, floor float64) {
	place := s.placeOfMagnitude(c)
	if slices.ContainsFunc(s.fine, func(d diag.Diagnostic) bool { return *d.Subject == place }) {
		return // the magnitude has its warning
	}
	span, _ := exact.FromFloat(math.Ceil(floor))
	d, _ := exact.DurationOf(span)
	s.c.diags.Add(diag.Diagnostic{
		Severity: diag.Warning, Rule: "FD-5.1-10", Summary: "Too little evidence", Subject: &place,
		Detail: fmt.Sprintf("At %s req/s a magnitude of %s takes any detector %s on average, if it alarms falsely once in %s, and the trial times out after %s. Expect it to stay undetected.",
			s.plan.Declaration.Load.Points[c.Load].Rate, c.Magnitude, d.Words(), s.plan.Declaration.FalseDetection.AtLeast.Words(), c.Timeout.Words()),
	})
}

// forecastSearches looks at the smallest magnitude that a search tests: its
// lower bound, or two standard deviations of the expected baseline.
func (s *series) forecastSearches(all map[string]moments) {
	p := s.plan
	warned := map[string]bool{}
	loads := s.atLoads()
	for _, q := range p.Combinations.Searches {
		m, known := all[q.Class]
		if !known {
			continue
		}
		point := p.Declaration.Load.Points[q.Load]
		smallest := q.Lower.Float64()
		if q.Floor {
			v := m.before
			if m.rate {
				v = m.baseline * (1 - m.baseline)
			}
			n := p.Declaration.ResponsesOf(s.ctx.Classes[q.Class].Indicator.Name, point).Float64()
			smallest = math.Copysign(2*math.Sqrt(v/max(1, n)), m.largest)
		}
		if smallest == 0 || math.Abs(smallest) >= q.Upper.Abs().Float64() {
			continue
		}
		n := loads[q.Load].n
		if q.Verification != loads[q.Load].verification {
			n = responses(q.Verification, point.Rate)
		}
		discard := m.discard(p.Declaration.Apparatus, n, smallest)
		if enough(q.Trials, q.Attempts, discard) || warned[q.Threshold] {
			continue
		}
		warned[q.Threshold] = true
		place := s.block.DefRange
		for _, t := range s.ctx.Thresholds {
			if t.Label == q.Threshold {
				place = s.c.decode(t.Block).at("lower")
			}
		}
		near, _ := stats.Significant(smallest, 2)
		c := plan.Combination{Magnitude: near, Verification: q.Verification, Trials: q.Trials, Attempts: q.Attempts, Profile: q.Profile}
		s.c.diags.Add(diag.Diagnostic{
			Severity: diag.Warning, Rule: "FD-3.4-8", Summary: "Search may run out of attempts", Subject: &place,
			Detail: "The smallest magnitude of the search is about " + near.String() + ". " + s.shortText(m, discard, point.Rate, c),
		})
	}
}
