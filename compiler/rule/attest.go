package rule

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/reason"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/spec"
	"github.com/hashicorp/hcl/v2"
)

// Real tells whether the series measures something outside of a simulation, of
// which a machine cannot see everything: any environment that does not call
// itself simulated, or a deployment that answers over a network.
func (c *Context) Real() bool {
	switch c.Declaration.Serving.Kind {
	case "simulated", "recorded":
		return c.Declaration.Environment.Kind != "simulated"
	}
	return true
}

// Live tells whether the detector runs by itself, so that much of it is known
// in a run only.
func (c *Context) Live() bool { return c.Declaration.Detector.Live != nil }

// vouched tells whether a row has a part that somebody has to vouch for in
// this series.
func (c *Context) vouched(id string) bool {
	q, _ := spec.Lookup(id)
	switch {
	case !q.Attested() || !c.Real():
		return false
	case id == sameHost:
		return c.Declaration.Environment.Clocks == "same_host"
	case id == representative:
		return c.Representative
	}
	return true
}

// The rows whose attested part does not apply to every series.
const (
	sameHost       = "FD-3.5-6"
	representative = "FD-3.3-6"
)

// attestation is the one on a row, nil where there is none.
func (c *Context) attestation(id string) *plan.Attestation {
	for i, a := range c.Declaration.Attestations {
		if sameID(a.Subject, id) {
			return &c.Declaration.Attestations[i]
		}
	}
	return nil
}

// attestations holds the attest blocks against the rows with an attested part:
// each stands on one of them and says something, and where the environment is
// no simulation none is missing.
func (c *Context) attestations() diag.List {
	l := list{id: "LANG-attest"}
	first := map[string]*lang.Block{}
	meant := map[string]bool{} // by a label that is nearly right
	for i, b := range c.Series.All("attest") {
		q, ok := c.subject(&l, b)
		if !ok && q.ID != "" {
			meant[q.ID] = true
		}
		if ok {
			if earlier := first[q.ID]; earlier != nil {
				l.err(b.LabelRanges[0].Ptr(), "Attested twice", "%s is attested at line %d already. Keep one attestation, with everything that it has to say.", q.ID, earlier.DefRange.Start.Line).removeBlock(b)
			} else {
				first[q.ID] = b
			}
		}
		if i < len(c.Declaration.Attestations) && !c.Unread[b] {
			c.substance(&l, b, c.Declaration.Attestations[i])
		}
	}
	if !c.Knows(Environment, Load) {
		return l.diags
	}
	for _, q := range spec.Requirements() {
		if c.vouched(q.ID) && first[q.ID] == nil && !meant[q.ID] {
			c.missing(&l, q)
		}
	}
	return l.diags
}

// subject finds the row that an attest block is about, or, with false, the row
// that it is most likely meant for, where there is one.
func (c *Context) subject(l *list, b *lang.Block) (spec.Requirement, bool) {
	name, place := b.Name(), b.LabelRanges[0].Ptr()
	var labels []string
	for _, q := range spec.Requirements() {
		switch {
		case q.Attested():
			labels = append(labels, label(q.ID))
		case sameID(name, q.ID):
			l.err(place, "Nothing to attest", "%s is decided by fdbench itself, and an attestation of it would stand beside what is measured. Take the block out.", q.ID).removeBlock(b)
			return spec.Requirement{}, false
		}
		if sameID(name, q.ID) {
			return q, true
		}
	}
	detail := fmt.Sprintf("No requirement is called %q. The ones with a part that somebody vouches for are %s.", name, strings.Join(labels, ", "))
	near := suggest.Nearest(strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(name)), labels)
	if near != "" {
		detail = fmt.Sprintf("No requirement is called %q. Did you mean %q?", name, near)
	}
	f := l.err(place, "Unknown requirement", "%s", detail)
	if near == "" {
		return spec.Requirement{}, false
	}
	f.d.Fix = &diag.Fix{Range: *place, Text: quote(near)}
	for _, q := range spec.Requirements() {
		if sameID(near, q.ID) {
			return q, false
		}
	}
	return spec.Requirement{}, false
}

// substance refuses an attestation that says nothing.
func (c *Context) substance(l *list, b *lang.Block, a plan.Attestation) {
	if at := b.Attr("by"); at != nil && reason.Placeholder(a.By) {
		l.err(at.Expr.Range().Ptr(), "Attested by nobody", "Say who vouches for it, by a name or a role that somebody can ask later: by = \"the owner of the laboratory\".")
	}
	if at := b.Attr("statement"); at != nil && (!reason.Given(a.Statement) || len(strings.Fields(a.Statement)) < 3) {
		l.err(at.Expr.Range().Ptr(), "Statement without substance", "The report gives this sentence to a reader who was not there, and %q tells nothing. Say in three words or more what was done or looked at.", a.Statement)
	}
}

// missing tells that nobody vouches for a row: an error under its id, without
// which the series would run for days and get no report, and a warning where
// the row is a recommendation.
func (c *Context) missing(l *list, q spec.Requirement) {
	severity := diag.Error
	if q.Level == spec.Should {
		severity = diag.Warning
	}
	name := label(q.ID)
	l.diags = append(l.diags, diag.Diagnostic{
		Severity: severity, Rule: q.ID, Summary: "Nobody vouches for it", Subject: placeOf(c.Series),
		Detail: fmt.Sprintf("The environment is no simulation, and a part of this requirement cannot be measured. Somebody has to vouch %s, and the report says who. Write in the series:\n\n  attest %q {\n    by        = \"...\"\n    statement = \"...\"\n  }", q.Attest, name),
	})
}

func placeOf(b *lang.Block) *hcl.Range { return b.DefRange.Ptr() }

// label is an id as the label of an attest block.
func label(id string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", ".", "_").Replace(id))
}
