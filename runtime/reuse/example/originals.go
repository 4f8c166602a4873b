package example

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec/edit"
)

// originals are the valid runs that examples change.
var originals = map[string]func() ([]edit.Item, error){
	result.BaseOffline: sync.OnceValues(func() ([]edit.Item, error) { return items(Offline()) }),
	result.BaseBare:    sync.OnceValues(func() ([]edit.Item, error) { return items(Bare()) }),
	result.BaseLive:    sync.OnceValues(func() ([]edit.Item, error) { return items(Live()) }),
	result.BaseSplit:   sync.OnceValues(func() ([]edit.Item, error) { return items(Split()) }),
}

// Bases lists the names of the originals.
func Bases() []string {
	return []string{result.BaseOffline, result.BaseBare, result.BaseLive, result.BaseSplit}
}

// Run is a run that was not made by one: a plan, and what its journal holds.
type Run struct {
	Plan    *plan.Reuse
	Entries []Entry
}

// Entry is one of them.
type Entry struct {
	Kind string
	Data any
}

func items(r *Run) ([]edit.Item, error) {
	list := []edit.Item{{Kind: PlanKind, Data: plan.EncodeReuse(r.Plan)}}
	for _, e := range r.Entries {
		b, err := json.Marshal(e.Data)
		if err != nil {
			return nil, err
		}
		list = append(list, edit.Item{Kind: e.Kind, Data: b})
	}
	return list, nil
}

// blockSize is that of all of them.
const blockSize = 16

// rows are the items of all of them: of 47 tokens there are 2 full blocks, of
// 48 there are 3.
var rows = []record.Item{
	{ItemID: "repeat", Dataset: "notes", SourceID: "a", Transform: "exact_repeat", Donors: 1, PromptTokens: 47, TotalBlocks: 2, ExactBlocks: 2, PrefixBlocks: 2, Planned: true, Candidate: 2, Eligible: 2},
	{ItemID: "reorder", Dataset: "notes", SourceID: "b", Transform: "rag_reorder", Donors: 2, PromptTokens: 167, TotalBlocks: 10, ExactBlocks: 3, PrefixBlocks: 1, Planned: true, Candidate: 8, Eligible: 7,
		Invalid: []record.Reason{{Reason: "unknown_donor", N: 1}}},
	{ItemID: "shift", Dataset: "notes", SourceID: "c", Transform: "rag_reorder", Donors: 1, PromptTokens: 48, TotalBlocks: 3, Planned: true, Candidate: 3, Eligible: 3},
	{ItemID: "control", Dataset: "notes", SourceID: "d", Transform: "negative_control", Control: true, Donors: 1, PromptTokens: 33, TotalBlocks: 2, Planned: true},
}

