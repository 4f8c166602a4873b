package difftest

import (
	"context"
	"log/slog"
	"sort"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/alertmanager/alert"
	"github.com/prometheus/alertmanager/config"
	"github.com/prometheus/alertmanager/dispatch"
	"github.com/prometheus/alertmanager/eventrecorder"
	"github.com/prometheus/alertmanager/featurecontrol"
	"github.com/prometheus/alertmanager/nflog"
	"github.com/prometheus/alertmanager/nflog/nflogpb"
	"github.com/prometheus/alertmanager/notify"
	"github.com/prometheus/alertmanager/provider/mem"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"

	"github.com/fdbench/fdbench/runtime/detector/alertmanager/history"
)

var release = history.Release{Reasons: true, Original: original}

func TestAgainstAlertmanager(t *testing.T) { release.Test(t) }

func FuzzAgainstAlertmanager(f *testing.F) { release.Fuzz(f) }

type sender bool

func (s sender) SendResolved() bool { return bool(s) }

// original runs the history through Alertmanager.
func original(t *testing.T, h history.History) (lines []string) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		reg := prometheus.NewRegistry()
		logger := slog.New(slog.DiscardHandler)
		store, err := mem.NewAlerts(context.Background(), 30*time.Minute, 0, nil, logger, eventrecorder.NopRecorder(), reg, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		log, err := nflog.New(nflog.Options{Retention: 120 * time.Hour, Metrics: reg})
		if err != nil {
			t.Fatal(err)
		}
		receiver := &nflogpb.Receiver{GroupName: "test", Integration: "test"}
		stage := notify.MultiStage{
			notify.NewDedupStage(sender(h.Config.SendResolved), log, receiver),
			notify.StageFunc(func(ctx context.Context, _ *slog.Logger, alerts ...*alert.Alert) (context.Context, []*alert.Alert, error) {
				reason, _ := notify.NotificationReason(ctx)
				for _, a := range alerts {
					if a.Resolved() && !h.Config.SendResolved {
						continue
					}
					labels := map[string]string{}
					for name, v := range a.Labels {
						labels[string(name)] = string(v)
					}
					lines = append(lines, history.Line(int64(time.Since(start)), string(a.Status()), labels, int64(a.StartsAt.Sub(start)), reason.String()))
				}
				return ctx, alerts, nil
			}),
			notify.NewSetNotifiesStage(log, receiver, featurecontrol.NoopFlags{}),
		}
		d := dispatch.NewDispatcher(store, route(h), stage, nil, func(d time.Duration) time.Duration { return d }, 30*time.Second,
			nil, logger, eventrecorder.NopRecorder(), dispatch.NewDispatcherMetrics(false, reg, nil), nil)
		go d.Run(start)
		defer d.Stop()
		synctest.Wait()
		for _, e := range h.Events {
			time.Sleep(time.Until(start.Add(time.Duration(e.At))))
			for _, a := range e.Alerts {
				labels := model.LabelSet{}
				for name, v := range a.Labels {
					labels[model.LabelName(name)] = model.LabelValue(v)
				}
				if err := store.Put(context.Background(), alert.New(model.Alert{
					Labels:   labels,
					StartsAt: start.Add(time.Duration(a.StartsAt)),
					EndsAt:   start.Add(time.Duration(a.EndsAt)),
				}, time.Now(), false)); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Wait()
		}
		time.Sleep(time.Until(start.Add(time.Duration(h.End))))
		synctest.Wait()
	})
	sort.Strings(lines)
	return lines
}

func route(h history.History) *dispatch.Route {
	duration := func(d int64) *model.Duration { m := model.Duration(d); return &m }
	r := &config.Route{
		Receiver:       "test",
		GroupWait:      duration(int64(h.Config.GroupWait)),
		GroupInterval:  duration(int64(h.Config.GroupInterval)),
		RepeatInterval: duration(int64(h.Config.RepeatInterval)),
	}
	for _, name := range h.Config.GroupBy {
		if name == "..." {
			r.GroupByAll = true
		} else {
			r.GroupBy = append(r.GroupBy, model.LabelName(name))
		}
	}
	return dispatch.NewRoute(r, nil)
}
