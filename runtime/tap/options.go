package tap

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/stdlib/text"
)

// DefaultTotal is the name of the counter of all responses.
const DefaultTotal = "llm_responses_total"

// Indicator is what a tap computes of responses.
type Indicator struct {
	Name string
	// Counter is the name of the exported sum of scores; "" for
	// llm_NAME_total.
	Counter string
	// Sampling is the share of responses that are scored, in (0, 1]; the zero
	// value is 1 (FD-3.2-6). A response that is not sampled counts as a response
	// and adds nothing to the sum.
	Sampling exact.Number
	Unit     string // "1" for a rate
	Score    text.ScoreFunc
}

// Options of an Exporter. Exactly one of Upstream, Log and In is set.
type Options struct {
	Indicators []Indicator       // at least one
	Total      string            // counter of all responses; "" for DefaultTotal
	Labels     map[string]string // on every counter of responses

	// ModelLabel is the label that tells models apart, "" for none. Series of
	// Models are there from the beginning with the value 0; without them a
	// series begins with its first response, and what happens up to the scrape
	// after that is lost to rate().
	ModelLabel string
	Models     []string

	// Seed and the ordinal of a request decide whether the request is sampled.
	Seed string
	// CountErrors counts a request without a whole answer as a response.
	CountErrors bool
	// FirstToken exports a histogram of the time from the start of a request to
	// the first content of its streamed answer.
	FirstToken bool

	// Upstream is where requests go, "http://127.0.0.1:8001": http, https, or
	// h2c for HTTP/2 without TLS. It has no path: a request keeps its own.
	Upstream     string
	AllowTargets bool           // upstream and OTLP may lie outside the confined ranges (FD-7-1)
	Proxy        listen.Options // where requests come in

	Log       string        // file of responses, followed across rotation
	FromStart bool          // what the file holds already counts
	Poll      time.Duration // between two looks at a file that has not grown; 0 for 200 ms
	In        io.Reader     // responses in the same form, read to the end

	Metrics listen.Options // where /metrics is
	OTLP    *OTLP          // nil for no push

	Queue  int   // responses that wait to be scored; 0 for 4096
	Memory int64 // bytes of all responses on their way and waiting; 0 for 256 MiB
	// Grace is how long requests may take to end when the tap does; 0 for 10 s.
	Grace time.Duration

	// Warn gets a sentence on what a person should know, seldom enough to be
	// written out. Nil hears nothing.
	Warn func(message string)

	now func() time.Time // tests
}

// maxResponse bounds what is read of one request or response, in bytes.
const maxResponse = 32 << 20

var (
	metricName = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)
	labelName  = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
)

// OptionError says what is wrong with the options of a tap, and what to write
// instead.
type OptionError struct{ message string }

func (e *OptionError) Error() string { return e.message }

func optionError(format string, args ...any) error {
	return &OptionError{fmt.Sprintf(format, args...)}
}

// check fills in what was left out, and says what cannot be.
func (o *Options) check() error {
	if o.Total == "" {
		o.Total = DefaultTotal
	}
	if o.Queue <= 0 {
		o.Queue = 4096
	}
	if o.Memory <= 0 {
		o.Memory = 256 << 20
	}
	if o.Grace <= 0 {
		o.Grace = 10 * time.Second
	}
	if o.Poll <= 0 {
		o.Poll = 200 * time.Millisecond
	}
	if o.now == nil {
		o.now = time.Now
	}
	sources := 0
	for _, set := range []bool{o.Upstream != "", o.Log != "", o.In != nil} {
		if set {
			sources++
		}
	}
	if sources != 1 {
		return optionError("a tap needs one source of responses: an upstream that it stands before, or a log")
	}
	if len(o.Indicators) == 0 {
		return optionError("a tap needs an indicator to compute, such as refusal_rate")
	}
	o.Indicators = slices.Clone(o.Indicators)
	for i := range o.Indicators {
		ind := &o.Indicators[i]
		if ind.Counter == "" {
			ind.Counter = "llm_" + ind.Name + "_total"
		}
		if ind.Sampling.Sign() == 0 {
			ind.Sampling = exact.Int(1)
		}
		if ind.Sampling.Sign() < 0 || ind.Sampling.Cmp(exact.Int(1)) > 0 {
			return optionError("sampling %s of %s is no share: write a number above 0 and at most 1", ind.Sampling, ind.Name)
		}
	}
	return o.checkNames()
}

// twice tells whether an indicator is exported under several names, or with
// several shares. Its counters then tell the responses scored apart.
func (o *Options) twice(name string) bool {
	n := 0
	for i := range o.Indicators {
		if o.Indicators[i].Name == name {
			n++
		}
	}
	return n > 1
}

func (o *Options) checkNames() error {
	families := map[string]string{}
	for _, f := range own {
		families[f.family()] = "a counter of the tap itself"
	}
	if o.FirstToken {
		families[firstTokenName] = "the time to the first token"
	}
	claim := func(name, who string) error {
		if !metricName.MatchString(name) {
			return optionError("%q is no name for a counter: it consists of letters, digits, _ and :, and begins with no digit", name)
		}
		family := strings.TrimSuffix(name, "_total")
		if other, ok := families[family]; ok {
			return optionError("the counter %s of %s has the name of %s. Give each a name of its own", name, who, other)
		}
		families[family] = who
		return nil
	}
	if err := claim(o.Total, "all responses"); err != nil {
		return err
	}
	for _, ind := range o.Indicators {
		if err := claim(ind.Counter, ind.Name); err != nil {
			return err
		}
	}
	for name, value := range o.Labels {
		switch {
		case !labelName.MatchString(name) || strings.HasPrefix(name, "__") || name == "le":
			return optionError("%q is no name for a label: it consists of letters, digits and _, begins with no digit and not with __, and is not le", name)
		case value == "":
			return optionError("the label %s has no value, which to Prometheus is no label. Give it one, or leave it out", name)
		case name == o.ModelLabel:
			return optionError("the label %s is to tell models apart and has the fixed value %q. Leave one of them away", name, value)
		}
	}
	if o.ModelLabel != "" && !labelName.MatchString(o.ModelLabel) {
		return optionError("%q is no name for a label: it consists of letters, digits and _, and begins with no digit", o.ModelLabel)
	}
	return nil
}
