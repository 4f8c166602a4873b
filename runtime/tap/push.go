package tap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/runtime/random"
)

// OTLP says where metrics and evaluation events are pushed, by OTLP over HTTP
// with JSON.
type OTLP struct {
	// Endpoint is the base, "http://127.0.0.1:4318": /v1/metrics and /v1/logs
	// are appended.
	Endpoint string
	Interval time.Duration // between two pushes; 0 for 10 s
	Header   http.Header   // such as for authorization; it stands in no message
	Service  string        // service.name; "" for fdbench-tap
	Version  string        // of the program
	Queue    int           // events that wait; 0 for 8192
	// Backoff is the pause before the first repetition, which doubles up to
	// 30 s; 0 for 500 ms.
	Backoff time.Duration
	// Patience is how long a batch of events is tried; 0 for 5 minutes. Metrics
	// are cumulative, and one that was not taken is replaced by the next.
	Patience time.Duration
}

func (o *OTLP) service() string {
	if o.Service == "" {
		return "fdbench-tap"
	}
	return o.Service
}

const (
	maxBatch   = 512 // events in one request
	maxBackoff = 30 * time.Second
	// lastPush is how long a tap that ends waits for its last pushes.
	lastPush = 5 * time.Second
)

// pusher sends what a tap has to say.
type pusher struct {
	e        *Exporter
	o        OTLP
	base     string
	instance string
	client   *http.Client
	events   chan otlpRecord

	metricsCount, logsCount exports

	ctx    context.Context
	cancel context.CancelFunc
	ending chan struct{} // closed when the tap ends
	wait   sync.WaitGroup
}

// exports are counted for each signal.
type exports struct {
	taken, failures, dropped atomic.Int64
}

type signalCount struct {
	signal string
	n      int64
}

func (p *pusher) counters(name string) []signalCount {
	of := func(x *exports) int64 {
		switch name {
		case "tap_otlp_exports_total":
			return x.taken.Load()
		case "tap_otlp_failures_total":
			return x.failures.Load()
		}
		return x.dropped.Load()
	}
	return []signalCount{{"logs", of(&p.logsCount)}, {"metrics", of(&p.metricsCount)}}
}

