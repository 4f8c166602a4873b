package promrules

import (
	"fmt"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/random"
)

// target is the deployment as Prometheus sees it: the counters that it exports
// and the series that a scrape makes of them.
type target struct {
	counts    []int64 // by counter; the total last
	nextReset int64   // world instants, ns
	reset     int64
	next      int64 // the next scrape
	interval  int64
	missed    random.Chance
	stream    *random.Stream // nil: no scrape fails

	exported []*series // by counter; the total last
	up       *series
	duration *series
	scraped  *series // samples, before and after relabelling
	kept     *series
	added    *series // series that no scrape before had
	present  bool    // whether the last scrape succeeded
	known    bool    // whether any has; Prometheus does not forget series when a scrape fails
}

func newTarget(c *Config, st *store) (*target, error) {
	t := &target{
		counts:    make([]int64, len(c.Counters)+1),
		nextReset: detector.Never,
		reset:     int64(c.ResetEvery),
		next:      int64(c.ScrapePhase),
		interval:  int64(c.ScrapeInterval),
	}
	if c.ResetEvery > 0 {
		t.nextReset = t.reset
	}
	if c.MissedScrapes.Sign() > 0 {
		t.missed = random.ChanceOf(c.MissedScrapes.Rat())
		t.stream = c.Stream
	}
	for _, k := range append(append([]Counter(nil), c.Counters...), c.Total) {
		l, err := c.series(k)
		if err != nil {
			return nil, err
		}
		s := st.get(l)
		if s.pinned {
			return nil, fmt.Errorf("the counter %s is exported twice; give each indicator a counter with its own name or labels", l)
		}
		if own(k.Name) {
			return nil, fmt.Errorf("a counter cannot be named %s: Prometheus itself writes that series", k.Name)
		}
		s.pinned = true
		t.exported = append(t.exported, s)
	}
	report := func(name string) *series {
		s := st.get(labels.FromStrings(metricName, name, "job", c.Job, "instance", c.Instance))
		s.pinned = true
		return s
	}
	t.up = report("up")
	t.duration = report("scrape_duration_seconds")
	t.scraped = report("scrape_samples_scraped")
	t.kept = report("scrape_samples_post_metric_relabeling")
	t.added = report("scrape_series_added")
	return t, nil
}

// advance restarts the counters where that is due.
func (t *target) advance(at int64) {
	if at < t.nextReset {
		return
	}
	clear(t.counts)
	t.nextReset += (at - t.nextReset + t.reset) / t.reset * t.reset
}

// scrape reads the counters at a world instant; ts is the same in milliseconds
// since 1970.
func (t *target) scrape(st *store, at, ts int64) {
	t.advance(at)
	t.next += t.interval
	n := float64(len(t.exported))
	if t.stream != nil && t.stream.Hit(t.missed) {
		if t.present {
			for _, s := range t.exported {
				st.append(s, ts, staleNaN)
			}
		}
		t.present = false
		t.report(st, ts, 0, 0, 0)
		return
	}
	for i, s := range t.exported {
		st.append(s, ts, float64(t.counts[i]))
	}
	added := 0.0
	if !t.known {
		added = n
	}
	t.present, t.known = true, true
	t.report(st, ts, 1, n, added)
}

// report appends what Prometheus says of a scrape. Here a scrape takes no time.
func (t *target) report(st *store, ts int64, up, samples, added float64) {
	st.append(t.up, ts, up)
	st.append(t.duration, ts, 0)
	st.append(t.scraped, ts, samples)
	st.append(t.kept, ts, samples)
	st.append(t.added, ts, added)
}
