package measure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/spec"
)

// breaches gathers what a run broke, one entry for each rule, subject and
// sentence, however often it happened.
type breaches struct {
	list  []*breach
	index map[[3]string]*breach
}

type breach struct {
	rule, subject, what string
	times, line         int
	effect              spec.Effect
}

// breach records that a rule was broken; line is the journal's, or 0 where no
// single line shows it. The rule is a registered one.
func (c *computer) breach(rule, subject, what string, line int) {
	r, ok := lookup(rule)
	if !ok {
		panic("measure: " + rule + " is not registered")
	}
	if b := c.breaches.add(rule, subject, what, line); b.times == 1 {
		b.effect = r.Effect
	}
}

// add counts an occurrence, and makes the entry at the first one.
func (b *breaches) add(rule, subject, what string, line int) *breach {
	key := [3]string{rule, subject, what}
	if found := b.index[key]; found != nil {
		found.times++
		return found
	}
	if b.index == nil {
		b.index = make(map[[3]string]*breach)
	}
	n := &breach{rule: rule, subject: subject, what: what, times: 1, line: line}
	b.index[key] = n
	b.list = append(b.list, n)
	return n
}

// violations lists them by rule, and within a rule in the order in which they
// first happened.
func (b *breaches) violations() []Violation {
	out := make([]Violation, 0, len(b.list))
	sorted := slices.Clone(b.list)
	slices.SortStableFunc(sorted, func(x, y *breach) int { return compareRules(x.rule, y.rule) })
	for _, x := range sorted {
		detail := x.what
		if x.subject != "" {
			detail = x.subject + ": " + detail
		}
		switch {
		case x.line > 0 && x.times > 1:
			detail += fmt.Sprintf(" (%d times, first in journal line %d)", x.times, x.line)
		case x.line > 0:
			detail += fmt.Sprintf(" (journal line %d)", x.line)
		case x.times > 1:
			detail += fmt.Sprintf(" (%d times)", x.times)
		}
		out = append(out, Violation{Rule: x.rule, Effect: string(x.effect), Detail: detail})
	}
	return out
}

// compareRules orders "FD-3.4-7" before "FD-3.4-10".
func compareRules(a, b string) int {
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '.' })
	}
	return slices.CompareFunc(split(a), split(b), func(x, y string) int {
		m, errX := strconv.Atoi(x)
		n, errY := strconv.Atoi(y)
		if errX == nil && errY == nil {
			return cmp.Compare(m, n)
		}
		return cmp.Compare(x, y)
	})
}
