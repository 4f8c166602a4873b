package measure

import (
	"slices"
	"strings"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/readback"
)

// readState follows what the parts of the environment said of themselves.
type readState struct {
	want     readback.Reading // as the plan declares them
	unknown  error            // why that of the detector is not known
	first    journal.Readback // the first reading
	entries  int
	readings int // that of each segment's beginning, and those around trials
	changes  int
	asked    bool // a trial was run before anything was read
}

// part is one of the three that are read back, with the requirements that rest
// on it.
type part struct {
	name     string
	of       func(*journal.Readback) string
	want     string
	declared string   // broken where the first reading is not what the plan declares
	changed  string   // broken where a later one differs
	attested []string // one of these stands for a part that cannot be read
}

func (c *computer) parts() []part {
	return []part{
		{"detector", func(r *journal.Readback) string { return r.Detector }, c.read.want.Detector, "FD-3.2-1", "FD-3.2-2", []string{"FD-3.2-2"}},
		{"serving", func(r *journal.Readback) string { return r.Serving }, c.read.want.Serving, "FD-1.2-2", "FD-3.4-3", []string{"FD-3.4-3", "FD-6-3"}},
		{"population", func(r *journal.Readback) string { return r.Population }, c.read.want.Population, "FD-3.3-2", "FD-3.3-2", []string{"FD-3.3-2"}},
	}
}

// expect works out what the first reading has to be.
func (c *computer) expect() {
	c.read.want, c.read.unknown = readback.Expected(c.p)
}

// readback holds one reading against the plan and against the first one.
func (c *computer) readback(e journal.Entry, r *journal.Readback) error {
	switch r.Moment {
	case journal.ReadAtBegin, journal.ReadBeforeTrial, journal.ReadAfterTrial:
	default:
		return reject(e, "a reading at the unknown moment %q", r.Moment)
	}
	s := &c.read
	s.entries++
	if r.Moment == journal.ReadAtBegin {
		s.readings++
	}
	changed := false
	for _, p := range c.parts() {
		got := p.of(r)
		if c.lacks(p.name) {
			continue
		}
		if s.entries == 1 {
			c.firstReading(e, p, got)
			continue
		}
		if before := p.of(&s.first); got != before {
			changed = true
			c.breach(p.changed, "", changedSentence(p.name, r.Moment), e.Line)
		}
	}
	if s.entries == 1 {
		s.first = *r
	}
	if changed {
		s.changes++
	}
	return nil
}

func (c *computer) firstReading(e journal.Entry, p part, got string) {
	switch {
	case got == "":
		if !slices.ContainsFunc(p.attested, c.isAttested) {
			c.breach(p.changed, "", "the "+p.name+" cannot be read back, and no attestation says that it stays as it is", e.Line)
		}
	case p.name == "detector" && c.read.unknown != nil:
		c.breach(p.declared, "", "the detector of the plan cannot be made, so that its reading shows nothing: "+c.read.unknown.Error(), e.Line)
	case p.want != "" && got != p.want:
		what := "the detector was not configured as the plan declares it when the series began"
		switch p.name {
		case "serving":
			what = "the deployment was not the one that the plan declares when the series began, so that its baseline is another environment's"
		case "population":
			what = "the request population was not the one that the plan declares when the series began"
		}
		c.breach(p.declared, "", what, e.Line)
	}
}

func changedSentence(name, moment string) string {
	switch name {
	case "detector":
		return "the configuration of the detector is not the one that the series began with"
	case "population":
		return "the request population is not the one that the series began with"
	}
	if moment == journal.ReadAfterTrial {
		return "the deployment was not back in its baseline configuration after a fault was removed"
	}
	return "the deployment is not in the configuration that the series began with"
}

// isAttested tells whether the plan carries an attestation for a requirement.
// A label has no dots, so "fd_4_3_4" stands for FD-4.3-4.
func (c *computer) isAttested(id string) bool {
	plain := strings.NewReplacer(".", "", "-", "", "_", "")
	for _, a := range c.p.Declaration.Attestations {
		if strings.EqualFold(plain.Replace(a.Subject), plain.Replace(id)) {
			return true
		}
	}
	return false
}

// environment checks what a trial says of the environment around it: that it was
// read before and after (FD-3.2-2), that no response told of the fault
// (FD-3.4-4), and that none came from a cache (FD-3.3-7).
func (c *computer) environment(e journal.Entry, t *journal.TrialRecord, subject string) {
	c.read.readings += t.Readbacks
	switch {
	case c.read.entries == 0:
		c.read.asked = true
	case t.Readbacks < 2 && !c.lacks("readbacks"):
		c.breach("FD-3.2-2", subject, "the environment was not read back before and after a trial", e.Line)
	}
	if len(t.Markers) > 0 {
		c.breach("FD-3.4-4", subject, "responses carried "+strings.Join(t.Markers, ", ")+", by which the detector could know of the fault", e.Line)
		c.breach("FD-3.4-5", "", "the detector could know of a fault otherwise than by what the deployment did, so that no trial of the series counts as a measurement", e.Line)
	}
	if t.Cached > 0 {
		c.breach("FD-3.3-7", subject, "responses of a trial came from a cache", e.Line)
	}
}

// readings tells what was read back, for the result (FD-3.2-1).
func (c *computer) readings() Readback {
	s := &c.read
	if s.asked {
		c.breach("FD-3.2-1", "", "trials were run and the environment was not read back before the first of them", 0)
	}
	out := Readback{Readings: s.readings, Changes: s.changes}
	for _, x := range []struct {
		to **string
		of string
	}{{&out.Detector, s.first.Detector}, {&out.Serving, s.first.Serving}, {&out.Population, s.first.Population}} {
		if x.of != "" {
			*x.to = text(x.of)
		}
	}
	return out
}
