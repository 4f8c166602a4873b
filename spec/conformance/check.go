package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/spec"
)

// Problem is a row or a rule that does not fit the other list.
type Problem struct {
	ID     string
	Reason string
}

func (p Problem) String() string { return p.ID + ": " + p.Reason }

// Check holds the registries against the rows of the table.
func Check(rows []spec.Requirement, registries []Registry) []Problem {
	c := checker{rules: map[place]bool{}, rows: map[string]spec.Requirement{}}
	for _, q := range rows {
		c.rows[q.ID] = q
	}
	for _, g := range registries {
		for _, r := range g.Rules {
			c.rule(g, r)
		}
	}
	for _, q := range rows {
		for _, s := range q.When {
			if !c.rules[place{q.ID, s}] {
				c.add(q.ID, "no rule decides it at the moment %q, which the table names", s)
			}
		}
		if q.Level != spec.May && !c.edges[q.ID].both() {
			c.add(q.ID, "no pair of examples lies on and next to its boundary")
		}
	}
	return c.problems
}

type place struct {
	id    string
	stage spec.Stage
}

// edge tells which sides of a boundary have an example.
type edge struct{ bad, good bool }

func (e edge) both() bool { return e.bad && e.good }

type checker struct {
	rows     map[string]spec.Requirement
	rules    map[place]bool
	edges    map[string]edge
	problems []Problem
}

func (c *checker) add(id, format string, args ...any) {
	c.problems = append(c.problems, Problem{id, fmt.Sprintf(format, args...)})
}

func (c *checker) rule(g Registry, r spec.Rule) {
	q, ok := c.rows[r.ID]
	if !ok {
		c.add(r.ID, "%s has a rule for it, and the table has no such row", g.Package)
		return
	}
	at := place{r.ID, r.Stage}
	switch {
	case !slices.Contains(Stages, r.Stage):
		c.add(r.ID, "%s decides it at %q, which is no moment", g.Package, r.Stage)
	case !slices.Contains(g.Stages, r.Stage):
		c.add(r.ID, "%s lists a rule for the moment %q, which is not its own", g.Package, r.Stage)
	case g.Early && (q.At(r.Stage) || q.Before() || r.Stage != spec.Lint && r.Stage != spec.Compile):
		c.add(r.ID, "%s lists it at the moment %q as decided early, and the table does not have it decided later", g.Package, r.Stage)
	case !g.Early && !q.At(r.Stage):
		c.add(r.ID, "%s decides it at the moment %q, which the table does not name", g.Package, r.Stage)
	case c.rules[at]:
		c.add(r.ID, "a second rule decides it at the moment %q", r.Stage)
	}
	c.rules[at] = true
	if strings.TrimSpace(r.How) == "" {
		c.add(r.ID, "the rule at %q does not say what is looked at", r.Stage)
	}
	c.effect(g, q, r)
	if len(r.Bad) == 0 && q.Level != spec.May {
		c.add(r.ID, "the rule at %q has no example that breaks it", r.Stage)
	}
	if len(r.Good) == 0 {
		c.add(r.ID, "the rule at %q has no example that keeps it", r.Stage)
	}
	names := map[string]bool{}
	for i, x := range append(slices.Clone(r.Bad), r.Good...) {
		side := "bad "
		if i >= len(r.Bad) {
			side = "good "
		}
		switch {
		case strings.TrimSpace(x.Name) == "":
			c.add(r.ID, "an example of the rule at %q has no name", r.Stage)
		case names[side+x.Name]:
			c.add(r.ID, "two examples of the rule at %q are called %q", r.Stage, x.Name)
		case !slices.Contains(g.Kinds, x.In):
			c.add(r.ID, "the example %q of the rule at %q changes a %q, which %s is not shown", x.Name, r.Stage, x.In, g.Package)
		case i == 0 && i < len(r.Bad) && x.EffectOf(r) != r.Effect:
			c.add(r.ID, "the first violation of the rule at %q is %s, and the rule is %s", r.Stage, x.Effect, r.Effect)
		case x.Effect != "" && !slices.Contains(effects, x.Effect):
			c.add(r.ID, "the example %q of the rule at %q has the effect %q, which is none", x.Name, r.Stage, x.Effect)
		}
		names[side+x.Name] = true
		if x.Edge {
			if c.edges == nil {
				c.edges = map[string]edge{}
			}
			e := c.edges[r.ID]
			e.bad, e.good = e.bad || i < len(r.Bad), e.good || i >= len(r.Bad)
			c.edges[r.ID] = e
		}
	}
}

// effects are the ones that a rule may have.
var effects = []spec.Effect{spec.Refuses, spec.Stops, spec.Marks, spec.MarksRun, spec.Discards, spec.Withholds, spec.NoReport, spec.NoCompare, spec.Warns, spec.Permission}

func (c *checker) effect(g Registry, q spec.Requirement, r spec.Rule) {
	switch {
	case !slices.Contains(effects, r.Effect):
		c.add(r.ID, "the rule at %q has the effect %q, which is none", r.Stage, r.Effect)
	case (r.Effect == spec.Permission) != (q.Level == spec.May) && !g.Early:
		c.add(r.ID, "the rule at %q has the effect %q, and its row is a %s", r.Stage, r.Effect, q.Level)
	case r.Effect == spec.Warns && q.Level != spec.Should && !g.Early:
		c.add(r.ID, "the rule at %q only warns, and its row is a %s", r.Stage, q.Level)
	}
}
