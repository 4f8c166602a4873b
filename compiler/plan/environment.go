package plan

import (
	"fmt"
	"slices"
	"strings"
)

// EnvironmentDigest identifies the declared environment of a plan: the
// environment itself, the deployment and the apparatus, and what they read of
// files. A baseline belongs to it and to no other (FD-1.2-2). The detector is
// not part of it, and neither are descriptions.
func EnvironmentDigest(p *Plan) string {
	d := &p.Declaration
	env := d.Environment
	env.Description = ""
	return Digest(Format+"/environment", mustCanonical(env), mustCanonical(d.Serving), mustCanonical(d.Apparatus), mustCanonical(p.dataFiles()))
}

// DeploymentDigest identifies the declared deployment with all that a response
// passes on its way: the serving configuration, its files and the guardrails
// (FD-3.4-3).
func DeploymentDigest(p *Plan) string {
	d := &p.Declaration
	return Digest(Format+"/deployment", mustCanonical(d.Serving), mustCanonical(d.Environment.Path), mustCanonical(d.Environment.Guardrails),
		mustCanonical(p.dataFiles()))
}

// PopulationDigest identifies the declared request population (FD-3.3-2).
func PopulationDigest(p *Plan) string {
	return Digest(Format+"/population", mustCanonical(p.Declaration.Population), mustCanonical(p.filesOf("population")))
}

// dataFiles are the inputs that responses come from.
func (p *Plan) dataFiles() []InputFile { return p.filesOf("responses", "replacement") }

func (p *Plan) filesOf(roles ...string) []InputFile {
	out := []InputFile{}
	for _, f := range p.Inputs.Files {
		if slices.Contains(roles, f.Role) {
			out = append(out, f)
		}
	}
	return out
}

// Method names how an indicator is measured: its scorer with the version, or
// its predicate, and their parameters. It is the same at both points
// (FD-5.5-3).
func (i Indicator) Method() string {
	var b strings.Builder
	switch {
	case i.Scorer != "":
		b.WriteString(i.Scorer)
	case i.Predicate != "":
		b.WriteString("predicate " + i.Predicate)
	default:
		b.WriteString("declared law of " + i.Name)
	}
	names := make([]string, 0, len(i.Params))
	for name := range i.Params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, ", %s = %s", name, i.Params[name])
	}
	return b.String()
}
