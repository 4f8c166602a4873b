package omission

import (
	"slices"
	"testing"
)

func TestError(t *testing.T) {
	e := &Error{Of: `the series "a"`, By: "the methodology", Omissions: []Omission{
		{"FD-5.1-12", "latency[0].median_s", "it has no median"}, {"FD-5.1-12", "", "it has no p95"}, {"FD-6-2", "", "it names no detector"}}}
	const begin = `no report is made of the series "a", because it would leave out or misstate what the methodology wants reported:
  FD-5.1-12: it has no median (latency[0].median_s)
  FD-5.1-12: it has no p95
  FD-6-2: it names no detector
The plan and the journal are as they were`
	if got, want := e.Error(), begin+`; "fdbench explain" with an id says what it asks for`; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	e.Remedy = "Measure again"
	if got, want := e.Error(), begin+`. Measure again; "fdbench explain" with an id says what it asks for`; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := e.Rules(); !slices.Equal(got, []string{"FD-5.1-12", "FD-6-2"}) {
		t.Errorf("%v", got)
	}
}

func TestSort(t *testing.T) {
	got := Sort([]Omission{{"KV-8-3", "b", "1"}, {"unknown", "", "2"}, {"KV-8-3", "a", "3"}, {"FD-1.1-1", "", "4"}, {"FD-1.1-1", "", "5"}, {"KV-2-2", "", "6"}})
	want := []Omission{{"FD-1.1-1", "", "4"}, {"KV-2-2", "", "6"}, {"KV-8-3", "b", "1"}, {"KV-8-3", "a", "3"}, {"unknown", "", "2"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
