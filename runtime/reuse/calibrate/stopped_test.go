package calibrate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/arms"
)

// Where pairs fail one after the other a calibration ends, and says why.
func TestStopped(t *testing.T) {
	good, bad, dirty := reply{text: "one", cached: "0"}, reply{status: 500}, reply{text: "one", cached: "9"}
	for _, x := range []struct {
		name   string
		is     func(i int) reply
		dies   int // the item at which the engine goes away; -1
		done   int64
		pairs  int
		row    int
		reason string
	}{
		{"the engine dies", func(int) reply { return good }, 2, 5, 2, 3, "no longer as it was: nothing answers at http://127.0.0.1:"},
		{"the engine dies at once", func(int) reply { return good }, 1, 4, 1, 3, "start the engine"},
		{"every item fails, and a short request does not", func(int) reply { return bad }, -1, 8, 0, 8, "though the endpoint answers a short request; the last was item i7 (errored), a request failed (http_error): status 500"},
		{"a cache that forgets nothing", func(int) reply { return dirty }, -1, 8, 0, 8, "(contaminated), the engine reports 9 cached tokens"},
		{"from the middle on", func(i int) reply {
			if i < 3 {
				return good
			}
			return bad
		}, -1, 11, 3, 8, "3 pairs before could have been used"},
		{"one good one of three", func(i int) reply {
			if i%3 == 0 {
				return good
			}
			return bad
		}, -1, 0, 5, 0, ""},
		{"seven in a row", func(i int) reply {
			if i >= 2 && i < 9 {
				return bad
			}
			return good
		}, -1, 0, 6, 0, ""},
		{"items that are refused for what is in them", func(i int) reply {
			if i < 11 {
				return reply{status: []int{400, 413, 422}[i%3]}
			}
			return good
		}, -1, 0, 2, 0, ""},
		{"a key that is refused", func(int) reply { return reply{status: 401} }, -1, 8, 0, 8, "status 401"},
	} {
		t.Run(x.name, func(t *testing.T) {
			e := start(t, func(prompt string, n int) reply {
				var i int
				fmt.Sscanf(prompt, "item %d", &i)
				return x.is(i)
			})
			o := options(t, e, 13)
			items := 0
			o.Progress = func(ev Event) {
				if items++; items == x.dies {
					e.dead = true
				}
				if ev.Done != int64(items) {
					t.Errorf("%+v is told as the %d-th", ev, items)
				}
			}
			r, err := Run(t.Context(), o)
			if x.reason == "" {
				if err != nil || len(r.Pairs) != x.pairs {
					t.Fatalf("%v, %+v", err, r)
				}
				return
			}
			var s *StoppedError
			if !errors.As(err, &s) || s.Done != x.done || s.Total != 13 || s.Row != x.row || len(s.Result.Pairs) != x.pairs || !strings.Contains(err.Error(), x.reason) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%v, %+v", err, s)
			}
			var p *arms.Problem
			if errors.As(err, &p) != (x.dies > 0) {
				t.Errorf("problem %+v", p)
			}
			if slices.Contains(e.order, fmt.Sprint("item ", x.done)) {
				t.Errorf("went on after that: %v", e.order)
			}
		})
	}
}

// What cannot be used any more is not asked a second time.
func TestNoSecondRequestInVain(t *testing.T) {
	for name, x := range map[string]struct {
		first reply
		asked int
	}{"good": {reply{text: "one", cached: "0"}, 2}, "failed": {reply{status: 500}, 1}, "cached": {reply{text: "one", cached: "1"}, 1}} {
		e := start(t, func(_ string, n int) reply {
			if n == 0 {
				return x.first
			}
			return reply{text: "one", cached: "0"}
		})
		o := options(t, e, 2)
		Run(t.Context(), o)
		if e.asked["item 0"] != x.asked || e.asked["item 1"] != x.asked {
			t.Errorf("%s: %v", name, e.asked)
		}
	}
}
