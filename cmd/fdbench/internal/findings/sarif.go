package findings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/diag"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sourceRoot stands for the working directory in references to files. Code
	// hosts read it as the root of the repository.
	sourceRoot = "%SRCROOT%"
	// fingerprint names what partialFingerprints is made from; another way of
	// making it gets another number.
	fingerprint = "fdbenchFinding/v1"
)

// SARIF writes one log in the Static Analysis Results Interchange Format,
// version 2.1.0. Every result has a location: one without a place of its own
// gets the beginning of the scenario. What was set aside is among the results,
// as suppressed in the source.
func SARIF(w io.Writer, r *Report) error {
	s := sarifWriter{report: r, rules: map[string]int{}, artifacts: map[string]int{}, seen: map[string]int{}}
	s.run.Results, s.run.Artifacts, s.run.Tool.Driver.Rules = []sarifResult{}, []sarifArtifactEntry{}, []sarifRule{}
	for i := range r.Scenarios {
		s.scenario(&r.Scenarios[i])
	}
	s.run.Tool.Driver.Name, s.run.Tool.Driver.Version, s.run.Tool.Driver.InformationURI = "fdbench", r.Version, Repository
	s.run.Invocations = []sarifInvocation{{ExecutionSuccessful: !r.Failed, ExitCode: r.ExitCode}}
	s.run.OriginalURIBaseIDs = map[string]sarifArtifact{sourceRoot: {Description: &sarifMessage{Text: "The working directory of the call."}}}
	s.run.AutomationDetails.ID = "fdbench/lint/"
	s.run.ColumnKind, s.run.DefaultEncoding = "utf16CodeUnits", "UTF-8"
	return plainjson.Write(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{s.run}})
}

type sarifWriter struct {
	report    *Report
	run       sarifRun
	rules     map[string]int // index in the driver's rules
	artifacts map[string]int // index in the run's artifacts, by name
	seen      map[string]int // how often a fingerprint's text came
	texts     texts
	scen      *Scenario
}

func (s *sarifWriter) scenario(sc *Scenario) {
	s.scen, s.texts = sc, newTexts(sc.Files)
	for _, f := range sc.Files {
		if _, ok := s.artifacts[f.Name]; ok {
			continue
		}
		size := len(f.Raw)
		if f.Raw == nil {
			size = len(f.Text)
		}
		at := s.artifact(f.Name)
		s.artifacts[f.Name] = len(s.run.Artifacts)
		s.run.Artifacts = append(s.run.Artifacts, sarifArtifactEntry{Location: at, Length: size, Encoding: "UTF-8", SourceLanguage: "hcl"})
	}
	for i := range sc.List {
		s.run.Results = append(s.run.Results, s.result(&sc.List[i]))
	}
	for i := range sc.Ignored {
		g := &sc.Ignored[i]
		result := s.result(&g.Diagnostic)
		at := s.location(g.Directive)
		result.Suppressions = append(result.Suppressions, sarifSuppression{Kind: "inSource", Justification: g.Reason, Location: &at})
		s.run.Results = append(s.run.Results, result)
	}
}

func (s *sarifWriter) result(d *diag.Diagnostic) sarifResult {
	at := s.scen.place()
	if d.Subject != nil {
		at = *d.Subject
	}
	out := sarifResult{
		Kind: "fail", Level: level(d.Severity),
		Message:      sarifMessage{Text: message(d.Summary + ". " + d.Detail)},
		Locations:    []sarifLocation{s.location(at)},
		Suppressions: []sarifSuppression{},
	}
	out.RuleID, out.RuleIndex = s.rule(d)
	out.PartialFingerprints = map[string]string{fingerprint: s.fingerprint(d, at)}
	if d.Fix != nil {
		reg := s.texts.region(d.Fix.Range)
		replacement := sarifReplacement{DeletedRegion: s.region(reg)}
		if d.Fix.Text != "" {
			replacement.InsertedContent = &sarifSnippet{Text: d.Fix.Text}
		}
		out.Fixes = []sarifFix{{
			Description:     sarifMessage{Text: message(fixText(reg.snippet, d.Fix.Text))},
			ArtifactChanges: []sarifChange{{ArtifactLocation: s.artifact(d.Fix.Range.Filename), Replacements: []sarifReplacement{replacement}}},
		}}
	}
	return out
}

