package offline

import (
	"bytes"
	"context"
	"io"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// BenchmarkOffline measures the whole path from the bytes of a manifest to its
// rows, and in the same run the tokenizer alone over the same prompts on the
// same number of goroutines; "of-tokenizer" is the share of the second's
// throughput that the first has.
func BenchmarkOffline(b *testing.B) {
	for _, name := range []string{"stable", "cl100k_base"} {
		tok, err := tokens.Lookup(name)
		if err != nil {
			b.Fatal(err)
		}
		items := 400
		if name != "stable" {
			items = 60
		}
		text := generated(b, 9, items, 1000)
		var prompts []string
		r := manifest.NewReader(bytes.NewReader(text))
		for it, err := r.Next(); err != io.EOF; it, err = r.Next() {
			if err != nil {
				b.Fatal(err)
			}
			prompts = append(prompts, it.Recipient, it.Donors[0].Text)
		}
		for _, c := range []struct {
			name    string
			planner *plan.ReusePlanner
		}{{"exact", nil}, {"span", &plan.ReusePlanner{Name: "span"}}, {"chunk", &plan.ReusePlanner{Name: "chunk"}}} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				d := declaration(16)
				d.Tokenizer = plan.ReuseTokenizer{Name: name, Version: tok.Version()}
				d.Planner = c.planner
				m, err := New(d, "")
				if err != nil {
					b.Fatal(err)
				}
				var total int64
				for _, p := range prompts {
					total += int64(len(tok.Append(nil, p)))
				}
				var whole, alone time.Duration
				b.SetBytes(int64(len(text)))
				b.ResetTimer()
				for range b.N {
					start := time.Now()
					if err := m.Rows(context.Background(), manifest.NewReader(bytes.NewReader(text)), 0, func(record.Item) error { return nil }); err != nil {
						b.Fatal(err)
					}
					whole += time.Since(start)
					b.StopTimer()
					start = time.Now()
					tokenizeAll(tok, prompts, m.workers)
					alone += time.Since(start)
					b.StartTimer()
				}
				b.ReportMetric(float64(total)*float64(b.N)/whole.Seconds(), "tokens/s")
				b.ReportMetric(float64(total)*float64(b.N)/alone.Seconds(), "tokenizer-tokens/s")
				b.ReportMetric(alone.Seconds()/whole.Seconds(), "of-tokenizer")
			})
		}
	}
}

func tokenizeAll(tok tokens.Tokenizer, prompts []string, workers int) {
	done := make(chan struct{})
	for w := range workers {
		go func() {
			var ids []uint32
			for i := w; i < len(prompts); i += workers {
				ids = tok.Append(ids[:0], prompts[i])
			}
			done <- struct{}{}
		}()
	}
	for range workers {
		<-done
	}
}

// TestFlatMemory reads a manifest that is made while it is read, of 64 MB or of
// as many as FDBENCH_MANIFEST_MB says, and watches the live heap.
func TestFlatMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 64 MB")
	}
	mb := 64
	if s := os.Getenv("FDBENCH_MANIFEST_MB"); s != "" {
		var err error
		if mb, err = strconv.Atoi(s); err != nil || mb < 8 {
			t.Fatalf("FDBENCH_MANIFEST_MB=%q: write a number of megabytes, at least 8", s)
		}
	}
	d := declaration(16)
	d.Planner = &plan.ReusePlanner{Name: "span"}
	m, err := New(d, "")
	if err != nil {
		t.Fatal(err)
	}
	live := func() uint64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := live()
	var early, most uint64
	var rows, tokens int64
	in := &megabytes{r: newGenerator(t, 4, 1<<40, 700), left: mb << 20}
	next := mb << 20 / 8
	start := time.Now()
	err = m.Rows(context.Background(), manifest.NewReader(in), 0, func(r record.Item) error {
		rows++
		tokens += r.PromptTokens
		if (mb<<20)-in.left >= next {
			next += mb << 20 / 8
			now := max(live(), before) - before
			if early == 0 {
				early = now
			}
			most = max(most, now)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB, %d items, %d tokens of recipients in %v: live heap %.1f MB after an eighth, at most %.1f MB",
		mb, rows, tokens, time.Since(start).Round(time.Millisecond), float64(early)/1e6, float64(most)/1e6)
	if rows < int64(mb)*50 || early == 0 {
		t.Fatalf("only %d items", rows)
	}
	// What may stay is the reader's note of each item's name.
	if limit := early + 16<<20 + 100*uint64(rows); most > limit {
		t.Errorf("the live heap grew to %d bytes, from %d after an eighth", most, early)
	}
}

// megabytes ends a generator at the end of a line.
type megabytes struct {
	r    *generator
	left int
}

func (m *megabytes) Read(p []byte) (int, error) {
	if m.left <= 0 && len(m.r.buf) == 0 {
		return 0, io.EOF
	}
	n, err := m.r.Read(p)
	m.left -= n
	return n, err
}
