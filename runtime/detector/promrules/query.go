package promrules

import (
	"context"
	"sort"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/util/annotations"
)

// queryable shows a store to Prometheus's engine. One query runs at a time, so
// the querier and the sets that it returns are made once and used again.
type queryable struct {
	store      *store
	selections map[*labels.Matcher]*selection
}

// selection is the series that the matchers of one selector in a rule's tree
// match. Clones of the tree share the matchers, so their address names the
// selector; version tells when new series make it necessary to match again.
type selection struct {
	matchers []*labels.Matcher
	version  uint64
	set      seriesSet
}

func newQueryable(st *store) *queryable {
	return &queryable{store: st, selections: map[*labels.Matcher]*selection{}}
}

// Querier implements storage.Queryable. The engine reads only the part of a
// series that it needs, so the bounds are of no use here.
func (q *queryable) Querier(int64, int64) (storage.Querier, error) { return q, nil }

// Close implements storage.Querier.
func (q *queryable) Close() error { return nil }

// Select implements storage.Querier. The order is that of creation, as in the
// head of Prometheus's storage, or that of the labels where the caller wants it.
func (q *queryable) Select(_ context.Context, sorted bool, _ *storage.SelectHints, ms ...*labels.Matcher) storage.SeriesSet {
	if len(ms) == 0 {
		return storage.EmptySeriesSet()
	}
	sel := q.selections[ms[0]]
	if sel == nil {
		if len(q.selections) >= maxSelections {
			clear(q.selections)
		}
		sel = &selection{matchers: ms}
		sel.set.list = q.match(ms)
		sel.version = q.store.version
		q.selections[ms[0]] = sel
	} else if sel.version != q.store.version {
		sel.set.list = q.match(ms)
		sel.version = q.store.version
	}
	if sorted {
		list := append([]*series(nil), sel.set.list...)
		sort.Slice(list, func(i, j int) bool { return labels.Compare(list[i].labels, list[j].labels) < 0 })
		return &seriesSet{list: list, at: -1}
	}
	sel.set.at = -1
	return &sel.set
}

// maxSelections bounds what queries inside templates, which are parsed each
// time, can leave behind.
const maxSelections = 4096

func (q *queryable) match(ms []*labels.Matcher) []*series {
	candidates := q.store.all
	for _, m := range ms {
		if m.Name == metricName && m.Type == labels.MatchEqual {
			candidates = q.store.byName[m.Value]
		}
	}
	var list []*series
	for _, s := range candidates {
		if matches(s.labels, ms) {
			list = append(list, s)
		}
	}
	return list
}

func matches(l labels.Labels, ms []*labels.Matcher) bool {
	for _, m := range ms {
		if !m.Matches(l.Get(m.Name)) {
			return false
		}
	}
	return true
}

// LabelValues implements storage.LabelQuerier.
func (q *queryable) LabelValues(_ context.Context, name string, _ *storage.LabelHints, ms ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	found := map[string]bool{}
	for _, s := range q.store.all {
		if v := s.labels.Get(name); v != "" && matches(s.labels, ms) {
			found[v] = true
		}
	}
	return sortedKeys(found), nil, nil
}

// LabelNames implements storage.LabelQuerier.
func (q *queryable) LabelNames(_ context.Context, _ *storage.LabelHints, ms ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	found := map[string]bool{}
	for _, s := range q.store.all {
		if matches(s.labels, ms) {
			s.labels.Range(func(l labels.Label) { found[l.Name] = true })
		}
	}
	return sortedKeys(found), nil, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// seriesSet implements storage.SeriesSet.
type seriesSet struct {
	list []*series
	at   int
}

func (s *seriesSet) Next() bool                        { s.at++; return s.at < len(s.list) }
func (s *seriesSet) At() storage.Series                { return s.list[s.at] }
func (s *seriesSet) Err() error                        { return nil }
func (s *seriesSet) Warnings() annotations.Annotations { return nil }

// Labels implements storage.Series.
func (s *series) Labels() labels.Labels { return s.labels }

// Iterator implements storage.Series.
func (s *series) Iterator(reuse chunkenc.Iterator) chunkenc.Iterator {
	if it, ok := reuse.(*iterator); ok {
		it.times, it.values, it.at = s.times, s.values, -1
		return it
	}
	return &iterator{times: s.times, values: s.values, at: -1}
}

// iterator implements chunkenc.Iterator over float samples.
type iterator struct {
	times  []int64
	values []float64
	at     int
}

func (it *iterator) Next() chunkenc.ValueType {
	if it.at+1 >= len(it.times) {
		it.at = len(it.times)
		return chunkenc.ValNone
	}
	it.at++
	return chunkenc.ValFloat
}

// millis keeps vet from taking Seek for that of io.Seeker.
type millis = int64

func (it *iterator) Seek(t millis) chunkenc.ValueType {
	lo := max(it.at, 0)
	if lo < len(it.times) && it.times[lo] < t {
		// The windows of a rule end at the newest samples: probe from there.
		hi, step := len(it.times), 1
		for hi > lo && it.times[hi-1] >= t {
			hi -= min(step, hi-lo)
			step *= 2
		}
		rest := it.times[hi:min(len(it.times), hi+step)]
		lo = hi + sort.Search(len(rest), func(i int) bool { return rest[i] >= t })
	}
	it.at = lo
	if lo >= len(it.times) {
		return chunkenc.ValNone
	}
	return chunkenc.ValFloat
}

func (it *iterator) At() (int64, float64) { return it.times[it.at], it.values[it.at] }
func (it *iterator) AtT() int64           { return it.times[it.at] }
func (it *iterator) AtST() int64          { return 0 }
func (it *iterator) Err() error           { return nil }

// AtHistogram implements chunkenc.Iterator; there are no histograms here, and
// the engine asks only after a Next that said so.
func (it *iterator) AtHistogram(*histogram.Histogram) (int64, *histogram.Histogram) { return 0, nil }

// AtFloatHistogram implements chunkenc.Iterator; see AtHistogram.
func (it *iterator) AtFloatHistogram(*histogram.FloatHistogram) (int64, *histogram.FloatHistogram) {
	return 0, nil
}