func fixText(old, new string) string {
	switch {
	case strings.TrimSpace(new) == "":
		return "Take out: " + short(old)
	case strings.TrimSpace(old) == "":
		return "Put in: " + short(new)
	}
	return "Write " + short(new) + " instead of " + short(old)
}

// level is the word for a severity.
func level(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "error"
	case diag.Warning:
		return "warning"
	}
	return "note"
}

// rule returns the id and the index of a finding's rule, which it adds at the
// first finding.
func (s *sarifWriter) rule(d *diag.Diagnostic) (string, int) {
	id := d.Rule
	if id == "" {
		id = "finding"
	}
	if i, ok := s.rules[id]; ok {
		return id, i
	}
	e := explain(id)
	severity := e.severity
	if severity == 0 {
		severity = d.Severity
	}
	parts := []string{e.full}
	for _, p := range []string{e.why, e.boundary} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	rule := sarifRule{
		ID:                   id,
		ShortDescription:     sarifMessage{Text: message(e.short)},
		FullDescription:      sarifMessage{Text: message(e.full)},
		HelpURI:              e.link,
		DefaultConfiguration: sarifConfiguration{level(severity)},
		Properties:           sarifTags{[]string{e.tag}},
		Help: sarifMessage{
			Text:     message(strings.Join(parts, "\n\n") + "\n\nMore: " + e.link),
			Markdown: message("**" + id + "**\n\n" + strings.Join(parts, "\n\n") + "\n\n[More on " + id + "](" + e.link + ")"),
		},
	}
	s.rules[id] = len(s.run.Tool.Driver.Rules)
	s.run.Tool.Driver.Rules = append(s.run.Tool.Driver.Rules, rule)
	return id, s.rules[id]
}

// message doubles braces, which stand for arguments otherwise (3.11.5).
func message(text string) string {
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
}

func (s *sarifWriter) artifact(name string) sarifArtifact {
	ref, base := uri(s.report.Dir, name)
	a := sarifArtifact{URI: ref}
	if base {
		a.URIBaseID = sourceRoot
	}
	if i, ok := s.artifacts[name]; ok {
		a.Index = &i
	}
	return a
}

func (s *sarifWriter) location(r hcl.Range) sarifLocation {
	reg := s.texts.region(r)
	out := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: s.artifact(r.Filename), Region: s.region(reg)}}
	if t := s.texts[r.Filename]; t != nil {
		from, to := t.starts[reg.startLine-1], t.starts[reg.endLine-1]+len(t.line(reg.endLine))
		lines := s.texts.region(hcl.Range{Filename: r.Filename, Start: hcl.Pos{Byte: from}, End: hcl.Pos{Byte: to}})
		// It has to contain more than the region (3.29.5).
		if lines.length > reg.length {
			context := s.region(lines)
			out.PhysicalLocation.ContextRegion = &context
		}
	}
	if name := s.scen.Sources.Context(r.Filename, r.Start.Byte); name != "" {
		out.LogicalLocations = []sarifLogical{{FullyQualifiedName: name}}
	}
	return out
}

func (s *sarifWriter) region(r region) sarifRegion {
	out := sarifRegion{StartLine: r.startLine, StartColumn: r.startColumn, EndLine: r.endLine, EndColumn: r.endColumn}
	if r.known {
		out.ByteOffset, out.ByteLength, out.Snippet = &r.offset, &r.length, &sarifSnippet{Text: r.snippet}
	}
	return out
}

// fingerprint tells a finding from the others, and stays the same when lines
// above it come or go: it is made from the file, the rule, the blocks around the
// place, and the text of its line, with a number for equal ones.
func (s *sarifWriter) fingerprint(d *diag.Diagnostic, at hcl.Range) string {
	ref, _ := uri(s.report.Dir, at.Filename)
	line, context := "", ""
	if d.Subject != nil {
		reg := s.texts.region(at)
		line = string(bytes.Join(bytes.Fields(s.texts[at.Filename].line(reg.startLine)), []byte{' '}))
		context = s.scen.Sources.Context(at.Filename, at.Start.Byte)
	} else {
		line = d.Summary
	}
	key := fmt.Sprintf("%q %q %q %q %v", ref, d.Rule, context, line, d.Subject == nil)
	n := s.seen[key]
	s.seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", key, n))
	return hex.EncodeToString(sum[:16])
}
