package arms

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/spec/refdata"
)

func TestWarmFirst(t *testing.T) {
	p := &plan.Reuse{Name: "rag", Declaration: plan.ReuseDeclaration{Seed: "7", Live: &plan.ReuseLive{Order: ColdFirst}}}
	for n := range int64(50) {
		if WarmFirst(p, n) {
			t.Fatalf("pair %d of a cold-first order begins with the warm arm", n)
		}
	}
	p.Declaration.Live.Order = Counterbalanced
	warm, firsts := 0, 0
	for n := range int64(2000) {
		if WarmFirst(p, n) {
			warm++
			if n%2 == 0 {
				firsts++
			}
		}
		if n%2 == 1 && int64(warm) != (n+1)/2 {
			t.Fatalf("%d of the first %d pairs begin with the warm arm", warm, n+1)
		}
	}
	// Which of two pairs it is, is drawn: 1000 draws, and five standard
	// deviations of a fair coin are 79.
	if firsts < 421 || firsts > 579 {
		t.Errorf("the warm arm leads in the first of two pairs %d times of 1000", firsts)
	}
	q := *p
	q.Declaration.Seed = "8"
	differ := 0
	for n := range int64(200) {
		if WarmFirst(p, n) != WarmFirst(&q, n) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the order does not depend on the seed")
	}
}

func TestWorker(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/reuse/vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Worker []struct {
			Key      string
			N, Index int
		} `json:"worker_select"`
	}
	if err := json.Unmarshal(raw, &file); err != nil || len(file.Worker) == 0 {
		t.Fatal(err, len(file.Worker))
	}
	for _, v := range file.Worker {
		if got := Worker(v.Key, v.N); got != v.Index {
			t.Errorf("donor %s goes to worker %d of %d, want %d", v.Key, got, v.N, v.Index)
		}
	}
}

func TestRequestID(t *testing.T) {
	e := start(t)
	r := runner(t, planned(e, nil), nil)
	id := r.requestID("warm", 3, recipient, "item")
	if !regexp.MustCompile(`^fdbench-warm-000003-recipient-[a-p]{16}$`).MatchString(id) {
		t.Errorf("id %q", id)
	}
	other := runner(t, planned(e, nil), func(o *Options) { o.Run = "second" })
	same := runner(t, planned(e, nil), nil)
	if id != same.requestID("warm", 3, recipient, "item") || id == other.requestID("warm", 3, recipient, "item") || id == r.requestID("warm", 3, recipient, "item2") {
		t.Error("an id is of its plan, its run and its item")
	}
	if d := r.requestID("warm", 3, donor(1), "item"); !regexp.MustCompile(`^fdbench-warm-000003-donor-1-[a-p]{16}$`).MatchString(d) {
		t.Errorf("id of a donor %q", d)
	}
}