func newPusher(ctx context.Context, e *Exporter, o OTLP) (*pusher, error) {
	u, target, err := pin(ctx, o.Endpoint, e.o.AllowTargets, "http", "https")
	if err != nil {
		return nil, fmt.Errorf("OTLP: %w", err)
	}
	for _, d := range []struct {
		v   *time.Duration
		def time.Duration
	}{{&o.Interval, 10 * time.Second}, {&o.Backoff, 500 * time.Millisecond}, {&o.Patience, 5 * time.Minute}} {
		if *d.v <= 0 {
			*d.v = d.def
		}
	}
	if o.Queue <= 0 {
		o.Queue = 8192
	}
	p := &pusher{
		e: e, o: o, base: strings.TrimRight(u.String(), "/"),
		instance: strconv.FormatInt(e.began.UnixNano(), 36),
		events:   make(chan otlpRecord, o.Queue), ending: make(chan struct{}),
		client: &http.Client{
			Transport: &http.Transport{
				DialContext: target.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second,
				MaxIdleConnsPerHost: 2, IdleConnTimeout: 90 * time.Second,
			},
			Timeout:       30 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p, nil
}

// evaluated queues the scores of a response, one for each indicator however
// often it is exported. It never waits.
func (p *pusher) evaluated(r *response, scores []score) {
	now := p.e.o.now()
	all := p.e.o.Indicators
	for i, s := range scores {
		told := false
		for j := range i {
			told = told || scores[j].sampled && all[j].Name == all[i].Name
		}
		if !s.sampled || told {
			continue
		}
		select {
		case p.events <- p.record(r, all[i].Name, s.value, now):
		default:
			p.logsCount.dropped.Add(1)
			p.e.warn("otlp queue", "an evaluation event was lost, since too many wait for "+p.base)
		}
	}
}

func (p *pusher) start() {
	p.wait.Go(p.pushMetrics)
	p.wait.Go(p.pushEvents)
}

// stop pushes what is left, for a bounded time. Nothing may be scored any more.
func (p *pusher) stop() {
	close(p.ending)
	t := time.AfterFunc(lastPush, p.cancel)
	p.wait.Wait()
	t.Stop()
	p.cancel()
	p.client.CloseIdleConnections()
}

func (p *pusher) pushMetrics() {
	tick := time.NewTicker(p.o.Interval)
	defer tick.Stop()
	for {
		last := false
		select {
		case <-tick.C:
		case <-p.ending:
			last = true
		}
		m, points := p.metrics(p.e.o.now())
		if points > 0 {
			patience := p.o.Interval
			if last {
				patience = lastPush
			}
			p.send("metrics", m, points, patience, &p.metricsCount)
		}
		if last {
			return
		}
	}
}

func (p *pusher) pushEvents() {
	tick := time.NewTicker(p.o.Interval)
	defer tick.Stop()
	var batch []otlpRecord
	flush := func(patience time.Duration) {
		if len(batch) > 0 {
			p.send("logs", p.logs(batch), len(batch), patience, &p.logsCount)
			batch = nil
		}
	}
	for {
		select {
		case r := <-p.events:
			if batch = append(batch, r); len(batch) == maxBatch {
				flush(p.o.Patience)
			}
		case <-tick.C:
			flush(p.o.Patience)
		case <-p.ending:
			for {
				select {
				case r := <-p.events:
					if batch = append(batch, r); len(batch) == maxBatch {
						flush(lastPush)
					}
					continue
				default:
				}
				flush(lastPush)
				return
			}
		}
	}
}

// refusedError is an answer that a repetition will not change.
type refusedError struct{ status int }

func (e *refusedError) Error() string { return fmt.Sprintf("status %d", e.status) }

// busyError asks for a repetition, after a while where it names one.
type busyError struct {
	status int
	after  time.Duration
}

func (e *busyError) Error() string { return fmt.Sprintf("status %d", e.status) }

// send posts a message until it is taken, refused, or patience ends. n is how
// many points or events it holds.
func (p *pusher) send(signal string, message any, n int, patience time.Duration, count *exports) {
	body, err := json.Marshal(message)
	if err != nil {
		panic(err) // the types are the package's own
	}
	jitter := random.New(p.instance, "otlp", signal, strconv.FormatInt(count.taken.Load()+count.failures.Load(), 10))
	until := time.Now().Add(patience)
	pause := p.o.Backoff
	for {
		rejected, err := p.post(signal, body)
		if err == nil {
			count.taken.Add(1)
			if rejected > 0 {
				count.dropped.Add(rejected)
				p.e.warn("otlp "+signal, fmt.Sprintf("%s took only a part of the %s", p.base, signal))
			}
			return
		}
		count.failures.Add(1)
		p.e.warn("otlp "+signal, fmt.Sprintf("%s does not take %s: %v", p.base, signal, err))
		var busy *busyError
		var refused *refusedError
		wait := time.Duration(float64(pause) * (0.75 + 0.5*jitter.Float64()))
		if errors.As(err, &busy) && busy.after > 0 {
			wait = busy.after
		}
		if errors.As(err, &refused) || time.Now().Add(wait).After(until) {
			count.dropped.Add(int64(n))
			return
		}
		pause = min(2*pause, maxBackoff)
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-p.ending:
			// One more attempt, at once.
			t.Stop()
			until = time.Time{}
		}
	}
}

// post sends once. It returns how many items were rejected.
func (p *pusher) post(signal string, body []byte) (rejected int64, err error) {
	req, err := http.NewRequestWithContext(p.ctx, http.MethodPost, p.base+"/v1/"+signal, bytes.NewReader(body))
	if err != nil {
		return 0, &refusedError{}
	}
	for k, v := range p.o.Header {
		req.Header[k] = v
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.client.Do(req)
	if err != nil {
		return 0, cause(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	switch {
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 502 && resp.StatusCode <= 504:
		return 0, &busyError{resp.StatusCode, retryAfter(resp.Header.Get("Retry-After"))}
	case resp.StatusCode/100 != 2:
		return 0, &refusedError{resp.StatusCode}
	case err != nil:
		return 0, cause(err)
	}
	var partial struct {
		PartialSuccess struct {
			Points  json.RawMessage `json:"rejectedDataPoints"`
			Records json.RawMessage `json:"rejectedLogRecords"`
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(answer, &partial) == nil {
		for _, raw := range []json.RawMessage{partial.PartialSuccess.Points, partial.PartialSuccess.Records} {
			if k, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64); err == nil && k > 0 {
				rejected += k
			}
		}
	}
	return rejected, nil
}

// cause is what went wrong without the URL around it.
func cause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op
	}
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}

// retryAfter reads a number of seconds; a date counts as none.
func retryAfter(v string) time.Duration {
	s, err := strconv.ParseFloat(v, 64)
	if err != nil || s < 0 || math.IsNaN(s) {
		return 0
	}
	return min(time.Duration(min(s, 3600)*float64(time.Second)), maxBackoff)
}
