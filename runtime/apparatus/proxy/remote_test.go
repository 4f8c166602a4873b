package proxy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/stdlib/text"
)

func startOptions(upstream, at string) plan.Apparatus {
	return plan.Apparatus{Kind: "proxy", Sampling: "quota", Lease: 30 * exact.Second, Proxy: &plan.ProxyApparatus{Listen: at, Upstream: upstream}}
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for range 600 {
		if f() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal(what)
}

// A proxy that is led from elsewhere gives the same figures as one in the
// process.
func TestRemote(t *testing.T) {
	ctx := context.Background()
	s := httptest.NewServer(paced(0, 4))
	defer s.Close()
	p, _ := startProxy(t, s.URL, func(o *Options) { o.Apparatus.Lease = 400 * exact.Duration(time.Millisecond) })
	control := httptest.NewServer(p.Control("secret"))
	defer control.Close()
	score := scorerOf(t, "refusal/1", nil)
	scorer := func(prompt, body string) []int32 {
		return []int32{score(text.Response{Prompt: prompt, Text: body})}
	}
	wrong, err := NewRemote(ctx, control.URL, "no", scorer, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := wrong.Start(ctx, driver.NewClock()); err == nil || !strings.Contains(err.Error(), "token") || strings.Contains(err.Error(), "secret") {
		t.Errorf("with a wrong token: %v", err)
	}
	if got := wrong.Check(ctx); len(got) != 1 || got[0].Part != "apparatus" {
		t.Errorf("%+v", got)
	}
	applyFault(t, p, "empty/1") // of a run that was killed
	r, err := NewRemote(ctx, control.URL, "secret", scorer, false)
	if err != nil {
		t.Fatal(err)
	}
	l := &ledger{}
	r.Tell(l.add)
	clock := driver.NewClock()
	if err := r.Start(ctx, clock); err != nil {
		t.Fatal(err)
	}
	r.SetSpacing(1e6)
	rest, err := r.Configuration(ctx)
	if err != nil || len(rest) != 64 {
		t.Fatal(rest, err)
	}
	if got := r.Check(ctx); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	ask := func(n int) {
		resp, err := http.Post("http://"+p.Address()+"/v1/chat/completions", "application/json", strings.NewReader(fmt.Sprintf(`{"messages":[{"role":"user","content":"Ticket %d. Where is it?"}]}`, n)))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	before := clock.Now()
	onset, err := r.Apply(ctx, fault("refuse/1"))
	if err != nil || onset < before-int64(time.Millisecond) || onset > clock.Now()+int64(time.Millisecond) {
		t.Fatal(onset, err)
	}
	if _, err := r.Apply(ctx, fault("refuse/1")); !errors.Is(err, ErrApplied) {
		t.Errorf("twice: %v", err)
	}
	if err := r.Renew(ctx); err != nil {
		t.Error(err)
	}
	if now, _ := r.Configuration(ctx); now == rest {
		t.Error("the configuration does not show the fault")
	}
	for n := range 10 {
		resp, err := http.Post("http://"+p.Address()+"/v1/chat/completions", "application/json", strings.NewReader(fmt.Sprintf(`{"messages":[{"role":"user","content":"Ticket %d. Where is it?"}]}`, n)))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		resp.Write(&b)
	}
	confirmed, err := r.Remove(ctx)
	if err != nil || confirmed <= onset {
		t.Fatal(confirmed, err)
	}
	eventually(t, "never complete", func() bool { return r.Applied().Complete })
	a := r.Applied()
	if a.N != 10 || a.Before != 0 || a.Injected != 10 || a.FirstAffected <= onset || a.From != onset || a.To > confirmed+int64(time.Millisecond) {
		t.Errorf("%+v", a)
	}
	for _, e := range l.wait(t, 10) {
		if !e.Picked || e.Failed || e.Before != "word0 word1 word2 word3 " || e.After == e.Before || e.Start < onset || e.End > clock.Now() {
			t.Errorf("%+v", e)
		}
	}
	if now, _ := r.Configuration(ctx); now != rest {
		t.Error("the configuration is not what it was")
	}

	// A harness that falls silent leaves no fault behind.
	f := fault("refuse/1")
	f.Trial = "t2"
	if _, err := r.Apply(ctx, f); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the fault outlived its lease", func() bool { now, _ := r.Configuration(ctx); return now == rest })
	if err := r.Renew(ctx); !errors.Is(err, ErrExpired) {
		t.Errorf("%v", err)
	}
	ask(11)
	if all := l.wait(t, 11); all[10].Picked {
		t.Error("picked after the lease")
	}
	if err := r.Close(ctx); err != nil {
		t.Error(err)
	}
	if _, err := NewRemote(ctx, "http://192.0.2.1:80", "x", nil, false); err == nil {
		t.Error("a control outside of the test environment")
	}
}

// A ledger that breaks off leaves the figures incomplete.
func TestRemoteLosesTheLedger(t *testing.T) {
	ctx := context.Background()
	s := httptest.NewServer(paced(0, 1))
	defer s.Close()
	p, _ := startProxy(t, s.URL)
	control := httptest.NewServer(p.Control("secret"))
	defer control.Close()
	a, err := NewRemote(ctx, control.URL, "secret", nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Start(ctx, driver.NewClock()); err != nil {
		t.Fatal(err)
	}
	b, err := NewRemote(ctx, control.URL, "secret", nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Start(ctx, driver.NewClock()); err != nil { // takes the ledger over
		t.Fatal(err)
	}
	<-a.done
	if _, err := a.Apply(ctx, fault("refuse/1")); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Remove(ctx); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	if a.Applied().Complete || !b.Applied().Complete {
		t.Errorf("complete: %v without the ledger, %v with it", a.Applied().Complete, b.Applied().Complete)
	}
	if err := errors.Join(a.Close(ctx), b.Close(ctx)); err != nil {
		t.Error(err)
	}
}
