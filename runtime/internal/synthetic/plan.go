package synthetic

import (
	"strconv"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
)

// Options shape a case. The zero value is a full series in virtual time with
// two loads, two fault classes, two profiles, a search and masking trials. In
// real time it runs in a lab, on loopback, with two hosts whose clocks are
// probed and everything attested that no machine can decide.
type Options struct {
	Time      string // "virtual" where empty, or "real"
	Position  string // "fip_upstream" where empty; "same" has no masking trials
	Clocks    string // where empty, "probed" in real time and "same_host" else
	Verify    string // "paired" where empty
	Trials    int    // a combination; 20 where 0
	Loads     []int64
	Lower     string // declared lower bound of the search; the floor where empty
	Upper     string // upper bound of the search; "0.4" where empty
	Target    string // coverage that the search asks for, of twenty; "18/20" where empty
	NoMasking bool
	NoTrials  bool // searches alone
	Down      bool // searches with the class that lowers its indicator
	Silent    bool // a baseline in which nothing is refused
	Reduced   bool // lists what it has less of than a full series
}

func num(s string) exact.Number { return exact.MustParse(s) }

func ptr[T any](v T) *T { return &v }

// Attestable are the requirements with a part that no machine can decide.
var Attestable = []string{"FD-1.1-3", "FD-1.2-6", "FD-3.1-5", "FD-3.2-1", "FD-3.2-2", "FD-3.3-6", "FD-3.3-7", "FD-3.4-2", "FD-3.4-4",
	"FD-3.5-6", "FD-4.3-4", "FD-4.4-1", "FD-6-3", "FD-7-1"}

