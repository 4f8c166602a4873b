package procedure

import (
	"encoding/json"
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
)

// History is what the committed part of a journal holds of earlier progress.
type History struct {
	segments map[string]*segmentOutcome
	open     *segmentOutcome
	closed   *journal.Close
	left     []*journal.Resumed // of faults that killed runs left applied
}

// NewHistory returns an empty history.
func NewHistory() *History { return &History{segments: map[string]*segmentOutcome{}} }

// Add takes the journal's entries in their order.
func (h *History) Add(kind string, data json.RawMessage) error {
	record, err := decode(kind, data)
	if err != nil {
		return fmt.Errorf("entry %q: %w", kind, err)
	}
	switch d := record.(type) {
	case *journal.Segment:
		h.open = &segmentOutcome{name: d.Name, phase: d.Phase, load: d.Load}
	case *journal.Commit:
		if h.open == nil {
			return fmt.Errorf("a commit without its segment")
		}
		h.open.length = d.At
		h.segments[h.open.name] = h.open
		h.open = nil
	case *journal.Close:
		h.closed = d
	case *journal.Resumed:
		if d.Trial != "" {
			h.left = append(h.left, d)
		}
	case nil:
	default:
		if h.open != nil {
			h.open.add(record)
		}
	}
	return nil
}

// underFault is for how long, at most, faults acted at a load that killed runs
// had left applied: no trial has them on record, and false detections have to
// be observed as long (FD-5.4-4). One whose load is not known counts at each.
func (h *History) underFault(p *plan.Plan, load int) int64 {
	var sum int64
	for _, r := range h.left {
		if r.Load == nil || *r.Load == load {
			sum += r.UnderFault(int64(p.LongestApplication(load)))
		}
	}
	return sum
}

// take returns the outcome of a committed segment, or nil.
func (h *History) take(name string) *segmentOutcome { return h.segments[name] }

func decode(kind string, data json.RawMessage) (any, error) {
	var record any
	switch kind {
	case journal.KindSegment:
		record = &journal.Segment{}
	case journal.KindBaseline:
		record = &journal.BaselineRecord{}
	case journal.KindQuiet:
		record = &journal.QuietRecord{}
	case journal.KindTrial:
		record = &journal.TrialRecord{}
	case journal.KindSearchStep:
		record = &journal.SearchStep{}
	case journal.KindFalseDetection:
		record = &journal.FalseDetectionRecord{}
	case journal.KindReadback:
		record = &journal.Readback{}
	case journal.KindViolation:
		record = &journal.Violation{}
	case journal.KindCommit:
		record = &journal.Commit{}
	case journal.KindClose:
		record = &journal.Close{}
	case journal.KindResume:
		record = &journal.Resumed{}
	default:
		return nil, nil
	}
	return record, json.Unmarshal(data, record)
}

// segmentOutcome is what the rest of the series needs to know of a segment.
// It is made of the segment's records alone, so that it is the same whether
// the segment has just run or was read from a journal.
type segmentOutcome struct {
	name, phase string
	load        int
	length      int64
	trials      []trialOutcome
	baselines   []journal.BaselineIndicator
	twins       []journal.Twin
	step        *journal.SearchStep
	reading     *journal.Readback // of its beginning
	failed      string            // why the series stops

	observed, blind int64 // without a fault: what counts, and what does not
	silent          int64 // of blind, windows without an answer
}

type trialOutcome struct {
	purpose        string
	combination    int
	kept, detected bool
	discard        string
	attempt        int
	underFault     int64
}

// kept counts the trials that were kept, and those of them that detected.
func (o *segmentOutcome) kept() (kept, detected int) {
	for _, t := range o.trials {
		if t.kept {
			kept++
			if t.detected {
				detected++
			}
		}
	}
	return kept, detected
}

func (o *segmentOutcome) err() error {
	if o.failed != "" {
		return &stopError{reason: o.failed}
	}
	return nil
}

// add folds a record in.
func (o *segmentOutcome) add(record any) {
	switch d := record.(type) {
	case *journal.TrialRecord:
		t := trialOutcome{purpose: d.Purpose, combination: d.Combination, kept: d.Kept, detected: d.Detected,
			discard: d.Discard, attempt: d.Attempt}
		if d.Magnitude.Sign() != 0 {
			t.underFault = d.Removed - d.Requested
		}
		o.trials = append(o.trials, t)
	case *journal.BaselineRecord:
		o.baselines, o.twins = d.Indicators, d.Twins
	case *journal.SearchStep:
		o.step = d
	case *journal.FalseDetectionRecord:
		o.observed += d.Observed()
		o.blind += d.Blind
		o.silent += d.Answered.Silence()
	case *journal.Readback:
		if d.Moment == journal.ReadAtBegin {
			o.reading = d
		}
	case *journal.Violation:
		if d.Effect == effectStops && o.failed == "" {
			o.failed = d.Rule + ": " + d.Detail
		}
	}
}
