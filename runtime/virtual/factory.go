package virtual

import (
	"context"
	"fmt"
	"runtime"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/drivers"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/readback"
	"github.com/fdbench/fdbench/runtime/serving"
	"github.com/fdbench/fdbench/runtime/world"
)

// EngineName identifies the simulation. It changes whenever the same plan
// would give other bytes.
const EngineName = "fdbench.virtual/2"

// maxIndicators is what fits into the bits of a sampling decision.
const maxIndicators = 64

// Factory opens virtual worlds of one plan. It may be used by several
// goroutines.
type Factory struct {
	plan      *plan.Plan
	key       string // names the random streams: what the lock guards of the plan
	bank      *serving.Bank
	latencies []int64
	classes   map[string]int
	masks     []random.Chance

	declared   world.Readback
	computed   []computed
	deployment string // digest of what the deployment is made of
	atRest     string // reading of it without a fault
}

// New prepares a simulation of the plan on a bank of responses.
func New(p *plan.Plan, bank *serving.Bank) (*Factory, error) {
	d := &p.Declaration
	if bank.Stride != len(d.Indicators) {
		return nil, fmt.Errorf("the bank has %d indicators and the plan %d", bank.Stride, len(d.Indicators))
	}
	if max(len(d.Indicators), len(d.Detector.Indicators)) > maxIndicators {
		return nil, fmt.Errorf("the plan has more than %d indicators", maxIndicators)
	}
	f := &Factory{plan: p, key: plan.Key(p), bank: bank, latencies: serving.Latencies(d.Serving.Latency), classes: map[string]int{}}
	for i, c := range d.FaultClasses {
		f.classes[c.Name] = i
		f.masks = append(f.masks, guard(p, c.Name))
		if bank.Twins[c.Name] == nil {
			return nil, fmt.Errorf("the bank has no changed responses for fault class %q", c.Name)
		}
	}
	f.deployment = plan.DeploymentDigest(p)
	f.atRest = readback.Deployment{Declared: f.deployment}.Digest()
	f.computed = declaredIndicators(d)
	declared, err := readback.Expected(p)
	if err != nil {
		return nil, err
	}
	f.declared = world.Readback(declared)
	return f, nil
}

// Engine names the simulation and its version.
func (f *Factory) Engine() string { return EngineName }

// Virtual is true.
func (f *Factory) Virtual() bool { return true }

// Onset is stamped by the simulated apparatus, on the clock that steps the
// world: whole nanoseconds.
func (f *Factory) Onset() world.Onset { return world.Onset{Source: "apparatus", Resolution: 1} }

// Hosts are none: one virtual clock stamps onset and event.
func (f *Factory) Hosts() world.Hosts { return world.Hosts{Apparatus: "virtual", Detector: "virtual"} }

// Targets are none: nothing leaves the process.
func (f *Factory) Targets() []world.Target { return []world.Target{} }

// Declared is what the plan leads one to read of a world at rest.
func (f *Factory) Declared() world.Readback { return f.declared }

// Parallel is the number of processors.
func (f *Factory) Parallel() int { return runtime.GOMAXPROCS(0) }

// Open starts a segment's world at instant 0.
func (f *Factory) Open(_ context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	d := &f.plan.Declaration
	point := d.Load.Points[s.Load]
	w := &virtualWorld{home: f, plan: f.plan, bank: f.bank, latencies: f.latencies, classes: f.classes, masks: f.masks}
	w.name = func(purpose string) *random.Stream {
		return random.New(f.key, d.Seed, s.Name, purpose)
	}
	w.traffic = schedule(point.Rate, d.Load.Arrivals, w.name("arrivals"))
	w.next, _ = w.traffic.Next()
	w.rows, w.lags, w.masking, w.samples = w.name("rows"), w.name("latency"), w.name("guardrail"), w.name("sampling")
	horizon := f.latencies[len(f.latencies)-1]
	w.inFlight = newCalendar(w.traffic.Mean(), horizon)
	w.fault.quota = d.Apparatus.Sampling == "quota"
	for _, ind := range d.Detector.Indicators {
		w.columns = append(w.columns, indicatorIndex(d, ind.Indicator))
		w.sampling = append(w.sampling, random.ChanceOf(ind.Sampling.Rat()))
		w.all = w.all<<1 | 1
	}
	w.scores = make([]int32, len(w.columns))
	w.unsampled = ^uint64(0)
	for _, c := range w.columns {
		w.unsampled &^= 1 << c
	}
	if everything(d.Detector.Indicators) {
		w.sampling = nil
	}
	var err error
	w.det, err = drivers.New(f.plan, w.name, func(sig detector.Signal) {
		w.signalled = true
		sink(sig)
	})
	if err != nil {
		return nil, err
	}
	w.offered.end = detector.Never
	w.settle = int64(point.Window) + horizon + learning(d, point)
	w.cycle = cycle(d, point)
	return w, nil
}

func everything(indicators []plan.DetectorIndicator) bool {
	for _, ind := range indicators {
		if ind.Sampling.Cmp(exact.Int(1)) < 0 {
			return false
		}
	}
	return true
}

// learning is the longest time that a chart needs to learn its scale.
func learning(d *plan.Declaration, point plan.LoadPoint) int64 {
	var longest exact.Duration
	for _, a := range d.Detector.Alerts {
		for _, ind := range d.Detector.Indicators {
			if ind.Label == a.Indicator && a.Learn > 0 {
				if t, ok := ind.Window.At(point.Rate).Mul(exact.Int(a.Learn + 1)); ok {
					longest = max(longest, t)
				}
			}
		}
	}
	return int64(longest)
}

// cycle is the period of the detector's own instants.
func cycle(d *plan.Declaration, point plan.LoadPoint) int64 {
	det := &d.Detector
	switch {
	case det.Prometheus != nil:
		return common(int64(det.Prometheus.ScrapeInterval), int64(det.Prometheus.EvaluationInterval), point)
	case det.Kind == "threshold" && det.Windows != "tumbling" && det.Indicators[0].Window.Requests == 0:
		return int64(det.Evaluate)
	}
	period := int64(1)
	for _, ind := range det.Indicators {
		period = common(period, int64(ind.Window.At(point.Rate)), point)
	}
	return period
}

// common is the least common multiple, as long as it stays below W; the
// detector's phase does not matter for longer.
func common(a, b int64, point plan.LoadPoint) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	longest := max(a, b, int64(point.Window))
	if x > 0 && a/x <= longest/b {
		return a / x * b
	}
	return max(a, b)
}
