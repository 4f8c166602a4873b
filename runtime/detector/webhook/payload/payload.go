package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
)

// MaxAlerts is how many alerts one payload may hold.
const MaxAlerts = 100_000

// Statuses of an alert.
const (
	Firing   = "firing"
	Resolved = "resolved"
	Pending  = "pending" // its hold time runs; given by a mapping alone, where the alerts are asked for
)

// Notification is one payload.
type Notification struct {
	Shape       string // "alertmanager", "grafana", "mapped", or the name of another mapping that ships
	Receiver    string
	GroupKey    string
	GroupLabels map[string]string
	Reason      string // why it was sent, since Alertmanager 0.31: "first notification", ...
	Truncated   int    // alerts that the sender left out
	Alerts      []Alert
}

// Alert is one alert of a payload.
type Alert struct {
	Status      string // Firing, Resolved or Pending
	Labels      map[string]string
	StartsAt    time.Time // zero where the payload says none
	EndsAt      time.Time // zero while the alert fires
	Value       string    // the value that crossed; of Alertmanager, the annotation "value"
	Fingerprint string    // the same for the same alert
	Repeat      bool      // the sender says that it has reported this before
	NoData      bool      // raised because data was missing, or could not be read
	Held        bool      // StartsAt is when the hold time began, not when the alert fired
}

// Error says that a payload cannot be read.
type Error struct{ Reason, Remedy string }

func (e *Error) Error() string {
	if e.Remedy == "" {
		return e.Reason
	}
	return e.Reason + "; " + e.Remedy
}

// RepeatElapsed is the reason of a notification that nothing new has caused.
const RepeatElapsed = "repeat interval elapsed"

// Reader reads payloads. It is safe for concurrent use.
type Reader struct{ mapped *mapping }

// NewReader makes a reader for one declared mapping, or, for nil, for the
// shapes that are known. The error is of type Errors.
func NewReader(m *plan.Mapping) (*Reader, error) {
	if m == nil {
		return &Reader{}, nil
	}
	c, err := compile("mapped", m)
	if err != nil {
		return nil, err
	}
	return &Reader{c}, nil
}

// Read reads a payload. The error is an *Error.
func (r *Reader) Read(body []byte) (*Notification, error) {
	if !json.Valid(body) {
		return nil, broken(body)
	}
	var n *Notification
	var err error
	if r.mapped == nil && isAlertmanager(body) {
		n, err = alertmanager(body)
	} else {
		n, err = r.other(body)
	}
	if err != nil {
		return nil, err
	}
	for i := range n.Alerts {
		if a := &n.Alerts[i]; a.Fingerprint == "" {
			a.Fingerprint = LabelsText(a.Labels)
		}
	}
	return n, nil
}

// broken says where a payload is no JSON.
func broken(body []byte) error {
	var v any
	err := json.Unmarshal(body, &v)
	return &Error{fmt.Sprintf("the payload is not JSON: %v", err), ""}
}

// other reads a payload by the declared mapping, or by one that ships.
func (r *Reader) other(body []byte) (*Notification, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var whole any
	if err := d.Decode(&whole); err != nil {
		return nil, broken(body)
	}
	shape := r.mapped
	if shape == nil {
		shape = recognise(whole)
	}
	if shape == nil {
		return nil, &Error{"the payload has none of the shapes that are known: it has " + described(whole),
			"declare a mapping that says where its alerts, their status and their labels are"}
	}
	return shape.read(numbers(whole))
}

