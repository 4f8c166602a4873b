package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

type heard struct {
	mu      sync.Mutex
	signals []detector.Signal
	slow    func()
}

func (h *heard) sink(s detector.Signal) {
	if h.slow != nil {
		h.slow()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.signals = append(h.signals, s)
}

func (h *heard) all() []detector.Signal {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.signals
}

func start(t *testing.T, live *plan.LiveDetector, o Options, h *heard) (*Detector, driver.Clock) {
	t.Helper()
	if live.Listen == "" {
		live.Listen, live.Path = "127.0.0.1:0", "/hook"
	}
	d, err := New(&plan.Detector{Name: "d", Kind: "webhook", Live: live}, o)
	if err != nil {
		t.Fatal(err)
	}
	c := driver.NewClock()
	if err := d.Start(context.Background(), c, h.sink); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, c
}

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b)
}

// notification is what Alertmanager sends of one alert.
func notification(status, name, reason string, starts time.Time) string {
	ends := time.Time{}
	if status == "resolved" {
		ends = starts.Add(time.Second)
	}
	b, _ := json.Marshal(map[string]any{"version": "4", "groupKey": "{}:{alertname=\"" + name + "\"}", "receiver": "r", "status": status,
		"notification_reason": reason, "alerts": []any{map[string]any{"status": status, "labels": map[string]string{"alertname": name},
			"startsAt": starts, "endsAt": ends, "fingerprint": name}}})
	return string(b)
}

func TestSignals(t *testing.T) {
	h := &heard{}
	d, c := start(t, &plan.LiveDetector{}, Options{}, h)
	url := d.Receiver().URL()
	began := c.Time(0).Add(-3 * time.Second).Round(0)
	again := began.Add(time.Second)
	for i, step := range []struct {
		body         string
		status, name string
		repeat       bool
		starts       time.Time
		firing       int
	}{
		{notification("firing", "A", "first notification", began), "firing", "A", false, began, 1},
		{notification("firing", "B", "first notification", began), "firing", "B", false, began, 2},
		{notification("firing", "A", "new alerts added", began), "firing", "A", true, began, 2},
		{notification("firing", "A", "repeat interval elapsed", began), "firing", "A", true, began, 2},
		{notification("resolved", "A", "all alerts resolved", began), "resolved", "A", false, began, 1},
		{notification("resolved", "A", "", began), "resolved", "A", true, began, 1},
		{notification("firing", "A", "first notification", again), "firing", "A", false, again, 2},
		{notification("firing", "A", "", again.Add(time.Second)), "firing", "A", false, again.Add(time.Second), 2},
	} {
		before := c.Now()
		if code, text := post(t, url, step.body); code != 200 {
			t.Fatalf("step %d: %d %s", i, code, text)
		}
		got := h.all()
		if len(got) != i+1 {
			t.Fatalf("step %d: %d signals after the answer", i, len(got))
		}
		s := got[i]
		if s.Status != step.status || s.Labels["alertname"] != step.name || s.Repeat != step.repeat || s.Type != "alert" || s.Component != "alertmanager" {
			t.Errorf("step %d: %+v", i, s)
		}
		if d := time.Duration(s.StartsAt - c.At(step.starts)); d.Abs() > time.Microsecond {
			t.Errorf("step %d: starts %v away", i, d)
		}
		emitted := step.starts
		if step.status == "resolved" {
			emitted = emitted.Add(time.Second)
		}
		if d := time.Duration(s.EmittedAt - c.At(emitted)); d.Abs() > time.Microsecond {
			t.Errorf("step %d: emitted %v away", i, d)
		}
		if s.At < before || s.At > c.Now() {
			t.Errorf("step %d: received at %d, not between %d and now", i, s.At, before)
		}
		state, err := d.State(context.Background())
		if err != nil || state != (detector.State{Firing: step.firing}) {
			t.Errorf("step %d: %+v, %v", i, state, err)
		}
	}
	if got := strings.Join(d.Active(), " "); got != "A B" {
		t.Errorf("active are %s", got)
	}
}

