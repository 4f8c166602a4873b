package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// event is one line of "go test -json".
type event struct {
	Action, Package, Test, Output, ImportPath string
	FailedBuild                               string
}

// counts are those of tests and their parts. A package that fails outside of
// any test counts as one failure.
type counts struct {
	passed, failed, skipped int
	reasons                 []string
}

// read shows the events of r and counts them. A line that is no event is
// shown as it is.
func read(r io.Reader, out io.Writer) (*counts, error) {
	c := new(counts)
	output := map[string]*bytes.Buffer{} // by package and test
	failedIn := map[string]int{}         // failed tests by package
	s := bufio.NewScanner(r)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		var e event
		if json.Unmarshal(s.Bytes(), &e) != nil {
			fmt.Fprintln(out, s.Text())
			continue
		}
		key := e.Package + "\x00" + e.Test
		if output[key] == nil {
			output[key] = new(bytes.Buffer)
		}
		switch e.Action {
		case "output":
			output[key].WriteString(e.Output)
			if e.Test == "" && packageLine(e.Output) {
				io.WriteString(out, e.Output)
			}
		case "build-output":
			io.WriteString(out, e.Output)
		case "pass", "fail", "skip":
			if e.Test != "" {
				c.test(e, output[key].String(), out)
				if e.Action == "fail" {
					failedIn[e.Package]++
				}
			} else if e.Action == "fail" && failedIn[e.Package] == 0 {
				c.failed++
				io.WriteString(out, output[key].String())
			}
			delete(output, key)
		}
	}
	return c, s.Err()
}

// test counts the end of one test.
func (c *counts) test(e event, output string, out io.Writer) {
	switch e.Action {
	case "pass":
		c.passed++
	case "fail":
		c.failed++
		io.WriteString(out, output)
	case "skip":
		c.skipped++
		c.reasons = append(c.reasons, fmt.Sprintf("%s %s: %s", e.Package, e.Test, reason(output)))
	}
}

// packageLine tells the lines that "go test" shows without -v.
func packageLine(s string) bool {
	for _, p := range []string{"ok  \t", "FAIL\t", "?   \t", "panic:"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// reason is what a skipped test said last.
func reason(output string) string {
	last := "no reason given"
	for _, line := range strings.Split(output, "\n") {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			last = line
		}
	}
	return last
}

// summary writes why tests were skipped, and the counts.
func (c *counts) summary(out io.Writer) {
	for _, r := range c.reasons {
		fmt.Fprintln(out, "skipped:", r)
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", c.passed, c.failed, c.skipped)
}
