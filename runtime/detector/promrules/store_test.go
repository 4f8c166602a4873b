package promrules

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/fdbench/fdbench/runtime/random"
)

func TestAppend(t *testing.T) {
	st := newStore(10_000_000)
	s := st.get(labels.FromStrings("__name__", "a"))
	if st.get(labels.FromStrings("__name__", "a")) != s {
		t.Fatal("equal labels give another series")
	}
	for _, tc := range []struct {
		t    int64
		v    float64
		want bool
	}{
		{1000, 1, true}, {1000, 1, true}, {1000, 2, false}, {999, 1, false}, {2000, staleNaN, true}, {2000, staleNaN, true},
		{2000, math.NaN(), false}, {5_000_000, 3, true},
	} {
		if got := st.append(s, tc.t, tc.v); got != tc.want {
			t.Errorf("append(%d, %g) is %t", tc.t, tc.v, got)
		}
	}
	if want := []int64{1000, 2000, 5_000_000}; !slices.Equal(s.times, want) {
		t.Errorf("times %v, want %v", s.times, want)
	}
	// Another series, more than an hour behind the newest sample.
	if other := st.get(labels.FromStrings("__name__", "b")); st.append(other, 1_399_999, 1) || !st.append(other, 1_400_000, 1) {
		t.Error("the bound of an hour does not hold")
	}
}

// A series keeps all samples within the retention, and not many more.
func TestForget(t *testing.T) {
	const retention, step = 300_000, 1000
	st := newStore(retention)
	s := st.get(labels.FromStrings("__name__", "a"))
	for i := int64(0); i < 100_000; i++ {
		st.append(s, i*step, float64(i))
		oldest := max(0, i*step-retention)
		if s.times[0] > oldest {
			t.Fatalf("at %d the oldest sample is %d", i*step, s.times[0])
		}
		if len(s.times) != len(s.values) || s.values[0]*step != float64(s.times[0]) {
			t.Fatal("times and values do not belong together")
		}
	}
	if cap(s.times) > 4*retention/step {
		t.Errorf("room for %d samples where %d are needed", cap(s.times), retention/step)
	}
}

func TestSweep(t *testing.T) {
	st := newStore(1000)
	pinned := st.get(labels.FromStrings("__name__", "pinned"))
	pinned.pinned = true
	for i := range int64(5000) {
		s := st.get(labels.FromStrings("__name__", "a", "i", fmt.Sprint(i)))
		st.append(s, i*100, 1)
	}
	st.sweep()
	if len(st.all) > 20 || len(st.byName["a"]) != len(st.all)-1 || len(st.byHash) != len(st.all) {
		t.Errorf("%d series are left, %d of the name, %d by hash", len(st.all), len(st.byName["a"]), len(st.byHash))
	}
	if pinned.gone || st.get(labels.FromStrings("__name__", "pinned")) != pinned {
		t.Error("a pinned series is gone")
	}
}

// The iterator does what a search of the whole series would.
func TestIterator(t *testing.T) {
	r := rand.New(random.New("iterator"))
	for range 2000 {
		s := &series{}
		for at := int64(0); len(s.times) < r.IntN(60); at += 1 + r.Int64N(20) {
			s.times = append(s.times, at)
			s.values = append(s.values, float64(at)*2)
		}
		it := s.Iterator(nil)
		at := -1 // of the model
		for range 12 {
			var got chunkenc.ValueType
			if r.IntN(3) == 0 {
				got = it.Next()
				at = min(at+1, len(s.times))
			} else {
				to := r.Int64N(700) - 20
				got = it.Seek(to)
				at = max(at, 0)
				if at < len(s.times) && s.times[at] < to {
					at = sort.Search(len(s.times), func(i int) bool { return s.times[i] >= to })
				}
			}
			if (got == chunkenc.ValFloat) != (at < len(s.times)) {
				t.Fatalf("%v at %d of %d", got, at, len(s.times))
			}
			if got == chunkenc.ValNone {
				break
			}
			if ts, v := it.At(); ts != s.times[at] || v != s.values[at] || it.AtT() != ts {
				t.Fatalf("at %d, %g; want %d", ts, v, s.times[at])
			}
		}
	}
}

