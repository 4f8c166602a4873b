package livetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/stdlib/text"
)

// Detector is a detector under test for tests: a reverse proxy at the
// observation point that counts refusals over a sliding window and alerts.
type Detector struct {
	Window    time.Duration
	Threshold float64
	Least     int // responses in the window for a decision
	Every     time.Duration
	Ahead     func() time.Duration // of the wall clock that it stamps by; nil for stamps by the run's own clock

	mu      sync.Mutex
	score   text.ScoreFunc
	seen    []seen
	firing  bool
	since   time.Time
	clock   driver.Clock
	sink    detector.Sink
	setting string
	down    error
	silent  bool
	cancel  context.CancelFunc
	done    chan struct{}
	proxy   *httputil.ReverseProxy
}

type seen struct {
	at  time.Time
	hit bool
}

// NewDetector makes one that passes requests on to an upstream.
func NewDetector(upstream string, window time.Duration) (*Detector, error) {
	u, err := url.Parse(upstream)
	if err != nil {
		return nil, err
	}
	s, ok := text.LookupScorer("refusal/1")
	if !ok {
		return nil, fmt.Errorf("no scorer")
	}
	score, err := s.New(nil)
	if err != nil {
		return nil, err
	}
	d := &Detector{Window: window, Threshold: 0.3, Least: 5, Every: 20 * time.Millisecond, score: score, setting: "1"}
	d.proxy = httputil.NewSingleHostReverseProxy(u)
	d.proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 256}
	d.proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	d.proxy.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		r.Body.Close()
		r.Body = io.NopCloser(newReader(body))
		if r.StatusCode == http.StatusOK {
			var reader openai.Reader
			reader.Body(body)
			d.see(reader.Answer().Content)
		}
		return nil
	}
	return d, nil
}

func (d *Detector) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.proxy.ServeHTTP(w, r) }

func (d *Detector) see(answer string) {
	hit := d.score(text.Response{Text: answer}) == 1
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen = append(d.seen, seen{time.Now(), hit})
}

// Start implements driver.Detector.
func (d *Detector) Start(ctx context.Context, c driver.Clock, sink detector.Sink) error {
	ctx, d.cancel = context.WithCancel(ctx)
	d.clock, d.sink, d.done = c, sink, make(chan struct{})
	go func() {
		defer close(d.done)
		t := time.NewTicker(d.Every)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-t.C:
				d.evaluate(now)
			}
		}
	}()
	return nil
}

func (d *Detector) evaluate(now time.Time) {
	d.mu.Lock()
	for len(d.seen) > 0 && now.Sub(d.seen[0].at) > d.Window {
		d.seen = d.seen[1:]
	}
	hits := 0
	for _, s := range d.seen {
		if s.hit {
			hits++
		}
	}
	fire := len(d.seen) >= d.Least && float64(hits) > d.Threshold*float64(len(d.seen))
	changed := fire != d.firing && !d.silent
	at := time.Now()
	stamp := at
	if d.Ahead != nil {
		stamp = at.Round(0).Add(d.Ahead())
	}
	if changed {
		if d.firing = fire; fire {
			d.since = stamp
		}
	}
	since := d.since
	d.mu.Unlock()
	if !changed {
		return
	}
	status := "resolved"
	if fire {
		status = "firing"
	}
	d.sink(detector.Signal{Type: "alert", Component: "test", Status: status, Labels: map[string]string{"alertname": "Refusals", "indicator": "refusal_rate"},
		StartsAt: d.clock.At(since), EmittedAt: d.clock.At(stamp), At: d.clock.At(at)})
}

// State implements driver.Detector.
func (d *Detector) State(context.Context) (detector.State, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.firing {
		return detector.State{Firing: 1}, d.down
	}
	return detector.State{}, d.down
}

// Active names the alert that fires.
func (d *Detector) Active() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.firing {
		return []string{"Refusals"}
	}
	return nil
}

// Configuration implements driver.Detector.
func (d *Detector) Configuration(context.Context) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	sum := sha256.Sum256([]byte(d.setting))
	return hex.EncodeToString(sum[:]), nil
}

// Cycle implements driver.Detector.
func (d *Detector) Cycle() int64 { return int64(d.Every) }

// Check implements driver.Detector.
func (d *Detector) Check(context.Context) []driver.Problem {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.down != nil {
		return []driver.Problem{{Part: "detector", What: d.down.Error(), Remedy: "start it"}}
	}
	return nil
}

// Close implements driver.Detector.
func (d *Detector) Close() error {
	if d.cancel != nil {
		d.cancel()
		<-d.done
	}
	return nil
}

// Reconfigure changes what the detector says of its configuration.
func (d *Detector) Reconfigure(setting string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.setting = setting
}

// Down lets questions for the state fail, nil lets them succeed again.
func (d *Detector) Down(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.down = err
}

// Silence keeps the detector from changing its state.
func (d *Detector) Silence(on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.silent = on
}