// Plan returns a sealed plan.
func Plan(o Options) *plan.Plan {
	def := func(s *string, v string) {
		if *s == "" {
			*s = v
		}
	}
	def(&o.Position, "fip_upstream")
	kind, serving, apparatus, attested := "simulated", "simulated", "simulated", []string{"FD-7-1"}
	if o.Time == "real" {
		kind, serving, apparatus, attested = "lab", "openai", "proxy", Attestable
		def(&o.Clocks, "probed")
	}
	def(&o.Clocks, "same_host")
	def(&o.Verify, "paired")
	searched := "refusal"
	if o.Down {
		searched = "verbosity_down"
	}
	def(&o.Upper, "0.4")
	def(&o.Target, "18/20")
	if o.Trials == 0 {
		o.Trials = 20
	}
	if o.Loads == nil {
		o.Loads = []int64{10, 100}
	}
	var lower exact.Number
	if o.Lower != "" {
		lower = num(o.Lower)
	}
	observe := "gateway"
	if o.Position == "same" {
		observe, o.NoMasking = "engine", true
	}
	p := &plan.Plan{
		Series: "refusals",
		Inputs: plan.Inputs{Language: 1, Files: []plan.InputFile{{Name: "main.fdb.hcl", SHA256: "sha256:11", Role: "scenario"}},
			Variables: map[string]string{}, Stdlib: "sha256:22"},
		Declaration: plan.Declaration{
			Environment: plan.Environment{Name: "lab", Kind: kind, SUTBoundary: "model_engine",
				Path: []string{"engine", "guardrail", "gateway"}, InjectAt: "engine", ObserveAt: observe, Position: o.Position,
				Guardrails: []plan.Guardrail{{Place: "guardrail", Masks: num("0.25"), Acts: true}},
				Caching:    "disabled", CachingProof: "the simulated deployment has no cache", Clocks: o.Clocks},
			Serving: plan.Serving{Name: "mixtral", Kind: serving, Model: "mixtral", Configuration: "{}",
				Latency:    plan.Distribution{Kind: "lognormal", A: num("1.2"), B: num("0.5")},
				Behaviours: []plan.Behaviour{{Indicator: "refusal_rate", Rate: ptr(num("0.02"))}}},
			Apparatus:  plan.Apparatus{Name: "injector", Kind: apparatus, Sampling: "quota", Block: 100, Verify: o.Verify},
			Population: plan.Population{Name: "support", Generator: "questions", Salt: "nonce", Provenance: "synthetic", Digest: "sha256:33"},
			Indicators: []plan.Indicator{
				{Name: "refusal_rate", Kind: "rate", Unit: "share", Scorer: "refusal/1"},
				{Name: "words", Kind: "mean", Unit: "words", Scorer: "words/1"}},
			FaultClasses: []plan.FaultClass{
				{Name: "refusal", Indicator: "refusal_rate", Direction: "up", Transform: "refuse/1"},
				{Name: "verbosity_down", Indicator: "words", Direction: "down", Transform: "shorten/1"}},
			Detector: plan.Detector{Name: "alerts", Kind: "threshold", Version: "1",
				Indicators: []plan.DetectorIndicator{
					{Label: "refusal_rate", Indicator: "refusal_rate", Window: plan.Window{Duration: exact.Minute}, Sampling: num("1")},
					{Label: "words", Indicator: "words", Window: plan.Window{Duration: exact.Minute}, Sampling: num("1")}},
				Alerts: []plan.Alert{
					{Name: "RefusalsHigh", Indicator: "refusal_rate", Comparator: "above", Threshold: ptr(num("0.07"))},
					{Name: "AnswersShort", Indicator: "words", Comparator: "below", Threshold: ptr(num("100"))}}},
			Signal: plan.Signal{Name: "page", Type: "alert", Component: "detector", EventClock: "receiver",
				Attribution: `signal.status == "firing" and (signal.labels.alertname == "RefusalsHigh" and fault.class == "refusal" or ` +
					`signal.labels.alertname == "AnswersShort" and fault.indicator == "words")`},
			Load:           plan.Load{Arrivals: "constant"},
			Baseline:       plan.Baseline{Interval: plan.Span{Windows: num("10")}},
			Quiet:          plan.Quiet{AtLeast: 10 * exact.Minute, AtMost: 2 * exact.Hour, Windows: 4},
			Trials:         plan.Trials{Count: o.Trials, Attempts: o.Trials + 10, Timeout: plan.Span{Windows: num("20")}},
			FalseDetection: plan.FalseDetection{AtLeast: 2 * exact.Hour},
			Sham:           plan.Sham{Trials: 10},
			Seed:           "1", Window: exact.Minute,
			Deviations: []plan.Deviation{{Rule: "FD-3.3-5", Because: "the deployment never sees less than 10 requests a second"}},
		},
		Estimators: plan.Estimators{Quantile: "hyndman-fan-2", SD: "windows", Confidence: num("0.95"),
			MagnitudeTolerance: num("0.1"), LoadTolerance: num("0.01"), Engine: "synthetic/1"},
	}
	d := &p.Declaration
	for _, id := range attested {
		d.Attestations = append(d.Attestations, plan.Attestation{Subject: id, By: "author", Statement: "seen to in the lab book"})
	}
	if o.Reduced {
		d.Reductions = reductions(o)
		d.ReducedReason = "screening"
	}
	if !o.NoMasking {
		d.Masking = &plan.Masking{Trials: 20, Targets: []plan.MaskingTarget{{Class: "refusal", Magnitude: num("0.2"), Fraction: num("0.2")}}}
	}
	step := plan.Profile{Name: "step", Shape: "step"}
	ramp := plan.Profile{Name: "ramp 2m", Shape: "ramp", Ramp: 2 * exact.Minute}
	for i, rate := range o.Loads {
		d.Load.Points = append(d.Load.Points, plan.LoadPoint{Rate: exact.Int(rate), Representative: i == 0, Window: exact.Minute,
			Baseline: 10 * exact.Minute, Timeout: 20 * exact.Minute, Verification: 5 * exact.Minute})
		for _, f := range []struct {
			class, magnitude string
			profile          plan.Profile
		}{
			{"refusal", "0.05", step}, {"refusal", "0.05", ramp}, {"refusal", "0.2", step}, {"refusal", "0.2", ramp},
			{"verbosity_down", "-2", step},
		} {
			if o.NoTrials {
				break
			}
			p.Combinations.Trials = append(p.Combinations.Trials, plan.Combination{ID: len(p.Combinations.Trials), Fault: f.class,
				Class: f.class, Magnitude: num(f.magnitude), Profile: f.profile, Load: i, Fraction: num("0.05"),
				Trials: o.Trials, Attempts: o.Trials + 10, Timeout: 20*exact.Minute + f.profile.Ramp, Floor: "12.5"})
		}
		p.Combinations.Searches = append(p.Combinations.Searches, plan.Search{ID: i, Threshold: "refusals", Class: searched, Profile: step,
			Load: i, Target: num(o.Target), TargetText: o.Target, Resolution: num("0.02"), Floor: o.Lower == "", Lower: lower, Upper: num(o.Upper),
			PerUnit: num("1"), Largest: num("0.98"), Trials: o.Trials, Attempts: o.Trials + 10, Timeout: 20 * exact.Minute, Steps: 5})
	}
	plan.Seal(p)
	return p
}

// reductions are what a case has less of than four loads and twenty trials.
func reductions(o Options) []plan.Reduction {
	var out []plan.Reduction
	if n := len(o.Loads); n < 4 {
		out = append(out, plan.Reduction{What: "load_points", Required: "4", Planned: strconv.Itoa(n)})
	}
	if o.Trials < 20 {
		out = append(out, plan.Reduction{What: "trials", Required: "20", Planned: strconv.Itoa(o.Trials)})
	}
	return out
}