func TestSelect(t *testing.T) {
	st := newStore(1000)
	for _, l := range []labels.Labels{
		labels.FromStrings("__name__", "b", "x", "2"), labels.FromStrings("__name__", "a", "x", "1"), labels.FromStrings("__name__", "a"),
	} {
		st.append(st.get(l), 1, 1)
	}
	q := newQueryable(st)
	p := newParser()
	get := func(sorted bool, ms []*labels.Matcher) (list []string) {
		set := q.Select(context.Background(), sorted, &storage.SelectHints{}, ms...)
		for set.Next() {
			list = append(list, set.At().Labels().String())
		}
		return list
	}
	for _, tc := range []struct {
		selector string
		want     []string
	}{
		{`a`, []string{`{__name__="a", x="1"}`, `{__name__="a"}`}},
		{`a{x=""}`, []string{`{__name__="a"}`}},
		{`{x!=""}`, []string{`{__name__="b", x="2"}`, `{__name__="a", x="1"}`}},
		{`{__name__=~"a|b",x=~"[12]"}`, []string{`{__name__="b", x="2"}`, `{__name__="a", x="1"}`}},
		{`c`, nil},
	} {
		ms, err := p.ParseMetricSelector(tc.selector)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from memory
			if got := get(false, ms); !slices.Equal(got, tc.want) {
				t.Errorf("%s gives %v, want %v", tc.selector, got, tc.want)
			}
		}
		sorted := slices.Clone(tc.want)
		slices.Sort(sorted)
		if got := get(true, ms); len(got) == 2 && tc.selector != "a" && !slices.Equal(got, sorted) {
			t.Errorf("%s gives %v in order, want %v", tc.selector, got, sorted)
		}
	}
	ms, _ := p.ParseMetricSelector(`a{x="1"}`)
	get(false, ms)
	st.append(st.get(labels.FromStrings("__name__", "a", "x", "1", "y", "new")), 2, 1)
	if got := get(false, ms); len(got) != 2 {
		t.Errorf("a new series is not seen: %v", got)
	}
	names, _, _ := q.LabelNames(context.Background(), nil)
	values, _, _ := q.LabelValues(context.Background(), "x", nil, ms[0])
	if !slices.Equal(names, []string{"__name__", "x", "y"}) || !slices.Equal(values, []string{"1"}) {
		t.Errorf("names %v, values %v", names, values)
	}
}

// What the engine does to a tree must not reach the one that is kept.
func TestCloneIsDeep(t *testing.T) {
	c := newTreeCache()
	for _, expr := range []string{
		`sum by (job) (rate(a{x="1"}[5m] offset 1m)) / on (job) group_left () -b > bool 1`,
		`max_over_time((rate(a[1m]))[5m:30s] @ end()) or topk(3, b @ start()) unless count_values("v", c)`,
		`label_replace(a, "x", "$1", "y", "(.*)") * (2 + 3)`,
	} {
		if err := c.keep(expr); err != nil {
			t.Fatal(err)
		}
		kept := c.trees[expr].String()
		one, err := c.ParseExpr(expr)
		if err != nil {
			t.Fatal(err)
		}
		if one.String() != kept {
			t.Errorf("the copy of %s is %s", kept, one)
		}
		originals := map[parser.Node]bool{}
		parser.Inspect(c.trees[expr], func(n parser.Node, _ []parser.Node) error {
			originals[n] = true
			return nil
		})
		parser.Inspect(one, func(n parser.Node, _ []parser.Node) error {
			if n != nil && originals[n] {
				t.Errorf("%s: the node %s is shared", expr, n)
			}
			return nil
		})
	}
}
