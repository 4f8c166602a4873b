package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/measure/example"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/report/reporttest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/spec/edit"
)

// standing picks one entry for every way in which an entry of its kind can
// stand in a journal.
func standing(entries []edit.Item) []int {
	seen := map[string]bool{}
	phase := ""
	var out []int
	for i, e := range entries {
		var v map[string]any
		if err := json.Unmarshal(e.Data, &v); err != nil {
			panic("conformance: an original's entry does not decode: " + err.Error())
		}
		if e.Kind == journal.KindSegment {
			phase = fmt.Sprint(v["phase"])
		}
		ramp := strings.HasPrefix(fmt.Sprint(v["profile"]), "ramp")
		key := fmt.Sprint(e.Kind, v["purpose"], v["kept"], v["event"] == nil, v["role"], v["status"], v["moment"], ramp)
		switch e.Kind {
		case journal.KindQuiet, journal.KindSegment, journal.KindCommit:
			key += phase
		case record.KindItem, record.KindArm, record.KindReset, record.KindEvidence:
			// A control, and an item with donors of which some are reused, stand
			// for others.
			key += fmt.Sprint(v["negative_control"], v["arm"], v["engine"], v["item_id"] == "control", v["plan_invalid_actions"] == nil, v["cached_tokens"])
		}
		if !seen[key] {
			seen[key] = true
			out = append(out, i)
		}
	}
	return out
}

// called is an entry's kind. Trials are told apart by what they were run for
// and whether they were kept, since much is asked only of some, and clock
// measurements by their moment.
func called(e edit.Item) string {
	var v struct {
		Purpose string `json:"purpose"`
		Kept    bool   `json:"kept"`
		Moment  string `json:"moment"`
	}
	switch {
	case e.Kind == journal.KindTrial && json.Unmarshal(e.Data, &v) == nil:
		if v.Purpose != journal.PurposeSham && !v.Kept {
			return "trial/discarded"
		}
		return "trial/" + v.Purpose
	case e.Kind == journal.KindClock && json.Unmarshal(e.Data, &v) == nil:
		return "clock/" + v.Moment
	}
	return strings.TrimPrefix(e.Kind, "reuse_")
}

// fate is what became of a mutant.
type fate int

const (
	caughtOut fate = iota // refused, or the result lists a violation
	unseen                // the result differs, and nothing says why
	unread                // the result is what it was
)

// outcome is what comes of a journal: the bytes of its result without what
// only says which journal it is of, and whether the result says that something
// is wrong. The error is that of a journal that is refused.
type outcome func(entries []edit.Item) (result []byte, says bool, err error)

func ofSeries(p *plan.Plan) outcome {
	return func(entries []edit.Item) ([]byte, bool, error) {
		r, err := measure.Compute(p, bytes.NewReader(example.Journal(entries)))
		if err != nil {
			return nil, false, err
		}
		r.Footer.JournalSHA256 = ""
		return measure.Encode(r), len(r.Conformance.Violations) > 0, nil
	}
}

// sweep tries every mutant of every entry that stands for others, and gives
// the names of those that were unseen or unread, each once.
func sweep(t *testing.T, of outcome, original []edit.Item) (total int, names map[string]fate) {
	t.Helper()
	want, says, err := of(original)
	if err != nil || says {
		t.Fatalf("the original is not clean: %v\n%s", err, want)
	}
	names = map[string]fate{}
	var lock sync.Mutex
	var wait sync.WaitGroup
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			entries := slices.Clone(original)
			for i := range work {
				e := original[i]
				for _, m := range mutants(e.Data) {
					entries[i].Data = m.data
					f := fateOf(of, entries, want)
					if f == unread && m.same {
						f = caughtOut
					}
					lock.Lock()
					total++
					// The worst that happened to the member counts.
					if name := called(e) + " " + m.path + " " + m.how; f != caughtOut && names[name] != unseen {
						names[name] = f
					}
					lock.Unlock()
				}
				entries[i].Data = e.Data
			}
		})
	}
	for _, i := range standing(original) {
		work <- i
	}
	close(work)
	wait.Wait()
	return total, names
}

func fateOf(of outcome, entries []edit.Item, want []byte) fate {
	switch got, says, err := of(entries); {
	case err != nil || says:
		return caughtOut
	case bytes.Equal(got, want):
		return unread
	}
	return unseen
}

// judge holds the names against the list of those that are spared.
func judge(t *testing.T, names map[string]fate, list []spared, used map[string]bool) {
	t.Helper()
	for _, name := range slices.Sorted(keysOf(names)) {
		if r := sparedBy(list, name); r != "" {
			used[r] = true
			continue
		}
		what := "changes the result, and nothing says so"
		if names[name] == unread {
			what = "is read by nobody"
		}
		t.Errorf("%s: %s", name, what)
	}
}

// Whoever changes one member of a journal, and hashes it anew, is found out: by
// a violation, or because the journal is refused. What may be changed without
// that is spared, each with the reason.
func TestNoJournalChangesUnseen(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes thousands of results")
	}
	items, err := example.Original(example.Small)
	if err != nil {
		t.Fatal(err)
	}
	p, entries, err := example.Follow(items)
	if err != nil {
		t.Fatal(err)
	}
	total, names := sweep(t, ofSeries(p), entries)
	used := map[string]bool{}
	judge(t, names, sparedOfJournals, used)
	t.Logf("%d mutants", total)
	unused(t, sparedOfJournals, used)
}

// Whoever takes a member out of a result, or empties it, gets no report of it.
// A changed figure is found by recomputing it, which is what verify does.
func TestNoResultLosesAnything(t *testing.T) {
	used := map[string]bool{}
	total := 0
	for _, base := range []string{"", "one host", "same point"} {
		original, err := reporttest.Original(base)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := report.Read(original); err != nil {
			t.Fatalf("the original %q has no report: %v", base, err)
		}
		for _, m := range mutants(original) {
			if m.how == "changed" || m.same || base != "" && !strings.HasPrefix(m.path, "clocks") && !strings.HasPrefix(m.path, "masking") {
				continue
			}
			total++
			_, err := report.Read(m.data)
			var omission *omission.Error
			if errors.As(err, &omission) || err != nil {
				continue
			}
			name := m.path + " " + m.how
			if base != "" {
				name = base + ": " + name
			}
			if r := sparedBy(sparedOfResults, name); r != "" {
				used[r] = true
				continue
			}
			t.Errorf("%s: the report is made all the same", name)
		}
	}
	t.Logf("%d mutants", total)
	unused(t, sparedOfResults, used)
}
