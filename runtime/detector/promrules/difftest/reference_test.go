package difftest

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
)

// reference is Prometheus itself: its storage, engine and rule manager, driven
// at given instants. Instants are nanoseconds since 1970 unless said otherwise.
type reference struct {
	t      testing.TB
	db     *tsdb.DB
	query  rules.QueryFunc
	groups []*rules.Group // in the order of the file
	next   []int64
	rounds []int
	sent   []sent
	errs   int
}

// sent is an alert as it is handed to the notifier.
type sent struct {
	at, startsAt, endsAt int64
	labels               string
	value                float64
}

// newReference loads a rule file, or says why that is refused.
func newReference(t testing.TB, e experiment) (*reference, []error) {
	dir := t.TempDir()
	// The phase of a group follows from the path of its file, so that must not
	// be the path of a folder with a random name.
	t.Chdir(dir)
	const file = "alerts.yml"
	if err := os.WriteFile(file, []byte(e.rules), 0o600); err != nil {
		t.Fatal(err)
	}
	opts := tsdb.DefaultOptions()
	opts.WALSegmentSize = -1
	opts.RetentionDuration = math.MaxInt64 / 2
	db, err := tsdb.Open(filepath.Join(dir, "data"), slog.New(slog.DiscardHandler), nil, opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.DisableCompactions()
	p := parser.NewParser(parser.Options{})
	engine := promql.NewEngine(promql.EngineOpts{
		MaxSamples: 50_000_000, Timeout: 2 * time.Minute, LookbackDelta: 5 * time.Minute,
		NoStepSubqueryIntervalFn: func(int64) int64 { return e.evaluation.Milliseconds() },
		EnableAtModifier:         true, EnableNegativeOffset: true, Parser: p,
	})
	r := &reference{t: t, db: db, query: rules.EngineQueryFunc(engine, db)}
	manager := rules.NewManager(&rules.ManagerOptions{
		ExternalURL: &url.URL{}, QueryFunc: r.query, Context: context.Background(),
		AppendableV2: db, Queryable: db, Logger: slog.New(slog.DiscardHandler),
		OutageTolerance: time.Hour, ForGracePeriod: 10 * time.Minute, ResendDelay: time.Minute, Parser: p,
		NotifyFunc: func(_ context.Context, _ string, alerts ...*rules.Alert) {
			for _, a := range alerts {
				s := sent{at: a.LastSentAt.UnixNano(), startsAt: a.FiredAt.UnixNano(), endsAt: a.ValidUntil.UnixNano(), labels: a.Labels.String(), value: a.Value}
				if !a.ResolvedAt.IsZero() {
					s.endsAt = a.ResolvedAt.UnixNano()
				}
				r.sent = append(r.sent, s)
			}
		},
	})
	byKey, errs := manager.LoadGroups(e.evaluation, labels.EmptyLabels(), "", nil, false, file)
	if len(errs) > 0 {
		return nil, errs
	}
	for _, g := range byKey {
		r.groups = append(r.groups, g)
	}
	slices.SortFunc(r.groups, func(a, b *rules.Group) int { // g0, g1, g2
		if a.Name() < b.Name() {
			return -1
		}
		return 1
	})
	for _, g := range r.groups {
		r.next = append(r.next, g.EvalTimestamp(e.epoch).Add(g.Interval()).UnixNano())
		r.rounds = append(r.rounds, 0)
	}
	return r, nil
}

// scrape appends the samples of a scrape, or what a failed one leaves behind.
func (r *reference) scrape(at int64, series []labels.Labels, values []float64) {
	app := r.db.AppenderV2(context.Background())
	for i, l := range series {
		if _, err := app.Append(0, l, 0, at/1e6, values[i], nil, nil, storage.AOptions{}); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := app.Commit(); err != nil {
		r.t.Fatal(err)
	}
}

var stale = math.Float64frombits(value.StaleNaN)

// eval evaluates the groups that are due.
func (r *reference) eval(at int64) {
	for i, g := range r.groups {
		if r.next[i] != at {
			continue
		}
		ts := time.Unix(0, at).UTC()
		g.Eval(context.Background(), ts)
		for _, rule := range g.Rules() {
			if err := rule.LastError(); err != nil && !isStorageError(err) {
				r.errs++
			}
		}
		if r.rounds[i]++; r.rounds[i] == 2 {
			g.RestoreForState(ts)
		}
		r.next[i] += int64(g.Interval())
	}
}

func isStorageError(err error) bool {
	for _, e := range []error{storage.ErrOutOfOrderSample, storage.ErrTooOldSample, storage.ErrDuplicateSampleForTimestamp, storage.ErrOutOfBounds} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
