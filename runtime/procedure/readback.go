package procedure

import (
	"context"
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/world"
)

// readAtBegin reads a segment's world before anything is done with it, and
// stops the series where it is not the one that was declared, or that the
// series began with.
func (s *stage) readAtBegin(ctx context.Context) error {
	now, err := s.world.ReadBack(ctx)
	if err != nil {
		return err
	}
	s.read = now
	if err := s.noteReading(now, "", journal.ReadAtBegin); err != nil {
		return err
	}
	want, first := s.r.expected, s.outcome.phase == "baseline"
	// Before the first baseline the plan says what is expected, and a part
	// that cannot be read back is attested; afterwards the first reading does.
	differs := func(want, now string) bool { return want != now && want != "" && (now != "" || !first) }
	if differs(want.Detector, now.Detector) {
		rule, than := "FD-3.2-2", "that the series began with"
		if first {
			rule, than = "FD-3.2-1", "that the plan declares"
		}
		err = s.stop(rule, fmt.Sprintf("the detector runs with another configuration (%s) than the one %s (%s)", short(now.Detector), than, short(want.Detector)))
	}
	if differs(want.Population, now.Population) {
		err = s.stop("FD-3.3-2", fmt.Sprintf("the request population (%s) is not the one of the series (%s)", short(now.Population), short(want.Population)))
	}
	if differs(want.Serving, now.Serving) {
		err = s.stop("FD-3.4-3", fmt.Sprintf("the deployment (%s) is not in the configuration that its baseline belongs to (%s)", short(now.Serving), short(want.Serving)))
	}
	return err
}

// readAgain reads the world before or after a trial and compares it with the
// reading before.
func (s *stage) readAgain(ctx context.Context, trial, moment string) error {
	now, err := s.world.ReadBack(ctx)
	if err != nil {
		return err
	}
	return s.compareReading(now, trial, moment)
}

// compareReading stops the series where a reading differs from the one before:
// the detector's configuration is frozen (FD-3.2-2), the population constant
// (FD-3.3-2), and a removed fault leaves nothing behind (FD-3.4-3).
func (s *stage) compareReading(now world.Readback, trial, moment string) error {
	was := s.read
	if now == was {
		return nil
	}
	s.read = now
	err := s.noteReading(now, trial, moment)
	if err != nil {
		return err
	}
	if now.Detector != was.Detector {
		what := ""
		if e, ok := s.world.(world.Explaining); ok {
			if c := e.Change(); c != "" {
				what = ": " + c
			}
		}
		err = s.stop("FD-3.2-2", fmt.Sprintf("the detector's configuration changed %s trial %q%s", moment, trial, what))
	}
	if now.Population != was.Population {
		err = s.stop("FD-3.3-2", fmt.Sprintf("the request population changed %s trial %q", moment, trial))
	}
	if now.Serving != was.Serving {
		what := "the deployment changed before trial %q, while no fault was applied"
		if moment == journal.ReadAfterTrial {
			what = "the fault of trial %q was removed, and the deployment is not as it was before"
		}
		err = s.stop("FD-3.4-3", fmt.Sprintf(what, trial))
	}
	return err
}

func (s *stage) noteReading(r world.Readback, trial, moment string) error {
	return s.record(journal.KindReadback, journal.Readback{Trial: trial, Moment: moment, Detector: r.Detector, Serving: r.Serving,
		Population: r.Population})
}

// settleReading makes the reading of the first baseline the one that the rest
// of the series is held against, and wants the other baselines to be of the
// same.
func (r *run) settleReading() error {
	if len(r.readings) == 0 || r.readings[0] == nil {
		return nil
	}
	first := r.readings[0]
	for load, b := range r.readings {
		rule, part := "", ""
		switch {
		case b == nil:
		case b.Detector != first.Detector:
			rule, part = "FD-3.2-2", "detector's configuration"
		case b.Population != first.Population:
			rule, part = "FD-3.3-2", "request population"
		case b.Serving != first.Serving:
			rule, part = "FD-3.4-3", "deployment"
		}
		if rule != "" {
			return r.stop(rule, r.loadName(load), fmt.Sprintf("the %s is another one than at %s", part, r.loadName(0)))
		}
	}
	r.expected = world.Readback{Detector: first.Detector, Serving: first.Serving, Population: first.Population}
	return nil
}

// short is enough of a digest to tell two apart.
func short(digest string) string {
	if digest == "" {
		return "unknown"
	}
	return plan.Short(digest)
}
