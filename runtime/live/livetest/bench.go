// Package livetest is a deployment, an apparatus and a detector in one process,
// for tests of what runs in real time: client, detector, proxy and engine one
// behind the other, on loopback and free ports.
package livetest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/apparatus/proxy"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/world"
)

func newReader(b []byte) io.Reader { return bytes.NewReader(b) }

// Bench is a setup on loopback.
type Bench struct {
	Plan     *plan.Plan
	Detector *Detector
	Engine   *httptest.Server
	Front    *httptest.Server // where requests are sent
	Dead     atomic.Bool      // the engine cuts every connection
	Mark     atomic.Bool      // the engine adds a header
	Cache    atomic.Bool      // the engine says that a cache answered
	Asked    atomic.Int64     // requests that reached the engine

	engine string // URL
}

// Key is what requests need, and KeyEnv the environment variable that the plan
// says it is in.
const (
	Key    = "s3cret-of-the-bench"
	KeyEnv = "FDBENCH_TEST_KEY"
)

// Scale is how long the windows are.
const Scale = 250 * exact.Millisecond

// New makes a bench with a plan of so many trials at a Poisson load of 40 requests in
// a second and windows of a quarter of a second.
func New(t testing.TB, trials int, options ...func(*plan.Plan)) *Bench {
	t.Helper()
	b := &Bench{}
	d := deployment.New(deployment.Options{Engine: deployment.Template("test", 0), Model: "tiny", Key: Key, Seed: "1",
		Latency: deployment.Latency{}})
	b.Engine = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.Asked.Add(1)
		if b.Dead.Load() {
			panic(http.ErrAbortHandler)
		}
		if b.Mark.Load() {
			w.Header().Set("X-Mark", "1")
		}
		if b.Cache.Load() {
			w.Header().Set("X-Cache", "HIT from edge")
		}
		d.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(b.Engine.Close)
	return b.attach(t, FreePort(t), FreePort(t), trials, options...)
}

// Attach makes a bench on an engine that runs elsewhere, at addresses that a
// bench before it had: what a restarted process finds.
func Attach(t testing.TB, engine, front, listen string, trials int, options ...func(*plan.Plan)) *Bench {
	t.Helper()
	return (&Bench{engine: engine}).attach(t, front, listen, trials, options...)
}

func (b *Bench) attach(t testing.TB, front, listen string, trials int, options ...func(*plan.Plan)) *Bench {
	t.Helper()
	if b.Engine != nil {
		b.engine = b.Engine.URL
	}
	var err error
	if b.Detector, err = NewDetector("http://"+listen, 2*time.Duration(Scale)); err != nil {
		t.Fatal(err)
	}
	b.Front = httptest.NewUnstartedServer(b.Detector)
	b.Front.Listener.Close()
	if b.Front.Listener, err = net.Listen("tcp", front); err != nil {
		t.Fatal(err)
	}
	b.Front.Start()
	t.Cleanup(b.Front.Close)
	b.Plan = build(b, listen, trials)
	for _, o := range options {
		o(b.Plan)
	}
	plan.Seal(b.Plan)
	return b
}

