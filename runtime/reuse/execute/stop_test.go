package execute

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/arms"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// server is an engine that can die and come back.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	dead   bool
	asked  []string // items
	status func(item int, prompt string) int
	reset  int // status
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct{ Prompt string }
	b, _ := io.ReadAll(r.Body)
	json.Unmarshal(b, &q)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		panic(http.ErrAbortHandler)
	}
	switch r.URL.Path {
	case "/reset":
		if len(s.asked) > 0 {
			w.WriteHeader(s.reset)
		}
		return
	case "/v1/models":
		io.WriteString(w, `{"data":[{"id":"m"}]}`)
		return
	}
	var item int
	if n, _ := fmt.Sscanf(q.Prompt, "item %d", &item); n == 1 {
		if last := len(s.asked); last == 0 || s.asked[last-1] != fmt.Sprint(item) {
			s.asked = append(s.asked, fmt.Sprint(item))
		}
		if s.status != nil {
			if code := s.status(item, q.Prompt); code != 0 {
				w.WriteHeader(code)
				return
			}
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"text\":\"one\",\"finish_reason\":\"length\"}]}\n\n"+
		"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":64,\"prompt_tokens_details\":{\"cached_tokens\":0}}}\n\ndata: [DONE]\n\n")
}

// liveRun is a run of n items over a server.
func liveRun(t *testing.T, n, concurrency int) (*server, Options) {
	t.Helper()
	s := &server{reset: 200}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	var b []byte
	for i := range n {
		var err error
		it := &manifest.Item{ItemID: fmt.Sprint("i", i), Dataset: "d", SourceID: fmt.Sprint("s", i), Transform: "exact_repeat", Recipient: fmt.Sprintf("item %d is asked for", i),
			Donors: []manifest.Donor{{DonorID: "d", Text: fmt.Sprintf("donor of item %d", i), Label: "base_prompt"}}}
		if b, err = manifest.Append(b, it); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "m.jsonl"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	live := liveBlock(concurrency)
	live.Driver, live.Model, live.Metrics, live.MaxTokens, live.DonorTokens = arms.OpenAI, "m", []string{}, 8, 1
	live.Reset = []string{s.URL + "/reset"}
	live.Endpoint, live.Temperature = plan.Endpoint{BaseURL: s.URL, API: "completions", Stream: true}, exact.Int(0)
	p := sealed(int64(n), live)
	d := &p.Declaration
	d.Manifest.SHA256, d.Evidence = "sha256:"+hex.EncodeToString(sum[:]), []plan.ReuseEvidence{}
	tok, err := tokens.Lookup("stable")
	if err != nil {
		t.Fatal(err)
	}
	d.Tokenizer = plan.ReuseTokenizer{Name: tok.Name(), Version: tok.Version()}
	plan.SealReuse(p)
	return s, Options{Plan: p, Dir: filepath.Join(t.TempDir(), "out"), Folder: folder, Generation: 1}
}

// committed counts the pairs of a journal.
func committed(t *testing.T, dir string) (pairs int, resumed []journal.Resumed) {
	t.Helper()
	phase := ""
	each(t, dir, func(e journal.Entry) {
		switch e.Kind {
		case journal.KindSegment:
			var s journal.Segment
			json.Unmarshal(e.Data, &s)
			phase = s.Phase
		case journal.KindCommit:
			if phase == record.PhasePair {
				pairs++
			}
		case journal.KindResume:
			var x journal.Resumed
			json.Unmarshal(e.Data, &x)
			resumed = append(resumed, x)
		}
	})
	return pairs, resumed
}

// A run whose engine dies stops within a few pairs and keeps what it has. When
// the engine is back the same call measures the pairs that failed, and the
// result is that of a run without a break.
func TestEngineDiesAndComesBack(t *testing.T) {
	for _, x := range []struct {
		name        string
		dies        int64 // after so many pairs
		concurrency int
		done, kept  int64
		row         int
	}{
		{"in the middle", 4, 1, 7, 4, 3},
		{"at once", 0, 1, 3, 0, 3},
		{"before the last but one", 11, 1, 13, 11, 2},
		{"before the last", 12, 1, 13, 12, 1},
		{"with pairs beside each other", 4, 3, 0, 0, 3},
	} {
		t.Run(x.name, func(t *testing.T) {
			s, o := liveRun(t, 13, x.concurrency)
			o.Progress = func(e Event) {
				if e.Phase == PhasePairs && e.Done == x.dies {
					s.mu.Lock()
					s.dead = true
					s.mu.Unlock()
				}
			}
			_, err := Run(t.Context(), o)
			var stop *StoppedError
			var problem *arms.Problem
			if !errors.As(err, &stop) || !errors.As(err, &problem) || stop.Row != x.row || stop.Total != 13 || !strings.Contains(err.Error(), "no longer as it was: nothing answers at http://127.0.0.1:") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%v, %+v", err, stop)
			}
			if x.concurrency == 1 && (stop.Done != x.done || stop.Kept != x.kept) {
				t.Errorf("%+v", stop)
			}
			if n, _ := committed(t, o.Dir); int64(n) != stop.Kept || stop.Kept+int64(stop.Row) != stop.Done {
				t.Errorf("%d pairs are kept, %+v", n, stop)
			}
			if _, err := os.Stat(filepath.Join(o.Dir, ResultFile)); err == nil {
				t.Error("a run that stopped has a result")
			}
			before := read(t, o.Dir, JournalFile)
			o.Progress = nil
			if _, err := Run(t.Context(), o); err == nil || string(before) != string(read(t, o.Dir, JournalFile)) {
				t.Errorf("while it is dead: %v", err)
			}
			s.mu.Lock()
			s.dead, s.asked = false, nil
			s.mu.Unlock()
			r, err := Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if p := r.Paired; p.Total != 13 || p.Used != 13 || p.Errored+p.Contaminated != 0 || !r.Conformance.Complete || len(r.Conformance.Violations) > 0 {
				t.Errorf("%+v, %+v", p, r.Conformance)
			}
			n, resumed := committed(t, o.Dir)
			if want := fmt.Sprintf("pairs %d to %d, which failed", stop.Kept, stop.Done-1); n != 13 || len(resumed) != 1 || resumed[0].Segment != want {
				t.Errorf("%d pairs, resumed %+v, want %q", n, resumed, want)
			}
			if x.concurrency == 1 && s.asked[0] != fmt.Sprint(stop.Kept) {
				t.Errorf("goes on with %v", s.asked)
			}
		})
	}
}

