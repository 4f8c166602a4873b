package deployment

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
)

func (d *Deployment) keyed(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if d.o.Key != "" && subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+d.o.Key)) != 1 {
			fail(w, &apiError{http.StatusUnauthorized, "invalid_api_key", "the key is missing or wrong"})
			return
		}
		h(w, r)
	}
}

func (d *Deployment) models(w http.ResponseWriter, r *http.Request) {
	reply(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": d.o.Model, "object": "model", "owned_by": d.o.Engine.Name()}}})
}

// reset empties the cache, unless a fault keeps it from that.
func (d *Deployment) reset(w http.ResponseWriter, r *http.Request) {
	if !d.o.Faults.Sticky {
		d.o.Engine.Reset()
	}
	w.WriteHeader(http.StatusOK)
}

// defaults are what an administrator may change.
type defaults struct {
	Sampling
	System string `json:"system"`
}

func (d *Deployment) showDefaults(w http.ResponseWriter, r *http.Request) {
	d.mu.RLock()
	v := defaults{d.defaults, d.system}
	d.mu.RUnlock()
	reply(w, v)
}

// setDefaults replaces all of them: what the body leaves out is as it was when
// the program began.
func (d *Deployment) setDefaults(w http.ResponseWriter, r *http.Request) {
	v := defaults{Sampling: d.o.Sampling}
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		fail(w, bad("%v", err))
		return
	}
	err := v.Check()
	if err == nil {
		err = d.o.Engine.check(v.Sampling)
	}
	if err != nil {
		fail(w, err)
		return
	}
	d.mu.Lock()
	d.defaults, d.system = v.Sampling, v.System
	d.mu.Unlock()
	d.showDefaults(w, r)
}
