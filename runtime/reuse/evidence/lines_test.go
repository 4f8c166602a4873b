package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// samples are a small log of each engine, with everything that its reader knows.
var samples = map[string]string{
	VLLM: fill(vHit, "r", "64") + fill(vDone, "r", "64") + "ERROR x\nSemBlend donor registered request_id=d namespace=n tokens=4 blocks=1\n" +
		"SemBlend request-local experimental load advertised request_id=r donor_id=d tokens=4\nSemBlend ready\n",
	SGLang: "[FUZZY] register_donor_async: ok request_id=d tokens=20\n[FUZZY] register_donor: full\n[FUZZY] semantic hit similarity=0.93 matched_tokens=1024 request_id=r\n" +
		"[FUZZY RADIX] Fuzzy match success: rid=r cached=1024, prompt=2100, quality_cosine=0.931\n[FUZZY RADIX] segmented prefill realized donor phase: rid=r donor_tokens=500 target=[24,524)\n" +
		"[FUZZY] Realized 500 fuzzy tokens (1 segments)\n[FUZZY] warmed\nsemantic lookup: no hit score=0.3 tokens=4\nShape mismatch attempting to re-use buffer\n",
	TRTLLM: `{"event":"donor_registered","request_id":1}` + "\n" + `{"event":"lookup","request_id":2,"found":true,"similarity":NaN}` + "\n" +
		`{"event":"materialized","request_id":2,"materialized":3,"requires_rope_correction":1}` + "\n" + `{"event":"engine_blend_boundary","request_id":2}` + "\nnothing\n",
	LMCache: "Reqid: 1, Total tokens 9, Inference Engine computed tokens: 0, LMCache hit tokens: 5, x\nRetrieved 5 out of 9 tokens\nStored 4 tokens\nTraceback (most recent\n",
	Audit: `{"schema_version":2,"event":"semantic_span_load_advertised","request_id":"r","boundary":1,"target_start":0,"token_count":4,"snapped_spans":[{"target_start":1}]}` + "\n" +
		`{"schema_version":2,"event":"runtime_materialized","request_id":"r","tokens":4}` + "\n" + `{"schema_version":1}` + "\n" + `{"schema_version":2,"event":"prefix_cache_blocks_evicted","blocks_evicted":2}` + "\n{\n",
}