// declaration is what all of them declare.
func declaration() plan.ReuseDeclaration {
	return plan.ReuseDeclaration{
		Description: "an example",
		Manifest:    plan.ReuseManifest{File: "manifest.jsonl", SHA256: "sha256:" + zeros, Items: int64(len(rows)), Controls: 1},
		BlockSize:   blockSize, Tokenizer: plan.ReuseTokenizer{Name: "stable", Version: "1"}, Audit: "full", Scope: "item",
		Planner: &plan.ReusePlanner{Name: "span", MinRun: blockSize}, Evidence: []plan.ReuseEvidence{},
		Quality: exact.MustParse("0.6"), Seed: "example", Deviations: []plan.Deviation{}, Attestations: []plan.Attestation{},
	}
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

func sealed(name string, d plan.ReuseDeclaration, gates []plan.Gate) *plan.Reuse {
	p := &plan.Reuse{Name: name, Declaration: d, Gates: gates, Rules: []plan.RuleOutcome{},
		Inputs: plan.Inputs{Language: 1, Files: []plan.InputFile{{Name: "example.fdb.hcl", SHA256: "sha256:" + zeros, Role: "scenario"}}, Variables: map[string]string{}, Stdlib: "sha256:" + zeros},
		Estimators: plan.ReuseEstimators{Aggregate: "micro average: sums, then one division", Percentile: "linear at p(n-1)",
			Interval: "percentile bootstrap, 2000 resamples of source documents", Resamples: 2000, Confidence: exact.MustParse("0.95"), Engine: "fdbench.reuse/1"}}
	plan.SealReuse(p)
	return p
}

// gates are those of the offline runs.
func gates() []plan.Gate {
	return []plan.Gate{{Name: "controls stay cold", Condition: "negative_control_semantic_eligible_rate <= 0.01", AtLeast: []plan.Minimum{{Metric: "negative_control_count", N: 1}}}}
}

// begun is a run with its rows and its audit.
func begun(p *plan.Reuse, time string) *Run {
	r := &Run{Plan: p}
	open := journal.Open{Format: journal.Format, PlanDigest: p.Digest, Series: p.Name, Generation: 1, Time: time, Engine: p.Estimators.Engine, Targets: []journal.Target{}}
	if p.Declaration.Live != nil {
		open.Targets = []journal.Target{{Name: "reuse." + p.Name, Address: "127.0.0.1:8000"}}
	}
	r.add(journal.KindOpen, open)
	r.segment(record.PhaseOffline, "items from 0", func() {
		for i, x := range rows {
			x.Index = int64(i)
			if p.Declaration.Planner == nil {
				x.Planned, x.Candidate, x.Eligible, x.Invalid = false, 0, 0, nil
			}
			r.add(record.KindItem, x)
		}
	})
	r.segment(record.PhaseEvidence, "collisions", func() {
		r.add(record.KindAudit, record.Audit{Origins: 4, DonorBlocks: 17, Distinct: 17, Listed: []record.Collision{}})
	})
	return r
}

func (r *Run) add(kind string, data any) { r.Entries = append(r.Entries, Entry{kind, data}) }

func (r *Run) segment(phase, name string, fill func()) {
	id := 0
	for _, e := range r.Entries {
		if e.Kind == journal.KindCommit {
			id++
		}
	}
	r.add(journal.KindSegment, journal.Segment{ID: id, Phase: phase, Name: name})
	fill()
	r.add(journal.KindCommit, journal.Commit{ID: id})
}

func (r *Run) end() *Run {
	r.add(journal.KindClose, journal.Close{Status: "complete"})
	return r
}

// Offline is a run without requests: a planner, a control and a gate.
func Offline() *Run { return begun(sealed("rag", declaration(), gates()), "offline").end() }

// Bare is a run without a planner.
func Bare() *Run {
	d := declaration()
	d.Planner = nil
	return begun(sealed("bare", d, []plan.Gate{}), "offline").end()
}

// Live is a run with requests, two logs, counters, placements and a noise
// floor. Its server reports exact and semantic reuse in one field.
func Live() *Run { return live("live", false) }

// Split is as Live; its server says how much of what it reused is semantic.
func Split() *Run { return live("split", true) }

func live(name string, split bool) *Run {
	d := declaration()
	d.Live = &plan.ReuseLive{Driver: "openai", Endpoint: plan.Endpoint{BaseURL: "http://127.0.0.1:8000", API: "chat", Stream: true, Headers: map[string]string{}, Body: "{}"},
		Model: "tiny", Engine: "vllm", EngineVersion: "0.29", Donors: []string{}, Reset: []string{"http://127.0.0.1:8000/reset_prefix_cache"},
		Order: "counterbalanced", HitThreshold: 32, Contamination: "any", Signal: "cached_tokens", MaxTokens: 64, DonorTokens: 1, Concurrency: 1,
		Route: []plan.RouteHeader{{Header: "x-route", Tells: "outcome"}}, Metrics: []string{"http://127.0.0.1:8000/metrics"}}
	d.Evidence = []plan.ReuseEvidence{{Engine: "vllm", Log: "vllm.log"}, {Engine: "trtllm", Log: "trtllm.jsonl"}}
	d.Calibration = &plan.ReuseFloor{File: "floor.json", SHA256: "sha256:" + zeros, Pairs: 20, Mean: exact.MustParse("0.98"), P05: exact.MustParse("0.9"),
		P50: exact.Int(1), Low: exact.MustParse("0.96"), High: exact.MustParse("0.99"),
		Protocol: plan.FloorProtocol{Model: "tiny", Engine: "vllm", EngineVersion: "0.29", MaxTokens: 64, Concurrency: 1, ManifestSHA256: d.Manifest.SHA256}}
	g := append(gates(),
		plan.Gate{Name: "uncontaminated", Condition: "pairs_contaminated == 0", AtLeast: []plan.Minimum{{Metric: "pairs_used", N: 3}}},
		plan.Gate{Name: "faster", Condition: "blended_ttft_speedup_mean >= 1", AtLeast: []plan.Minimum{}},
		plan.Gate{Name: "outputs", Condition: "warm_vs_cold_rouge_l_drop <= 0.05", AtLeast: []plan.Minimum{}})
	r := begun(sealed(name, d, g), "real")
	r.segment(record.PhaseEvidence, "counters before", func() { r.counters("before", 100) })
	for i, x := range rows {
		r.segment(record.PhasePair, fmt.Sprintf("pair %d", i), func() { r.pair(i, x, split) })
	}
	r.segment(record.PhaseEvidence, "counters after", func() { r.counters("after", 350) })
	r.segment(record.PhaseEvidence, "logs", func() {
		r.add(record.KindEvidence, record.Evidence{Engine: "vllm", Log: "vllm.log", SHA256: "sha256:" + zeros, Bytes: 900, Lines: 9, DonorRegistrations: 5, SemanticHits: 2, Materializations: 2,
			MaterializedTokens: 96, Requests: 3, MaterializedReuse: 1, MaterializedAlone: 1, HitsAlone: 1, Rejections: []record.Reason{}, Unknown: []record.Reason{}, WholeLog: true, SemanticHitsWhole: 2, EventsWhole: 2, TokensWhole: 96})
		r.add(record.KindJoined, record.Joined{Log: "vllm.log", RequestID: "fdbench-warm-1", ItemID: rows[1].ItemID, Arm: record.Warm, Hits: 1, Materialized: 1, Tokens: 48})
		r.add(record.KindEvidence, record.Evidence{Engine: "trtllm", Log: "trtllm.jsonl", SHA256: "sha256:" + zeros, Bytes: 600, Lines: 6, SemanticHits: 1, Materializations: 2,
			MaterializedUnits: 7, EngineBoundaries: 1, Requests: 2, MaterializedReuse: 1, MaterializedAlone: 1, BoundariesProven: 1, Rejections: []record.Reason{}, Unknown: []record.Reason{}, WholeLog: true, SemanticHitsWhole: 1, EventsWhole: 2})
		r.add(record.KindJoined, record.Joined{Log: "trtllm.jsonl", RequestID: "fdbench-warm-2", ItemID: rows[2].ItemID, Arm: record.Warm, Hits: 1, Materialized: 1, Units: 7, Boundaries: 1})
	})
	return r.end()
}

func (r *Run) counters(moment string, value float64) {
	r.add(record.KindCounters, record.Counters{URL: "http://127.0.0.1:8000/metrics", Moment: moment, Values: []record.Counter{{Name: "external_prefix_cache_hits", Value: value}}})
}

// times to the first token of the arms, in milliseconds, and the cached tokens
// of the warm one.
var measured = []struct {
	cold, warm, cached, fuzzy int64
}{{120, 60, 32, 0}, {200, 80, 144, 96}, {100, 100, 0, 0}, {90, 90, 0, 0}}

func (r *Run) pair(i int, x record.Item, split bool) {
	order := []string{record.Cold, record.Warm}
	if i%2 == 1 {
		slices.Reverse(order)
	}
	for k, arm := range order {
		r.add(record.KindReset, record.Reset{ItemID: x.ItemID, Arm: arm, OK: true})
		m := measured[i]
		a := record.Arm{ItemID: x.ItemID, Arm: arm, Position: int64(2*i + k), First: k == 0, RequestID: fmt.Sprintf("fdbench-%s-%d", arm, i), Reset: "ok",
			Outcome: "ok", PromptTokens: new(x.PromptTokens), CachedTokens: new(int64(0)), TTFT: new(m.cold * 1e6), Latency: new((m.cold + 40) * 1e6),
			Route: &record.Route{Outcome: "cold_route", Endpoint: "w0", Header: "cold"}, Output: "the pump failed on monday",
			Quality: &record.Quality{Score: 0.8, F1: 0.7, RougeL: 0.7, Pass: true}, Finish: "stop"}
		if split {
			a.FuzzyTokens = new(int64(0))
		}
		if arm == record.Warm {
			a.Donors, a.TTFT, a.Latency, a.CachedTokens = x.Donors, new(m.warm*1e6), new((m.warm+40)*1e6), new(m.cached)
			if m.cached > 0 {
				a.Route = &record.Route{Outcome: "semantic_placement", Endpoint: "w1", Header: "semantic"}
			}
			if split {
				a.FuzzyTokens = new(m.fuzzy)
			}
		}
		r.add(record.KindArm, a)
	}
}
