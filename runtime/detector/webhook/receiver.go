package webhook

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/webhook/feed"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Bounds of a receiver.
const (
	MaxBody     = 32 << 20 // bytes of one notification
	connections = 64
	parallel    = 8 // notifications that are read at a time
	patience    = 30 * time.Second
)

// RetryWithin is how long after the answer to a notification the same bytes
// for the same group are taken for a retry whose first answer was lost.
const RetryWithin = 5 * time.Second

// Receiver takes notifications in by HTTP.
type Receiver struct {
	listener  net.Listener
	path      string
	token     string
	component string
	reader    *payload.Reader
	reading   chan struct{}
	stop      context.CancelFunc
	served    chan error

	clock driver.Clock
	feed  *feed.Feed

	// Observe, if set before Start, is told of each notification that counts,
	// in the order of receipt and before its signals are sent.
	Observe func(n *payload.Notification, at int64)
	// Skip, if set before Start, keeps alerts from becoming signals.
	Skip func(a *payload.Alert) bool

	counts struct{ accepted, malformed, retries, truncated, signals, refused atomic.Int64 }

	mu    sync.Mutex
	retry time.Duration
	known map[name]*known // alerts by fingerprint
	over  int             // of them, that have ended
	full  bool            // an alert that fires could not be remembered
	last  map[name]*taken // the last notification of each group
	told  Stats           // at Missed
}

// name stands for a fingerprint or a group's key, which the sender chooses and
// makes as long as it likes.
type name [sha256.Size]byte

func nameFor(text string) name { return sha256.Sum256([]byte(text)) }

// known is what was last heard of an alert.
type known struct {
	status   string
	startsAt time.Time
	endsAt   time.Time
	fired    time.Time // start of the alert that was last heard to fire; zero for none, or one without
	noData   bool      // it was heard of without data alone
	name     string
}

// again tells whether an alert was heard of as it is. Of two Alertmanagers one
// may still tell that an alert fires when the other has told that it is over.
// What was raised by missing data and goes on with data is news.
func (k *known) again(a *payload.Alert) bool {
	if a.Status == payload.Resolved {
		return k.status == a.Status && (k.startsAt.Equal(a.StartsAt) || k.endsAt.Equal(a.EndsAt))
	}
	return k.fires(a) && (a.NoData || !k.noData)
}

// fires tells whether an alert that fires has fired from the same start.
func (k *known) fires(a *payload.Alert) bool {
	if a.StartsAt.IsZero() {
		return k.status == a.Status && k.startsAt.IsZero()
	}
	return k.fired.Equal(a.StartsAt)
}

// taken is a notification that was accepted.
type taken struct {
	digest [sha256.Size]byte
	until  time.Time // when its answer was written; zero before
	gone   bool      // the sender had left by then
}

// Stats count what a receiver was sent.
type Stats struct {
	Accepted  int64 // notifications
	Signals   int64 // alerts in them
	Malformed int64 // notifications that could not be read, answered 400
	Retries   int64 // notifications that had been accepted before
	Refused   int64 // requests without the token, of another method, path, host or type, of a browser, or too large
	Truncated int64 // alerts that the sender left out of notifications
}

// Listen opens a receiver at an address and path. Notifications wait until
// Start. component names the emitter; "" leaves it to the payload's shape.
func Listen(address, path, component string, reader *payload.Reader, o Options) (*Receiver, error) {
	l, err := listen.Listen(listen.Options{Address: address, Remote: o.Remote, Connections: connections})
	if err != nil {
		return nil, err
	}
	return &Receiver{listener: l, path: path, token: o.Token, component: component, reader: reader,
		reading: make(chan struct{}, parallel), retry: RetryWithin,
		known: map[name]*known{}, last: map[name]*taken{}}, nil
}

// Address is where the receiver listens, with its real port.
func (r *Receiver) Address() string { return r.listener.Addr().String() }

// URL is where notifications are sent.
func (r *Receiver) URL() string { return "http://" + r.Address() + r.path }

// Start serves until Close.
func (r *Receiver) Start(c driver.Clock, f *feed.Feed) {
	r.clock, r.feed = c, f
	var h http.Handler = http.HandlerFunc(r.receive)
	if r.token != "" {
		h = r.authorized(h)
	}
	s := listen.Server(nil)
	s.Handler = r.bounded(h)
	ctx, stop := context.WithCancel(context.Background())
	r.stop, r.served = stop, make(chan error, 1)
	go func() { r.served <- listen.Serve(ctx, r.listener, s, 2*time.Second) }()
}

// SetRetryWithin changes the time from RetryWithin to another: it must be
// shorter than that after which a sender repeats itself.
func (r *Receiver) SetRetryWithin(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.retry = d
}

// Close stops listening. Notifications that were taken in stay in the feed.
func (r *Receiver) Close() error {
	if r.stop == nil {
		return r.listener.Close()
	}
	r.stop()
	return <-r.served
}

