package probing

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/fdbench/fdbench/runtime/openai"
)

// Text writes a report for a person.
func (r *Report) Text(to io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "POST %s, at %s\n", printable(r.URL), r.Address)
	block(&b, "reasoning", r.Reasoning)
	block(&b, "content", r.Content)
	for _, c := range r.ToolCalls {
		block(&b, "tool call", c.Name+"("+c.Arguments+")")
	}
	b.WriteByte('\n')
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	if r.Status > 0 {
		row("outcome", "%s (status %d)", r.Outcome, r.Status)
	} else {
		row("outcome", "%s", r.Outcome)
	}
	if r.Model != "" {
		row("model", "%s", printable(r.Model))
	}
	if r.FinishReason != nil {
		row("finish reason", "%s", printable(*r.FinishReason))
	}
	if r.Events > 0 {
		end := ", [DONE] at the end"
		switch {
		case r.Unterminated:
			end = ", the last one cut off"
		case !r.Done:
			end = ", no [DONE]"
		}
		row("events", "%d, %d of them with content%s", r.Events, r.ContentEvents, end)
	}
	if u := r.Usage; u != nil {
		cached := ""
		if u.CachedTokens != nil {
			cached = fmt.Sprintf(" (%d cached)", *u.CachedTokens)
		}
		row("usage", "%d prompt tokens%s, %d completion tokens", u.PromptTokens, cached, u.CompletionTokens)
	}
	row("body", "%d bytes", r.Bytes)
	for _, s := range stamps(r.Stamps) {
		if s.at >= 0 {
			row(s.name, "%.3f ms", float64(s.at-r.Stamps.Scheduled)/1e6)
		}
	}
	w.Flush()
	_, err := io.WriteString(to, b.String())
	return err
}

type stamp struct {
	name string
	at   int64
}

func stamps(s openai.Stamps) []stamp {
	return []stamp{
		{"sent after", s.Sent}, {"headers after", s.Headers}, {"first event after", s.FirstEvent},
		{"first content after", s.FirstContent}, {"last content after", s.LastContent}, {"end after", s.End},
	}
}

// block writes a text that others wrote, indented below its name.
func block(b *strings.Builder, name, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", name)
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		fmt.Fprintf(b, "    %s\n", printable(strings.TrimRight(line, "\r\n")))
	}
}

// printable shows control characters as escapes, so that an answer cannot
// steer a terminal.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) || r == '\t' {
			b.WriteRune(r)
		} else {
			q := fmt.Sprintf("%+q", r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}
