package live

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/world"
)

// TestQueueIsInOrder puts events in from many goroutines and takes them out up
// to instants in between: none comes earlier than one before it, and none is
// missed by who was told that all are there.
func TestQueueIsInOrder(t *testing.T) {
	q := newQueue(driver.NewClock())
	const writers, each = 8, 2000
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				q.put(event{signal: &detector.Signal{At: int64(w*each + i)}})
			}
		})
	}
	got, last := map[int64]bool{}, int64(-1)
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	for done := false; !done; {
		select {
		case <-ended:
			done = true
		default:
		}
		until := q.clock.Now()
		for {
			e, ok, complete := q.take(until)
			if ok {
				if e.at < last || e.at > until {
					t.Fatalf("an event of %d after one of %d, up to %d", e.at, last, until)
				}
				last = e.at
				got[e.signal.At] = true
			} else if complete {
				break
			}
		}
	}
	if len(got) != writers*each {
		t.Errorf("%d of %d events came", len(got), writers*each)
	}
}

// TestWindowsEndExactly compares the windows of random responses with what
// their definition says: one on a boundary belongs to the window that it ends.
func TestWindowsEndExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		from, width := rng.Int64N(1000), 1+rng.Int64N(50)
		var w watcher
		w.start(from, []int64{width, 2 * width})
		var c counter
		c.start(from, width)
		at, stamps := from, []int64{}
		for range 60 {
			at += rng.Int64N(width)
			stamps = append(stamps, at)
			if at > from {
				w.add(at, world.Injection, []int32{1, 3})
			}
			c.add(at)
		}
		now := at + rng.Int64N(3*width)
		for i, score := range []int64{1, 3} {
			size := width * int64(i+1)
			windows := w.windows(now, world.Injection, i)
			if int64(len(windows)) != (now-from)/size {
				t.Fatalf("%d windows of %d from %d until %d", len(windows), size, from, now)
			}
			for k, got := range windows {
				begin, n := from+int64(k)*size, int64(0)
				for _, s := range stamps {
					if s > begin && s <= begin+size {
						n++
					}
				}
				if got != (world.Window{Sum: n * score, N: n}) {
					t.Fatalf("window %d: %+v, want %d responses", k, got, n)
				}
			}
			for _, other := range w.windows(now, world.Observation, i) {
				if other.N != 0 {
					t.Fatal("a response counts at a point that it did not pass")
				}
			}
		}
		for k, got := range c.windows(now) {
			begin, n := from+int64(k)*width, int64(0)
			for _, s := range stamps {
				if s >= begin && s < begin+width {
					n++
				}
			}
			if got != n {
				t.Fatalf("window %d counts %d requests, want %d", k, got, n)
			}
		}
	}
	var off watcher
	off.add(1, world.Injection, []int32{1})
	if off.windows(5, world.Injection, 0) != nil {
		t.Error("nothing is watched, and there are windows")
	}
}