func (r *Receiver) authorized(h http.Handler) http.Handler {
	inner := listen.Authorized(r.token, h)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		s := &status{ResponseWriter: w}
		if inner.ServeHTTP(s, req); s.code == http.StatusUnauthorized {
			r.counts.refused.Add(1)
		}
	})
}

type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// Unwrap is for http.ResponseController.
func (s *status) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (r *Receiver) bounded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case req.URL.Path != r.path:
			r.counts.refused.Add(1)
			http.Error(w, "notifications are received at "+r.path, http.StatusNotFound)
			return
		case req.Method != http.MethodPost:
			r.counts.refused.Add(1)
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "a notification is sent with POST", http.StatusMethodNotAllowed)
			return
		}
		if code, why := r.foreign(req); code != 0 {
			r.counts.refused.Add(1)
			http.Error(w, why, code)
			return
		}
		req.Body = http.MaxBytesReader(w, req.Body, MaxBody)
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(patience))
		h.ServeHTTP(w, req)
	})
}

// foreign tells what no sender of notifications does, and a web page may do to
// an address of this machine without asking anybody: its browser names the page
// (Origin, Sec-Fetch-Site), or sends another type than JSON, or calls the
// receiver by a name that the page's owner points here (DNS rebinding). Who has
// the token may call it by any name.
func (r *Receiver) foreign(req *http.Request) (code int, why string) {
	if req.Header.Get("Origin") != "" || req.Header.Get("Sec-Fetch-Site") != "" {
		return http.StatusForbidden, "notifications are not taken from a web page"
	}
	if t, _, err := mime.ParseMediaType(req.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return http.StatusUnsupportedMediaType, "a notification is JSON: send it with Content-Type: application/json"
	}
	if r.token != "" || r.own(req.Host) {
		return 0, ""
	}
	return http.StatusForbidden, "this receiver is not called by that name: send to " + r.URL() + ", or set token_env in the scenario"
}

// own tells whether a Host is the receiver's address, or one of this machine
// that no name server is asked for.
func (r *Receiver) own(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	if ip == nil {
		return false
	}
	at, _, _ := net.SplitHostPort(r.Address())
	return ip.IsLoopback() || ip.Equal(net.ParseIP(at))
}

func (r *Receiver) receive(w http.ResponseWriter, req *http.Request) {
	select {
	case r.reading <- struct{}{}:
	case <-req.Context().Done():
		return
	}
	slot, entry, answer := r.read(w, req)
	<-r.reading
	if slot == nil {
		return
	}
	err := slot.Wait(req.Context())
	// The answer is on record before it is sent: the sender's next
	// notification can be here before this goroutine goes on.
	r.answered(entry, err != nil)
	if err != nil {
		return
	}
	io.WriteString(w, answer)
	if http.NewResponseController(w).Flush() != nil || req.Context().Err() != nil {
		r.answered(entry, true)
	}
}

func (r *Receiver) answered(entry *taken, gone bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	entry.until, entry.gone = time.Now(), gone
}

// read takes one notification in. The slot is nil where the answer has been
// written.
func (r *Receiver) read(w http.ResponseWriter, req *http.Request) (*feed.Slot, *taken, string) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			r.counts.refused.Add(1)
			http.Error(w, fmt.Sprintf("a notification has at most %d MiB; let the sender group or truncate (max_alerts)", MaxBody>>20), http.StatusRequestEntityTooLarge)
			return nil, nil, ""
		}
		r.counts.malformed.Add(1)
		http.Error(w, "the notification broke off", http.StatusBadRequest)
		return nil, nil, ""
	}
	slot := r.feed.Take()
	if slot == nil {
		http.Error(w, "the run is over", http.StatusServiceUnavailable)
		return nil, nil, ""
	}
	n, err := r.reader.Read(body)
	if err != nil {
		slot.Fill(nil)
		r.counts.malformed.Add(1)
		http.Error(w, err.Error(), http.StatusBadRequest)
		return nil, nil, ""
	}
	entry := &taken{digest: sha256.Sum256(body)}
	slot.Later(func() []detector.Signal { return r.accept(n, slot.At, entry) })
	return slot, entry, "ok\n"
}

// accept makes the signals of a notification. It runs for one notification at
// a time, in the order of receipt.
func (r *Receiver) accept(n *payload.Notification, at int64, entry *taken) []detector.Signal {
	r.mu.Lock()
	group := nameFor(n.GroupKey)
	if old := r.last[group]; old != nil && old.digest == entry.digest &&
		(old.until.IsZero() || old.gone || time.Since(old.until) < r.retry) {
		r.last[group] = entry
		r.mu.Unlock()
		r.counts.retries.Add(1)
		return nil
	}
	r.last[group] = entry
	r.forget()
	// An alert that does not fire yet is nothing that notifications are about.
	n.Alerts = slices.DeleteFunc(n.Alerts, func(a payload.Alert) bool { return a.Status == payload.Pending })
	signals := make([]detector.Signal, 0, len(n.Alerts))
	for i := range n.Alerts {
		if a := &n.Alerts[i]; r.Skip == nil || !r.Skip(a) {
			signals = append(signals, r.signal(n, a, at))
		}
	}
	r.mu.Unlock()
	r.counts.accepted.Add(1)
	r.counts.signals.Add(int64(len(signals)))
	r.counts.truncated.Add(int64(n.Truncated))
	if r.Observe != nil {
		r.Observe(n, at)
	}
	return signals
}

