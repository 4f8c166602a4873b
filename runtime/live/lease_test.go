package live

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// renewed is an apparatus that notes when it was renewed last.
type renewed struct {
	driver.Apparatus
	last time.Time
}

func (r *renewed) Renew(context.Context) error {
	r.last = time.Now()
	return nil
}

// TestLeaseOfAHangingHarness lets a procedure not come back to its fault: the
// lease runs out as it does where the process died.
func TestLeaseOfAHangingHarness(t *testing.T) {
	d := plan.Apparatus{Lease: 20 * exact.Second}
	for _, c := range []struct {
		name    string
		longest time.Duration
		asked   time.Duration // when the removal is asked for; 0 for never
		ends    time.Duration // of renewing; 0 for never
	}{
		{"trial hangs", 10 * time.Minute, 0, 10*time.Minute + overdue},
		{"removal hangs", 10 * time.Minute, 3 * time.Minute, 3*time.Minute + removing},
		{"removal is asked for late, in time", 10 * time.Minute, 10*time.Minute + overdue - time.Second, 10*time.Minute + overdue - time.Second + removing},
		{"nobody says how long", 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, began := &renewed{}, time.Now()
				l := renew(a, d, c.longest)
				if c.asked > 0 {
					time.Sleep(c.asked)
					l.removing()
				}
				time.Sleep(24*time.Hour - time.Since(began))
				synctest.Wait()
				held, why := a.last.Sub(began), l.end()
				if c.ends == 0 {
					if held < 24*time.Hour-time.Minute || why != "" {
						t.Errorf("renewed for %s: %q", held, why)
					}
					return
				}
				if held > c.ends || held < c.ends-10*time.Second || !strings.Contains(why, "did not come to remove") {
					t.Errorf("renewed for %s, want %s: %q", held, c.ends, why)
				}
			})
		})
	}
}

// TestLeaseOfASlowRemoval leaves a fault unbroken whose removal takes longer
// than its trial had left.
func TestLeaseOfASlowRemoval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &renewed{}
		l := renew(a, plan.Apparatus{Lease: 20 * exact.Second}, time.Minute)
		time.Sleep(time.Minute)
		l.removing()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if late := time.Since(a.last); late > 10*time.Second {
			t.Errorf("not renewed for %s", late)
		}
		if why := l.end(); why != "" {
			t.Error(why)
		}
	})
}
