package arms

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// A reset that is refused is tried again: engines refuse one while the request
// before it is still being cleared away.
const (
	resetTries = 3
	resetPause = 150 * time.Millisecond
)

// reset empties the caches before an arm: every URL is POSTed to, and each has
// to answer with a status of 2xx. It is nil where no reset is declared.
func (r *Runner) reset(ctx context.Context, s Step) (*record.Reset, error) {
	if len(r.live.Reset) == 0 {
		return nil, ctx.Err()
	}
	out := &record.Reset{ItemID: s.Item.ItemID, Arm: s.Arm, OK: true}
	var details []string
	for _, u := range r.live.Reset {
		var err error
		for try := range resetTries {
			if try > 0 {
				if err := sleep(ctx, resetPause); err != nil {
					return nil, err
				}
			}
			var status int
			if status, err = r.postReset(ctx, u); err == nil || hopeless(status) {
				break
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			out.OK = false
			details = append(details, fmt.Sprintf("%s: %v", u, err))
		}
	}
	out.Detail = r.clean(strings.Join(details, "; "))
	return out, nil
}

// hopeless tells statuses that another try does not change.
func hopeless(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	}
	return false
}

// postReset asks once. The status is 0 where no answer came.
func (r *Runner) postReset(ctx context.Context, u string) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u, strings.NewReader("{}"))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	status, body, err := r.call(req)
	if err != nil {
		return 0, err
	}
	if status < 200 || status > 299 {
		return status, &statusError{status, r.excerpt(body)}
	}
	return status, nil
}

// statusError is an answer with a status that is none of success.
type statusError struct {
	status int
	said   string
}

func (e *statusError) Error() string {
	if e.said == "" {
		return fmt.Sprintf("status %d", e.status)
	}
	return fmt.Sprintf("status %d: %s", e.status, e.said)
}

// maxCall bounds what is read of the answer to a call, in bytes.
const maxCall = 8 << 20

// call makes a call and reads the answer. The error names no URL.
func (r *Runner) call(req *http.Request) (status int, body []byte, err error) {
	resp, err := r.admin.Do(req)
	if err != nil {
		return 0, nil, bare(err)
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, maxCall+1))
	switch {
	case err != nil:
		return 0, nil, bare(err)
	case len(body) > maxCall:
		return 0, nil, fmt.Errorf("the answer is longer than %d bytes", maxCall)
	}
	return resp.StatusCode, body, nil
}

// excerpt is the beginning of what a server said, in one line.
func (r *Runner) excerpt(body []byte) string {
	const most = 200
	s := strings.Join(strings.Fields(r.clean(strings.ToValidUTF8(string(body), "\uFFFD"))), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