// signal makes the signal of one alert. Neither Alertmanager nor Grafana stamps
// a notification, so the emitter's own stamp is that of the change which the
// alert reports: since when it fires, or when it ended.
func (r *Receiver) signal(n *payload.Notification, a *payload.Alert, at int64) detector.Signal {
	s := detector.Signal{Type: "alert", Component: r.component, Status: a.Status, Labels: a.Labels, Value: a.Value, Reason: n.Reason,
		StartsAt: at, EmittedAt: at, Repeat: a.Repeat, NoData: a.NoData}
	if s.Component == "" {
		s.Component = "webhook"
		if n.Shape == "alertmanager" {
			s.Component = "alertmanager"
		}
	}
	if !a.StartsAt.IsZero() {
		s.StartsAt = r.clock.At(a.StartsAt)
		s.EmittedAt = s.StartsAt
	}
	if a.Status == payload.Resolved {
		s.EmittedAt = at
		if !a.EndsAt.IsZero() {
			s.EmittedAt = r.clock.At(a.EndsAt)
		}
	}
	if r.remember(a) {
		s.Repeat = true
	}
	return s
}

// remember notes an alert, and tells whether it was known as it is.
func (r *Receiver) remember(a *payload.Alert) (same bool) {
	key := nameFor(a.Fingerprint)
	old := r.known[key]
	if old == nil && len(r.known) >= most {
		if r.over <= most/16 {
			// What is not remembered while it fires must not count as rest.
			r.full = r.full || a.Status == payload.Firing
			return false
		}
		maps.DeleteFunc(r.known, func(_ name, k *known) bool { return k.status == payload.Resolved })
		r.over = 0
	}
	now := &known{status: a.Status, startsAt: a.StartsAt, endsAt: a.EndsAt, fired: a.StartsAt, noData: a.NoData, name: nameOf(a)}
	if old != nil {
		same = old.again(a)
		switch {
		case a.Status == payload.Resolved:
			now.fired, now.noData = old.fired, old.noData
		case old.fires(a):
			now.noData = a.NoData && old.noData
		}
		if old.status == payload.Resolved {
			r.over--
		}
	} else if a.Status == payload.Resolved {
		now.fired = time.Time{}
	}
	if a.Status == payload.Resolved {
		r.over++
	}
	r.known[key] = now
	return same
}

// most is how many alerts, and how many groups, are remembered. A sender makes
// up as many of them as it likes.
const most = 200_000

// forget bounds the groups: those that have not been heard of for long go, and
// all of them where that frees too few, so that it is seldom done. A retry that
// is not known as one any more gives signals that are repetitions.
func (r *Receiver) forget() {
	if len(r.last) <= most {
		return
	}
	maps.DeleteFunc(r.last, func(_ name, t *taken) bool {
		return !t.until.IsZero() && time.Since(t.until) > 10*time.Minute
	})
	if len(r.last) > most/2 {
		clear(r.last)
	}
}

// nameOf is what people read of an alert.
func nameOf(a *payload.Alert) string {
	text := a.Labels["alertname"]
	if text == "" {
		text = payload.LabelsText(a.Labels)
	}
	if len(text) > longestName {
		text = strings.ToValidUTF8(text[:longestName], "") + "..."
	}
	return strings.Clone(text)
}

const longestName = 200 // bytes

// Open are the alerts that were last reported as firing: how many, and their
// names. Where more fired than are remembered, there is one for the others, for
// as long as the receiver lives: when they end is not known.
func (r *Receiver) Open() (n int, names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.known {
		if k.status == payload.Firing {
			n++
			names = append(names, k.name)
		}
	}
	if r.full {
		n++
		names = append(names, fmt.Sprintf("alerts beyond the %d that are remembered", most))
	}
	slices.Sort(names)
	return n, slices.Compact(names)
}

// Stats count what came so far.
func (r *Receiver) Stats() Stats {
	c := &r.counts
	return Stats{Accepted: c.accepted.Load(), Signals: c.signals.Load(), Malformed: c.malformed.Load(), Retries: c.retries.Load(),
		Refused: c.refused.Load(), Truncated: c.truncated.Load()}
}

// Missed are the notifications that were not taken in since it was last called.
// A retry of one that was is none of them.
func (r *Receiver) Missed() world.Missed {
	now := r.Stats()
	r.mu.Lock()
	defer r.mu.Unlock()
	m := world.Missed{Malformed: now.Malformed - r.told.Malformed, Truncated: now.Truncated - r.told.Truncated, Refused: now.Refused - r.told.Refused}
	r.told = now
	return m
}
