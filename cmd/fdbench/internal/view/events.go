package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/fdbench/fdbench/runtime/reuse/evidence"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Events is what an engine's log says, and what that proves.
type Events struct {
	Format    string          `json:"format"`
	Files     []string        `json:"files"`
	Evidence  record.Evidence `json:"evidence"`
	Proven    []string        `json:"proven"`
	NotProven []string        `json:"not_proven"`
}

// NewEvents sets out the evidence of a log that lies in these files.
func NewEvents(e record.Evidence, files []string) *Events {
	v := &Events{Format: "fdbench.events/1", Files: files, Evidence: e, Proven: []string{}, NotProven: []string{}}
	proven, not := evidence.Statements(e)
	v.Proven, v.NotProven = append(v.Proven, proven...), append(v.NotProven, not...)
	return v
}

// Text writes the evidence for a person: both readings side by side, then the
// requests, then what is proven.
func (v *Events) Text(to io.Writer) error {
	e := &v.Evidence
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s lines, %s bytes, %s requests named\n\n", printable(strings.Join(v.Files, " ")), grouped(e.Lines), grouped(e.Bytes), grouped(e.Requests))
	v.readings().text(&b, "", nil)
	if s := v.requests(); s != nil {
		b.WriteString("\n")
		s.text(&b, "", nil)
	}
	named(&b, "Reasons given for no reuse", e.Rejections)
	named(&b, "Events with the engine's mark that nothing here reads", e.Unknown)
	sentences(&b, "Proven", v.Proven, "Nothing.")
	sentences(&b, "Not proven", v.NotProven, "")
	_, err := io.WriteString(to, b.String())
	return err
}

// readings are the figures of the log as a whole, in both readings.
func (v *Events) readings() *sheet {
	e := &v.Evidence
	s := &sheet{head: []string{v.Evidence.Engine, ">by request", ">whole log"}}
	both := func(name string, n, whole int64) { s.add("", name, grouped(n), grouped(whole)) }
	one := func(name string, n int64) {
		if n > 0 {
			s.add("", name, grouped(n), "")
		}
	}
	both("semantic hits", e.SemanticHits, e.SemanticHitsWhole)
	one("  of them without a token to load", e.DiscoveryOnly)
	one("exact hits", e.ExactHits)
	one("  tokens", e.ExactHitTokens)
	one("donors registered", e.DonorRegistrations)
	one("loads advertised", e.LoadAdvertisements)
	one("  tokens", e.AdvertisedTokens)
	one("materialisations begun", e.Started)
	both("materialisations", e.Materializations, e.EventsWhole)
	if e.Engine == evidence.TRTLLM {
		both("  units", e.MaterializedUnits, e.MaterializedUnits)
	} else {
		both("  tokens", e.MaterializedTokens, e.TokensWhole)
	}
	one("rope corrections", e.RopeCorrections)
	one("blend boundaries of the engine", e.EngineBoundaries)
	s.add("", "reuse of semantic KV", truth(e.MaterializedReuse > 0), truth(e.WholeLog))
	both("errors", e.Errors, e.ErrorsWhole)
	one("warnings of the runtime", e.Warnings)
	one("malformed lines", e.Malformed)
	one("  of them longer than 1 MiB", e.TooLong)
	if c := e.Connector; c != nil {
		one("lines of another schema version", c.OtherVersions)
		one("events of the engine as a whole", c.EngineEvents)
		one("blocks evicted", c.Evicted)
		s.add("", "loads at the start of a span", shareOf(c.Aligned), "")
		s.add("", "advertised and materialised", shareOf(c.Reused), "")
		s.add("", "  tokens", shareOf(c.Tokens), "")
	}
	return s
}

// requests are the figures that a join by request gives; nil for an engine that
// has none.
func (v *Events) requests() *sheet {
	e := &v.Evidence
	if e.Engine == evidence.LMCache {
		return nil
	}
	s := &sheet{head: []string{"requests", ">"}}
	row := func(name string, n int64) { s.add("", name, grouped(n)) }
	row("with a hit and a materialisation", e.MaterializedReuse)
	row("with a hit alone", e.HitsAlone)
	row("with a materialisation alone", e.MaterializedAlone)
	row("with a blend boundary and a materialisation", e.BoundariesProven)
	if n := e.Unattributed.Hits + e.Unattributed.Materializations; n > 0 {
		row("none named: events", n)
	}
	return s
}

func named(b *strings.Builder, title string, of []record.Reason) {
	if len(of) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, r := range of {
		fmt.Fprintf(b, "  %s  %s\n", grouped(r.N), oneLine(r.Reason))
	}
}

func sentences(b *strings.Builder, title string, of []string, none string) {
	if len(of) == 0 && none == "" {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	if len(of) == 0 {
		of = []string{none}
	}
	for _, s := range of {
		fmt.Fprintf(b, "  %s\n", s)
	}
}

// shareOf is a rate as its two counts; without a denominator there is none.
func shareOf(s record.Share) string {
	if s.Denominator == 0 {
		return "none of 0"
	}
	return grouped(s.Numerator) + " of " + grouped(s.Denominator)
}

func truth(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func grouped(n int64) string { return thousands(int(n)) }

// Requests writes one line for each request of a log, as they come.
type Requests struct {
	to     io.Writer
	amount string
	begun  bool
}

// NewRequests returns a view of the requests of an engine's log.
func NewRequests(to io.Writer, engine string) *Requests {
	r := &Requests{to: to, amount: "tokens"}
	if engine == evidence.TRTLLM {
		r.amount = "units"
	}
	return r
}

// Row writes one request, after the head of the table where it is the first.
func (r *Requests) Row(s evidence.Seen) error {
	if !r.begun {
		r.begun = true
		if _, err := fmt.Fprintf(r.to, "%6s  %10s  %16s  %10s  %10s  %-6s  %s\n", "hits", "advertised", "materialisations", r.amount, "boundaries", "reused", "request"); err != nil {
			return err
		}
	}
	hits := fmt.Sprint(s.Hits)
	if s.Discovery {
		hits = "found" // a donor, and nothing of it to load
	}
	_, err := fmt.Fprintf(r.to, "%6s  %10d  %16d  %10d  %10d  %-6s  %s\n", hits, s.Advertised, s.Materialized, s.Amount, s.Boundaries, truth(s.Reused), oneLine(s.RequestID))
	return err
}