func TestRefusals(t *testing.T) {
	h := &heard{}
	t.Setenv("RECEIVER_TOKEN", "geheim")
	d, _ := start(t, &plan.LiveDetector{TokenEnv: "RECEIVER_TOKEN"}, Options{}, h)
	r := d.Receiver()
	send := func(method, url, token, body string) (int, string) {
		req, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(b)
	}
	good := notification("firing", "A", "", time.Now())
	for _, c := range []struct {
		method, url, token, body string
		code                     int
		says                     string
	}{
		{"GET", r.URL(), "geheim", "", 405, "POST"},
		{"POST", r.URL() + "x", "geheim", good, 404, "/hook"},
		{"POST", r.URL(), "", good, 401, "token"},
		{"POST", r.URL(), "falsch", good, 401, "token"},
		{"POST", r.URL(), "geheim", "{", 400, "not JSON"},
		{"POST", r.URL(), "geheim", `{"a":1}`, 400, "mapping"},
		{"POST", r.URL(), "geheim", strings.Repeat(" ", MaxBody+1), 413, "at most 32 MiB"},
		{"POST", r.URL(), "geheim", good, 200, "ok"},
	} {
		code, text := send(c.method, c.url, c.token, c.body)
		if code != c.code || !strings.Contains(text, c.says) {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.url, code, text, c.code, c.says)
		}
		if strings.Contains(text, "geheim") {
			t.Errorf("the answer shows the token: %s", text)
		}
	}
	if got, want := r.Stats(), (Stats{Accepted: 1, Signals: 1, Malformed: 2, Refused: 5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := d.Missed(), (world.Missed{Malformed: 2, Refused: 5}); got != want {
		t.Errorf("missed %+v, want %+v", got, want)
	}
	if got := d.Missed(); got != (world.Missed{}) {
		t.Errorf("%+v is told twice", got)
	}
	if len(h.all()) != 1 {
		t.Errorf("%d signals", len(h.all()))
	}
}

// TestStorm sends 10,000 alerts in one notification and 1,000 notifications
// from many senders at once.
func TestStorm(t *testing.T) {
	h := &heard{}
	d, _ := start(t, &plan.LiveDetector{}, Options{}, h)
	url := d.Receiver().URL()
	var b strings.Builder
	b.WriteString(`{"version":"4","groupKey":"storm","alerts":[`)
	for i := range 10_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"status":"firing","labels":{"alertname":"S","i":"%d"},"annotations":{"summary":%q},"startsAt":"2026-11-30T18:16:35.432Z","fingerprint":"s%d"}`,
			i, strings.Repeat("x", 300), i)
	}
	b.WriteString("]}")
	if code, text := post(t, url, b.String()); code != 200 {
		t.Fatalf("%d %s", code, text)
	}
	for i, s := range h.all() {
		if s.Labels["i"] != fmt.Sprint(i) {
			t.Fatalf("signal %d is of alert %s", i, s.Labels["i"])
		}
	}
	var wg sync.WaitGroup
	for sender := range 20 {
		wg.Go(func() {
			for i := range 50 {
				post(t, url, notification("firing", fmt.Sprintf("n%d-%d", sender, i), "", time.Now()))
			}
		})
	}
	wg.Wait()
	got := h.all()
	if len(got) != 11_000 {
		t.Fatalf("%d signals of 11000", len(got))
	}
	for i := 1; i < len(got); i++ {
		if got[i].At < got[i-1].At {
			t.Fatalf("signal %d is of %d, and the one before of %d", i, got[i].At, got[i-1].At)
		}
	}
}

// TestRetry holds the sink up until the sender gives up and sends again.
func TestRetry(t *testing.T) {
	release := make(chan struct{})
	h := &heard{slow: func() { <-release }}
	d, _ := start(t, &plan.LiveDetector{}, Options{}, h)
	r := d.Receiver()
	r.SetRetryWithin(0) // only what the sender has given up counts
	body := notification("firing", "A", "", time.Now())
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, "POST", r.URL(), strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
		t.Fatal("the notification was answered before the sink had it")
	}
	time.Sleep(100 * time.Millisecond) // until the receiver has heard that the sender left
	close(release)
	for i := range 2 {
		if code, _ := post(t, r.URL(), body); code != 200 {
			t.Fatal(code)
		}
		// The first is a retry. The second came after an answer, so it is a
		// notification like any other.
		if got, want := r.Stats(), (Stats{Accepted: int64(1 + i), Signals: int64(1 + i), Retries: 1}); got != want {
			t.Errorf("%d: %+v, want %+v", i, got, want)
		}
	}
	if got := h.all(); len(got) != 2 || got[0].Repeat || !got[1].Repeat {
		t.Errorf("%+v", got)
	}
}

// TestLostAnswer sends the same bytes again at once, as a sender does whose
// connection broke after the answer was written.
func TestLostAnswer(t *testing.T) {
	h := &heard{}
	d, _ := start(t, &plan.LiveDetector{}, Options{}, h)
	body := notification("firing", "A", "", time.Now())
	for range 3 {
		post(t, d.Receiver().URL(), body)
	}
	if got, want := d.Receiver().Stats(), (Stats{Accepted: 1, Signals: 1, Retries: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	// Another notification between them makes them two.
	post(t, d.Receiver().URL(), notification("resolved", "A", "", time.Now()))
	post(t, d.Receiver().URL(), body)
	if got := d.Receiver().Stats(); got.Accepted != 3 {
		t.Errorf("%+v", got)
	}
}

func TestMapped(t *testing.T) {
	h := &heard{}
	d, c := start(t, &plan.LiveDetector{Mapping: &plan.Mapping{Status: `payload.up ? "resolved" : "firing"`, Value: `payload.v`,
		NoData: `payload.v == nil`, Names: map[string]string{"alertname": `"Monitor"`}}}, Options{}, h)
	post(t, d.Receiver().URL(), `{"up":false,"v":0.5}`)
	post(t, d.Receiver().URL(), `{"up":false}`)
	post(t, d.Receiver().URL(), `{"up":true,"v":1}`)
	got := h.all()
	if len(got) != 3 || got[0].Value != "0.5" || got[0].Repeat || got[0].Component != "webhook" || got[0].StartsAt != got[0].At ||
		!got[1].NoData || !got[1].Repeat || got[2].Status != "resolved" || got[2].At > c.Now() {
		t.Errorf("%+v", got)
	}
	if state, err := d.State(context.Background()); err != nil || !state.Resting() {
		t.Errorf("%+v, %v", state, err)
	}
}

func TestNewRefuses(t *testing.T) {
	for want, live := range map[string]*plan.LiveDetector{
		"needs an address": {},
		"of the form":      {Listen: "127.0.0.1:0", Path: "hook"},
		"NO_SUCH_TOKEN":    {Listen: "127.0.0.1:0", Path: "/h", TokenEnv: "NO_SUCH_TOKEN"},
		"NO_SUCH_KEY":      {Listen: "127.0.0.1:0", Path: "/h", KeyEnv: "NO_SUCH_KEY"},
		"mapping: status":  {Listen: "127.0.0.1:0", Path: "/h", Mapping: &plan.Mapping{}},
	} {
		if _, err := New(&plan.Detector{Name: "d", Live: live}, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := New(&plan.Detector{Name: "d"}, Options{}); err == nil {
		t.Error("a detector that is not live")
	}
	d, err := New(&plan.Detector{Name: "d", Live: &plan.LiveDetector{Listen: "0.0.0.0:0", Path: "/h"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Start(context.Background(), driver.NewClock(), nil); err == nil || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("%v", err)
	}
}

func TestCheckAndConfiguration(t *testing.T) {
	answer := `{"b":1, "a":[1.0]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/config" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, answer)
	}))
	defer server.Close()
	d, _ := start(t, &plan.LiveDetector{Cycle: 7 * exact.Second, Configuration: server.URL + "/config"}, Options{}, &heard{})
	if d.Cycle() != 7e9 {
		t.Errorf("the cycle is %d", d.Cycle())
	}
	if p := d.Check(context.Background()); p != nil {
		t.Errorf("%+v", p)
	}
	first, err := d.Configuration(context.Background())
	if err != nil || !strings.HasPrefix(first, "sha256:") {
		t.Fatalf("%s, %v", first, err)
	}
	answer = "{\"a\":[1.0],\r\n \"b\":1}"
	if same, err := d.Configuration(context.Background()); same != first || err != nil {
		t.Errorf("another layout changes the digest; %v", err)
	}
	answer = `{"a":[1.5],"b":1}`
	if other, err := d.Configuration(context.Background()); other == first || err != nil {
		t.Errorf("a change does not change the digest; %v", err)
	}
	// A second detector at the same port, whose configuration is not there.
	second, err := New(&plan.Detector{Name: "d", Live: &plan.LiveDetector{Listen: d.Receiver().Address(), Path: "/h",
		Configuration: strings.Replace(server.URL, "http://", "http://u:geheim@", 1) + "/other?key=geheim"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	problems := second.Check(context.Background())
	if len(problems) != 2 || !strings.Contains(problems[0].What, "address already in use") || !strings.Contains(problems[1].What, "404") {
		t.Errorf("%+v", problems)
	}
	if strings.Contains(fmt.Sprint(problems), "geheim") {
		t.Errorf("a secret is shown: %+v", problems)
	}
}
