package deployment

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// LatencyForm shows what ParseLatency reads.
const LatencyForm = "first=50ms,prefill=100us,token=4ms,sigma=0.3"

// maxLatency bounds each duration, so that no sum of them overflows.
const maxLatency = time.Hour

// ParseLatency reads a text such as LatencyForm. What it leaves out is 0; each
// duration is at most an hour, sigma from 0 to 3.
func ParseLatency(text string) (Latency, error) {
	var l Latency
	if strings.TrimSpace(text) == "" {
		return l, nil
	}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok {
			return Latency{}, fmt.Errorf("%q is not of the form NAME=VALUE; write a latency such as %s", strings.TrimSpace(part), LatencyForm)
		}
		if seen[name] {
			return Latency{}, fmt.Errorf("%s stands twice", name)
		}
		seen[name] = true
		if name == "sigma" {
			v, err := strconv.ParseFloat(value, 64)
			if err != nil || math.IsNaN(v) || v < 0 || v > 3 {
				return Latency{}, fmt.Errorf("sigma is a number from 0 to 3, and not %q", value)
			}
			l.Sigma = v
			continue
		}
		to, ok := map[string]*time.Duration{"first": &l.First, "prefill": &l.Prefill, "token": &l.Token}[name]
		if !ok {
			return Latency{}, fmt.Errorf("there is no %q; a latency has first, prefill, token and sigma, such as %s", name, LatencyForm)
		}
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 || d > maxLatency {
			return Latency{}, fmt.Errorf("%s is a time from 0s to 1h with its unit, such as 50ms, and not %q", name, value)
		}
		*to = d
	}
	return l, nil
}

// String writes a latency as ParseLatency reads it.
func (l Latency) String() string {
	var parts []string
	for _, p := range []struct {
		name string
		d    time.Duration
	}{{"first", l.First}, {"prefill", l.Prefill}, {"token", l.Token}} {
		if p.d != 0 {
			parts = append(parts, p.name+"="+p.d.String())
		}
	}
	if l.Sigma != 0 {
		parts = append(parts, "sigma="+strconv.FormatFloat(l.Sigma, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}
