package measure

import (
	"strings"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/spec"
)

// taken is a violation that the run itself saw and wrote down.
type taken struct {
	journal.Violation
	line int
}

// violation takes one over. What the run did not know when it wrote is derived
// from the rest of the journal, so here it is only kept.
func (c *computer) violation(e journal.Entry, v *journal.Violation) error {
	if _, ok := spec.Lookup(v.Rule); !ok {
		return reject(e, "it tells of a violation of %q, which is no requirement", v.Rule)
	}
	switch spec.Effect(v.Effect) {
	case spec.Stops, spec.Marks, spec.Discards, spec.Withholds:
	default:
		return reject(e, "a violation has the unknown effect %q", v.Effect)
	}
	c.taken = append(c.taken, taken{*v, e.Line})
	return nil
}

// takeOver adds the violations of the run that were not derived as well.
func (c *computer) takeOver() {
	for _, v := range c.taken {
		if b := c.breaches.same(v.Rule, v.Subject); b != nil {
			if spec.Effect(v.Effect) == spec.Stops {
				b.effect = spec.Stops
			}
			continue
		}
		b := c.breaches.add(v.Rule, v.Subject, v.Detail, v.line)
		b.effect = spec.Effect(v.Effect)
	}
}

// same finds a breach of a rule that is about the same: the same subject, or
// one that the other is a part of, as a trial is of its load.
func (b *breaches) same(rule, subject string) *breach {
	for _, x := range b.list {
		if x.rule == rule && (strings.Contains(x.subject, subject) || strings.Contains(subject, x.subject)) {
			return x
		}
	}
	return nil
}
