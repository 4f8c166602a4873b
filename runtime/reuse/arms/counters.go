package arms

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/window"
)

// Moments of a reading of counters.
const (
	Before = "before"
	After  = "after"
)

// Counters reads the engine's own counters, one entry for each declared URL in
// their order. An exposition that cannot be read leaves an entry without values
// that says why.
func (r *Runner) Counters(ctx context.Context, moment string) []record.Counters {
	var out []record.Counters
	for _, u := range r.live.Metrics {
		c := record.Counters{URL: u, Moment: moment}
		values, err := r.scrape(ctx, u)
		if err != nil {
			c.Detail = r.clean(err.Error())
		} else {
			c.Values = values
		}
		out = append(out, c)
	}
	return out
}

func (r *Runner) scrape(ctx context.Context, u string) ([]record.Counter, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/plain; version=0.0.4")
	status, body, err := r.call(req)
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, &statusError{status, r.excerpt(body)}
	}
	return window.Parse(bytes.NewReader(body))
}

// bare leaves the URL out of an error of a client.
func bare(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