// What fails for another reason than a dead engine.
func TestPairsThatFail(t *testing.T) {
	all := func(code int) func(int, string) int { return func(int, string) int { return code } }
	for _, x := range []struct {
		name   string
		status func(item int, prompt string) int
		reset  int
		reason string // of a stop
		done   int64
		// of a result
		used, errored, contaminated int64
	}{
		{"every item, and a short request does not", all(500), 200, "though the endpoint answers a short request; the last was item i7, a request failed (http_error): status 500", 8, 0, 0, 0},
		{"from the middle on", func(i int, _ string) int {
			if i < 3 {
				return 0
			}
			return 500
		}, 200, "The 3 pairs before are kept", 11, 0, 0, 0},
		{"resets", nil, 500, "the reset at http://127.0.0.1:", 3, 0, 0, 0},
		{"one of three", func(i int, _ string) int {
			if i%3 == 0 {
				return 500
			}
			return 0
		}, 200, "", 0, 8, 5, 0},
		{"seven in a row", func(i int, _ string) int {
			if i >= 2 && i < 9 {
				return 500
			}
			return 0
		}, 200, "", 0, 6, 7, 0},
		{"the last five", func(i int, _ string) int {
			if i >= 8 {
				return 500
			}
			return 0
		}, 200, "", 0, 8, 5, 0},
		{"items that are refused for what is in them", func(i int, _ string) int {
			if i < 11 {
				return []int{400, 413, 422}[i%3]
			}
			return 0
		}, 200, "", 0, 2, 11, 0},
		{"a refused one does not end a row", func(i int, _ string) int {
			if i%2 == 0 {
				return 400
			}
			return 500
		}, 200, "", 0, 0, 13, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			s, o := liveRun(t, 13, 1)
			s.status, s.reset = x.status, x.reset
			r, err := Run(t.Context(), o)
			if x.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				if p := r.Paired; p.Used != x.used || p.Errored != x.errored || p.Contaminated != x.contaminated || p.Total != 13 || !r.Conformance.Complete {
					t.Errorf("%+v", p)
				}
				return
			}
			var stop *StoppedError
			if !errors.As(err, &stop) || stop.Done != x.done || !strings.Contains(err.Error(), x.reason) {
				t.Fatalf("%v, %+v", err, stop)
			}
			if slices.Contains(s.asked, fmt.Sprint(x.done)) {
				t.Errorf("went on after that: %v", s.asked)
			}
			if n, _ := committed(t, o.Dir); int64(n) != stop.Kept {
				t.Errorf("%d pairs are kept, %+v", n, stop)
			}
		})
	}
}

// A run that stops for what the items are goes on where the engine takes them.
func TestEngineThatIsRepaired(t *testing.T) {
	s, o := liveRun(t, 13, 1)
	s.status = func(i int, _ string) int {
		if i >= 2 {
			return 500
		}
		return 0
	}
	var stop *StoppedError
	for range 2 {
		if _, err := Run(t.Context(), o); !errors.As(err, &stop) || stop.Problem != nil || stop.Kept != 2 || stop.Row != arms.StopAfter {
			t.Fatalf("%v, %+v", err, stop)
		}
	}
	s.mu.Lock()
	s.status = nil
	s.mu.Unlock()
	r, err := Run(t.Context(), o)
	if err != nil || r.Paired.Used != 13 {
		t.Fatalf("%v, %+v", err, r)
	}
	if n, resumed := committed(t, o.Dir); n != 13 || len(resumed) != 2 {
		t.Errorf("%d pairs, %+v", n, resumed)
	}
}