// wire is Alertmanager's payload, version 4.
type wire struct {
	Version     string            `json:"version"`
	GroupKey    string            `json:"groupKey"`
	Truncated   int               `json:"truncatedAlerts"`
	Receiver    string            `json:"receiver"`
	GroupLabels map[string]string `json:"groupLabels"`
	Reason      string            `json:"notification_reason"`
	ReasonToo   string            `json:"notificationReason"`
	Alerts      []struct {
		Status      string            `json:"status"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
		StartsAt    string            `json:"startsAt"`
		EndsAt      string            `json:"endsAt"`
		Fingerprint string            `json:"fingerprint"`
	} `json:"alerts"`
}

// isAlertmanager looks at the outermost members only, since a payload can be
// large.
func isAlertmanager(body []byte) bool {
	var o struct {
		Version, GroupKey, OrgID json.RawMessage
		Alerts                   json.RawMessage
	}
	if json.Unmarshal(body, &o) != nil {
		return false
	}
	return bytes.HasPrefix(o.Alerts, []byte("[")) && o.OrgID == nil && (string(o.Version) == `"4"` || o.GroupKey != nil)
}

func alertmanager(body []byte) (*Notification, error) {
	var w wire
	if err := json.Unmarshal(body, &w); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return nil, &Error{fmt.Sprintf("the payload looks like Alertmanager's, but its %q is a JSON %s", kind.Field, kind.Value),
				"if it comes from a template, declare a mapping"}
		}
		return nil, &Error{"the payload looks like Alertmanager's, and cannot be read: " + err.Error(), ""}
	}
	if len(w.Alerts) > MaxAlerts {
		return nil, tooMany(len(w.Alerts))
	}
	n := &Notification{Shape: "alertmanager", Receiver: w.Receiver, GroupKey: w.GroupKey, GroupLabels: w.GroupLabels,
		Reason: w.Reason, Truncated: w.Truncated, Alerts: make([]Alert, 0, len(w.Alerts))}
	if n.Reason == "" {
		n.Reason = w.ReasonToo
	}
	for i, a := range w.Alerts {
		if a.Status != Firing && a.Status != Resolved {
			return nil, &Error{fmt.Sprintf("alert %d has the status %q", i, a.Status), "a status is firing or resolved"}
		}
		from, err := Instant(a.StartsAt)
		if err != nil {
			return nil, &Error{fmt.Sprintf("alert %d: startsAt: %v", i, err), ""}
		}
		to, err := Instant(a.EndsAt)
		if err != nil {
			return nil, &Error{fmt.Sprintf("alert %d: endsAt: %v", i, err), ""}
		}
		if a.Labels == nil {
			a.Labels = map[string]string{}
		}
		n.Alerts = append(n.Alerts, Alert{Status: a.Status, Labels: a.Labels, StartsAt: from, EndsAt: to, Fingerprint: a.Fingerprint,
			Value: a.Annotations["value"], Repeat: n.Reason == RepeatElapsed && a.Status == Firing})
	}
	return n, nil
}

func tooMany(n int) error {
	return &Error{fmt.Sprintf("the payload holds %d alerts, and at most %d are read", n, MaxAlerts), "group the alerts so that a notification is smaller"}
}

// LabelsText is a text that is the same for the same labels alone.
func LabelsText(labels map[string]string) string {
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		b = append(strconv.AppendQuote(b, name), '=')
		b = append(strconv.AppendQuote(b, labels[name]), ',')
	}
	return string(b)
}

// Instant reads RFC 3339, or seconds, milliseconds, microseconds or nanoseconds
// since 1970, told apart by their size. The year 1, 0, "" and nil are no instant:
// the zero time.
func Instant(v any) (time.Time, error) {
	switch v := v.(type) {
	case nil:
		return time.Time{}, nil
	case string:
		if v == "" {
			return time.Time{}, nil
		}
		if t, err := time.Parse(time.RFC3339Nano, v); err == nil {
			if t.Year() <= 1 {
				return time.Time{}, nil
			}
			return t, nil
		}
		if i, err := strconv.ParseInt(v, 10, 64); err == nil {
			return epoch(float64(i), i)
		}
		return time.Time{}, fmt.Errorf("%q is no instant; RFC 3339 and a number since 1970 are", shortened(v))
	case int64:
		return epoch(float64(v), v)
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return epoch(float64(i), i)
		}
		if f, err := v.Float64(); err == nil {
			return Instant(f)
		}
	case int:
		return epoch(float64(v), int64(v))
	case float64:
		if v != v || v < 0 || v > 9e18 {
			break
		}
		if v < 1e11 {
			whole := int64(v)
			return epoch(v, whole*1e9+int64((v-float64(whole))*1e9))
		}
		return epoch(v, int64(v))
	}
	return time.Time{}, fmt.Errorf("%s is no instant; RFC 3339 and a number since 1970 are", described(v))
}

// epoch takes a number by its size; a float in seconds comes with its
// nanoseconds in i.
func epoch(size float64, i int64) (time.Time, error) {
	switch {
	case size < 0:
		return time.Time{}, fmt.Errorf("%d is no instant: it is negative", i)
	case size == 0:
		return time.Time{}, nil
	case size < 1e11 && i >= 1e11:
		return time.Unix(0, i).UTC(), nil
	case size < 1e11:
		return time.Unix(i, 0).UTC(), nil
	case size < 1e14:
		return time.UnixMilli(i).UTC(), nil
	case size < 1e17:
		return time.UnixMicro(i).UTC(), nil
	}
	return time.Unix(0, i).UTC(), nil
}

// numbers turns JSON's numbers into what expr calculates with: int64 where they
// are whole, float64 otherwise.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return int(i)
		}
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// described says in words what a JSON value is.
func described(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "a truth value"
	case string:
		return "a text"
	case json.Number, int, int64, float64:
		return "a number"
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		if len(v) == 0 {
			return "an object without members"
		}
		names := slices.Sorted(maps.Keys(v))
		more := ""
		if len(names) > 12 {
			names, more = names[:12], " and more"
		}
		for i := range names {
			names[i] = shortened(names[i])
		}
		return "an object with the members " + strings.Join(names, ", ") + more
	}
	return "something that is not JSON"
}

func shortened(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "..."
	}
	return s
}
