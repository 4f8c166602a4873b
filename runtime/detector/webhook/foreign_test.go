package webhook

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
)

// TestForeignRequests sends what a web page can have a browser send to an
// address of this machine, and what senders of notifications send.
func TestForeignRequests(t *testing.T) {
	h := &heard{}
	d, _ := start(t, &plan.LiveDetector{}, Options{}, h)
	url := d.Receiver().URL()
	_, port, _ := strings.Cut(d.Receiver().Address(), ":")
	refused := int64(0)
	for i, c := range []struct {
		kind, host, header, value string
		code                      int
	}{
		{"application/json", "", "", "", 200},
		{"application/json; charset=utf-8", "", "", "", 200},
		{"Application/JSON", "localhost:" + port, "", "", 200},
		{"application/json", "[::1]:" + port, "", "", 200},
		{"application/json", "127.0.0.1", "", "", 200},
		{"text/plain", "", "", "", 415},
		{"application/x-www-form-urlencoded", "", "", "", 415},
		{"multipart/form-data; boundary=application/json", "", "", "", 415},
		{"", "", "", "", 415},
		{"application/json", "", "Origin", "http://evil.example", 403},
		{"application/json", "", "Origin", "null", 403},
		{"application/json", "", "Origin", "http://" + d.Receiver().Address(), 403},
		{"application/json", "", "Sec-Fetch-Site", "cross-site", 403},
		{"application/json", "evil.example", "", "", 403},
		{"application/json", "evil.example:" + port, "", "", 403},
		{"application/json", "127.0.0.1.evil.example:" + port, "", "", 403},
		{"application/json", "localhost.evil.example", "", "", 403},
		{"application/json", "10.1.2.3:" + port, "", "", 403},
	} {
		body := notification("firing", fmt.Sprint("alert ", i), "", time.Now())
		req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = c.host
		if c.kind != "" {
			req.Header.Set("Content-Type", c.kind)
		}
		if c.header != "" {
			req.Header.Set(c.header, c.value)
		}
		before, _ := d.Receiver().Open()
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		after, _ := d.Receiver().Open()
		if c.code != 200 {
			refused++
		}
		if resp.StatusCode != c.code || (after > before) != (c.code == 200) {
			t.Errorf("%+v: %d, %d alerts more", c, resp.StatusCode, after-before)
		}
	}
	if s := d.Receiver().Stats(); s.Refused != refused {
		t.Errorf("%d were refused, and %d counted", refused, s.Refused)
	}
}

// TestForeignHostWithToken lets who has the token call the receiver by any
// name, and a web page not even so.
func TestForeignHostWithToken(t *testing.T) {
	d, _ := start(t, &plan.LiveDetector{}, Options{Token: "a long enough secret token"}, &heard{})
	for origin, want := range map[string]int{"": 200, "http://evil.example": 403} {
		req, err := http.NewRequest(http.MethodPost, d.Receiver().URL(), strings.NewReader(notification("firing", "A", "", time.Now())))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "host.docker.internal:9000"
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer a long enough secret token")
		if origin != "" {
			req.Header.Set("Origin", origin)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("from %q: %d, want %d", origin, resp.StatusCode, want)
		}
	}
}

// TestMemoryIsBounded has a sender make up alerts and groups.
func TestMemoryIsBounded(t *testing.T) {
	r := &Receiver{known: map[name]*known{}, last: map[name]*taken{}}
	alert := func(i int, status string) *payload.Alert {
		return &payload.Alert{Fingerprint: fmt.Sprint(i), Status: status, Labels: map[string]string{"alertname": strings.Repeat("é", 5000)}}
	}
	// Alerts that end make room.
	for i := range 2*most + 10 {
		r.remember(alert(i, payload.Firing))
		r.remember(alert(i, payload.Resolved))
	}
	if n, _ := r.Open(); len(r.known) > most || n != 0 {
		t.Fatalf("%d are remembered, %d open", len(r.known), n)
	}
	// Those that do not are not remembered for ever, and are no rest.
	for i := range most + 10 {
		r.remember(alert(-1-i, payload.Firing))
	}
	n, names := r.Open()
	if len(r.known) > most || n < most*9/10 || len(names) != 2 || len(names[1]) > longestName+3 && len(names[0]) > longestName+3 {
		t.Fatalf("%d are remembered, %d open, %d names", len(r.known), n, len(names))
	}
	if !r.remember(alert(-1, payload.Firing)) {
		t.Error("an alert that was remembered is not known")
	}
	for i := range most {
		r.remember(alert(-1-i, payload.Resolved))
	}
	if n, _ := r.Open(); n == 0 {
		t.Error("alerts that could not be remembered count as rest")
	}
	for i := range 3 * most {
		r.last[nameFor(fmt.Sprint("group ", i))] = &taken{until: time.Now()}
		r.forget()
	}
	if len(r.last) > most+1 {
		t.Errorf("%d groups are remembered", len(r.last))
	}
}