// FreePort is an address at which nothing listens.
func FreePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// build makes the plan by hand: no scenario has windows this short.
func build(b *Bench, listen string, trials int) *plan.Plan {
	step := plan.Profile{Name: "step", Shape: "step"}
	num := exact.MustParse
	timeout, verify := 8*Scale, 4*Scale
	p := &plan.Plan{Series: "live", Inputs: plan.Inputs{Files: []plan.InputFile{}, Variables: map[string]string{}}}
	p.Declaration = plan.Declaration{
		Seed: "1", Window: 2 * Scale,
		Environment: plan.Environment{Name: "lab", Kind: "lab", SUTBoundary: "model_engine", Path: []string{"engine", "gateway"}, InjectAt: "engine",
			ObserveAt: "gateway", Position: "fip_upstream", Guardrails: []plan.Guardrail{}, Caching: "no_hit_population", Clocks: "same_host"},
		Serving: plan.Serving{Name: "tiny", Kind: "openai", Model: "tiny", Configuration: "{}", Behaviours: []plan.Behaviour{},
			Endpoint: &plan.Endpoint{BaseURL: b.Front.URL, API: "chat", Headers: map[string]string{}, Body: "{}", KeyEnv: KeyEnv,
				Header: 5 * exact.Second, Gap: 5 * exact.Second, Whole: 10 * exact.Second, Late: "late"}},
		Apparatus: plan.Apparatus{Name: "injector", Kind: "proxy", Sampling: "quota", Verify: "paired", Lease: 2 * exact.Second,
			Proxy: &plan.ProxyApparatus{Listen: listen, Upstream: b.engine}},
		Population:   plan.Population{Name: "template", Generator: "template/1", Salt: "nonce", Provenance: "synthetic", Digest: "sha256:0"},
		Indicators:   []plan.Indicator{{Name: "refusal_rate", Kind: "rate", Unit: "1", Scorer: "refusal/1"}},
		FaultClasses: []plan.FaultClass{{Name: "refusal", Indicator: "refusal_rate", Direction: "up", Transform: "refuse/1"}},
		Detector: plan.Detector{Name: "alerts", Kind: "webhook", Version: "1", Windows: "sliding", Evaluate: 20 * exact.Millisecond,
			Indicators: []plan.DetectorIndicator{{Label: "refusal_rate", Indicator: "refusal_rate", Window: plan.Window{Duration: 2 * Scale}, Sampling: exact.Int(1)}},
			Alerts:     []plan.Alert{{Name: "Refusals", Indicator: "refusal_rate", Comparator: "above"}},
			Live:       &plan.LiveDetector{Cycle: 20 * exact.Millisecond}},
		Signal: plan.Signal{Name: "page", Type: "alert", Component: "test", EventClock: "receiver",
			Attribution: `signal.status == "firing" and signal.labels.indicator == fault.indicator`},
		Load: plan.Load{Arrivals: "poisson", Points: []plan.LoadPoint{{Rate: num("40"), Representative: true, Window: 2 * Scale, Baseline: 20 * Scale,
			Timeout: timeout, Verification: verify}}},
		Quiet:  plan.Quiet{AtLeast: Scale, AtMost: 40 * Scale, Windows: 2},
		Trials: plan.Trials{Count: trials, Attempts: 3 * trials}, Sham: plan.Sham{Trials: 1},
		FalseDetection: plan.FalseDetection{AtLeast: 2 * Scale},
		Deviations:     []plan.Deviation{}, Reductions: []plan.Reduction{{What: "trials", Required: "20", Planned: fmt.Sprint(trials)},
			{What: "load_points", Required: "4", Planned: "1"}, {What: "search", Required: "one for each class", Planned: "none"}},
		ReducedReason: "a test",
		Attestations: []plan.Attestation{{Subject: "fd_1_2_6", By: "test", Statement: "The values are used by this test alone."},
			{Subject: "fd_6_3", By: "test", Statement: "The plan is all there is to the deployment."},
			{Subject: "fd_7_1", By: "test", Statement: "Everything runs on this machine, for this test."}},
	}
	p.Combinations = plan.Combinations{Searches: []plan.Search{}, Trials: []plan.Combination{{ID: 0, Fault: "refusals", Class: "refusal", Magnitude: num("0.8"),
		Profile: step, Trials: trials, Attempts: 3 * trials, Timeout: timeout, Verification: verify}}}
	for _, k := range []string{"baseline", "sham", "trials", "false_detection"} {
		p.Phases = append(p.Phases, plan.Phase{Kind: k})
	}
	p.Estimators = plan.Estimators{Quantile: "hyndman-fan-2", SD: "non-overlapping windows", Confidence: num("0.95"), MagnitudeTolerance: num("0.1"),
		LoadTolerance: num("0.01"), Engine: live.EngineName}
	p.Rules, p.Budget.LoadBudget = []plan.RuleOutcome{}, []plan.LoadBudget{}
	return p
}

// Short makes a series shorter still: windows half as long, at a higher load,
// and no phases but the baseline and the trials.
func Short(p *plan.Plan) {
	d := &p.Declaration
	l := &d.Load.Points[0]
	l.Rate, l.Window, l.Baseline, l.Timeout, l.Verification = exact.Int(60), Scale, 10*Scale, 6*Scale, 3*Scale
	d.Detector.Indicators[0].Window.Duration = Scale
	d.Quiet.AtMost = 24 * Scale
	for i := range p.Combinations.Trials {
		c := &p.Combinations.Trials[i]
		c.Timeout, c.Verification = l.Timeout, l.Verification
	}
	p.Phases = []plan.Phase{{Kind: "baseline"}, {Kind: "trials"}}
}

// Target is the pinned deployment.
func (b *Bench) Target(t testing.TB) confine.Target {
	t.Helper()
	target, err := confine.Pin(context.Background(), net.DefaultResolver, strings.TrimPrefix(b.Front.URL, "http://"), false)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// Drivers are those of the bench; the apparatus is a new one each time.
func (b *Bench) Drivers(t testing.TB) *live.Drivers {
	t.Helper()
	score, err := live.Scorer(b.Plan)
	if err != nil {
		t.Fatal(err)
	}
	a, err := proxy.New(proxy.Options{Apparatus: b.Plan.Declaration.Apparatus, Scorer: score})
	if err != nil {
		t.Fatal(err)
	}
	return &live.Drivers{Apparatus: a, Detector: b.Detector}
}

// Factory makes a live world of the bench, which the test closes. dir is the
// folder of the run, "" for none.
func (b *Bench) Factory(t testing.TB, dir string, options ...func(*live.Options)) *live.Factory {
	t.Helper()
	return b.With(t, b.Drivers(t), dir, options...)
}

// With makes a live world with given drivers.
func (b *Bench) With(t testing.TB, d *live.Drivers, dir string, options ...func(*live.Options)) *live.Factory {
	t.Helper()
	prompts, err := live.OpenPrompts(b.Plan, "")
	if err != nil {
		t.Fatal(err)
	}
	target := b.Target(t)
	o := live.Options{Target: target, Key: Key, Dir: dir, Hosts: world.Hosts{Apparatus: "boot test", Detector: "boot test"},
		Targets: []world.Target{{Name: "serving.tiny", Address: target.Addr.String()}}}
	for _, f := range options {
		f(&o)
	}
	f, err := live.New(b.Plan, prompts, *d, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// String says where the parts are.
func (b *Bench) String() string {
	return fmt.Sprintf("front %s, proxy %s, engine %s", b.Front.URL, b.Plan.Declaration.Apparatus.Proxy.Listen, b.engine)
}
