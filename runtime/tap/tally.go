package tap

import (
	"maps"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/fdbench/fdbench/runtime/openai"
)

// maxModels bounds the values of the label for the model: names come from
// outside. Further ones count under otherModel.
const (
	maxModels  = 100
	otherModel = "other"
)

// firstTokenBounds are those that the semantic conventions of OpenTelemetry
// advise for the time to the first token, in seconds.
var firstTokenBounds = []float64{.001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10}

// Counts are the counters of one model, all of one instant.
type Counts struct {
	Model  string  // "" where models are not told apart
	Total  int64   // responses
	Sums   []int64 // of scores, by indicator
	Scored []int64 // responses that were sampled and scored, by indicator

	FirstToken        []int64 // by bucket, the last one without a bound
	FirstTokenSeconds float64
}

// Snapshot is the state of a tap, all of one instant.
type Snapshot struct {
	Series   []Counts // by model
	Errors   map[openai.Outcome]int64
	Unscored map[string]int64 // by reason: queue, memory, encoding
	BadLines int64            // of a log
}

// tally counts. All that a response changes, it changes at once, so that a
// scrape never sees a part of it.
type tally struct {
	mu         sync.Mutex
	indicators int
	byModel    bool
	first      bool
	series     map[string]*Counts
	errors     map[openai.Outcome]int64
	reasons    map[string]int64
	badLines   int64
}

func newTally(o *Options) *tally {
	t := &tally{
		indicators: len(o.Indicators), byModel: o.ModelLabel != "", first: o.FirstToken,
		series: map[string]*Counts{}, errors: map[openai.Outcome]int64{}, reasons: map[string]int64{},
	}
	for _, oc := range openai.Outcomes() {
		if oc != openai.OK {
			t.errors[oc] = 0
		}
	}
	for why := range unscoredReasons {
		t.reasons[why] = 0
	}
	if !t.byModel {
		t.of("")
	}
	for _, m := range o.Models {
		t.of(m)
	}
	return t
}

// of gives the counters of a model.
func (t *tally) of(model string) *Counts {
	if !t.byModel {
		model = ""
	}
	c := t.series[model]
	if c == nil && len(t.series) >= maxModels {
		model = otherModel
		c = t.series[model]
	}
	if c == nil {
		c = &Counts{Model: model, Sums: make([]int64, t.indicators), Scored: make([]int64, t.indicators)}
		if t.first {
			c.FirstToken = make([]int64, len(firstTokenBounds)+1)
		}
		t.series[model] = c
	}
	return c
}

func (t *tally) add(model string, scores []score, first time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.of(model)
	c.Total++
	for i, s := range scores {
		if s.sampled {
			c.Scored[i]++
			c.Sums[i] += int64(s.value)
		}
	}
	if t.first && first >= 0 {
		s := first.Seconds()
		c.FirstToken[sort.SearchFloat64s(firstTokenBounds, s)]++
		c.FirstTokenSeconds += s
	}
}

func (t *tally) fail(o openai.Outcome, model string, counts bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.errors[o]++
	if counts {
		t.of(model).Total++
	}
}

func (t *tally) unscore(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reasons[why]++
}

func (t *tally) badLine() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.badLines++
}

func (t *tally) snapshot() Snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := Snapshot{Errors: maps.Clone(t.errors), Unscored: maps.Clone(t.reasons), BadLines: t.badLines}
	for _, model := range slices.Sorted(maps.Keys(t.series)) {
		c := *t.series[model]
		c.Sums, c.Scored, c.FirstToken = slices.Clone(c.Sums), slices.Clone(c.Scored), slices.Clone(c.FirstToken)
		s.Series = append(s.Series, c)
	}
	return s
}