// evidence reads b in pieces as r gives them.
func evidence(t testing.TB, engine string, r io.Reader) string {
	t.Helper()
	e, joined, err := Read(engine, r, Options{Requests: func(id string) (Request, bool) { return Request{id, ""}, len(id) < 3 }})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(map[string]any{"evidence": e, "joined": joined})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The same bytes say the same, in whatever pieces they come.
func TestPieces(t *testing.T) {
	for engine, sample := range samples {
		log := strings.Repeat(sample, 50)
		want := evidence(t, engine, strings.NewReader(log))
		rng := rand.New(rand.NewPCG(1, 2))
		for name, r := range map[string]io.Reader{
			"bytes":  iotest.OneByteReader(strings.NewReader(log)),
			"halves": iotest.HalfReader(strings.NewReader(log)),
			"random": readerFunc(func(b []byte) (int, error) { return 0, nil }),
			"early":  iotest.DataErrReader(strings.NewReader(log)),
		} {
			if name == "random" {
				whole := strings.NewReader(log)
				r = readerFunc(func(b []byte) (int, error) { return whole.Read(b[:min(len(b), rng.IntN(300))]) })
			}
			if got := evidence(t, engine, r); got != want {
				t.Errorf("%s in %s:\n%s\nwant\n%s", engine, name, got, want)
			}
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// A line is read up to MaxLine bytes and counted beyond.
func TestLongLines(t *testing.T) {
	hit := strings.TrimSuffix(fill(vHit, "r", "64"), "\n")
	for _, test := range []struct {
		length        int
		tooLong, hits int64
	}{{MaxLine, 0, 1}, {MaxLine + 1, 1, 0}, {3 * MaxLine, 1, 0}} {
		line := strings.Repeat("x", test.length-len(hit)) + hit
		for _, log := range []string{line, line + "\n", "a\n" + line + "\n" + "b\n", line + "\n" + strings.ReplaceAll(fill(vHit, "s", "1"), "\n", "")} {
			e, _ := read(t, VLLM, log)
			hits, lines := test.hits, int64(strings.Count(strings.TrimSuffix(log, "\n"), "\n")+1)
			if strings.Contains(log, "request_id=s") {
				hits++
			}
			if e.TooLong != test.tooLong || e.Malformed != test.tooLong || e.SemanticHits != hits || e.Lines != lines || e.Bytes != int64(len(log)) {
				t.Errorf("%d bytes: %d too long, %d hits, %d lines (want %d)", test.length, e.TooLong, e.SemanticHits, e.Lines, lines)
			}
		}
	}
}

func TestDigestAndParts(t *testing.T) {
	l, err := New(VLLM, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.TrimSuffix(fill(vHit, "r", "64"), "\n"), fill(vDone, "r", "64")
	for _, part := range []string{a, b, ""} {
		if err := l.Read(strings.NewReader(part)); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha256.Sum256([]byte(a + b))
	e := l.Evidence()
	if e.SHA256 != "sha256:"+hex.EncodeToString(sum[:]) || e.Lines != 2 || e.MaterializedReuse != 1 {
		t.Errorf("%+v", e)
	}
	if again := l.Evidence(); !reflect.DeepEqual(e, again) {
		t.Errorf("asked again: %+v", again)
	}
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("broken")
	if _, _, err := Read(VLLM, io.MultiReader(strings.NewReader("x\ny"), iotest.ErrReader(broken)), Options{}); err != broken {
		t.Error(err)
	}
	if _, _, err := Read(VLLM, readerFunc(func([]byte) (int, error) { return 0, nil }), Options{}); err != io.ErrNoProgress {
		t.Error(err)
	}
}

func TestProgress(t *testing.T) {
	var said []int64
	log := strings.Repeat("nothing\n", 500_000)
	if _, _, err := Read(VLLM, strings.NewReader(log), Options{Progress: func(n int64) { said = append(said, n) }}); err != nil {
		t.Fatal(err)
	}
	if len(said) < 3 || said[len(said)-1] != int64(len(log)) {
		t.Errorf("%v of %d", said, len(log))
	}
}

// The sieve finds what bytes.Contains finds, in the order of the lines.
func TestSieve(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	exact, lower := []string{"ab", "bca", "aa"}, []string{"cab"}
	for range 2000 {
		b := make([]byte, rng.IntN(200))
		for i := range b {
			b[i] = "abcABC\n"[rng.IntN(7)]
		}
		folded := bytes.ToLower(b)
		got := make([]byte, len(b))
		if fold(got, b); !bytes.Equal(got, folded) {
			t.Fatalf("%q in lower case: %q", b, got)
		}
		s := newSieve(exact, lower)
		s.start(b, folded)
		for i := range s.needles {
			s.needles[i].often = rng.IntN(2) == 0
		}
		for from := 0; from <= len(b); {
			want := -1
			for _, n := range exact {
				if i := bytes.Index(b[from:], []byte(n)); i >= 0 && (want < 0 || from+i < want) {
					want = from + i
				}
			}
			for _, n := range lower {
				if i := bytes.Index(folded[from:], []byte(n)); i >= 0 && (want < 0 || from+i < want) {
					want = from + i
				}
			}
			at := s.next(from)
			if at != want {
				t.Fatalf("%q from %d: %d, want %d", b, from, at, want)
			}
			if at < 0 {
				break
			}
			from = at + 1 + rng.IntN(3)
		}
	}
}

func TestFoldChangesLettersAlone(t *testing.T) {
	src, dst := make([]byte, 256+5), make([]byte, 256+5)
	for i := range src {
		src[i] = byte(i)
	}
	fold(dst, src)
	for i, c := range src {
		want := c
		if 'A' <= c && c <= 'Z' {
			want += 'a' - 'A'
		}
		if dst[i] != want {
			t.Errorf("%#x becomes %#x", c, dst[i])
		}
	}
}

// Names that a log brings along are bounded in number and in length.
func TestNamesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 3 * maxNames {
		fmt.Fprintf(&b, `{"event":"lookup","rejection_reason":"%d%s"}`+"\n", i, strings.Repeat("x", 1000))
	}
	e, _ := read(t, TRTLLM, b.String())
	if len(e.Rejections) != maxNames+1 || e.Rejections[0].Reason != others || e.Rejections[0].N != 2*maxNames || len(e.Rejections[5].Reason) > maxName {
		t.Errorf("%d reasons, the first %.200v", len(e.Rejections), e.Rejections[0])
	}
}

// The table holds each id once, however many there are.
func TestTable(t *testing.T) {
	x := newTable()
	const n = 20_000
	for round := range 2 {
		for i := range n {
			at, fresh := x.place(fmt.Appendf(nil, "request-%d", i))
			if at != i || fresh != (round == 0) {
				t.Fatalf("round %d: id %d at %d, fresh %v", round, i, at, fresh)
			}
		}
	}
	if x.n != n || x.lookup([]byte("request-5")) != 5 || x.lookup([]byte("request-x")) != none {
		t.Errorf("%d entries", x.n)
	}
	if add8(250, 10) != 255 || add16(65530, 10) != 65535 || add32(1<<32-2, 10) != 1<<32-1 || add32(1, 2) != 3 {
		t.Error("counters go over")
	}
}

func TestRequests(t *testing.T) {
	log := fill(vDone, "c", "3") + fill(vHit, "a", "64") + "SemBlend donor registered request_id=d namespace=n tokens=4 blocks=1\n" + fill(vHit, "b", "0") + fill(vDone, "a", "64")
	l, err := New(VLLM, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Read(strings.NewReader(log)); err != nil {
		t.Fatal(err)
	}
	before := l.Evidence()
	for range 2 {
		var got []Seen
		if err := l.Requests(strings.NewReader(log), func(s Seen) error { got = append(got, s); return nil }); err != nil {
			t.Fatal(err)
		}
		want := []Seen{
			{RequestID: "c", Materialized: 1, Amount: 3},
			{RequestID: "a", Hits: 1, Materialized: 1, Amount: 64, Reused: true},
			{RequestID: "b", Discovery: true},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v", got)
		}
	}
	if !reflect.DeepEqual(before, l.Evidence()) {
		t.Error("listing changes what is counted")
	}
	full := errors.New("full")
	if err := l.Requests(strings.NewReader(log), func(Seen) error { return full }); err != full {
		t.Error(err)
	}
}
