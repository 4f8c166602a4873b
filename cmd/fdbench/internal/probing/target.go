package probing

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/fdbench/fdbench/runtime/confine"
)

// Target is a deployment whose address was checked.
type Target struct {
	BaseURL string
	confine.Target
}

// FormError says that a text is no URL of a deployment.
type FormError struct{ Reason string }

func (e *FormError) Error() string { return e.Reason }

func form(format string, args ...any) error { return &FormError{fmt.Sprintf(format, args...)} }

// Where describes the range that the target lies in.
func (t Target) Where() string {
	if t.Allowed {
		return "outside the ranges of a test environment, allowed"
	}
	return t.Range
}

// Resolve checks the URL of a deployment and pins its address (FD-7-1). allow
// lets an address outside the ranges of a test environment through. The errors
// are *FormError and those of confine.Pin.
func Resolve(ctx context.Context, r confine.Resolver, raw string, allow bool) (Target, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return Target{}, form("%q is no URL of a deployment; write one such as http://127.0.0.1:8000", without(raw))
	case u.User != nil:
		return Target{}, form("the URL holds a name or a password; leave it out, and name a variable with the key with --key-env")
	case u.RawQuery != "" || u.Fragment != "":
		return Target{}, form("the URL goes on after its path; write %s://%s%s", u.Scheme, u.Host, u.Path)
	}
	for _, end := range []string{"/chat/completions", "/completions"} {
		if base, ok := strings.CutSuffix(strings.TrimRight(u.Path, "/"), end); ok {
			return Target{}, form("the URL names one method of the deployment; write %s://%s%s, and --completions where that one is meant", u.Scheme, u.Host, base)
		}
	}
	t, err := confine.Pin(ctx, r, confine.HostPort(u), allow)
	return Target{raw, t}, err
}

// without leaves out of a text that is no URL what may be a password.
func without(raw string) string {
	if _, after, ok := strings.Cut(raw, "@"); ok {
		return "...@" + after
	}
	return raw
}
