package live

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/runtime/openai"
)

// framing are headers that say how long a response is and how it travels: they
// follow from its text.
var framing = map[string]bool{"Content-Length": true, "Transfer-Encoding": true, "Content-Encoding": true, "Date": true, "Connection": true,
	"Keep-Alive": true, "Trailer": true, "Age": true}

// markers finds headers and members that only changed responses have
// (FD-3.4-4).
type markers struct {
	plain  map[string]bool // seen in a response that no fault changed
	under  map[string]int  // in how many changed responses of this application
	picked int
}

func newMarkers() markers { return markers{plain: map[string]bool{}, under: map[string]int{}} }

// begin forgets the application before.
func (m *markers) begin() {
	clear(m.under)
	m.picked = 0
}

func (m *markers) add(r *openai.Record, changed bool) {
	note := func(name string) {
		if changed {
			m.under[name]++
		} else {
			m.plain[name] = true
		}
	}
	if changed {
		m.picked++
	}
	for name := range r.Header {
		if !framing[name] {
			note("header " + name)
		}
	}
	for _, name := range r.Members {
		note("member " + name)
	}
}

// found are the names that no unchanged response has had and that most of the
// changed ones have: one that a single answer has for reasons of its own tells
// nobody anything.
func (m *markers) found() []string {
	var out []string
	for name, n := range m.under {
		if !m.plain[name] && 2*n > m.picked && m.picked >= leastPicked {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// leastPicked is how many changed responses it takes to speak of a mark.
const leastPicked = 3

// cached tells whether a response says that it was not computed for this
// request: by the header that a cache writes, or because the whole prompt, of
// which there is no second, is said to have been there before.
func cached(h http.Header, u *openai.Usage) bool {
	return answeredByCache(h) || u != nil && u.CachedTokens != nil && u.PromptTokens > 0 && *u.CachedTokens >= u.PromptTokens
}

// answeredByCache reads the headers that caches write.
func answeredByCache(h http.Header) bool {
	for name, values := range h {
		n := strings.ToLower(name)
		if n == "age" {
			if age, err := strconv.ParseInt(strings.TrimSpace(strings.Join(values, "")), 10, 64); err == nil && age > 0 {
				return true
			}
		}
		if !strings.Contains(n, "cache") || n == "cache-control" {
			continue
		}
		for _, v := range values {
			if v = strings.ToLower(v); strings.Contains(v, "hit") || v == "true" {
				return true
			}
		}
	}
	return false
}
