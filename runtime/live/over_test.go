package live

import (
	"net/http"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/world"
)

// under is a factory with a fault that was asked for at 100 and acts from 200
// on; its window ends at 1000. Nothing of it runs.
func under(ledger bool) *Factory {
	f := &Factory{ledger: ledger, markers: newMarkers()}
	f.tally.begin(false)
	f.fault = begin(200, world.Fault{Profile: plan.Profile{Name: "step", Shape: "step"}, Fraction: exact.Int(1), Verify: 800}, 0)
	f.fault.asked = 100
	return f
}

// answered lets a request be sent and answered, whose header has a mark.
func (f *Factory) answeredAt(n uint64, sent, first, end int64) {
	f.sendAt(n, sent)
	f.endAt(n, first, end)
}

func (f *Factory) sendAt(n uint64, at int64) {
	f.take(&event{at: at, sent: &sent{key: "key", n: n, scheduled: at}})
}

func (f *Factory) endAt(n uint64, first, end int64) {
	r := openai.Record{Outcome: openai.OK, Header: http.Header{"X-Mark": {"1"}}, Stamps: openai.Stamps{FirstContent: first, End: end}}
	f.take(&event{at: end, done: &done{key: "key", n: n, record: r, scores: []int32{1}}})
}

// TestUnseenIsLost: a response that the ledger of the injection point does not
// have counts for no magnitude, and tells of no fault.
func TestUnseenIsLost(t *testing.T) {
	f := under(true)
	f.answeredAt(1, 250, 260, 270)
	f.answeredAt(2, 300, 310, 320)
	f.take(&event{at: 321, passed: &passed{Exchange: driver.Exchange{Key: "key", Start: 301, End: 320, Status: http.StatusOK, Picked: true},
		known: true, before: []int32{0}, after: []int32{1}}})
	// The entry of the ledger goes to the request that was sent first.
	for _, x := range f.flights.all(func(*flight) bool { return true }) {
		f.over(x)
	}
	if a := f.fault; a.n != 1 || a.lost != 1 || a.before != 0 || a.injected != 1 || a.first != -1 {
		t.Errorf("%d responses with %d before and %d after, %d lost, the first one at %d", a.n, a.before, a.injected, a.lost, a.first)
	}
	if f.markers.picked != 1 || f.markers.plain["header X-Mark"] {
		t.Errorf("%+v", f.markers)
	}
}

// TestFirstAffected: of an apparatus without a ledger the first response that
// started under the fault is known as soon as its content begins, whichever
// response ends first.
func TestFirstAffected(t *testing.T) {
	f := under(false)
	first := func(n uint64, at int64) { f.take(&event{at: at + 1, began: &began{key: "key", n: n, at: at}}) }
	f.sendAt(1, 190) // before the onset
	f.sendAt(2, 210)
	f.sendAt(3, 220)
	first(1, 230)
	if f.fault.first != -1 {
		t.Fatalf("a response that started before the onset is the first under the fault: %d", f.fault.first)
	}
	f.endAt(3, 260, 270)
	if f.fault.first != 260 {
		t.Errorf("first %d, want 260", f.fault.first)
	}
	first(2, 240) // noticed late
	if f.fault.first != 240 {
		t.Errorf("first %d, want 240", f.fault.first)
	}
	f.endAt(2, 240, 900)
	f.endAt(1, 230, 910)
	if f.fault.first != 240 {
		t.Errorf("first %d, want 240", f.fault.first)
	}
	g := under(false)
	g.sendAt(1, 210)
	g.sendAt(2, 220)
	g.endAt(2, 260, 270)
	g.endAt(1, 240, 900)
	if g.fault.first != 240 {
		t.Errorf("first %d, want that of the response that ended last, 240", g.fault.first)
	}
}

// TestUnsureTellsNothing: of an apparatus without a ledger nobody knows whether
// the fault acts while it is being applied or removed, so that responses of
// then do not count among those without it (FD-3.4-4).
func TestUnsureTellsNothing(t *testing.T) {
	for _, c := range []struct {
		name          string
		sent, end     int64
		plain, picked bool
	}{
		{"before it was asked for", 20, 90, true, false},
		{"still under way when it was asked for", 20, 150, false, false},
		{"still under way at the onset", 20, 250, false, false},
		{"while it was asked for", 150, 180, false, false},
		{"under it", 200, 250, false, true},
		{"under it, until afterwards", 280, 500, false, true},
		{"while its removal was asked for", 300, 350, false, false},
		{"while its removal was asked for, until afterwards", 399, 500, false, false},
		{"after it was removed", 400, 450, true, false},
	} {
		f := under(false)
		f.sendAt(1, c.sent)
		f.fault.removed, f.fault.confirmed = 300, 400
		f.endAt(1, c.sent+1, c.end)
		if plain, picked := f.markers.plain["header X-Mark"], f.markers.picked == 1; plain != c.plain || picked != c.picked {
			t.Errorf("%s: without the fault %t, under it %t", c.name, plain, picked)
		}
	}
}
