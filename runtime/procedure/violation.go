package procedure

import (
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/spec"
)

const (
	effectStops = string(spec.Stops)
	effectMarks = string(spec.Marks)
)

// stopError ends a series that cannot go on: no trial can begin.
type stopError struct {
	reason string
	// violation is what broke, where no segment has it on record yet.
	violation *journal.Violation
}

func (e *stopError) Error() string { return e.reason }

// stop ends the series for a rule that no segment has on record.
func (r *run) stop(rule, subject, detail string) error {
	return &stopError{rule + ": " + detail, &journal.Violation{Rule: rule, Subject: subject, Detail: detail, Effect: effectStops}}
}

// stop writes down which rule was broken and ends the series with this
// segment. Of several the first is the reason.
func (s *stage) stop(rule, detail string) error {
	v := journal.Violation{Rule: rule, Subject: s.r.loadName(s.load), Detail: detail, Effect: effectStops}
	if err := s.record(journal.KindViolation, v); err != nil {
		return err
	}
	return s.outcome.err()
}

// loadName is how a load point is named in what people read.
func (r *run) loadName(load int) string {
	return r.plan.Declaration.Load.Points[load].Rate.String() + " req/s"
}

// shortfall is something that a series did not get, although it went on: it is
// marked, since what it lacks cannot be had any more.
type shortfall struct {
	reason    string // for the close entry
	violation journal.Violation
}

func shortfallOf(reason, rule, subject, detail string) shortfall {
	return shortfall{reason, journal.Violation{Rule: rule, Subject: subject, Detail: detail, Effect: effectMarks}}
}
