package promrules

import (
	"fmt"
	"time"

	"github.com/prometheus/prometheus/model/rulefmt"

	"github.com/fdbench/fdbench/lang/exact"
)

// RuleFile is what a rule file says, as far as a plan has to know it.
type RuleFile struct {
	Groups  []Group
	Alerts  []AlertRule  // in the order of evaluation within each group
	Records []RecordRule // in the order of evaluation within each group

	// MaxRange is how far back the newest state of any alert can depend on the
	// counters: ranges, subqueries, offsets and the query_offset of the group,
	// added up through the recording rules that the alert reads. The five
	// minutes for which Prometheus lets a sample stand are not in it.
	MaxRange exact.Duration

	// Metrics names the series that the rules select and that neither a
	// recording rule nor Prometheus itself writes: what the deployment has to
	// export. A selector that gives no name, or only a pattern, adds nothing,
	// and neither does the query of an annotation.
	Metrics []string

	file      []rulefmt.RuleGroup
	graph     *graph
	retention time.Duration // how far back any query can look, without the lookback
}

// Group is a group of rules that are evaluated one after the other.
type Group struct {
	Name        string
	Interval    exact.Duration // zero: the global evaluation interval
	QueryOffset exact.Duration // by how much the evaluated instant lies in the past
	Limit       int            // of series or alerts a rule; zero: none
	Rules       int
	Line        int
}

// AlertRule is an alerting rule.
type AlertRule struct {
	Group, Name, Expr  string
	For, KeepFiringFor exact.Duration
	Labels             map[string]string // those of the group included; values may be templates
	Annotations        map[string]string
	// Thresholds holds the comparisons in the expression, such as "> 0.1", in
	// the order of the text.
	Thresholds []string
	// Range is the part of this alert in the file's MaxRange.
	Range exact.Duration
	Line  int
}

// RecordRule is a recording rule.
type RecordRule struct {
	Group, Name, Expr string
	Labels            map[string]string // those of the group included
	Line              int
}

// RuleError is a mistake in a rule file, or something that is right for
// Prometheus and cannot be done in virtual time.
type RuleError struct {
	File         string
	Line, Column int // from 1; 0 where the place is not known
	Message      string
	Unsupported  bool // Prometheus would load this
}

func (e *RuleError) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}
