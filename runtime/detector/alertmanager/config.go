package alertmanager

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
)

// Config is the part of an Alertmanager route and receiver that decides when a
// notification is sent.
type Config struct {
	// GroupBy names the labels whose values make a group. One "..." stands for
	// all labels; none at all puts every alert into one group.
	GroupBy []string

	GroupWait      exact.Duration // from a new group to its first notification; not negative
	GroupInterval  exact.Duration // between flushes of a group; positive
	RepeatInterval exact.Duration // until an unchanged notification is sent again; positive
	SendResolved   bool           // whether the receiver is told of resolved alerts

	// Maintenance is the period of the ticker that removes empty groups:
	// 30 s in Alertmanager before v0.32, where a group that has become empty
	// goes on flushing until then and a new alert waits for its next flush.
	// Zero is the behaviour since v0.32: a group is gone with the flush that
	// empties it. The ticks are at whole multiples of the period.
	Maintenance exact.Duration
}

// Default is what Alertmanager uses where a route says nothing, with the empty
// groups of v0.32 and later. Webhook receivers send resolved alerts by default.
func Default() Config {
	return Config{
		GroupWait:      30 * exact.Second,
		GroupInterval:  5 * exact.Minute,
		RepeatInterval: 4 * exact.Hour,
		SendResolved:   true,
	}
}

// Validate tells what Alertmanager would refuse, or nil.
func (c Config) Validate() error {
	switch {
	case c.GroupWait < 0:
		return fmt.Errorf("group_wait is %s; it cannot be negative", c.GroupWait)
	case c.GroupInterval <= 0:
		return fmt.Errorf("group_interval is %s; it must be above zero", c.GroupInterval)
	case c.RepeatInterval <= 0:
		return fmt.Errorf("repeat_interval is %s; it must be above zero", c.RepeatInterval)
	case c.Maintenance < 0:
		return fmt.Errorf("the maintenance interval is %s; use 30s for Alertmanager before v0.32 and 0s since", c.Maintenance)
	}
	for i, name := range c.GroupBy {
		switch {
		case name == "":
			return fmt.Errorf("group_by holds an empty label name")
		case name == allLabels && len(c.GroupBy) > 1:
			return fmt.Errorf("group_by holds %q and other labels; write either", allLabels)
		case slices.Contains(c.GroupBy[:i], name):
			return fmt.Errorf("group_by names the label %q twice", name)
		}
	}
	return nil
}

const allLabels = "..."
