package payload

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/compiler/plan"
)

// TestGolden reads a payload of each shape and compares all that was read.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d golden payloads, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewReader(nil)
			if err != nil {
				t.Fatal(err)
			}
			n, err := r.Read(body)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.MarshalIndent(n, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(name, ".json") + ".golden"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(got)+"\n"); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for body, want := range map[string]string{
		``:                              "not JSON",
		`{`:                             "not JSON",
		`{"version":"4","alerts":[]} x`: "after top-level value",
		`{"text":"fire"}`:               "an object with the members text; declare a mapping",
		`[1]`:                           "a list of 1",
		`"x"`:                           "a text",
		`null`:                          "null",
		`{"alerts":{}}`:                 "the members alerts",
		`{"version":"4","alerts":[{"status":"on"}]}`:                       `alert 0 has the status "on"`,
		`{"version":"4","alerts":[{"status":"firing","labels":{"a":1}}]}`:  "JSON number; if it comes from a template, declare a mapping",
		`{"version":"4","alerts":[{"status":"firing","startsAt":"soon"}]}`: `"soon" is no instant`,
		`{"version":"4","alerts":[{"status":"firing","endsAt":"2026"}]}`:   "", // 2026 seconds after 1970
		`{"orgId":1,"alerts":[{"status":"alerting"}]}`:                     `"alerting", not "firing", "resolved" or "pending"`,
		`{"orgId":1,"alerts":[{"status":"firing","labels":{"a":{}}}]}`:     `the label "a" is an object`,
		`{"orgId":1,"alerts":[{"status":"firing","labels":3}]}`:            "alert 0",
		`{"orgId":1,"alerts":[{"status":"firing","startsAt":-3}]}`:         "negative",
		`{"orgId":1,"alerts":[3]}`:                                         "alert 0",
	} {
		r, _ := NewReader(nil)
		_, err := r.Read([]byte(body))
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", body, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

func TestMapping(t *testing.T) {
	body := []byte(`{"monitor":{"name":"refusals","id":9007199254740993,"open":true},"tags":["team:support","env:lab"],
		"metric":0.0725,"seen":1796062601339,"again":false}`)
	m := &plan.Mapping{
		Status:   `payload.monitor.open ? "firing" : "resolved"`,
		Labels:   `{"id": payload.monitor.id}`,
		StartsAt: `payload.seen`,
		Value:    `payload.metric`,
		Repeat:   `payload.again`,
		NoData:   `payload.metric == nil`,
		Names: map[string]string{"alertname": `payload.monitor.name`,
			"team": `trimPrefix(find(payload.tags, # startsWith "team:"), "team:")`, "none": `payload.absent`},
	}
	r, err := NewReader(m)
	if err != nil {
		t.Fatal(err)
	}
	n, err := r.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{"alertname": "refusals", "team": "support", "id": "9007199254740993"}
	want := []Alert{{Status: Firing, Labels: labels, StartsAt: time.UnixMilli(1796062601339).UTC(), Value: "0.0725", Fingerprint: LabelsText(labels)}}
	if d := cmp.Diff(want, n.Alerts); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if n, err := r.Read([]byte(`{"monitor":{"open":false},"tags":["team:x"]}`)); err != nil || n.Alerts[0].Status != Resolved || !n.Alerts[0].NoData {
		t.Errorf("%+v, %v", n, err)
	}
	for body, want := range map[string]string{
		`{}`:                                  "status does not fit the payload",
		`{"monitor":{"open":3},"tags":[]}`:    "does not fit",
		`{"monitor":{"open":true},"tags":[]}`: "names.team",
		`{"monitor":{"open":true,"name":[]},"tags":["team:"]}`: "names.alertname gives a list of 0, not a text",
		`{"monitor":{"open":true},"tags":["team:"],"again":3}`: "repeat gives a number, not true or false",
		`{"monitor":{"open":true},"tags":["team:"],"seen":[]}`: "starts_at",
	} {
		if _, err := r.Read([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

func TestMappingErrors(t *testing.T) {
	for src, want := range map[string]string{
		`alerts`:                                `nothing named "alerts"`,
		`payload.`:                              "cannot be read",
		`now()`:                                 `no function "now"`,
		`uper(payload.x)`:                       `Did you mean "upper"?`,
		`repeat("x", 1000000)`:                  `no function "repeat"`,
		`1..100000000`:                          "operator ..",
		`2 ** 99`:                               "operator **",
		`payload.f()`:                           "cannot be called",
		`let x = 1; x`:                          "no variables",
		`filter(payload, any(payload, # == 1))`: "inside of the search",
		strings.Repeat("payload.x+", 300) + "1": "2048",
		"[" + strings.Repeat("1,", 250) + "1]":  "cannot be read",
	} {
		errs := CheckMapping(plan.Mapping{Alerts: src, Status: `"firing"`})
		if len(errs) != 1 || errs[0].Field != "alerts" || !strings.Contains(errs[0].Error(), want) {
			t.Errorf("%s: %v, want %s", src, errs, want)
			continue
		}
		if w := errs[0].Where; w.Offset < 0 || w.End > len(src) || w.Offset > w.End {
			t.Errorf("%s: bytes %d to %d of %d", src, w.Offset, w.End, len(src))
		}
	}
	errs := CheckMapping(plan.Mapping{Labels: `ä + foo`, Names: map[string]string{"b": "alert.", "a": "x"}})
	var fields []string
	for _, e := range errs {
		fields = append(fields, e.Field)
	}
	if got := strings.Join(fields, " "); got != "status labels names.a names.b" {
		t.Errorf("the mistakes are in %s", got)
	}
	if errs := CheckMapping(plan.Mapping{Status: `alert.status`, Alerts: `payload.alerts`}); errs != nil {
		t.Error(errs)
	}
	// The list of alerts comes before there is an alert.
	if errs := CheckMapping(plan.Mapping{Status: `alert.status`, Alerts: `alert.list`}); len(errs) != 1 {
		t.Error(errs)
	}
}

func TestShipped(t *testing.T) {
	for _, s := range shipped {
		if errs := CheckMapping(s.Mapping); errs != nil {
			t.Errorf("%s: %v", s.name, errs)
		}
	}
}

// TestGrafanaByDeclaration reads Grafana's payload by its own mapping as a
// scenario would declare it.
func TestGrafanaByDeclaration(t *testing.T) {
	body, err := os.ReadFile("testdata/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(shipped, func(s known) bool { return s.name == "grafana" })
	declared, err := NewReader(&shipped[i].Mapping)
	if err != nil {
		t.Fatal(err)
	}
	own, _ := NewReader(nil)
	a, err := declared.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	b, err := own.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	a.Shape = b.Shape
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
}

func TestTooMany(t *testing.T) {
	body := `{"version":"4","alerts":[` + strings.Repeat(`{"status":"firing"},`, MaxAlerts) + `{"status":"firing"}]}`
	r, _ := NewReader(nil)
	if _, err := r.Read([]byte(body)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.json")
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	known, err := NewReader(nil)
	if err != nil {
		f.Fatal(err)
	}
	mapped, err := NewReader(&plan.Mapping{Alerts: `payload?.alerts ?? [payload]`, Status: `alert?.state == 1 ? "firing" : "resolved"`,
		Labels: `alert?.labels ?? {}`, StartsAt: `alert?.at`, Value: `alert?.v`, NoData: `len(keys(alert ?? {})) == 0`})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, r := range []*Reader{known, mapped} {
			n, err := r.Read(body)
			if err != nil {
				if _, ok := err.(*Error); !ok {
					t.Errorf("the error is a %T", err)
				}
				continue
			}
			for _, a := range n.Alerts {
				if a.Status != Firing && a.Status != Resolved && a.Status != Pending || a.Labels == nil || a.Fingerprint == "" && len(a.Labels) > 0 {
					t.Errorf("%+v", a)
				}
			}
			again, err := r.Read(body)
			if err != nil || cmp.Diff(n, again) != "" {
				t.Error("the same payload reads differently the second time")
			}
		}
	})
}

func FuzzMapping(f *testing.F) {
	for _, s := range shipped {
		f.Add(s.Alerts)
		f.Add(s.Value)
	}
	f.Add(`1..9`)
	f.Fuzz(func(t *testing.T, src string) {
		for _, e := range CheckMapping(plan.Mapping{Alerts: src, Status: `"firing"`}) {
			if w := e.Where; w.Offset < 0 || w.End > len(src) || w.Offset > w.End {
				t.Errorf("%q: bytes %d to %d of %d", src, w.Offset, w.End, len(src))
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for _, shape := range []string{`"version":"4"`, `"orgId":1`} {
		var s strings.Builder
		s.WriteString("{" + shape + `,"alerts":[`)
		for i := range 1000 {
			if i > 0 {
				s.WriteByte(',')
			}
			fmt.Fprintf(&s, `{"status":"firing","labels":{"alertname":"High","instance":"%d"},"annotations":{"summary":"refusals are high"},
				"startsAt":"2026-11-30T18:16:35.432Z","endsAt":"0001-01-01T00:00:00Z","values":{"B":%d},"fingerprint":"%016x"}`, i, i, i)
		}
		s.WriteString("]}")
		body := []byte(s.String())
		b.Run(shape[1:6], func(b *testing.B) {
			r, _ := NewReader(nil)
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if n, err := r.Read(body); err != nil || len(n.Alerts) != 1000 {
					b.Fatal(err)
				}
			}
		})
	}
}
