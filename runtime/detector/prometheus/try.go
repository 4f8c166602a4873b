package prometheus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// TryLabel is the label by which a test alert is known again.
const TryLabel = "fdbench_try"

var _ driver.Trying = (*Detector)(nil)

// tryPatience is how long a notification may take beyond what Alertmanager's
// configuration says.
const tryPatience = 5 * time.Second

// TryError says that a test alert did not reach the receiver.
type TryError struct {
	URL       string        // of our receiver
	Alert     string        // whose labels the test alert had
	Receivers []string      // of Alertmanager, that the test alert was routed to
	Kept      []string      // what keeps it from being notified, such as "the silence 5d2c"
	Waited    time.Duration // for the notification
}

func (e *TryError) Error() string {
	text := fmt.Sprintf("a test alert with the labels of %s was accepted by Alertmanager and did not reach %s within %v; ", e.Alert, e.URL, e.Waited.Round(time.Second))
	switch {
	case len(e.Kept) > 0:
		return text + "it is suppressed by " + strings.Join(e.Kept, " and ")
	case len(e.Receivers) > 0:
		return text + "Alertmanager sends it to " + strings.Join(e.Receivers, " and ") + ": compare the address and the token there, and see its log for failed notifications"
	}
	return text + "Alertmanager does not know the alert any more"
}

// Remedy implements driver.Remedied.
func (e *TryError) Remedy() string {
	if len(e.Kept) > 0 {
		return "let that end before the series begins, or take it out of Alertmanager's configuration: what is suppressed is not notified"
	}
	return "correct the receiver in Alertmanager's configuration: its url, http_config (proxy_url, authorization) and the route that leads to it"
}

// Try sends Alertmanager a test alert with the labels of the first alert of the
// plan that the attribution can be true of and one more, TryLabel, and waits
// until its notification arrives at the receiver. Labels that only the running
// rules know are made up where the route to the receiver asks for them. The sink
// hears nothing of it. The alert is ended afterwards, and its group is gone when
// State says so: Try is for rehearsals.
//
// The error is errors.ErrUnsupported where there is no Alertmanager or no
// receiver, and a *TryError where no notification came in the time that
// Alertmanager's configuration allows for.
func (d *Detector) Try(ctx context.Context) error {
	if d.receiver == nil || d.manager == "" {
		return fmt.Errorf("a test alert needs a receiver that has been started, and an Alertmanager: %w", errors.ErrUnsupported)
	}
	if err := d.tune(ctx); err != nil {
		return err
	}
	labels, err := d.tryLabels(ctx)
	if err != nil {
		return err
	}
	id := listen.NewToken()
	labels[TryLabel] = id
	arrived := make(chan struct{})
	d.mu.Lock()
	d.tries[id] = arrived
	wait := time.Duration(d.rest.flush+d.rest.cleanup) + tryPatience
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		delete(d.tries, id)
		d.mu.Unlock()
	}()
	began := time.Now()
	if err := d.send(ctx, labels, began, began.Add(wait+time.Minute)); err != nil {
		return err
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	var result error
	select {
	case <-arrived:
	case <-ctx.Done():
		result = ctx.Err()
	case <-timer.C:
		lost := &TryError{URL: d.receiver.URL(), Alert: labels["alertname"], Waited: time.Since(began)}
		lost.Receivers, lost.Kept = d.routed(ctx, id)
		result = lost
	}
	// Ended even where the caller has given up.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return errors.Join(result, d.send(end, labels, began, time.Now()))
}

func (d *Detector) send(ctx context.Context, labels map[string]string, from, to time.Time) error {
	body, err := json.Marshal([]map[string]any{{"labels": labels, "startsAt": from, "endsAt": to,
		"annotations": map[string]string{"summary": "A test by fdbench of the way from Alertmanager to its receiver."}}})
	if err != nil {
		return err
	}
	_, err = d.client.Do(ctx, http.MethodPost, d.manager+"/api/v2/alerts", body)
	return err
}

// tryLabels are those of the test alert.
func (d *Detector) tryLabels(ctx context.Context) (map[string]string, error) {
	s, _, err := d.status(ctx)
	if err != nil {
		return nil, err
	}
	config, err := parseManager(s.Config.Original)
	if err != nil {
		return nil, err
	}
	alerts := d.alerts()
	for i := range alerts {
		if labels, ok := config.toward(d.receiverURL(), alerts[i].known()); ok {
			return labels, nil
		}
	}
	if len(alerts) > 0 {
		return alerts[0].known(), nil
	}
	return map[string]string{"alertname": "FdbenchTry"}, nil
}

// routed are Alertmanager's receivers of a test alert, and what keeps it from
// being notified.
func (d *Detector) routed(ctx context.Context, id string) (names, kept []string) {
	var alerts []struct {
		Receivers []struct {
			Name string `json:"name"`
		} `json:"receivers"`
		Status struct {
			SilencedBy  []string `json:"silencedBy"`
			InhibitedBy []string `json:"inhibitedBy"`
			MutedBy     []string `json:"mutedBy"` // since 0.28
		} `json:"status"`
	}
	d.client.JSON(ctx, d.manager+"/api/v2/alerts?filter="+url.QueryEscape(fmt.Sprintf("%s=%q", TryLabel, id)), &alerts)
	for _, a := range alerts {
		for _, r := range a.Receivers {
			names = append(names, r.Name)
		}
		for _, s := range a.Status.SilencedBy {
			kept = append(kept, "the silence "+s)
		}
		for _, s := range a.Status.MutedBy {
			kept = append(kept, "the time interval "+s)
		}
		if len(a.Status.InhibitedBy) > 0 {
			kept = append(kept, d.inhibitors(ctx, a.Status.InhibitedBy))
		}
	}
	return names, kept
}

// inhibitors names the alerts with the given fingerprints, which inhibit another.
func (d *Detector) inhibitors(ctx context.Context, fingerprints []string) string {
	var active []managerAlert
	d.client.JSON(ctx, d.manager+"/api/v2/alerts", &active)
	var names []string
	for _, a := range active {
		if slices.Contains(fingerprints, a.Fingerprint) {
			names = append(names, payload.LabelsText(a.Labels))
		}
	}
	if names == nil {
		names = fingerprints
	}
	slices.Sort(names)
	return "inhibition, since this alert is active: " + strings.TrimSuffix(names[0], ",")
}

// isTry keeps test alerts from the sink, those of earlier runs included.
func (d *Detector) isTry(a *payload.Alert) bool {
	id, ok := a.Labels[TryLabel]
	if !ok {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if arrived := d.tries[id]; arrived != nil && a.Status == payload.Firing {
		close(arrived)
		delete(d.tries, id)
	}
	return true
}
