package lease

import (
	"context"
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
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

var ctx = context.Background()

// toy is a deployment whose whole configuration is one text.
type toy struct {
	*httptest.Server
	mu     sync.Mutex
	config string
	calls  []string // "apply 1.5", "remove"
	status map[string]int
	blind  bool          // the check does not show the configuration
	noise  bool          // the check answers differently each time
	back   time.Duration // a removal takes effect so much later
	wake   *time.Timer
}

func newToy(t *testing.T) *toy {
	t.Helper()
	s := &toy{config: "normal", status: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		what := strings.TrimPrefix(r.URL.Path, "/")
		if what == "check" {
			switch {
			case s.noise:
				fmt.Fprint(w, time.Now().UnixNano())
			case !s.blind:
				fmt.Fprint(w, s.config)
			}
			return
		}
		s.calls = append(s.calls, strings.TrimSpace(what+" "+string(b)))
		if code := s.status[what]; code != 0 {
			w.WriteHeader(code)
			return
		}
		switch {
		case what == "apply":
			s.config = string(b)
		case s.back == 0:
			s.config = "normal"
		default:
			s.wake = time.AfterFunc(s.back, func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.config = "normal"
			})
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *toy) with(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func (s *toy) now() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config
}

func (s *toy) log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

func (s *toy) plan(lease time.Duration) plan.Apparatus {
	return plan.Apparatus{Name: "toy", Kind: "http", Lease: exact.Duration(lease), HTTP: &plan.HTTPApparatus{Headers: map[string]string{"Content-Type": "text/plain"},
		Apply: plan.HTTPCall{URL: s.URL + "/apply", Body: "{level}"}, Remove: plan.HTTPCall{URL: s.URL + "/remove"}, Check: plan.HTTPCall{URL: s.URL + "/check"}},
		Levels: []plan.Level{{Class: "json_invalid", Magnitude: exact.MustParse("0.1"), Value: "1.0"}, {Class: "json_invalid", Magnitude: exact.MustParse("0.20"), Value: "1.5"}}}
}

// begun is an apparatus that was started.
func begun(t *testing.T, a plan.Apparatus, confirm time.Duration) (*Apparatus, driver.Clock) {
	t.Helper()
	x, err := New(ctx, a, Options{Record: filepath.Join(t.TempDir(), RecordName), Watchdog: watchdogLine(), Confirm: confirm})
	if err != nil {
		t.Fatal(err)
	}
	c := driver.NewClock()
	if err := x.Start(ctx, c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close(ctx) })
	return x, c
}

func TestApplyAndRemove(t *testing.T) {
	s := newToy(t)
	x, c := begun(t, s.plan(5*time.Second), time.Second)
	if err := x.Renew(ctx); !errors.Is(err, ErrNoFault) {
		t.Errorf("%v", err)
	}
	if a := x.Applied(); a.FirstAffected != -1 || a.Complete {
		t.Errorf("%+v", a)
	}
	baseline, err := x.Configuration(ctx)
	if err != nil {
		t.Fatal(err)
	}
	f := refusals("trial 1")
	f.Verify = int64(20 * time.Millisecond)
	before := c.Now()
	onset, err := x.Apply(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	configured, effective := x.Stamps()
	if !(before <= configured && configured < effective && effective == onset && onset <= c.Now()) {
		t.Errorf("configured %d, effective %d, onset %d", configured, effective, onset)
	}
	if now, _ := x.Configuration(ctx); now == baseline || s.now() != "1.5" {
		t.Errorf("the configuration is %q", s.now())
	}
	if _, err := x.Apply(ctx, refusals("trial 2")); !errors.Is(err, ErrApplied) {
		t.Errorf("%v", err)
	}
	if err := x.Renew(ctx); err != nil {
		t.Error(err)
	}
	r, err := read(x.o.Record)
	if err != nil || !r.Applied || r.Values.Trial != "trial 1" || r.Values.Fraction != "0.333333333" || r.Baseline != baseline {
		t.Errorf("%+v, %v", r, err)
	}
	a := x.Applied()
	if a.Span != effective-configured {
		t.Errorf("the call took %d, and %d is told", effective-configured, a.Span)
	}
	if a.From != onset || a.To != onset+f.Verify || a.Complete && c.Now() < a.To {
		t.Errorf("%+v", a)
	}
	time.Sleep(25 * time.Millisecond)
	if !x.Applied().Complete {
		t.Error("the window has passed")
	}
	confirmed, err := x.Remove(ctx)
	if err != nil || confirmed <= onset || s.now() != "normal" || exists(x.o.Record) {
		t.Errorf("%d, %v, %q", confirmed, err, s.now())
	}
	if err := x.Renew(ctx); !errors.Is(err, ErrNoFault) {
		t.Errorf("%v", err)
	}
	if _, err := x.Remove(ctx); err != nil {
		t.Errorf("nothing is applied: %v", err)
	}
	// Again, cut short.
	f = refusals("trial 2")
	f.Verify = int64(time.Hour)
	if _, err := x.Apply(ctx, f); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Remove(ctx); err != nil {
		t.Fatal(err)
	}
	if a := x.Applied(); a.To > c.Now() {
		t.Errorf("the window outlasts the fault: %+v", a)
	}
	if err := x.Close(ctx); err != nil {
		t.Error(err)
	}
	if got := s.log(); !slices.Equal(got, []string{"apply 1.5", "remove", "apply 1.5", "remove"}) {
		t.Errorf("%q", got)
	}
	if files, _ := os.ReadDir(filepath.Dir(x.o.Record)); len(files) != 0 {
		t.Errorf("%v was left behind", files)
	}
}

func TestApplyRefuses(t *testing.T) {
	s := newToy(t)
	x, _ := begun(t, s.plan(5*time.Second), time.Second)
	for _, c := range []struct {
		change func(f *driver.Fault)
		want   string
	}{
		{func(f *driver.Fault) { f.Magnitude = "0.15" }, "no level for the magnitude 0.15"},
		{func(f *driver.Fault) { f.Fault.Class = "refusal" }, "no level"},
		{func(f *driver.Fault) { f.Magnitude = "much" }, "no number"},
		{func(f *driver.Fault) { f.Profile = plan.Profile{Name: "ramp 2m", Shape: "ramp"} }, "ramp 2m"},
	} {
		f := refusals("trial")
		c.change(&f)
		if _, err := x.Apply(ctx, f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if len(s.log()) != 0 || exists(x.o.Record) {
		t.Errorf("%q", s.log())
	}
	// Where the record cannot be written, there is no fault.
	if err := os.Mkdir(x.o.Record, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Apply(ctx, refusals("trial")); err == nil || !strings.Contains(err.Error(), "not applied") {
		t.Errorf("%v", err)
	}
	os.Remove(x.o.Record)
	if len(s.log()) != 0 {
		t.Errorf("%q", s.log())
	}
	if _, err := x.Apply(ctx, refusals("trial")); err != nil {
		t.Error(err)
	}
}

// TestApplyFails removes a fault of which nobody knows whether it was applied.
func TestApplyFails(t *testing.T) {
	t.Parallel()
	s := newToy(t)
	x, _ := begun(t, s.plan(5*time.Second), 3*time.Second)
	s.with(func() { s.status["apply"] = 500 })
	if _, err := x.Apply(ctx, refusals("trial")); err == nil || !strings.Contains(err.Error(), "500") {
		t.Errorf("%v", err)
	}
	if exists(x.o.Record) || !slices.Equal(s.log(), []string{"apply 1.5", "remove"}) {
		t.Errorf("%q", s.log())
	}
	s.with(func() { delete(s.status, "apply") })
	if _, err := x.Apply(ctx, refusals("trial")); err != nil {
		t.Errorf("the next one: %v", err)
	}
}

// slow is a mechanism whose apply call is given up, and carried out later.
type slow struct {
	mechanism.Mechanism
	after time.Duration
	err   error
}

func (m slow) Apply(_ context.Context, v mechanism.Values) error {
	time.AfterFunc(m.after, func() { m.Mechanism.Apply(ctx, v) })
	return fmt.Errorf("no answer: %w", m.err)
}

// TestApplySucceedsLate removes a fault whose apply call was carried out after
// it had been given up, and after the fault was seen not to be there.
func TestApplySucceedsLate(t *testing.T) {
	span := unanswered
	unanswered = 4 * time.Second
	t.Cleanup(func() { unanswered = span })
	for _, broken := range []error{context.DeadlineExceeded, io.ErrUnexpectedEOF} {
		s := newToy(t)
		x, _ := begun(t, s.plan(5*time.Second), 3*time.Second)
		x.m = slow{x.m, 2500 * time.Millisecond, broken}
		if _, err := x.Apply(ctx, refusals("trial")); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
		if exists(x.o.Record) {
			t.Error("the record is still there")
		}
		if want := []string{"remove", "apply 1.5", "remove"}; s.now() != "normal" || !slices.Equal(s.log(), want) {
			t.Errorf("%v: the deployment is %q after %q, want %q", broken, s.now(), s.log(), want)
		}
	}
}

func TestNotBack(t *testing.T) {
	t.Parallel()
	s := newToy(t)
	x, _ := begun(t, s.plan(time.Minute), 300*time.Millisecond)
	if _, err := x.Apply(ctx, refusals("trial")); err != nil {
		t.Fatal(err)
	}
	s.with(func() { s.back = time.Hour })
	_, err := x.Remove(ctx)
	var notBack *NotBackError
	if !errors.As(err, &notBack) || !strings.Contains(err.Error(), "FD-3.4-3") || !exists(x.o.Record) {
		t.Errorf("%v", err)
	}
	if err := x.Renew(ctx); !errors.Is(err, ErrNoFault) {
		t.Errorf("a fault that is to go was renewed: %v", err)
	}
	if _, err := x.Apply(ctx, refusals("next")); !errors.Is(err, ErrApplied) {
		t.Errorf("%v", err)
	}
	s.with(func() { s.back = 0; s.wake.Stop() })
	if _, err := x.Remove(ctx); err != nil || s.now() != "normal" || exists(x.o.Record) {
		t.Errorf("%v, %q", err, s.now())
	}
}

// TestSlowBack waits for a rollback that takes longer than the call that asks
// for it, and asks once.
func TestSlowBack(t *testing.T) {
	t.Parallel()
	s := newToy(t)
	x, c := begun(t, s.plan(5*time.Second), 5*time.Second)
	s.back = 400 * time.Millisecond
	if _, err := x.Apply(ctx, refusals("trial")); err != nil {
		t.Fatal(err)
	}
	begin := c.Now()
	renewed := make(chan error, 1)
	time.AfterFunc(200*time.Millisecond, func() { renewed <- x.Renew(ctx) })
	confirmed, err := x.Remove(ctx)
	if err != nil || confirmed-begin < int64(400*time.Millisecond) {
		t.Errorf("%d ns, %v", confirmed-begin, err)
	}
	if err := <-renewed; err != nil {
		t.Errorf("renewed during the removal: %v", err)
	}
	if got := s.log(); !slices.Equal(got, []string{"apply 1.5", "remove"}) {
		t.Errorf("%q", got)
	}
}

// TestNothingToRemove takes the configuration's word where the remove call
// says that there is no such fault.
func TestNothingToRemove(t *testing.T) {
	t.Parallel()
	s := newToy(t)
	x, _ := begun(t, s.plan(5*time.Second), 5*time.Second)
	if _, err := x.Apply(ctx, refusals("trial")); err != nil {
		t.Fatal(err)
	}
	s.with(func() { s.config, s.status["remove"] = "normal", 404 })
	if _, err := x.Remove(ctx); err != nil || exists(x.o.Record) {
		t.Errorf("%v", err)
	}
}

func TestBlindCheck(t *testing.T) {
	t.Parallel()
	s := newToy(t)
	s.blind = true
	x, _ := begun(t, s.plan(5*time.Second), time.Second)
	if _, err := x.Apply(ctx, refusals("trial")); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Remove(ctx); err == nil || !strings.Contains(err.Error(), "FD-3.4-3") {
		t.Errorf("%v", err)
	}
	if s.now() != "normal" || exists(x.o.Record) {
		t.Error("the fault is still there")
	}
}

// TestExpired lets the lease run out in a harness that lives.
func TestExpired(t *testing.T) {
	t.Parallel()
	s := newToy(t)
	const lease = 300 * time.Millisecond
	x, c := begun(t, s.plan(lease), 3*time.Second)
	onset, err := x.Apply(ctx, refusals("trial"))
	if err != nil {
		t.Fatal(err)
	}
	for range 8 {
		time.Sleep(lease / 4)
		if err := x.Renew(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if s.now() != "1.5" {
		t.Fatal("the fault ended though it was renewed")
	}
	last := c.Now()
	eventually(t, 2*time.Second, "the fault is gone", func() bool { return s.now() == "normal" })
	if held := c.Now() - last; held < int64(lease)-int64(10*time.Millisecond) {
		t.Errorf("the fault ended %d ms after it was renewed", held/1e6)
	}
	if err := x.Renew(ctx); !errors.Is(err, ErrExpired) {
		t.Errorf("%v", err)
	}
	if x.Applied().Complete {
		t.Error("the fault was not in force for all of its window")
	}
	if at, err := x.Remove(ctx); !errors.Is(err, ErrExpired) || at <= onset {
		t.Errorf("%d, %v", at, err)
	}
	if _, err := x.Apply(ctx, refusals("next")); err != nil {
		t.Errorf("the next one: %v", err)
	}
	if s.now() != "1.5" {
		t.Error("the next one is not in force")
	}
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	const ms = int64(time.Millisecond)
	for _, c := range []struct {
		p    plan.Profile
		most int
		want []string
	}{
		{plan.Profile{Name: "pulse", Shape: "pulse", On: exact.Duration(60 * ms)}, 2, []string{"apply 1.5", "remove"}},
		{plan.Profile{Name: "intermittent", Shape: "intermittent", On: exact.Duration(60 * ms), Off: exact.Duration(40 * ms)}, 6,
			[]string{"apply 1.5", "remove", "apply 1.5", "remove", "apply 1.5", "remove"}},
	} {
		s := newToy(t)
		x, _ := begun(t, s.plan(2*time.Second), time.Second)
		f := refusals("trial")
		f.Profile = c.p
		begin := time.Now()
		if _, err := x.Apply(ctx, f); err != nil {
			t.Fatal(err)
		}
		eventually(t, 2*time.Second, c.p.Name, func() bool { return len(s.log()) >= c.most })
		if c.p.Shape == "intermittent" {
			if took := time.Since(begin); took < 260*time.Millisecond {
				t.Errorf("three times on took %s", took)
			}
		}
		if _, err := x.Remove(ctx); err != nil {
			t.Error(err)
		}
		if got := s.log(); !slices.Equal(got[:c.most], c.want) || s.now() != "normal" {
			t.Errorf("%q, %q", got, s.now())
		}
		n := len(s.log())
		time.Sleep(120 * time.Millisecond)
		if len(s.log()) != n {
			t.Error("the profile goes on after the removal")
		}
	}
}

// TestProfileExpires ends an intermittent fault that nobody renews, in the
// middle of its switching.
func TestProfileExpires(t *testing.T) {
	t.Parallel()
	s := newToy(t)
	x, _ := begun(t, s.plan(300*time.Millisecond), time.Second)
	f := refusals("trial")
	f.Profile = plan.Profile{Name: "intermittent", Shape: "intermittent", On: exact.Duration(50 * time.Millisecond), Off: exact.Duration(50 * time.Millisecond)}
	if _, err := x.Apply(ctx, f); err != nil {
		t.Fatal(err)
	}
	eventually(t, 4*time.Second, "the record is gone", func() bool { return !exists(x.o.Record) })
	if s.now() != "normal" {
		t.Errorf("%q", s.now())
	}
	if err := x.Renew(ctx); !errors.Is(err, ErrExpired) {
		t.Errorf("%v", err)
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	s := newToy(t)
	for _, c := range []struct {
		name  string
		line  []string
		lease time.Duration
		want  string
	}{
		{"no watchdog", nil, time.Second, "no watchdog"},
		{"a watchdog that is not there", []string{"/no/such/program"}, time.Second, "cannot be started"},
		{"a watchdog that ends", []string{"/bin/true"}, time.Second, "has ended"},
		{"no lease", watchdogLine(), 0, "no lease"},
	} {
		x, err := New(ctx, s.plan(c.lease), Options{Record: filepath.Join(t.TempDir(), RecordName), Watchdog: c.line})
		if err == nil {
			err = x.Start(ctx, driver.NewClock())
			x.Close(ctx)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	x, err := New(ctx, s.plan(time.Second), Options{Record: filepath.Join(t.TempDir(), RecordName), Watchdog: watchdogLine()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Apply(ctx, refusals("trial")); !errors.Is(err, ErrNotStarted) {
		t.Errorf("%v", err)
	}
	if _, err := x.Remove(ctx); !errors.Is(err, ErrNotStarted) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(x.o.Record, []byte(`{"format": "fdbench.fault/9"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := x.Start(ctx, driver.NewClock()); err == nil || !strings.Contains(err.Error(), "fdbench.fault/1") {
		t.Errorf("%v", err)
	}
	os.Remove(x.o.Record)

	// What a killed run left is removed before anything else.
	s.with(func() { s.config = "1.5" })
	r := x.record(nil)
	r.ID, r.Baseline = "old", "sha256:"+strings.Repeat("0", 64)
	if err := r.write(x.o.Record); err != nil {
		t.Fatal(err)
	}
	x.o.Confirm = 300 * time.Millisecond
	if err := x.Start(ctx, driver.NewClock()); err == nil || !strings.Contains(err.Error(), "FD-3.4-3") {
		t.Errorf("another configuration than before the fault: %v", err)
	}
	s.with(func() { s.config = "normal" })
	if r.Baseline, err = x.Configuration(ctx); err != nil {
		t.Fatal(err)
	}
	s.with(func() { s.config = "1.5" })
	if err := r.write(x.o.Record); err != nil {
		t.Fatal(err)
	}
	x.o.Confirm = 5 * time.Second
	if err := x.Start(ctx, driver.NewClock()); err != nil || s.now() != "normal" || exists(x.o.Record) {
		t.Errorf("%v, %q", err, s.now())
	}
	second, err := New(ctx, s.plan(time.Second), Options{Record: x.o.Record, Watchdog: watchdogLine()})
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if err := second.Start(short, driver.NewClock()); !errors.Is(err, ErrBusy) {
		t.Errorf("two runs in one folder: %v", err)
	}
	if err := x.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := second.Start(ctx, driver.NewClock()); err != nil {
		t.Error(err)
	}
	second.Close(ctx)
}

// TestCloseAfterInterrupt closes with a context that has ended.
func TestCloseAfterInterrupt(t *testing.T) {
	s := newToy(t)
	x, _ := begun(t, s.plan(5*time.Second), time.Second)
	if _, err := x.Apply(ctx, refusals("trial")); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := x.Close(ended); err != nil || s.now() != "normal" || exists(x.o.Record) {
		t.Errorf("%v, %q", err, s.now())
	}
}

// TestCloseInTime closes with a time limit where the fault cannot be removed:
// it holds, and one that is over leaves the fault to the watchdog at once.
func TestCloseInTime(t *testing.T) {
	for _, limit := range []time.Duration{300 * time.Millisecond, -time.Second} {
		s := newToy(t)
		x, _ := begun(t, s.plan(5*time.Second), time.Minute)
		if _, err := x.Apply(ctx, refusals("trial")); err != nil {
			t.Fatal(err)
		}
		s.with(func() { s.status["remove"] = http.StatusInternalServerError })
		before := len(s.log())
		bounded, cancel := context.WithTimeout(ctx, limit)
		began := time.Now()
		err := x.Close(bounded)
		took, calls := time.Since(began), len(s.log())-before
		cancel()
		var not *NotBackError
		if !errors.As(err, &not) || took > limit+10*time.Second || limit < 0 && calls > 1 || limit > 0 && calls == 0 {
			t.Errorf("limit %v: %v after %v and %d calls", limit, err, took, calls)
		}
		if !exists(x.o.Record) {
			t.Errorf("limit %v: the record is gone, and the fault is applied", limit)
		}
		// The watchdog does it once it can.
		s.with(func() { delete(s.status, "remove") })
		for range 3000 {
			if !exists(x.o.Record) {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		if s.now() != "normal" || exists(x.o.Record) {
			t.Errorf("limit %v: the watchdog left %q", limit, s.now())
		}
	}
}

func TestCheck(t *testing.T) {
	s := newToy(t)
	x, _ := begun(t, s.plan(time.Second), time.Second)
	if p := x.Check(ctx); len(p) != 0 {
		t.Errorf("%+v", p)
	}
	s.with(func() { s.noise = true })
	if p := x.Check(ctx); len(p) != 1 || !strings.Contains(p[0].What, "differently") {
		t.Errorf("%+v", p)
	}
	s.Close()
	if p := x.Check(ctx); len(p) != 1 || p[0].Rule != "FD-3.4-3" || p[0].Part != "apparatus" {
		t.Errorf("%+v", p)
	}
	if targets := x.Targets(); len(targets) != 1 || "http://"+targets[0].Address != s.URL {
		t.Errorf("%+v", targets)
	}
}
