package promrules

import (
	"math"
	"sort"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
)

// store keeps float samples in memory. Instants are milliseconds since 1970,
// as everywhere in Prometheus.
type store struct {
	retention int64 // how far back a query may look, ms
	byHash    map[uint64][]*series
	byName    map[string][]*series // in the order of creation
	all       []*series            // in the order of creation
	version   uint64               // counts the changes of all
	newest    int64                // the newest sample of any series
	sweepAt   int                  // the number of series at which to look for dead ones
}

// series is one time series with its samples in ascending order.
type series struct {
	labels labels.Labels
	times  []int64
	values []float64
	pinned bool   // kept when it has no sample within the retention
	gone   bool   // removed from the store
	mark   uint64 // the rule evaluation that last wrote it
}

var staleNaN = math.Float64frombits(value.StaleNaN)

func newStore(retention int64) *store {
	return &store{
		retention: retention,
		byHash:    map[uint64][]*series{},
		byName:    map[string][]*series{},
		newest:    math.MinInt64,
		sweepAt:   1024,
	}
}

// maxSeries bounds what rules can make of their own results, such as labels that
// grow with each evaluation. A Prometheus would run out of memory instead.
const maxSeries = 100_000

// get returns the series with these labels and makes it where there is none.
func (st *store) get(l labels.Labels) *series {
	h := l.Hash()
	for _, s := range st.byHash[h] {
		if labels.Equal(s.labels, l) {
			return s
		}
	}
	s := &series{labels: l}
	st.byHash[h] = append(st.byHash[h], s)
	name := l.Get(metricName)
	st.byName[name] = append(st.byName[name], s)
	st.all = append(st.all, s)
	st.version++
	return s
}

// append adds a sample and tells whether Prometheus's storage would have taken
// it: samples of a series come in order, a repeated sample is let through, and
// one that is an hour behind the newest is out of bounds.
func (st *store) append(s *series, t int64, v float64) bool {
	if st.newest != math.MinInt64 && t < st.newest-outOfBounds {
		return false
	}
	if n := len(s.times); n > 0 {
		last := s.times[n-1]
		if t < last {
			return false
		}
		if t == last {
			return math.Float64bits(s.values[n-1]) == math.Float64bits(v)
		}
		if n == cap(s.times) {
			s.forget(t - st.retention)
		}
	}
	s.times = append(s.times, t)
	s.values = append(s.values, v)
	st.newest = max(st.newest, t)
	return true
}

// outOfBounds is half of the two hours of a head chunk range, ms.
const outOfBounds = 3_600_000

// forget drops samples before the instant, if it is worth the copying.
func (s *series) forget(before int64) {
	drop := sort.Search(len(s.times), func(i int) bool { return s.times[i] >= before })
	if drop < len(s.times)/2 {
		return
	}
	n := copy(s.times, s.times[drop:])
	copy(s.values, s.values[drop:])
	s.times, s.values = s.times[:n], s.values[:n]
}

// sweep removes the series that no query can see any more, so that labels with
// ever new values do not fill the memory. It must not be called while a rule is
// about to write, and does nothing until there are many series.
func (st *store) sweep() {
	if len(st.all) < st.sweepAt {
		return
	}
	before := st.newest - st.retention
	kept := st.all[:0]
	for _, s := range st.all {
		if s.pinned || len(s.times) > 0 && s.times[len(s.times)-1] >= before {
			kept = append(kept, s)
			continue
		}
		s.gone = true
		h := s.labels.Hash()
		st.byHash[h] = without(st.byHash[h], s)
		if len(st.byHash[h]) == 0 {
			delete(st.byHash, h)
		}
		name := s.labels.Get(metricName)
		st.byName[name] = without(st.byName[name], s)
		if len(st.byName[name]) == 0 {
			delete(st.byName, name)
		}
	}
	clear(st.all[len(kept):])
	st.all = kept
	st.version++
	st.sweepAt = max(1024, 2*len(kept))
}

func without(list []*series, s *series) []*series {
	kept := list[:0]
	for _, o := range list {
		if o != s {
			kept = append(kept, o)
		}
	}
	return kept
}
