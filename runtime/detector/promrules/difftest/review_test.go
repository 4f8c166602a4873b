package difftest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/promrules"
	"github.com/fdbench/fdbench/runtime/random"
)

// What a review says of a random rule file must come out in a run: the alerts
// that never fire, those that always do, the selectors that find nothing, and
// the labels that a result can have. The detector itself is held against
// Prometheus by the other tests.
func TestReviewAgainstRuns(t *testing.T) {
	said := map[string]int{}
	n := 2 * *cases
	if testing.Short() {
		n = 100
	}
	for seed := range uint64(n) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { reviewed(t, newExperiment(seed), said) })
	}
	t.Logf("%v", said)
	for _, what := range []string{"never", "always", "empty", "labels"} {
		if said[what] < n/20 {
			t.Errorf("only %d times in %d: %s", said[what], n, what)
		}
	}
}

// settled is longer than any random rule looks back, and a while more for
// alerts to resolve.
const settled = int64(25 * time.Minute)

func reviewed(t *testing.T, e experiment, said map[string]int) {
	c := promrules.Config{
		FileName: "alerts.yml", Rules: []byte(e.rules),
		Counters: counterConfigs(), Total: promrules.Counter{Name: counters[3].name},
		ScrapeInterval: exact.Duration(e.scrape), EvaluationInterval: exact.Duration(e.evaluation), ScrapePhase: exact.Duration(e.phase),
		MissedScrapes: exact.MustParse(e.missed), Stream: random.New("missed"),
		ResetEvery: exact.Duration(e.resetEvery), Epoch: e.epoch,
	}
	file, errs := promrules.Parse(c.FileName, c.Rules)
	if len(errs) > 0 {
		return
	}
	r, err := file.Review(c, []bool{true, true, true})
	if err != nil {
		t.Fatal(err)
	}
	d, err := promrules.New(c, func(detector.Signal) {})
	if err != nil {
		return // a file without an alert
	}
	defer func() {
		if t.Failed() {
			t.Logf("rules:\n%s\nscrape %v evaluation %v missed %s reset %v span %v", e.rules, e.scrape, e.evaluation, e.missed, e.resetEvery, e.span)
		}
	}()
	w := newWorld(e)
	busy := !slices.ContainsFunc(e.traffic, func(s stretch) bool { return s.gap == 0 })
	for d.Next() <= int64(e.span) {
		at := d.Next()
		w.run(at, d.Observe)
		d.Tick(at)
		active := map[string][]promrules.Alert{}
		for _, a := range d.Alerts() {
			active[a.Group+"/"+a.Rule] = append(active[a.Group+"/"+a.Rule], a)
		}
		for _, rule := range alertsOf(r) {
			alert := file.Alerts[rule.Alert]
			if twins(file, alert) {
				continue // two rules of one name in a group cannot be told apart here
			}
			list := active[alert.Group+"/"+alert.Name]
			switch {
			case rule.Outcome == promrules.Never && len(list) > 0 && at > settled:
				t.Fatalf("at %v %s fires, and it was said never to: %s\n%s", time.Duration(at), alert.Name, rule.Why, alert.Expr)
			case rule.Outcome == promrules.Always && len(list) == 0 && busy && at > settled:
				t.Fatalf("at %v %s does not fire, and it was said always to: %s\n%s", time.Duration(at), alert.Name, rule.Why, alert.Expr)
			}
			for _, a := range list {
				for name := range a.Labels {
					if name != "alertname" && !slices.Contains(rule.Labels, name) {
						t.Fatalf("label %s of %s is not among %v", name, alert.Expr, rule.Labels)
					}
				}
				said["labels"]++
			}
		}
		for _, rule := range r.Rules {
			for _, s := range rule.Empty {
				if v, err := d.Query(s.Text, at); err == nil && len(v) > 0 {
					t.Fatalf("at %v %s finds %v, and was said to find nothing", time.Duration(at), s.Text, v)
				}
			}
		}
	}
	for _, rule := range r.Rules {
		said["empty"] += len(rule.Empty)
		switch rule.Outcome {
		case promrules.Never:
			said["never"]++
		case promrules.Always:
			said["always"]++
		}
	}
}

func alertsOf(r *promrules.Review) []promrules.ReviewedRule {
	return slices.DeleteFunc(slices.Clone(r.Rules), func(rule promrules.ReviewedRule) bool { return rule.Alert < 0 })
}

func twins(f *promrules.RuleFile, a promrules.AlertRule) bool {
	n := 0
	for _, o := range f.Alerts {
		if o.Group == a.Group && o.Name == a.Name {
			n++
		}
	}
	return n > 1
}
