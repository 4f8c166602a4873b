package prometheus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector/poll/fetch"
)

// ruleGroup is a group of rules as Prometheus and vmalert show it.
type ruleGroup struct {
	Name     string      `json:"name"`
	File     string      `json:"file"`
	Interval json.Number `json:"interval"` // seconds
	Limit    json.Number `json:"limit"`
	Rules    []rule      `json:"rules"`
}

type rule struct {
	Type           string            `json:"type"` // alerting, recording
	Name           string            `json:"name"`
	Query          string            `json:"query"`
	Duration       json.Number       `json:"duration"` // seconds
	Keep           json.Number       `json:"keepFiringFor"`
	KeepToo        json.Number       `json:"keep_firing_for"` // vmalert
	Labels         map[string]string `json:"labels"`
	Annotations    map[string]string `json:"annotations"`
	Alerts         []alert           `json:"alerts"`
	Health         string            `json:"health"` // ok, unknown, err
	LastError      string            `json:"lastError"`
	LastEvaluation time.Time         `json:"lastEvaluation"`
}

type alert struct {
	State    string            `json:"state"` // pending, firing; vmalert also inactive
	Labels   map[string]string `json:"labels"`
	Value    string            `json:"value"`
	ActiveAt time.Time         `json:"activeAt"`
}

// seconds reads a number of seconds exactly; 0 where there is none.
func seconds(n json.Number) int64 {
	if v, err := exact.Parse(n.String()); err == nil {
		if d, ok := exact.DurationOf(v); ok {
			return int64(d)
		}
		// vmalert prints durations that are not whole as binary fractions.
		return int64(v.Float64() * 1e9)
	}
	f, _ := n.Float64()
	return int64(f * 1e9)
}

func (r *rule) keep() int64 { return max(seconds(r.Keep), seconds(r.KeepToo)) }

// evaluated tells whether a rule has been evaluated since its server started.
func (r *rule) evaluated() bool { return r.Health != "unknown" && r.LastEvaluation.Year() > 1 }

// envelope is how both servers wrap what they answer.
type envelope[T any] struct {
	Status string `json:"status"`
	Error  string `json:"error"`
	Data   T      `json:"data"`
}

// ask gets one answer of Prometheus's API.
func ask[T any](ctx context.Context, c *fetch.Client, address string) (T, *fetch.Answer, error) {
	var e envelope[T]
	a, err := c.JSON(ctx, address, &e)
	if err == nil && e.Status != "success" {
		u, _ := fetch.Parse(address)
		err = &fetch.ShapeError{URL: fetch.Shown(u), Cause: errors.New(`it has no "status": "success", as Prometheus's answers have`)}
	}
	return e.Data, a, err
}

func (d *Detector) rules(ctx context.Context, filter string) ([]ruleGroup, *fetch.Answer, error) {
	data, a, err := ask[struct {
		Groups []ruleGroup `json:"groups"`
	}](ctx, d.client, d.api+"/api/v1/rules"+filter)
	return data.Groups, a, err
}

// isPrometheus tells whether an address is that of a Prometheus.
func (d *Detector) isPrometheus(ctx context.Context, address string) bool {
	_, _, err := ask[struct{}](ctx, d.client, address+"/api/v1/rules")
	return err == nil
}

// managerGroup is a notification group of Alertmanager.
type managerGroup struct {
	Labels   map[string]string `json:"labels"`
	Receiver struct {
		Name string `json:"name"`
	} `json:"receiver"`
	Alerts []managerAlert `json:"alerts"`
}

type managerAlert struct {
	Labels      map[string]string `json:"labels"`
	Fingerprint string            `json:"fingerprint"`
	StartsAt    time.Time         `json:"startsAt"`
	Status      struct {
		State      string   `json:"state"`
		SilencedBy []string `json:"silencedBy"`
	} `json:"status"`
}

func (d *Detector) groups(ctx context.Context) ([]managerGroup, error) {
	var g []managerGroup
	_, err := d.client.JSON(ctx, d.manager+"/api/v2/alerts/groups", &g)
	return g, err
}

// managerStatus is what Alertmanager says of itself.
type managerStatus struct {
	Config struct {
		Original string `json:"original"`
	} `json:"config"`
	Version struct {
		Version string `json:"version"`
	} `json:"versionInfo"`
}

func (d *Detector) status(ctx context.Context) (*managerStatus, *fetch.Answer, error) {
	var s managerStatus
	a, err := d.client.JSON(ctx, d.manager+"/api/v2/status", &s)
	if err == nil && s.Config.Original == "" {
		err = &fetch.ShapeError{URL: shown(d.manager) + "/api/v2/status", Cause: errors.New("it has no configuration, as Alertmanager's status has")}
	}
	return &s, a, err
}

type silence struct {
	ID     string `json:"id"`
	Status struct {
		State string `json:"state"`
	} `json:"status"`
	Matchers []struct {
		Name    string `json:"name"`
		Value   string `json:"value"`
		IsRegex bool   `json:"isRegex"`
		IsEqual *bool  `json:"isEqual"` // absent before 0.22: true
	} `json:"matchers"`
}

// silences are the ones at work.
func (d *Detector) silences(ctx context.Context) ([]silence, error) {
	var all, active []silence
	_, err := d.client.JSON(ctx, d.manager+"/api/v2/silences", &all)
	for _, s := range all {
		if s.Status.State == "active" {
			active = append(active, s)
		}
	}
	return active, err
}

func (s *silence) matchers() []matcher {
	var out []matcher
	for _, m := range s.Matchers {
		op := "="
		switch equal := m.IsEqual == nil || *m.IsEqual; {
		case equal && m.IsRegex:
			op = "=~"
		case !equal && m.IsRegex:
			op = "!~"
		case !equal:
			op = "!="
		}
		out = append(out, matcher{m.Name, op, m.Value})
	}
	return out
}

// version asks Prometheus for its version; "" is a vmalert, which has none to
// tell.
func (d *Detector) version(ctx context.Context) (string, error) {
	data, _, err := ask[struct {
		Version string `json:"version"`
	}](ctx, d.client, d.api+"/api/v1/status/buildinfo")
	if absent(err) {
		return "", nil
	}
	return data.Version, err
}

// absent tells of an interface that a server does not have.
func absent(err error) bool {
	var s *fetch.StatusError
	return errors.As(err, &s) && (s.Status == http.StatusNotFound || s.Status == http.StatusBadRequest)
}

// count asks how many series a selector finds now.
func (d *Detector) count(ctx context.Context, selector string) (int, error) {
	data, _, err := ask[struct {
		Result []struct {
			Value []any `json:"value"`
		} `json:"result"`
	}](ctx, d.client, d.api+"/api/v1/query?query="+url.QueryEscape("count("+selector+")"))
	if err != nil || len(data.Result) == 0 || len(data.Result[0].Value) != 2 {
		return 0, err
	}
	var n int
	_, err = fmt.Sscan(fmt.Sprint(data.Result[0].Value[1]), &n)
	return n, err
}
