package quantity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/suggest"
)

// Dimension is what a quantity measures.
type Dimension string

// The dimensions.
const (
	Scalar     Dimension = "number"
	Time       Dimension = "duration"
	Rate       Dimension = "rate"
	Windows    Dimension = "number of windows"
	Requests   Dimension = "number of requests"
	Deviations Dimension = "number of standard deviations"
	Count      Dimension = "count"
)

// Unit is the canonical unit of a Quantity: "s", "req/s", "1", "windows",
// "requests", "sd", or the unit of a count.
type Unit string

type unit struct {
	name      string
	dimension Dimension
	canonical Unit
	factor    exact.Number
	doc       string
}

// units are all that may be written, in the order of the reference; within
// Time from the largest to the smallest, which is the order of a compound.
var units = []unit{
	{"d", Time, "s", exact.Int(86400), "days of 24 hours"},
	{"h", Time, "s", exact.Int(3600), "hours"},
	{"m", Time, "s", exact.Int(60), "minutes"},
	{"s", Time, "s", exact.Int(1), "seconds"},
	{"ms", Time, "s", exact.Frac(1, 1000), "milliseconds"},
	{"us", Time, "s", exact.Frac(1, 1_000_000), "microseconds"},
	{"ns", Time, "s", exact.Frac(1, 1_000_000_000), "nanoseconds"},
	{"req/s", Rate, "req/s", exact.Int(1), "requests a second"},
	{"req/min", Rate, "req/s", exact.Frac(1, 60), "requests a minute"},
	{"req/h", Rate, "req/s", exact.Frac(1, 3600), "requests an hour"},
	{"%", Scalar, "1", exact.Frac(1, 100), "hundredths"},
	{"windows", Windows, "windows", exact.Int(1), "aggregation windows"},
	{"window", Windows, "windows", exact.Int(1), "one aggregation window"},
	{"requests", Requests, "requests", exact.Int(1), "requests"},
	{"request", Requests, "requests", exact.Int(1), "one request"},
	{"sd", Deviations, "sd", exact.Int(1), "standard deviations of the baseline"},
	{"words", Count, "words", exact.Int(1), "words"},
	{"tokens", Count, "tokens", exact.Int(1), "tokens"},
	{"characters", Count, "characters", exact.Int(1), "characters"},
	{"lines", Count, "lines", exact.Int(1), "lines"},
	{"bytes", Count, "bytes", exact.Int(1), "bytes"},
}

var (
	unitByName = map[string]*unit{}
	unitNames  []string
)

func init() {
	for i := range units {
		unitByName[units[i].name] = &units[i]
		unitNames = append(unitNames, units[i].name)
	}
}

// synonyms are what people write elsewhere. They are not accepted, so that
// there is one way to write a thing, but they are understood.
var synonyms = map[string]string{
	"day": "d", "days": "d", "hour": "h", "hours": "h", "hr": "h", "hrs": "h",
	"min": "m", "mins": "m", "minute": "m", "minutes": "m",
	"sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"msec": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
	"µs": "us", "μs": "us", "usec": "us", "micros": "us", "nanos": "ns",
	"rps": "req/s", "qps": "req/s", "r/s": "req/s", "reqs/s": "req/s", "requests/s": "req/s", "request/s": "req/s", "req/sec": "req/s", "req/second": "req/s",
	"rpm": "req/min", "qpm": "req/min", "req/m": "req/min", "req/minute": "req/min", "requests/min": "req/min", "rph": "req/h", "req/hour": "req/h",
	"percent": "%", "pct": "%", "sigma": "sd", "sigmas": "sd", "σ": "sd", "sds": "sd", "stddev": "sd",
	"word": "words", "token": "tokens", "tok": "tokens", "character": "characters", "chars": "characters", "char": "characters", "line": "lines", "byte": "bytes", "reqs": "requests", "req": "requests", "win": "windows",
}

// unitsOf lists the names of the units of some dimensions, for a message.
func unitsOf(dims ...Dimension) string {
	var names []string
	for _, u := range units {
		if slices.Contains(dims, u.dimension) && u.name != "window" && u.name != "request" {
			names = append(names, u.name)
		}
	}
	return suggest.Or(names)
}

// unit finds the unit of a measure; nil stands for a bare number.
func (m *measureNode) unit(remedy string) (*unit, *Error) {
	if m.Unit == nil {
		return nil, nil
	}
	name := m.Unit.Name
	if m.Unit.Per != "" {
		name += "/" + m.Unit.Per
	}
	if u := unitByName[name]; u != nil {
		return u, nil
	}
	e := &Error{Offset: m.Unit.Pos.Offset, End: end(m.Unit.Tokens), Message: fmt.Sprintf("There is no unit %q.", name), Remedy: remedy}
	instead := synonyms[strings.ToLower(name)]
	if instead == "" {
		instead = suggest.Nearest(name, unitNames)
	}
	if instead != "" {
		e.Remedy = fmt.Sprintf("Write %q.", instead)
		// Two units that are equally near mean different things.
		if synonyms[strings.ToLower(name)] != "" || suggest.Only(name, unitNames) == instead {
			e.Instead = instead
		}
	}
	return nil, e
}
