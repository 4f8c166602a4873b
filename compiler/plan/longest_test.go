package plan

import (
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func TestLongestApplication(t *testing.T) {
	p := &Plan{}
	d := &p.Declaration
	d.Load.Points = []LoadPoint{{Timeout: 10 * exact.Second, Verification: 4 * exact.Second}, {Timeout: 3 * exact.Second, Verification: 4 * exact.Second}}
	d.Apparatus.Lease = 5 * exact.Second
	p.Combinations.Trials = []Combination{{Load: 0, Timeout: 12 * exact.Second, Profile: Profile{Ramp: 2 * exact.Second}, Verification: 11 * exact.Second}}
	p.Combinations.Searches = []Search{{Load: 1, Timeout: 20 * exact.Second}}
	for load, want := range map[int]exact.Duration{0: 18 * exact.Second, 1: 25 * exact.Second, 2: 0, -1: 0} {
		if got := p.LongestApplication(load); got != want {
			t.Errorf("load %d: %s, want %s", load, got, want)
		}
	}
}
