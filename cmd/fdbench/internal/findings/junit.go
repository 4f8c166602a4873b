package findings

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/fdbench/fdbench/lang/diag"
)

// The shape that CI systems read; there is no standard.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Line      int           `xml:"line,attr,omitempty"`
	Time      string        `xml:"time,attr"`
	Failure   *junitFailure `xml:"failure"`
	Skipped   *junitSkipped `xml:"skipped"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// JUnit writes a suite for each scenario with a case for each finding. Those
// that fail the call are failures, milder ones pass with their text as output,
// and those that were set aside are skipped. A scenario without findings has
// one case, which passes.
func JUnit(w io.Writer, r *Report) error {
	out := junitSuites{Name: "fdbench lint"}
	for i := range r.Scenarios {
		s := r.suite(&r.Scenarios[i])
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Skipped += s.Skipped
		out.Suites = append(out.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r *Report) suite(s *Scenario) junitSuite {
	suite := junitSuite{Name: plain(s.Path), Time: "0"}
	add := func(d *diag.Diagnostic) *junitCase {
		at := s.place()
		if d.Subject != nil {
			at = *d.Subject
		}
		name := d.Summary
		if d.Rule != "" {
			name = d.Rule + ": " + name
		}
		suite.Cases = append(suite.Cases, junitCase{
			Name: plain(name), ClassName: plain(s.Path), File: plain(relative(r.Dir, at.Filename)), Line: at.Start.Line, Time: "0",
		})
		return &suite.Cases[len(suite.Cases)-1]
	}
	for i := range s.List {
		d := &s.List[i]
		c := add(d)
		text := plain(fmt.Sprintf("%s:%d: %s: %s\n\n%s\n", c.File, c.Line, d.Severity, d.Summary, d.Detail))
		if r.fails(d) {
			c.Failure = &junitFailure{Message: plain(d.Summary), Type: d.Severity.String(), Text: text}
			suite.Failures++
		} else {
			c.Output = text
		}
	}
	for i := range s.Ignored {
		c := add(&s.Ignored[i].Diagnostic)
		c.Skipped = &junitSkipped{Message: plain("ignored: " + s.Ignored[i].Reason)}
		suite.Skipped++
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []junitCase{{Name: "lint", ClassName: plain(s.Path), Time: "0"}}
	}
	suite.Tests = len(suite.Cases)
	return suite
}

// plain drops what XML cannot hold, in any spelling.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r >= 0x20 && r < 0xd800, r >= 0xe000 && r < 0xfffe && r != utf8.RuneError, r >= 0x10000:
			return r
		}
		return -1
	}, s)
}
