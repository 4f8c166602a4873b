package result

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"reflect"
	"slices"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/gate"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Compute computes the result of a plan's journal. A journal that ends before
// its run did gives a result that says so.
//
// Errors: those of the journal's chain, a *[journal.ChainError] for an entry
// that cannot be, and *[journal.PlanError] for a journal of another plan.
func Compute(p *plan.Reuse, r io.Reader) (*Result, error) {
	if e := &p.Estimators; p.Declaration.BlockSize < 1 || e.Resamples < 1 || e.Confidence.Sign() <= 0 || e.Confidence.Cmp(exact.Int(1)) >= 0 {
		return nil, fmt.Errorf("the plan has blocks of %d tokens, and intervals of %d resamples at a confidence of %s: no compiler makes such a plan", p.Declaration.BlockSize, e.Resamples, e.Confidence)
	}
	s := newScan(p)
	if again, ok := r.(io.ReadSeeker); ok && s.rows {
		// Rows of requests are read once more for each look at them, in place of
		// being kept.
		start, err := again.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		s.rows, s.stream = false, s.again(again, start)
	}
	err := journal.Read(r, func(e journal.Entry) error {
		if reason, err := s.entry(e); err != nil {
			return err
		} else if reason != "" {
			return &journal.ChainError{Line: e.Line, Reason: reason}
		}
		return nil
	})
	if err != nil && !errors.Is(err, journal.ErrTorn) {
		return nil, err
	}
	return s.result()
}

// scan gathers what a journal holds.
type scan struct {
	p     *plan.Reuse
	block int64
	rows  bool // a gate names requests: each needs a row

	open   journal.Open
	close  *journal.Close
	seq    sequence
	broken violations

	items   int64
	total   sums
	groups  map[string]*sums
	reasons map[string]int64
	joined  map[string]joined // by log
	model   string            // that requests asked for

	pairs    []*pair // in the order in which they were run; live only
	byItem   map[string]*pair
	ran      map[string]bool   // items of which an arm is on record
	reset    map[string]string // "item\x1farm": ok, failed
	requests []requestRow      // where a gate names them and the journal cannot be read twice
	stream   iter.Seq[map[string]gate.Value]
	failed   error // of the stream

	counters []record.Counters
	evidence []record.Evidence
	audit    *record.Audit
}

func newScan(p *plan.Reuse) *scan {
	s := &scan{p: p, block: int64(p.Declaration.BlockSize), groups: map[string]*sums{}, reasons: map[string]int64{}, joined: map[string]joined{},
		byItem: map[string]*pair{}, ran: map[string]bool{}, reset: map[string]string{}}
	s.rows = namesRequests(p.Gates)
	return s
}

// entry takes one entry in. The reason says why it cannot stand where it does.
func (s *scan) entry(e journal.Entry) (reason string, err error) {
	if e.Kind == journal.KindOpen {
		if err := json.Unmarshal(e.Data, &s.open); err != nil {
			return "its data is not that of an opening entry: " + err.Error(), nil
		}
		if s.open.PlanDigest != s.p.Digest {
			return "", &journal.PlanError{Want: s.p.Digest, Got: s.open.PlanDigest, Reuse: true}
		}
		if lack := whole(e.Data, reflect.TypeOf(s.open)); lack != "" {
			return "its data lacks " + lack, nil
		}
		return s.opened(&s.open), nil
	}
	if !s.offlineRequest(e.Kind) {
		if reason := s.seq.stands(e.Kind); reason != "" {
			return reason, nil
		}
	}
	switch e.Kind {
	case journal.KindSegment:
		var x journal.Segment
		if reason = into(e, &x); reason == "" {
			reason = s.seq.segment(&x)
		}
	case journal.KindCommit:
		var x journal.Commit
		if reason = into(e, &x); reason == "" {
			reason = s.seq.commit(&x)
		}
	case journal.KindResume:
		reason = into(e, new(journal.Resumed))
	case journal.KindClose:
		s.close = new(journal.Close)
		reason = into(e, s.close)
	case record.KindItem:
		var x record.Item
		if reason = into(e, &x); reason == "" {
			reason = s.item(&x)
		}
	case record.KindReset:
		var x record.Reset
		if reason = into(e, &x); reason == "" {
			reason = s.resetOf(&x)
		}
	case record.KindArm:
		var x record.Arm
		if reason = into(e, &x); reason == "" {
			reason = s.arm(&x)
		}
	case record.KindCounters:
		var x record.Counters
		if reason = into(e, &x); reason == "" {
			reason = s.counted(&x)
			s.counters = append(s.counters, x)
		}
	case record.KindEvidence:
		var x record.Evidence
		if reason = into(e, &x); reason == "" {
			reason = s.declared(&x)
			s.evidence = append(s.evidence, x)
			s.logs(&x)
		}
	case record.KindJoined:
		var x record.Joined
		if reason = into(e, &x); reason == "" {
			reason = s.ofLog(&x)
			s.join(&x)
		}
	case record.KindAudit:
		s.audit = new(record.Audit)
		if reason = into(e, s.audit); reason == "" {
			reason = found(s.audit)
			s.audited(s.audit)
		}
	default:
		reason = fmt.Sprintf("an entry of kind %q has no place in the journal of a reuse block", e.Kind)
	}
	return reason, nil
}

// offlineRequest tells whether an entry is a request of a run that sends none,
// which breaks a row wherever it stands.
func (s *scan) offlineRequest(kind string) bool {
	return kind == record.KindArm && s.p.Declaration.Live == nil
}

