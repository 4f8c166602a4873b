package clockprobe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/spec/refdata"
)

// probed is the sample of a probe that takes d1 there, p in between and d2
// back, to a clock that is ahead by offset.
func probed(t0, offset, d1, p, d2 int64) Sample {
	return Sample{T0: t0, T1: t0 + d1 + offset, T2: t0 + d1 + p + offset, T3: t0 + d1 + p + d2}
}

// TestBoundHolds draws offsets and ways of any length: the true offset always
// lies within the bound, and the bound is no larger than the ways make it.
func TestBoundHolds(t *testing.T) {
	r := random.New("clockprobe", "bound")
	draw := func(most uint64) int64 { return int64(r.Below(r.Below(most) + 1)) }
	for range 50_000 {
		later, earlier := draw(1e15), draw(1e15)
		offset := later - earlier
		d1, d2, p := draw(1e10), draw(1e10), draw(1e9)
		s := probed(1_700_000_000_000_000_000+draw(1e9), offset, d1, p, d2)
		if err := s.Valid(); err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		if !s.Contains(offset) || max(offset, -offset) > s.Bound() {
			t.Fatalf("offset %d, ways %d and %d: bound %d", offset, d1, d2, s.Bound())
		}
		if s.Delay() != d1+d2 {
			t.Fatalf("delay %d, want %d", s.Delay(), d1+d2)
		}
		if s.Bound() > max(offset, -offset)+max(d1, d2) {
			t.Fatalf("offset %d, ways %d and %d: bound %d is too large", offset, d1, d2, s.Bound())
		}
		// Against fractions, and against the rule that the measurement is
		// checked by: bound >= |offset| + delay/2 rounded up.
		exact := new(big.Rat).Add(new(big.Rat).Abs(new(big.Rat).SetFrac64(2*offset+d1-d2, 2)), new(big.Rat).SetFrac64(d1+d2, 2))
		if exact.Cmp(new(big.Rat).SetInt64(s.Bound())) != 0 {
			t.Fatalf("bound %d, exactly %s", s.Bound(), exact)
		}
		if o := s.Offset(); s.Bound() < max(o, -o)+s.Delay()/2+s.Delay()%2 {
			t.Fatalf("bound %d, offset %d, delay %d", s.Bound(), o, s.Delay())
		}
		if s.Contains(s.Offset()+s.Delay()/2+2) || s.Contains(s.Offset()-s.Delay()/2-2) {
			t.Fatalf("%+v contains more than delay/2 around its offset", s)
		}
	}
}

// TestMeasurementHolds does the same for several probes, of which some took a
// detour, and for a clock that is stepped in the middle.
func TestMeasurementHolds(t *testing.T) {
	r := random.New("clockprobe", "measurement")
	draw := func(most uint64) int64 { return int64(r.Below(r.Below(most) + 1)) }
	for i := range 20_000 {
		later, earlier := draw(1e9), draw(1e9)
		offset := later - earlier
		var m Measurement
		stepped := i%2 == 1
		before := offset
		for j := range 8 {
			if stepped && j == 4 {
				offset += 30_000_000_000
			}
			m.Samples = append(m.Samples, probed(1_700_000_000_000_000_000+int64(j)*1e9, offset, draw(1e8), draw(1e6), draw(1e8)))
		}
		if m.Agree() == stepped {
			t.Fatalf("stepped %t, and the samples agree %t", stepped, m.Agree())
		}
		bound := m.Bound()
		if max(offset, -offset) > bound || max(before, -before) > bound {
			t.Fatalf("offset %d, before %d: bound %d", offset, before, bound)
		}
		for _, s := range m.Samples {
			if s.Delay() < m.Best().Delay() {
				t.Fatal("the best is not the one of the smallest delay")
			}
		}
		rec := m.Record(7, "between")
		if rec.At != 7 || rec.Moment != "between" || rec.Bound != bound || rec.Bound < max(rec.Offset, -rec.Offset)+rec.Delay/2 || strings.Contains(rec.Method, "contradict") != stepped {
			t.Fatalf("%+v", rec)
		}
	}
}

func TestValid(t *testing.T) {
	for _, c := range []struct {
		s    Sample
		want string
	}{
		{Sample{10, 10, 10, 10}, ""},
		{Sample{10, 5, 6, 11}, ""},
		{Sample{10, 6, 5, 11}, "responder's clock went backwards"},
		{Sample{10, 5, 6, 9}, "this host went backwards"},
		{Sample{10, 5, 7, 11}, "longer than the whole probe"},
		{Sample{-1, 5, 6, 11}, "1970"},
		{Sample{10, 5, 1<<63 - 1, 11}, "2169"},
	} {
		err := c.s.Valid()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.s, err, c.want)
		}
	}
}

