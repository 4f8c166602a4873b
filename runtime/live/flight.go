package live

import (
	"cmp"
	"net/http"
	"slices"
	"sync"

	"github.com/fdbench/fdbench/runtime/openai"
)

// flight is one request from its start until both points have seen its
// response.
type flight struct {
	sent
	at     int64 // when it was sent
	done   *done
	passed *passed
	last   int64 // when the latter of the two became known
}

// answered tells whether the response counts: it came to its end at every
// point that sees it.
func (f *flight) answered() bool {
	return f.done != nil && f.done.scores != nil && (f.passed == nil || f.passed.good())
}

// good tells a response that counts at the injection point.
func (p *passed) good() bool { return p.known && !p.Failed && p.Status == http.StatusOK }

// start is when the request passed the injection point, as nearly as that is
// known.
func (f *flight) start() int64 {
	if f.passed != nil {
		return f.passed.Start
	}
	return f.at
}

// flights are the requests on their way, by what they ask. Where prompts are
// not unique the one that was sent first is answered first.
type flights struct {
	byKey map[string][]*flight
	n     int
}

func (fs *flights) add(f *flight) {
	if fs.byKey == nil {
		fs.byKey = map[string][]*flight{}
	}
	fs.byKey[f.key] = append(fs.byKey[f.key], f)
	fs.n++
}

// find returns the first flight of a key that lacks something.
func (fs *flights) find(key string, lacks func(*flight) bool) *flight {
	for _, f := range fs.byKey[key] {
		if lacks(f) {
			return f
		}
	}
	return nil
}

func (fs *flights) remove(f *flight) {
	list := fs.byKey[f.key]
	if i := slices.Index(list, f); i >= 0 {
		list = slices.Delete(list, i, i+1)
		fs.n--
	}
	if len(list) == 0 {
		delete(fs.byKey, f.key)
	} else {
		fs.byKey[f.key] = list
	}
}

// all lists them by the number of their prompts.
func (fs *flights) all(which func(*flight) bool) []*flight {
	var out []*flight
	for _, list := range fs.byKey {
		for _, f := range list {
			if which(f) {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b *flight) int { return cmp.Compare(a.n, b.n) })
	return out
}

// before tells whether a request that was sent before an instant is still on
// its way.
func (fs *flights) before(at int64) bool {
	for _, list := range fs.byKey {
		for _, f := range list {
			if f.at < at {
				return true
			}
		}
	}
	return false
}

// asked keeps the prompts of the requests on their way, for the scorers at the
// injection point. It is used by many goroutines.
type asked struct {
	mu    sync.Mutex
	byKey map[string]*question
}

type question struct {
	prompt string
	n      int
}

func (a *asked) add(key, prompt string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byKey == nil {
		a.byKey = map[string]*question{}
	}
	q := a.byKey[key]
	if q == nil {
		q = &question{prompt: prompt}
		a.byKey[key] = q
	}
	q.n++
}

func (a *asked) prompt(key string) (string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if q := a.byKey[key]; q != nil {
		return q.prompt, true
	}
	return "", false
}

func (a *asked) forget(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if q := a.byKey[key]; q != nil {
		if q.n--; q.n == 0 {
			delete(a.byKey, key)
		}
	}
}

// outcomes are the ways in which a request can end other than with an answer,
// in their fixed order.
func outcomes() []openai.Outcome {
	return slices.DeleteFunc(openai.Outcomes(), func(o openai.Outcome) bool { return o == openai.OK })
}
