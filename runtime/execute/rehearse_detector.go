package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// Trying is what a rehearsal is at while a test goes through the detector's
// notifications.
const Trying = "sending a test alert"

// try finds out whether notifications arrive at all, before a fault is applied
// that would wait for one in vain.
func (r *rehearsal) try(ctx context.Context) error {
	if r.trying == nil {
		return nil
	}
	r.o.Tell(Stage{What: Trying, Until: time.Duration(r.clear())})
	switch err := r.trying.Try(ctx); {
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		p := driver.Problem{Part: "detector", What: "the test alert was not sent: " + err.Error(), Remedy: "see that Alertmanager is at the address in the scenario and takes alerts, and look at its log"}
		if known := driver.Remedied(nil); errors.As(err, &known) {
			p.What, p.Remedy = err.Error(), known.Remedy()
		}
		r.Problems = append(r.Problems, p)
		return nil
	}
	from := r.world.Now()
	took, why, err := r.rest(ctx)
	if err == nil && took == nil {
		r.Problems = append(r.Problems, driver.Problem{Rule: "FD-4.3-4", Part: "detector",
			What:   fmt.Sprintf("the test alert arrived and was ended, and the detector was not at rest %s after that: %s", exact.Duration(r.world.Now()-from), why),
			Remedy: "let the detector come to rest first; allow it more with --clear"})
	}
	return err
}

// clear is how long the detector may take to come to rest.
func (r *rehearsal) clear() int64 {
	return cmp.Or(int64(r.o.Clear), int64(r.p.Declaration.Quiet.AtMost))
}

// rest waits until the detector is at rest and says how long that took, or why
// it is not.
func (r *rehearsal) rest(ctx context.Context) (took *exact.Duration, why string, err error) {
	from, clear := r.world.Now(), r.clear()
	for {
		state, unknown := r.world.Detector(ctx)
		now := r.world.Now()
		switch {
		case ctx.Err() != nil:
			return nil, "", context.Cause(ctx)
		case unknown == nil && state.Resting():
			d := exact.Duration(now - from)
			return &d, "", nil
		case now-from >= clear && unknown != nil:
			return nil, "its state is not known, since " + unknown.Error(), nil
		case now-from >= clear:
			why := fmt.Sprintf("%d firing, %d pending, %d notification groups", state.Firing, state.Pending, state.Groups)
			if n, ok := r.world.(detector.Named); ok && len(n.Active()) > 0 {
				why += " of " + strings.Join(n.Active(), ", ")
			}
			return nil, why, nil
		}
		if err := r.world.Advance(ctx, min(from+clear, now+max(r.world.Cycle(), int64(100*time.Millisecond))), nil); err != nil {
			return nil, "", err
		}
	}
}

// heard notes the first attributable signal. One that comes after the time for
// it, when the fault is removed already, may be a false alarm.
func (r *rehearsal) heard(c *plan.FaultClass, onset int64, one *Rehearsed) bool {
	for _, s := range r.signals {
		if one.Signal != nil {
			break
		}
		ok, err := r.attribution.Match(predicate.Signal{Type: s.Type, Component: s.Component, Status: s.Status, Labels: s.Labels, Value: s.Value,
			Reason: s.Reason, Repeat: s.Repeat, NoData: s.NoData}, predicate.Fault{Class: c.Name, Indicator: c.Indicator, Profile: "step"})
		if err == nil && ok && s.Type == r.p.Declaration.Signal.Type && !s.Repeat && !s.NoData && s.At > onset && s.At <= onset+int64(one.Waited) {
			d := exact.Duration(s.At - onset)
			one.Signal = &d
		}
	}
	return one.Signal != nil
}

// mostOthers is how many kinds of signals are told of.
const mostOthers = 5

// others says which signals came instead of an attributable one. active are the
// alerts that were active before the fault was removed.
func (r *rehearsal) others(onset, wait int64, active []string) string {
	var kinds []string
	for _, s := range r.signals {
		if s.At <= onset {
			continue
		}
		kind := fmt.Sprintf("%s %s from %s", cmp.Or(s.Labels["alertname"], s.Type), s.Status, s.Component)
		switch {
		case s.NoData:
			kind += " for missing data"
		case s.Repeat:
			kind += " again"
		case s.At > onset+wait:
			kind += " later than that"
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	switch {
	case kinds == nil && len(active) > 0:
		return "none came at all, though by then " + strings.Join(active, ", ") + " was pending or fired: give it longer with --wait, or see what keeps its notification back"
	case kinds == nil:
		return "none came at all: see whether the detector notices the fault, or give it longer with --wait"
	case len(kinds) > mostOthers:
		kinds = append(kinds[:mostOthers], "others")
	}
	return "what came was " + strings.Join(kinds, ", ") + ": compare the attribution with that, and --wait"
}
