package live

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/fdbench/fdbench/runtime/arrivals"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/traffic"
)

// offering is the traffic of one load point.
type offering struct {
	point   int
	traffic *traffic.Generator
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// offer begins the traffic of a load point: an open loop that no response
// delays. Requests of the load before that are on their way come to their end.
func (f *Factory) offer(point int) {
	old := f.load
	old.stop()
	l := &f.plan.Declaration.Load
	e := f.plan.Declaration.Serving.Endpoint
	f.opens++
	stream := random.New(f.key, f.plan.Declaration.Seed, "live", fmt.Sprintf("load %d", point), "arrivals", fmt.Sprint(f.opens))
	var schedule *arrivals.Schedule
	if rate := l.Points[point].Rate; l.Arrivals == "poisson" {
		schedule = arrivals.Poisson(rate, stream)
	} else {
		schedule = arrivals.Constant(rate)
		schedule.Begin(int64(stream.Below(uint64(schedule.Mean()))))
	}
	policy := traffic.SendLate
	if e.Late == traffic.Drop {
		policy = traffic.Drop
	}
	if s, ok := f.drivers.Apparatus.(interface{ SetSpacing(ns float64) }); ok {
		s.SetSpacing(schedule.Gap()) // what a quota counts on
	}
	start := time.Now()
	g := traffic.New(traffic.Options{Schedule: schedule, Policy: policy, Late: time.Duration(e.LateBy), InFlight: e.InFlight}, start)
	ctx, cancel := context.WithCancel(f.life)
	o := &offering{point: point, traffic: g, cancel: cancel}
	client := openai.NewClient(f.settings())
	at := f.clock.At(start)
	o.running.Go(func() {
		defer client.Close()
		g.Run(ctx, func(_ context.Context, _ uint64, scheduled int64) { f.send(client, at+scheduled) })
		old.wait()
	})
	f.load = o
}

// stop offers no more requests. A nil offering has none.
func (o *offering) stop() {
	if o != nil {
		o.cancel()
	}
}

// wait waits until the last request came to its end.
func (o *offering) wait() {
	if o != nil {
		o.running.Wait()
	}
}

// settings are those of the client.
func (f *Factory) settings() openai.Settings {
	e := f.plan.Declaration.Serving.Endpoint
	h := http.Header{}
	for name, v := range e.Headers {
		h.Set(name, v)
	}
	if e.Cold {
		h.Set("Connection", "close")
	}
	return openai.Settings{BaseURL: e.BaseURL, Header: h, Key: f.o.Key, HeaderTimeout: time.Duration(e.Header), GapTimeout: time.Duration(e.Gap),
		Timeout: time.Duration(e.Whole), Dial: f.o.Target.DialContext, Members: true}
}

// request is what is asked with the n-th prompt.
func (f *Factory) request(n uint64) openai.Request {
	s := &f.plan.Declaration.Serving
	return openai.Request{Model: s.Model, Prompt: f.prompts.Prompt(n), Chat: s.Endpoint.API != "completions", Stream: s.Endpoint.Stream,
		Extra: maps.Clone(f.extra)}
}

// send carries one request to its end. It does not end with the traffic: what
// was sent is answered.
func (f *Factory) send(client *openai.Client, scheduled int64) {
	n := f.o.First + f.next.Add(1) - 1
	r := f.request(n)
	shift := f.clock.At(client.Started())
	r.Sched, r.HasPlan = scheduled-shift, true
	body, err := r.Body()
	if err != nil {
		panic("live: a request does not encode: " + err.Error())
	}
	key := driver.Key(body)
	f.asked.add(key, r.Prompt)
	f.queue.put(event{sent: &sent{key: key, n: n, scheduled: scheduled}})
	if !f.ledger {
		r.Began = func(at int64) { f.queue.put(event{began: &began{key, n, at + shift}}) }
	}
	d := &done{key: key, n: n, shift: shift, record: client.Do(f.life, r)}
	if d.record.Outcome == openai.OK {
		d.scores = f.score(r.Prompt, d.record.Answer.Content)
	}
	d.record.Answer.Content, d.record.Answer.Reasoning, d.record.Answer.ToolCalls = "", "", nil // texts are kept nowhere
	f.queue.put(event{done: d})
}
