package prometheus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
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
	Receivers []string      // of Alertmanager, that the test alert was routed to
	Waited    time.Duration // for the notification
}

func (e *TryError) Error() string {
	to := "Alertmanager does not know the alert any more"
	if len(e.Receivers) > 0 {
		to = "Alertmanager sends it to " + strings.Join(e.Receivers, " and ")
	}
	return fmt.Sprintf("a test alert was accepted by Alertmanager and did not reach %s within %v; %s: compare the address and the token there, and see its log for failed notifications",
		e.URL, e.Waited.Round(time.Second), to)
}

// Try sends Alertmanager a test alert with the labels of the first alert of the
// plan and one more, TryLabel, and waits until its notification arrives at the
// receiver. The sink hears nothing of it. The alert is ended afterwards, and
// its group is gone when State says so: Try is for rehearsals.
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
	labels := map[string]string{"alertname": "FdbenchTry"}
	if w := d.wanted(); len(w) > 0 {
		labels = maps.Clone((&w[0]).known())
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
		result = &TryError{d.receiver.URL(), d.routed(ctx, id), time.Since(began)}
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

// routed are Alertmanager's receivers of a test alert.
func (d *Detector) routed(ctx context.Context, id string) []string {
	var alerts []struct {
		Receivers []struct {
			Name string `json:"name"`
		} `json:"receivers"`
	}
	d.client.JSON(ctx, d.manager+"/api/v2/alerts?filter="+url.QueryEscape(fmt.Sprintf("%s=%q", TryLabel, id)), &alerts)
	var names []string
	for _, a := range alerts {
		for _, r := range a.Receivers {
			names = append(names, r.Name)
		}
	}
	return names
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
