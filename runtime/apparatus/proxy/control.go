package proxy

import (
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// Control is the handler by which a Remote leads a proxy of another process:
//
//	POST /apply, /renew, /remove    GET /state, /check, /exchanges
//
// It is for a listener of its own, on loopback, and needs the token. It takes
// the place of the ledger's sink.
func (p *Proxy) Control(token string) http.Handler {
	c := &control{p: p}
	f := c.tell
	p.sink.Store(&f)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /apply", c.apply)
	mux.HandleFunc("POST /renew", func(w http.ResponseWriter, r *http.Request) { reply(w, wireAnswer{}, p.Renew(r.Context())) })
	mux.HandleFunc("POST /remove", func(w http.ResponseWriter, r *http.Request) {
		at, err := p.Remove(r.Context())
		reply(w, wireAnswer{At: p.wall(at)}, err)
	})
	mux.HandleFunc("GET /state", c.state)
	mux.HandleFunc("GET /check", func(w http.ResponseWriter, r *http.Request) {
		reply(w, wireAnswer{Problems: p.Check(r.Context())}, nil)
	})
	mux.HandleFunc("GET /exchanges", c.exchanges)
	return listen.Authorized(token, mux)
}

type control struct {
	p    *Proxy
	mu   sync.Mutex
	out  chan wireExchange // to the one who follows the ledger; nil for nobody
	sent uint64
	lost uint64
}

// backlog bounds what waits for the one who follows the ledger.
const backlog = 4096

func (c *control) apply(w http.ResponseWriter, r *http.Request) {
	var f wireFault
	if err := json.NewDecoder(r.Body).Decode(&f); err != nil {
		reply(w, wireAnswer{}, err)
		return
	}
	if f.Spacing > 0 {
		c.p.SetSpacing(f.Spacing)
	}
	at, err := c.p.Apply(r.Context(), f.fault())
	reply(w, wireAnswer{At: c.p.wall(at)}, err)
}

func (c *control) state(w http.ResponseWriter, r *http.Request) {
	// The figures of a complete application are read before the count of the
	// exchanges, which is then no smaller than what they need.
	a := c.p.Applied()
	s := &wireApplied{From: c.p.wall(a.From), To: c.p.wall(a.To), Complete: a.Complete, Broken: a.Broken}
	if a.FirstAffected >= 0 {
		s.First = c.p.wall(a.FirstAffected)
	}
	c.mu.Lock()
	s.Sent, s.Lost = c.sent, c.lost
	c.mu.Unlock()
	sum, err := c.p.Configuration(r.Context())
	reply(w, wireAnswer{Configuration: sum, Applied: s}, err)
}

// tell sends an exchange on, and counts it as lost where it would have to
// wait: nobody may hold up a response.
func (c *control) tell(e driver.Exchange, x *exchange) {
	l := wireExchange{Key: e.Key, Start: c.p.wall(e.Start), End: c.p.wall(e.End), Status: e.Status, Before: e.Before, Picked: e.Picked, Failed: e.Failed}
	if l.Same = e.After == e.Before; !l.Same {
		l.After = e.After
	}
	if x.verifies {
		l.Verifies, l.Prompt = x.fault.spec.Trial, x.prompt
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out == nil {
		return
	}
	c.sent++
	select {
	case c.out <- l:
	default:
		c.lost++
	}
}

// exchanges sends the ledger from now on, a line each, to one follower: a new
// one takes the place of the last.
func (c *control) exchanges(w http.ResponseWriter, r *http.Request) {
	out := make(chan wireExchange, backlog)
	c.mu.Lock()
	if c.out != nil {
		close(c.out)
	}
	c.out, c.sent, c.lost = out, 0, 0
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		if c.out == out {
			c.out = nil
		}
		c.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "application/jsonl")
	w.WriteHeader(http.StatusOK)
	flush(w, -1)
	enc := json.NewEncoder(w)
	for {
		select {
		case <-r.Context().Done():
			return
		case l, ok := <-out:
			if !ok || enc.Encode(l) != nil {
				return
			}
			if len(out) == 0 {
				flush(w, -1)
			}
		}
	}
}

func reply(w http.ResponseWriter, a wireAnswer, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		a.Error = err.Error()
		for code, e := range named {
			if errors.Is(err, e) {
				a.Code = code
			}
		}
		w.WriteHeader(http.StatusConflict)
	}
	json.NewEncoder(w).Encode(a)
}

func (p *Proxy) wall(at int64) int64 {
	p.mu.Lock()
	c := p.clock
	p.mu.Unlock()
	return c.Time(at).UnixNano()
}
