package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/manifests"
	"github.com/fdbench/fdbench/runtime/reuse/audit"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// Manifest writes what a manifest holds for a person.
func Manifest(to io.Writer, r *manifests.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, of them %s, with %s; %s bytes\n", oneLine(r.File), counted(r.Items, "item"), counted(r.Controls, "negative control"), counted(r.Donors, "donor"), grouped(r.Bytes))
	fmt.Fprintf(&b, "%s\n", r.SHA256)
	fmt.Fprintf(&b, "tokens by %s (%s), blocks of %s\n\n", r.Tokenizer.Name, r.Tokenizer.Version, counted(int64(r.BlockSize), "token"))
	s := &sheet{head: []string{"transform", ">items", ">donors", ">controls", ">recipient tokens", ">blocks", ">donor tokens"}}
	row := func(name string, items, donors, controls int64, c manifests.Counts) {
		s.add("", oneLine(name), grouped(items), grouped(donors), grouped(controls), grouped(c.RecipientTokens), grouped(c.TotalBlocks), grouped(c.DonorTokens))
	}
	for i, t := range r.Transforms {
		row(t.Name, t.Items, t.Donors, t.Controls, r.By[i].Counts)
	}
	row("all", r.Items, r.Donors, r.Controls, r.Counts)
	s.text(&b, "", nil)
	if r.Audit != nil {
		collisions(&b, r.Mode, r.Audit)
	}
	notes(&b, r.Summary)
	_, err := io.WriteString(to, b.String())
	return err
}

// collisions writes an audit. Few lines of it are spelled out: JSON has more.
func collisions(b *strings.Builder, mode string, a *manifests.Audit) {
	const shown = 5
	if mode == audit.Controls {
		fmt.Fprintf(b, "\ncollisions: %s between negative controls and their own donors, of %s of theirs\n",
			grouped(a.Violations), counted(a.DonorBlocks, "donor block"))
	} else {
		fmt.Fprintf(b, "\ncollisions: %s over %s with %s, %s distinct and %s of them boilerplate\n", grouped(a.Violations),
			counted(a.Origins, "document"), counted(a.DonorBlocks, "donor block"), grouped(a.Distinct), grouped(a.Boilerplate))
	}
	list := a.Listed
	for i, c := range list {
		if i == shown {
			fmt.Fprintf(b, "  and %s more\n", grouped(a.Violations-shown))
			break
		}
		what := "shares block %d with its own donor, about document %s"
		if c.Kind == audit.Phantom {
			what = "has block %d of another document, %s"
		}
		fmt.Fprintf(b, "  item %s "+what+"\n", oneLine(c.ItemID), c.Block, oneLine(c.Origin))
	}
	if a.Exempt > 0 {
		fmt.Fprintf(b, "  %s of negative controls are those of their own donors as well, and exempt since many documents have them: text of a template, which the rule does not see\n",
			counted(a.Exempt, "block"))
	}
}

// notes writes what a reader of a manifest should know of it.
func notes(b *strings.Builder, s *manifest.Summary) {
	var lines []string
	if s.Controls == 0 {
		lines = append(lines, "there is no negative control, so that nothing shows how much is reused of unrelated text (KV-7-1)")
	}
	if c := s.Unnamed; c.N > 0 {
		lines = append(lines, fmt.Sprintf("line %d: %s of unknown origin: their metadata have no negative_source_id", c.Line, counted(c.N, "negative control")))
	}
	if c := s.Donorless; c.N > 0 {
		lines = append(lines, fmt.Sprintf("line %d: %s without donors, which test nothing", c.Line, counted(c.N, "negative control")))
	}
	for _, w := range s.Warnings {
		lines = append(lines, oneLine(w.String()))
	}
	if len(lines) > 0 {
		b.WriteString("\n")
	}
	for _, l := range lines {
		b.WriteString("note: " + l + "\n")
	}
}

// BrokenManifest writes the lines of a manifest that cannot be used.
func BrokenManifest(to io.Writer, r *manifests.Report) error {
	var b strings.Builder
	for _, l := range r.Broken {
		fmt.Fprintf(&b, "%s, line %d: %s\n", oneLine(r.File), l.Line, oneLine(l.Reason))
	}
	if r.More {
		fmt.Fprintf(&b, "The file was not read further, for there are %s already.\n", counted(int64(len(r.Broken)), "such line"))
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// BuiltManifest writes what was made from documents.
func BuiltManifest(to io.Writer, m *manifests.Built) error {
	var b strings.Builder
	name := m.File
	if name == "-" {
		name = "standard output"
	}
	fmt.Fprintf(&b, "%s: %s from %s, of them %s; %s bytes\n%s\n", oneLine(name), counted(m.Items, "item"), counted(int64(m.DocumentCount), "document"),
		counted(m.Controls, "negative control"), grouped(m.Bytes), m.SHA256)
	if m.Skipped > 0 {
		fmt.Fprintf(&b, "%s not made, since their documents have one segment only: longer documents or a smaller --min-segment give more\n", are(m.Skipped, "item"))
	}
	for _, w := range m.Unknown {
		fmt.Fprintf(&b, "note: %s, %s\n", oneLine(m.Documents), oneLine(w.String()))
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// counted is a number with what it counts.
func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return grouped(n) + " " + what + "s"
}

func are(n int64, what string) string {
	if n == 1 {
		return counted(n, what) + " was"
	}
	return counted(n, what) + " were"
}