// into decodes an entry strictly: a member that is not known would be a figure
// that is not counted.
func into(e journal.Entry, v any) string {
	if err := plainjson.Decode(e.Data, v); err != nil {
		return fmt.Sprintf("its data is not that of an entry of kind %q: %s", e.Kind, err)
	}
	if lack := whole(e.Data, reflect.TypeOf(v).Elem()); lack != "" {
		return fmt.Sprintf("its data lacks %s, without which an entry of kind %q says nothing", lack, e.Kind)
	}
	return ""
}

// item takes a row of the manifest in.
func (s *scan) item(x *record.Item) string {
	if x.Index != s.items {
		return fmt.Sprintf("item %d stands where item %d belongs", x.Index, s.items)
	}
	s.items++
	s.checkItem(x)
	g := s.groups[x.Transform]
	if g == nil {
		g = new(sums)
		s.groups[x.Transform] = g
	}
	s.total.item(x, s.block)
	g.item(x, s.block)
	for _, r := range x.Invalid {
		s.reasons[r.Reason] += r.N
	}
	row := -1
	if s.rows {
		row = len(s.requests)
		s.requests = append(s.requests, requestRow{item: *x})
	}
	if s.p.Declaration.Live == nil {
		return ""
	}
	if s.byItem[x.ItemID] != nil {
		return fmt.Sprintf("a second item %q", x.ItemID)
	}
	s.byItem[x.ItemID] = &pair{item: x.ItemID, source: x.SourceID, transform: x.Transform, control: x.Control,
		blocks: x.TotalBlocks, exact: x.ExactBlocks, tokens: x.PromptTokens, row: row, index: x.Index, donors: x.Donors}
	return ""
}

func (s *scan) resetOf(x *record.Reset) string {
	if x.Arm != record.Cold && x.Arm != record.Warm {
		return fmt.Sprintf("a reset for an arm %q", x.Arm)
	}
	state := "failed"
	if x.OK {
		state = "ok"
	}
	s.reset[x.ItemID+"\x1f"+x.Arm] = state
	return ""
}

// arm takes one request in.
func (s *scan) arm(x *record.Arm) string {
	if x.Arm != record.Cold && x.Arm != record.Warm {
		return fmt.Sprintf("a request of an arm %q", x.Arm)
	}
	if s.p.Declaration.Live == nil {
		s.broken.add("KV-5-1", x.ItemID, "a request is on record, and the plan has no live part")
		return ""
	}
	p := s.byItem[x.ItemID]
	if p == nil {
		return fmt.Sprintf("a request for an item %q that is not on record", x.ItemID)
	}
	a := &p.cold
	if x.Arm == record.Warm {
		a = &p.warm
	}
	if a.there {
		return fmt.Sprintf("a second %s request for item %q", x.Arm, x.ItemID)
	}
	if s.model != "" && x.Model != "" && x.Model != s.model {
		return fmt.Sprintf("a request to the model %q, behind those to the model %q", x.Model, s.model)
	}
	s.model = cmp.Or(s.model, x.Model)
	if reason := s.follows(x, p); reason != "" {
		return reason
	}
	s.checkArm(x)
	key := x.ItemID + "\x1f" + x.Arm
	a.take(x, s.reset[key])
	delete(s.reset, key)
	if !s.ran[x.ItemID] {
		s.ran[x.ItemID] = true
		s.pairs = append(s.pairs, p)
	}
	if p.cold.there && p.warm.there {
		p.compare()
	}
	return ""
}

func (s *scan) join(x *record.Joined) {
	j := s.joined[x.Log]
	j.n++
	materialized := x.Tokens > 0 || x.Units > 0
	if x.Arm == record.Warm && materialized {
		if x.Hits > 0 {
			j.reused++
		}
		if x.Boundaries > 0 {
			j.suffix++
		}
	}
	s.joined[x.Log] = j
	p := s.byItem[x.ItemID]
	if p == nil {
		return
	}
	if x.Arm != record.Warm {
		p.coldReused = p.coldReused || materialized
		return
	}
	// Two logs may tell of one and the same load: added, it would pass a hit
	// threshold by being counted twice.
	p.reused = p.reused || materialized && x.Hits > 0
	p.suffix = p.suffix || materialized && x.Boundaries > 0
	p.evidence.hits = max(p.evidence.hits, x.Hits)
	p.evidence.tokens = max(p.evidence.tokens, x.Tokens)
	p.evidence.units = max(p.evidence.units, x.Units)
}

// joined counts the run's own requests that a log names, and of its warm ones
// those with a hit and a materialisation, and with a boundary and one.
type joined struct{ n, reused, suffix int64 }

// transforms lists the names of the groups in byte order.
func (s *scan) transforms() []string { return slices.Sorted(maps.Keys(s.groups)) }

// again gives the rows of a condition over requests, from the journal itself.
func (s *scan) again(r io.ReadSeeker, start int64) iter.Seq[map[string]gate.Value] {
	return func(yield func(map[string]gate.Value) bool) {
		if _, err := r.Seek(start, io.SeekStart); err != nil {
			s.failed = errors.Join(s.failed, err)
			return
		}
		err := journal.Read(r, func(e journal.Entry) error {
			if e.Kind != record.KindItem {
				return nil
			}
			var x record.Item
			if err := json.Unmarshal(e.Data, &x); err != nil {
				return err
			}
			row := requestRow{item: x, pair: s.byItem[x.ItemID]}
			if !yield(row.values(s.block, s.p.Declaration.Live != nil).typed("requests")) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) && !errors.Is(err, journal.ErrTorn) {
			s.failed = errors.Join(s.failed, err)
		}
	}
}

// errEnough ends a look at rows that is decided.
var errEnough = errors.New("enough")