func TestMarkers(t *testing.T) {
	answer := func(headers string, members ...string) *openai.Record {
		r := &openai.Record{Header: http.Header{}, Members: members}
		for _, h := range strings.Fields(headers) {
			r.Header.Set(h, "x")
		}
		return r
	}
	plain := answer("Content-Type Date Content-Length", "id", "choices")
	for _, c := range []struct {
		name   string
		picked []*openai.Record
		want   []string
	}{
		{"nothing new", []*openai.Record{plain, plain, plain}, nil},
		{"another framing", []*openai.Record{answer("Content-Type Transfer-Encoding"), answer("Trailer"), answer("Age")}, nil},
		{"a header in all", slices.Repeat([]*openai.Record{answer("Content-Type X-Fault")}, 3), []string{"header X-Fault"}},
		{"a member in most", []*openai.Record{answer("", "id", "fault"), answer("", "id", "fault"), answer("", "id")}, []string{"member fault"}},
		{"a member in one of three", []*openai.Record{answer("", "refusal"), plain, plain}, nil},
		{"too few to say", slices.Repeat([]*openai.Record{answer("X-Fault")}, 2), nil},
	} {
		m := newMarkers()
		m.add(plain, false)
		m.begin()
		for _, r := range c.picked {
			m.add(r, true)
		}
		if got := m.found(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		m.begin()
		if len(m.found()) > 0 {
			t.Errorf("%s: an application has the marks of the one before", c.name)
		}
	}
}

func TestCached(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	for _, c := range []struct {
		header, value string
		usage         *openai.Usage
		want          bool
	}{
		{"X-Cache", "HIT", nil, true}, {"X-Cache", "Hit from cloudfront", nil, true}, {"CF-Cache-Status", "HIT", nil, true}, {"X-Cached", "true", nil, true},
		{"X-Cache", "MISS", nil, false}, {"Cache-Control", "no-cache, hit", nil, false}, {"Age", "0", nil, false}, {"Age", "17", nil, true}, {"Age", "old", nil, false},
		{"X-Cache-Hits", "0", nil, false}, {"Content-Type", "hit", nil, false},
		{"", "", &openai.Usage{PromptTokens: 20, CachedTokens: n(19)}, false}, {"", "", &openai.Usage{PromptTokens: 20, CachedTokens: n(20)}, true},
		{"", "", &openai.Usage{PromptTokens: 20}, false}, {"", "", &openai.Usage{CachedTokens: n(0)}, false},
	} {
		h := http.Header{}
		if c.header != "" {
			h.Set(c.header, c.value)
		}
		if got := cached(h, c.usage); got != c.want {
			t.Errorf("%s: %s, %+v: %t", c.header, c.value, c.usage, got)
		}
	}
}

func TestTally(t *testing.T) {
	var y tally
	y.begin(false)
	for range 1000 {
		y.sent(1) // of a day without a trial
	}
	if w := y.traffic(); w.Sent != 0 || w.Late != 0 || cap(y.late) != 0 {
		t.Errorf("%+v", w)
	}
	y.begin(true)
	for i := range int64(200) {
		y.sent(200 - i)
	}
	y.outcomes[openai.Timeout], y.outcomes[openai.Refused] = 2, 3
	w := y.traffic()
	if w.Sent != 200 || w.LateP50 != 100 || w.LateP99 != 198 || w.Late != 200 {
		t.Errorf("%+v", w)
	}
	if len(w.Outcomes) != 2 || w.Outcomes[0] != (world.Outcome{Name: "timeout", N: 2}) || w.Outcomes[1].N != 3 {
		t.Errorf("%+v", w.Outcomes)
	}
}

// TestFlightsPairInOrder pairs requests that ask the same by the order in which
// they were sent.
func TestFlightsPairInOrder(t *testing.T) {
	var fs flights
	for n := range uint64(6) {
		fs.add(&flight{sent: sent{key: fmt.Sprint("key ", n%2), n: n}, at: int64(n)})
	}
	open := func(f *flight) bool { return f.passed == nil }
	for _, want := range []uint64{0, 2, 4} {
		f := fs.find("key 0", open)
		if f == nil || f.n != want {
			t.Fatalf("%+v, want request %d", f, want)
		}
		f.passed = &passed{}
	}
	if fs.find("key 0", open) != nil || fs.find("none", open) != nil {
		t.Error("something is found that is not there")
	}
	if !fs.before(1) || fs.before(0) {
		t.Error("before")
	}
	all := fs.all(func(*flight) bool { return true })
	for _, f := range all {
		fs.remove(f)
		fs.remove(f)
	}
	if fs.n != 0 || len(fs.byKey) != 0 || !slices.IsSortedFunc(all, func(a, b *flight) int { return int(a.n) - int(b.n) }) {
		t.Errorf("%d are left of %d", fs.n, len(all))
	}
}

// TestFirstPrompt: a run that begins later has no prompt of one before, as long
// as that one sends at its highest load.
func TestFirstPrompt(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, rate := range []string{"0.1", "1", "5", "50", "100", "4000"} {
		p := &plan.Plan{}
		p.Declaration.Load.Points = []plan.LoadPoint{{Rate: exact.MustParse("0.01")}, {Rate: exact.MustParse(rate)}}
		const span = 1000
		a, b := firstPrompt(p, at), firstPrompt(p, at.Add(span*time.Second))
		if sent := exact.MustParse(rate).Float64() * span; float64(b-a) < 2*sent-1 || a == 0 {
			t.Errorf("%s req/s: prompts from %d and, %d s later, from %d", rate, a, span, b)
		}
	}
}

func TestPrompts(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.jsonl")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := "{\"prompt\": \"one\"}\r\n\n{\"prompt\": \"two\"}\n"
	write(text)
	_, sum := dataset.Normalize([]byte(text))
	p := &plan.Plan{Inputs: plan.Inputs{Files: []plan.InputFile{{Name: "p.jsonl", SHA256: sum, Role: "population"}}}}
	p.Declaration.Population = plan.Population{Name: "p", Source: "p.jsonl", Salt: "nonce", Size: 2, Digest: sum}
	list, err := OpenPrompts(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	if a, b, c := list.Prompt(0), list.Prompt(1), list.Prompt(2); a != "Ticket 0. one" || b != "Ticket 1. two" || c != "Ticket 2. one" {
		t.Errorf("%q %q %q", a, b, c)
	}
	if d, err := list.Digest(); err != nil || d != plan.PopulationDigest(p) {
		t.Error(d, err)
	}
	write(strings.Replace(text, "two", "too", 1))
	if d, err := list.Digest(); err != nil || d == plan.PopulationDigest(p) {
		t.Error("a changed population has the digest of the declared one", err)
	}
	if _, err := OpenPrompts(p, dir); err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Error(err)
	}
	os.Remove(path)
	if _, err := list.Digest(); err == nil {
		t.Error("a population that is gone has a digest")
	}
}
