package result

import (
	"reflect"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Every counter that either reading has is in the result: one that is gone must
// not look like one that never was.
func TestWindows(t *testing.T) {
	read := func(url, moment string, values ...record.Counter) record.Counters {
		return record.Counters{URL: url, Moment: moment, Values: values}
	}
	delta := func(v float64) *float64 { return &v }
	s := &scan{counters: []record.Counters{
		read("a", "before", record.Counter{Name: "gone", Value: 3}, record.Counter{Name: "less", Value: 5}, record.Counter{Name: "more", Value: 1}, record.Counter{Name: "same", Value: 4}),
		read("b", "before"),
		read("a", "after", record.Counter{Name: "less", Value: 2}, record.Counter{Name: "more", Value: 10}, record.Counter{Name: "new", Value: 8}, record.Counter{Name: "same", Value: 4}),
		{URL: "b", Moment: "after", Detail: "it does not answer"},
		read("c", "after"),
	}}
	want := []Window{
		{URL: "a", Name: "gone", Why: "it was not there after the pairs"},
		{URL: "a", Name: "less", Reset: true, Why: "it was set back meanwhile"},
		{URL: "a", Name: "more", Delta: delta(9)},
		{URL: "a", Name: "new", Why: "it was not there before the pairs"},
		{URL: "a", Name: "same", Delta: delta(0)},
		{URL: "b", Why: "after the pairs: it does not answer"},
		{URL: "c", Why: "they were not read before the pairs"},
	}
	if got := s.windows(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
