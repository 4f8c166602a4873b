package window

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// Names of the counters that are read. An exposition may write each with
// "_total" behind it.
const (
	Queries         = "vllm:prefix_cache_queries"          // tokens that the prefix cache was asked for
	Hits            = "vllm:prefix_cache_hits"             // of them, those that it had
	ExternalQueries = "vllm:external_prefix_cache_queries" // the same of a cache behind a connector
	ExternalHits    = "vllm:external_prefix_cache_hits"
	// Transferred are prompt tokens whose KV came through a connector: of the
	// counter by source, the samples of this source.
	Transferred = `vllm:prompt_tokens_by_source{source="external_kv_transfer"}`
)

// counter is what a family's name and a sample's labels make of a sample.
func counter(family []byte, source string) string {
	switch name := string(bytes.TrimSuffix(family, []byte("_total"))); name {
	case Queries, Hits, ExternalQueries, ExternalHits:
		return name
	case "vllm:prompt_tokens_by_source":
		if source == "external_kv_transfer" {
			return Transferred
		}
	}
	return ""
}

// MaxLine is the longest line of an exposition, in bytes.
const MaxLine = 1 << 20

// LineError is a line that is none of a Prometheus exposition.
type LineError struct {
	Line   int // from 1
	Reason string
}

func (e *LineError) Error() string {
	return fmt.Sprintf("line %d is none of a Prometheus text exposition: %s", e.Line, e.Reason)
}

// Parse reads an exposition in Prometheus's text format to its end, and returns
// those of these counters that it has, summed over their labels, in the order of
// their names. One that it does not have is left out, and is unknown, not 0. The
// format wants an end behind the last line: without it the text was cut off, and
// its last number may lack digits. An error is a *LineError, or r's own.
func Parse(r io.Reader) ([]record.Counter, error) {
	sums := map[string]float64{}
	total := map[string]bool{} // written with "_total", beside which the bare name says the same again
	s := bufio.NewScanner(r)
	s.Buffer(nil, MaxLine)
	cut := false
	s.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		n, line, err := bufio.ScanLines(data, atEOF)
		cut = err == nil && n > 0 && data[n-1] != '\n'
		return n, line, err
	})
	n := 0
	for s.Scan() {
		n++
		line := bytes.TrimSpace(s.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		x, err := sample(line)
		if err == nil && cut {
			err = errCut
		}
		if err != nil {
			return nil, &LineError{n, err.Error()}
		}
		name := counter(x.family, x.source)
		if name == "" {
			continue
		}
		if math.IsNaN(x.value) || math.IsInf(x.value, 0) || x.value < 0 {
			return nil, &LineError{n, fmt.Sprintf("the counter %s is %v", name, x.value)}
		}
		switch t := bytes.HasSuffix(x.family, []byte("_total")); {
		case t && !total[name]:
			sums[name], total[name] = 0, true
		case !t && total[name]:
			continue
		}
		if sums[name] += x.value; math.IsInf(sums[name], 0) {
			return nil, &LineError{n, fmt.Sprintf("with it the counter %s is more than a number can be", name)}
		}
	}
	if err := s.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, &LineError{n + 1, fmt.Sprintf("it has more than %d bytes", MaxLine)}
	} else if err != nil {
		return nil, err
	}
	out := make([]record.Counter, 0, len(sums))
	for name, v := range sums {
		out = append(out, record.Counter{Name: name, Value: v})
	}
	slices.SortFunc(out, func(a, b record.Counter) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// read is a sample: its family, the value of its label "source", and its value.
type read struct {
	family []byte
	source string
	value  float64
}

var (
	errName   = errors.New("it does not begin with the name of a metric")
	errLabels = errors.New("its labels do not end or lack quotes")
	errValue  = errors.New("it has no value behind the name")
	errCut    = errors.New("it has no end, so the exposition was cut off")
	errTime   = errors.New("what stands behind the value is no time")
)

func sample(line []byte) (read, error) {
	var x read
	n := 0
	for n < len(line) && (letter(line[n]) || line[n] == ':' || n > 0 && '0' <= line[n] && line[n] <= '9') {
		n++
	}
	if n == 0 {
		return x, errName
	}
	x.family = line[:n]
	rest := line[n:]
	if open := bytes.TrimLeft(rest, " \t"); len(open) > 0 && open[0] == '{' {
		var ok bool
		if x.source, rest, ok = labels(open[1:]); !ok {
			return x, errLabels
		}
	} else if len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' {
		return x, errName
	}
	// Behind the value may stand a time, and an exemplar.
	rest, _, _ = bytes.Cut(rest, []byte(" # "))
	parts := bytes.Fields(rest)
	if len(parts) == 0 {
		return x, errValue
	}
	v, err := strconv.ParseFloat(string(parts[0]), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return x, errValue
	}
	x.value = v
	if len(parts) > 2 {
		return x, errTime
	}
	if len(parts) == 2 {
		if _, err := strconv.ParseFloat(string(parts[1]), 64); err != nil {
			return x, errTime
		}
	}
	return x, nil
}

// labels reads what stands between braces, behind the opening one.
func labels(b []byte) (source string, rest []byte, ok bool) {
	for {
		b = bytes.TrimLeft(b, " \t")
		if len(b) > 0 && b[0] == '}' {
			return source, b[1:], true
		}
		n := 0
		for n < len(b) && (letter(b[n]) || n > 0 && '0' <= b[n] && b[n] <= '9') {
			n++
		}
		name := b[:n]
		b = bytes.TrimLeft(b[n:], " \t")
		if n == 0 || len(b) == 0 || b[0] != '=' {
			return "", nil, false
		}
		b = bytes.TrimLeft(b[1:], " \t")
		var value []byte
		if value, b, ok = quoted(b); !ok {
			return "", nil, false
		}
		if string(name) == "source" {
			source = string(value)
		}
		b = bytes.TrimLeft(b, " \t")
		if len(b) > 0 && b[0] == ',' {
			b = b[1:]
		} else if len(b) == 0 || b[0] != '}' {
			return "", nil, false
		}
	}
}

// quoted reads a label's value, in which a backslash escapes itself, a quote and
// the end of a line.
func quoted(b []byte) (value, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, nil, false
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '"':
			return value, b[i+1:], true
		case '\\':
			if i++; i == len(b) {
				return nil, nil, false
			}
			switch b[i] {
			case 'n':
				value = append(value, '\n')
			case '"', '\\':
				value = append(value, b[i])
			default:
				value = append(value, '\\', b[i])
			}
		default:
			value = append(value, b[i])
		}
	}
	return nil, nil, false
}

func letter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
