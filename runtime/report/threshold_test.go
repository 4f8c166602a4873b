package report_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
)

// Two searches of one class, profile and load can be told apart in every table,
// and a threshold stands beside the coverage that was found at it.
func TestSearchesThatDifferInTheirTargets(t *testing.T) {
	r := compute(t, synthetic.New(synthetic.Options{Loads: []int64{10}, Reduced: true}))
	one := r.Threshold[0]
	other := one
	other.Target, other.Status, other.UpperBound = "1/20", measure.SearchBelowFloor, nil
	r.Threshold = append(r.Threshold, other)
	p := build(t, r)

	counts := func(row []string, columns map[string]int) string {
		return row[columns["detected"]] + "/" + row[columns["trials"]]
	}
	read := func(name string) (rows [][]string, columns map[string]int) {
		all, err := csv.NewReader(bytes.NewReader(p.CSV()[name])).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		columns = map[string]int{}
		for i, c := range all[0] {
			columns[c] = i
		}
		return all[1:], columns
	}

	rows, at := read("threshold.csv")
	if len(rows) != 2 || rows[0][at["search"]] != "1" || rows[1][at["search"]] != "2" || rows[1][at["target"]] != "1/20" {
		t.Errorf("threshold.csv has the rows %v", rows)
	}
	want := ""
	for _, s := range one.Trace {
		if s.Magnitude == *one.UpperBound {
			want = fmt.Sprintf("%d/%d", s.Detected, s.Trials)
		}
	}
	if counts(rows[0], at) != want || counts(rows[1], at) != "/" {
		t.Errorf("the coverages at the thresholds are %s and %s, want %s and none", counts(rows[0], at), counts(rows[1], at), want)
	}

	steps, at := read("threshold_trace.csv")
	seen := map[string]bool{}
	for _, s := range steps {
		key := strings.Join([]string{s[at["search"]], s[at["target"]], s[at["step"]]}, " ")
		if seen[key] {
			t.Errorf("two steps are called %s", key)
		}
		seen[key] = true
	}
	if len(steps) != 2*len(one.Trace) || !seen["1 18/20 1"] || !seen["2 1/20 1"] {
		t.Errorf("threshold_trace.csv has the steps %v", seen)
	}

	var text bytes.Buffer
	if err := p.Text(&text, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(text.String()), " "); !strings.Contains(got, ", detected "+want+" (target 18/20,") || strings.Count(got, ", detected ") != 1 {
		t.Errorf("the text does not have the coverage %s at the one threshold:\n%s", want, text.String())
	}
	if md := string(p.Markdown()); !strings.Contains(md, "| share | "+want+" | 18/20 |") || !strings.Contains(md, "10 req/s, for 18/20: upper") {
		t.Errorf("report.md does not have the coverage %s at the threshold, or not the target of its steps", want)
	}
}
