package evidence

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"
)

// generator writes a log of an engine as a server writes it: most lines are
// about something else, and each request has the lines that belong to it.
type generator struct {
	engine  string
	size    int64 // bytes, about
	made    int64
	request int64
	buf     []byte
}

// noise are lines of a text log that tell nothing here.
const noise = "INFO 01-15 10:00:00 [loggers.py:116] Engine 000: Avg prompt throughput: 1234.5 tokens/s, Running: 8 reqs, Waiting: 0 reqs, KV cache usage: 41.2%\n" +
	"INFO:     127.0.0.1:51844 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n"

func (g *generator) Read(b []byte) (int, error) {
	if len(g.buf) == 0 {
		if g.made >= g.size {
			return 0, io.EOF
		}
		g.block()
		g.made += int64(len(g.buf))
	}
	n := copy(b, g.buf)
	g.buf = g.buf[n:]
	return n, nil
}

// block is what the log holds of one request.
func (g *generator) block() {
	g.request++
	r := g.request
	b := g.buf[:0]
	text := func(lines int) {
		for range lines {
			b = append(b, noise...)
		}
	}
	switch g.engine {
	case VLLM:
		text(3)
		b = fmt.Appendf(b, "INFO c.py:202: SemBlend semantic lookup hit request_id=chatcmpl-%016x donor_id=d similarity=0.9412 kind=span reusable_tokens=1408 reason=span\n", r)
		b = fmt.Appendf(b, "INFO c.py:405: SemBlend materialized request_id=chatcmpl-%016x donor_id=d tokens=1408\n", r)
	case SGLang:
		text(3)
		b = fmt.Appendf(b, "[FUZZY RADIX] Fuzzy match success: rid=%032x cached=1024, prompt=2100, offset=0, quality_cosine=0.931\n", r)
		b = fmt.Appendf(b, "[FUZZY RADIX] segmented prefill realized donor phase: backend=phased_paged rid=%032x donor_tokens=1024 target=[24,1048) direct_paged_kv=True\n", r)
		b = append(b, "[FUZZY] Realized 1024 fuzzy tokens (1 segments)\n"...)
	case LMCache:
		text(3)
		b = fmt.Appendf(b, "LMCache INFO: Reqid: chatcmpl-%016x, Total tokens 2048, Inference Engine computed tokens: 0, LMCache hit tokens: 1024, need to load: 1024\n", r)
		b = fmt.Appendf(b, "LMCache INFO: [req_id=chatcmpl-%016x] Retrieved 1024 out of total 2048 tokens. size: 0.1 gb\n", r)
	case TRTLLM:
		b = fmt.Appendf(b, `{"event": "lookup", "request_id": %d, "found": true, "similarity": 0.91}`+"\n", r)
		b = fmt.Appendf(b, `{"event": "materialized", "request_id": %d, "materialized": 344, "requires_rope_correction": true}`+"\n", r)
	case Audit:
		b = fmt.Appendf(b, `{"schema_version": 2, "event": "semantic_span_load_advertised", "request_id": "chatcmpl-%d", "connector_id": "sched-0", "request_seq": %d, "event_seq": 1, "boundary": 32, "target_start": 32, "token_count": 1024, "donor_id": "d", "attempt": 1, "snapped_spans": [{"target_start": 32, "target_end": 1056, "donor_start": 48}]}`+"\n", r, r)
		b = fmt.Appendf(b, `{"schema_version": 2, "event": "runtime_materialized", "request_id": "chatcmpl-%d", "connector_id": "worker-0", "request_seq": %d, "event_seq": 0, "tokens": 1008}`+"\n", r, r)
	}
	g.buf = b
}

// BenchmarkRead reads a log from a file, and says how much longer that takes
// than counting its lines with wc takes in the same minute.
func BenchmarkRead(b *testing.B) {
	const size = 64 << 20
	for _, engine := range Engines() {
		b.Run(engine, func(b *testing.B) {
			name := filepath.Join(b.TempDir(), "log")
			f, err := os.Create(name)
			if err != nil {
				b.Fatal(err)
			}
			w := bufio.NewWriterSize(f, 1<<20)
			n, err := io.Copy(w, &generator{engine: engine, size: size})
			if err != nil || w.Flush() != nil || f.Close() != nil {
				b.Fatal(err)
			}
			b.SetBytes(n)
			best := time.Duration(1 << 62)
			for b.Loop() {
				begun := time.Now()
				f, err := os.Open(name)
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := Read(engine, f, Options{}); err != nil {
					b.Fatal(err)
				}
				f.Close()
				best = min(best, time.Since(begun))
			}
			b.StopTimer()
			if wc, err := exec.LookPath("wc"); err == nil {
				floor := time.Duration(1 << 62)
				for range 5 {
					begun := time.Now()
					if err := exec.Command(wc, "-l", name).Run(); err != nil {
						b.Fatal(err)
					}
					floor = min(floor, time.Since(begun))
				}
				b.ReportMetric(float64(n)/floor.Seconds()/1e6, "wc-MB/s")
				b.ReportMetric(best.Seconds()/floor.Seconds(), "x-wc")
			}
		})
	}
}

// Memory does not grow with a log, but for the requests that it names. A log of
// FDBENCH_LOG_MB megabytes is read where that is set.
func TestMemory(t *testing.T) {
	size := int64(64)
	if v := os.Getenv("FDBENCH_LOG_MB"); v != "" {
		var err error
		if size, err = strconv.ParseInt(v, 10, 64); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		t.Skip("reads 64 MB")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	for _, engine := range []string{VLLM, Audit} {
		var largest uint64
		peak := func() {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			largest = max(largest, m.HeapAlloc)
		}
		runtime.GC()
		var before runtime.MemStats
		runtime.ReadMemStats(&before)
		next := int64(0)
		step := size << 20 / 16
		e, _, err := Read(engine, &generator{engine: engine, size: size << 20}, Options{Progress: func(n int64) {
			if n >= next {
				next += step
				peak()
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		used := max(largest, before.HeapAlloc) - before.HeapAlloc
		t.Logf("%s: %d MB, %d requests: at most %.1f MB of live heap", engine, e.Bytes>>20, e.Requests, float64(used)/1e6)
		if limit := uint64(4<<20 + 60*e.Requests); used > limit {
			t.Errorf("%s: %d bytes of live heap for %d requests, more than %d", engine, used, e.Requests, limit)
		}
		if e.MaterializedReuse != e.Requests {
			t.Errorf("%s: %d of %d requests", engine, e.MaterializedReuse, e.Requests)
		}
	}
}