func TestReference(t *testing.T) {
	b, err := os.ReadFile(refdata.Path(t, "data/stats-reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			ID, Group       string
			Input, Expected json.RawMessage
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range file.Cases {
		switch c.Group {
		case "clock_offset_4ts":
			n++
			var in struct {
				T0 int64 `json:"t0_ns"`
				T1 int64 `json:"t1_ns"`
				T2 int64 `json:"t2_ns"`
				T3 int64 `json:"t3_ns"`
			}
			var want struct {
				Offset int64 `json:"offset_ns"`
				Delay  int64 `json:"delay_ns"`
				Bound  int64 `json:"max_abs_offset_ns"`
			}
			json.Unmarshal(c.Input, &in)
			json.Unmarshal(c.Expected, &want)
			s := Sample{in.T0, in.T1, in.T2, in.T3}
			if s.Offset() != want.Offset || s.Delay() != want.Delay || s.Bound() != want.Bound {
				t.Errorf("%s: %d, %d, %d", c.ID, s.Offset(), s.Delay(), s.Bound())
			}
		case "clock_offset_bound":
			n++
			type host struct {
				Offset     float64 `json:"local_offset_us"`
				Delay      float64 `json:"root_delay_us"`
				Dispersion float64 `json:"root_dispersion_us"`
			}
			var in struct {
				A host `json:"host_a"`
				B host `json:"host_b"`
			}
			var want struct {
				Pair float64 `json:"pair_bound_us"`
			}
			json.Unmarshal(c.Input, &in)
			json.Unmarshal(c.Expected, &want)
			tracking := func(h host) Tracking {
				x, err := ParseTracking(fmt.Sprintf("C0A80001,192.168.0.1,3,1700000000.1,%.9f,0,0,0,0,0,%.9f,%.9f,16.0,Normal\n", h.Offset/1e6, h.Delay/1e6, h.Dispersion/1e6))
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
			if r := ChronyRecord(tracking(in.A), tracking(in.B), 0, "before"); r.Bound != int64(want.Pair*1000+0.5) {
				t.Errorf("%s: %d ns, want %f us", c.ID, r.Bound, want.Pair)
			}
		}
	}
	if n < 2 {
		t.Errorf("%d reference cases", n)
	}
}

func TestTracking(t *testing.T) {
	const good = "A9FEA97B,169.254.169.123,4,1700000000.123456789,-0.000001234,-0.000000456,0.000012345,-12.345,0.001,0.012,0.000123457,0.000234567,16.3,Normal\n"
	got, err := ParseTracking(good)
	if want := (Tracking{"169.254.169.123", 1234, 123457, 234567}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if got.Bound() != 1234+234567+61729 {
		t.Errorf("bound %d", got.Bound())
	}
	r := ChronyRecord(got, got, 5, "after")
	if want := (journal.ClockRecord{At: 5, Offset: 2468, Delay: 246914, Bound: 2 * got.Bound(), Method: r.Method, Moment: "after"}); r != want || r.Method == "" {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct{ old, new, want string }{
		{"Normal", "Not synchronised", "not synchronised"},
		{",4,", ",0,", "not synchronised"},
		{"A9FEA97B", "7F7F0101", "own clock"},
		{"-0.000001234", "x", "system time"},
		{"0.000123457", "-0.1", "root delay"},
		{"0.000234567", "1e99", "root dispersion"},
		{"16.3,", "", "14 members"},
		{"Normal\n", "Normal\nNormal\n", "14 members"},
		{good, "", "14 members"},
		{good, "506 Cannot talk to daemon", "14 members"},
	} {
		if _, err := ParseTracking(strings.Replace(good, c.old, c.new, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}

func FuzzParseTracking(f *testing.F) {
	f.Add("A9FEA97B,169.254.169.123,4,1700000000.1,-0.000001234,0,0,0,0,0,0.000123457,0.000234567,16.3,Normal\n")
	f.Add(",,,,1/3,,,,,,1e1,1e-9,,")
	f.Fuzz(func(t *testing.T, s string) {
		if x, err := ParseTracking(s); err == nil && (x.Offset < 0 || x.Delay < 0 || x.Dispersion < 0 || x.Bound() < x.Offset) {
			t.Errorf("%q: %+v", s, x)
		}
	})
}

const token = "token-of-the-responder"

// responder answers with a clock that is ahead.
func responder(t *testing.T, ahead time.Duration, around http.HandlerFunc) string {
	t.Helper()
	h := Handler(token, "boot there", func() time.Time { return time.Now().Add(ahead) })
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if around != nil {
			around(w, r)
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

func TestMeasure(t *testing.T) {
	for _, ahead := range []time.Duration{0, 3 * time.Second, -250 * time.Millisecond} {
		var n atomic.Int64
		address := responder(t, ahead, func(http.ResponseWriter, *http.Request) {
			if n.Add(1)%2 == 0 {
				time.Sleep(20 * time.Millisecond) // a detour on one way
			}
		})
		p, err := NewProber(context.Background(), driver.NewClock(), address, token, false)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Measure(context.Background(), 0)
		if offsets, err := p.Probe(context.Background()); err != nil || len(offsets) != 1 || offsets[0].Bound < int64(max(ahead, -ahead)) || offsets[0].Method == "" {
			t.Errorf("%+v, %v", offsets, err)
		}
		p.Close()
		if err != nil || len(m.Samples) != DefaultProbes || m.Lost != 0 || m.Host != "boot there" {
			t.Fatalf("%+v, %v", m, err)
		}
		b := m.Best()
		if !b.Contains(int64(ahead)) || m.Bound() < int64(max(ahead, -ahead)) || b.Delay() > int64(15*time.Millisecond) {
			t.Errorf("ahead %s: offset %d, delay %d", ahead, b.Offset(), b.Delay())
		}
		for _, s := range m.Samples {
			if !s.Contains(int64(ahead)) {
				t.Errorf("ahead %s: %+v", ahead, s)
			}
		}
		t.Logf("ahead %s: offset %d ns, delay %d ns, bound %d ns", ahead, b.Offset(), b.Delay(), m.Bound())
	}
}

func TestMeasureFails(t *testing.T) {
	ctx := context.Background()
	good := responder(t, 0, nil)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "{}") }))
	defer other.Close()
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"format": %q, "host": "x", "t1_ns": 5, "t2_ns": 4}`, Format)
	}))
	defer back.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for _, c := range []struct{ address, token, want string }{
		{good, "another", "does not take the token"},
		{good, "", "does not take the token"},
		{other.Listener.Addr().String(), token, "no clock responder"},
		{back.Listener.Addr().String(), token, "went backwards"},
		{closed.Addr().String(), token, "FD-3.5-2"},
	} {
		p, err := NewProber(ctx, driver.NewClock(), c.address, c.token, false)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Measure(ctx, 2)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", c.want, err)
		}
		p.Close()
	}
	if _, err := NewProber(ctx, driver.NewClock(), "8.8.8.8:80", token, false); err == nil || !strings.Contains(err.Error(), "FD-7-1") {
		t.Errorf("%v", err)
	}
	if p, err := NewProber(ctx, driver.NewClock(), "8.8.8.8:80", token, true); err != nil || !p.Target().Allowed || p.Target().Address != "8.8.8.8:80" {
		t.Errorf("%v", err)
	}
}

// TestSomeLost counts probes without an answer and goes on.
func TestSomeLost(t *testing.T) {
	var n atomic.Int64
	address := responder(t, 0, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1)%3 == 0 {
			panic(http.ErrAbortHandler)
		}
	})
	p, err := NewProber(context.Background(), driver.NewClock(), address, token, false)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if m, err := p.Measure(context.Background(), 9); err != nil || m.Lost == 0 || m.Lost+len(m.Samples) != 9 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestServe(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no boot id here")
	}
	var outside *listen.NotLoopbackError
	if err := Serve(context.Background(), listen.Options{Address: "0.0.0.0:0"}, token, nil); !errors.As(err, &outside) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	address, done := make(chan string, 1), make(chan error, 1)
	go func() {
		done <- Serve(ctx, listen.Options{Address: "127.0.0.1:0"}, token, func(a string) { address <- a })
	}()
	p, err := NewProber(ctx, driver.NewClock(), <-address, token, false)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	m, err := p.Measure(ctx, 3)
	if err != nil {
		t.Fatal(err)
	}
	here, err := Host()
	if err != nil || here != m.Host {
		t.Errorf("%q and %q are one host: %v", here, m.Host, err)
	}
	p.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestHost(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ text, want string }{
		{"7cc31b3e-81d1-426b-bcbc-517ec63f87b3\n", "boot 7cc31b3e-81d1-426b-bcbc-517ec63f87b3"}, {"", ""}, {"none\n", ""},
	} {
		file := filepath.Join(dir, "boot_id")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := hostOf(file)
		if got != c.want || (err == nil) != (c.want != "") || err != nil && !errors.Is(err, ErrNoBootID) {
			t.Errorf("%q: %q, %v", c.text, got, err)
		}
	}
	if _, err := hostOf(filepath.Join(dir, "absent")); !errors.Is(err, ErrNoBootID) || !strings.Contains(err.Error(), "attest") {
		t.Errorf("%v", err)
	}
}

func BenchmarkMeasure(b *testing.B) {
	h := Handler(token, "boot there", nil)
	s := httptest.NewServer(h)
	defer s.Close()
	p, err := NewProber(context.Background(), driver.NewClock(), s.Listener.Addr().String(), token, false)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for b.Loop() {
		if _, err := p.Measure(context.Background(), 1); err != nil {
			b.Fatal(err)
		}
	}
}
