package quantity

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
)

// Error is a mistake in a text. Offset and End bound the wrong part, in bytes.
type Error struct {
	Offset, End int
	// Message says what is wrong, Remedy what to write; both are sentences.
	Message, Remedy string
	// Instead is what certainly belongs in the place of [Offset, End), such as
	// a unit in its own spelling; "" where nothing is certain.
	Instead string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Remedy == "" {
		return e.Message
	}
	return e.Message + " " + e.Remedy
}

// Quantity is an exact value in the canonical unit of its dimension.
type Quantity struct {
	Value     exact.Number
	Unit      Unit
	Dimension Dimension
}

// String is the value with its canonical unit: "10 req/s", "0.9".
func (q Quantity) String() string {
	if q.Dimension == Time {
		if d, ok := exact.DurationOf(q.Value); ok && d.Seconds().Cmp(q.Value) == 0 {
			return d.String()
		}
		return q.Value.String() + "s"
	}
	if q.Unit == "1" || q.Unit == "" {
		return q.Value.String()
	}
	return q.Value.String() + " " + string(q.Unit)
}

const quantityRemedy = `Write a number and a unit, such as "90s", "10 req/s", "90%", "20 windows" or "2 sd".`

// ParseQuantity reads any quantity.
func ParseQuantity(s string) (Quantity, *Error) { return one(s, "a quantity", quantityRemedy) }

// one reads a text that is a single quantity.
func one(s, what, remedy string) (Quantity, *Error) {
	if q, ok := simple(s); ok {
		return q, nil
	}
	tree, err := parse(valueParser, s, what, remedy)
	if err != nil {
		return Quantity{}, err
	}
	groups := group(tree.Parts)
	if len(groups) > 1 {
		at := groups[1][0].Pos.Offset
		return Quantity{}, &Error{Offset: at, End: len(s), Message: fmt.Sprintf("A space parts %q into two quantities.", s), Remedy: `Write the parts of one without a space: "1h30m".`}
	}
	q, _, err := quantityOf(groups[0], s, remedy)
	return q, err
}

// simple reads a number with one unit or none, as most quantities are, without
// the parser: a scenario holds thousands. It reads nothing that the parser
// would read in another way.
func simple(s string) (Quantity, bool) {
	if len(s) > 40 || s == "" || !isDigit(s[0]) {
		return Quantity{}, false
	}
	i := numberSize(s)
	n, err := exact.Parse(s[:i])
	if err != nil {
		return Quantity{}, false
	}
	name := strings.TrimLeft(s[i:], " ")
	if name == "" {
		return Quantity{n, "1", Scalar}, true
	}
	u := unitByName[name]
	if u == nil {
		return Quantity{}, false
	}
	return Quantity{n.Mul(u.factor), u.canonical, u.dimension}, true
}

// quantityOf works out the value of the measures of one quantity, and tells
// whether a unit was written.
func quantityOf(parts []*measureNode, s, remedy string) (Quantity, bool, *Error) {
	if len(parts) > 1 {
		q, err := compound(parts, s, remedy)
		return q, true, err
	}
	m := parts[0]
	u, err := m.unit(remedy)
	if err != nil {
		return Quantity{}, false, err
	}
	n, err := m.number()
	if err != nil {
		return Quantity{}, false, err
	}
	if u == nil {
		return Quantity{n, "1", Scalar}, false, nil
	}
	return Quantity{n.Mul(u.factor), u.canonical, u.dimension}, true, nil
}

// compound adds the parts of "1h30m": units of time from large to small, and a
// fraction only in the last part.
func compound(parts []*measureNode, s, remedy string) (Quantity, *Error) {
	sum := exact.Int(0)
	var last *unit
	for i, m := range parts {
		u, err := m.unit(remedy)
		if err != nil {
			return Quantity{}, err
		}
		n, err := m.number()
		if err != nil {
			return Quantity{}, err
		}
		text := s[m.Pos.Offset:end(m.Tokens)]
		switch {
		case u == nil || u.dimension != Time || m.Sign != "" || m.Den != "":
			return Quantity{}, &Error{Offset: m.Pos.Offset, End: end(m.Tokens), Message: fmt.Sprintf("%q cannot be a part of a longer duration.", text), Remedy: `Write whole numbers with units of time, the largest first: "1h30m".`}
		case last != nil && u.factor.Cmp(last.factor) >= 0:
			return Quantity{}, &Error{Offset: m.Pos.Offset, End: end(m.Tokens), Message: fmt.Sprintf("%q does not follow a larger unit.", text), Remedy: `Write each unit once, the largest first: "1h30m".`}
		case i < len(parts)-1 && !n.IsInt():
			return Quantity{}, &Error{Offset: m.Pos.Offset, End: end(m.Tokens), Message: fmt.Sprintf("%q has a fraction before the last part.", text), Remedy: `Only the last part may have one: "1m1.5s".`}
		}
		last = u
		sum = sum.Add(n.Mul(u.factor))
	}
	return Quantity{sum, "s", Time}, nil
}

func (m *measureNode) number() (exact.Number, *Error) {
	bad := func(text string) *Error {
		return &Error{Offset: m.Pos.Offset, End: end(m.Tokens), Message: fmt.Sprintf("%q is too long for a number.", text), Remedy: "Write at most 64 digits, and an exponent of at most two digits."}
	}
	n, err := exact.Parse(m.Num)
	if err != nil {
		return exact.Number{}, bad(m.Num)
	}
	if m.Den != "" {
		d, err := exact.Parse(m.Den)
		if err != nil {
			return exact.Number{}, bad(m.Den)
		}
		if d.Sign() == 0 {
			return exact.Number{}, &Error{Offset: m.Pos.Offset, End: end(m.Tokens), Message: "A fraction cannot have 0 below its bar.", Remedy: `Write a share such as "18/20".`}
		}
		n = n.Div(d)
	}
	if m.Sign == "-" {
		n = n.Neg()
	}
	return n, nil
}

const durationRemedy = `Write a number and a unit of time, such as "90s", "1h30m" or "250ms".`

// ParseDuration reads a duration of 0 or more that is a whole number of
// nanoseconds: "90s", "1h30m", "1.5h", "250ms", "2d".
func ParseDuration(s string) (exact.Duration, *Error) {
	q, err := one(s, "a duration", durationRemedy)
	if err != nil {
		return 0, err
	}
	return q.duration(0, len(s), s)
}

// duration turns q into a duration; from, to and text say where it stands.
func (q Quantity) duration(from, to int, text string) (exact.Duration, *Error) {
	if q.Dimension == Scalar {
		return 0, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q has no unit of time.", text), Remedy: fmt.Sprintf("Write %s behind the number: \"90s\".", unitsOf(Time))}
	}
	if q.Dimension != Time {
		return 0, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q is a %s, where a duration is expected.", text, q.Dimension), Remedy: durationRemedy}
	}
	if q.Value.Sign() < 0 {
		return 0, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q is negative.", text), Remedy: "Write a duration of 0 or more."}
	}
	d, ok := exact.DurationOf(q.Value)
	if !ok {
		return 0, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q is longer than 292 years.", text), Remedy: "Write a shorter duration."}
	}
	if d.Seconds().Cmp(q.Value) != 0 {
		return 0, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q is not a whole number of nanoseconds.", text), Remedy: "Write a duration with at most nine decimals of a second."}
	}
	return d, nil
}

const rateRemedy = `Write requests per time, such as "10 req/s" or "600 req/min".`

// ParseRate reads a rate above 0 and returns it in requests a second.
func ParseRate(s string) (exact.Number, *Error) {
	q, err := one(s, "a rate", rateRemedy)
	if err != nil {
		return exact.Number{}, err
	}
	return q.number(Rate, 0, len(s), s)
}

// number checks that q has a dimension and is above 0 where it is a rate.
func (q Quantity) number(dim Dimension, from, to int, text string) (exact.Number, *Error) {
	remedy := map[Dimension]string{Rate: rateRemedy, Scalar: `Write a number without a unit, such as "0.05".`, Time: durationRemedy}[dim]
	switch {
	case q.Dimension == dim:
	case q.Dimension == Scalar && dim == Rate:
		return exact.Number{}, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q has no unit of rate.", text), Remedy: rateRemedy}
	default:
		return exact.Number{}, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q is a %s, where a %s is expected.", text, q.Dimension, dim), Remedy: remedy}
	}
	if dim == Rate && q.Value.Sign() <= 0 {
		return exact.Number{}, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q is not above 0.", text), Remedy: rateRemedy}
	}
	return q.Value, nil
}

const ratioRemedy = `Write a share from 0 to 1, such as "18/20", "90%" or "0.9".`

// ParseRatio reads a share from 0 to 1: "18/20", "90%", "0.9".
func ParseRatio(s string) (exact.Number, *Error) {
	q, err := one(s, "a share", ratioRemedy)
	if err != nil {
		return exact.Number{}, err
	}
	if q.Dimension != Scalar {
		return exact.Number{}, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("%q is a %s, where a share is expected.", s, q.Dimension), Remedy: ratioRemedy}
	}
	if q.Value.Sign() < 0 || q.Value.Cmp(exact.Int(1)) > 0 {
		return exact.Number{}, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("%q lies outside of 0 to 1.", s), Remedy: ratioRemedy}
	}
	return q.Value, nil
}

// Window is an aggregation window, in time or in requests: one of the two is
// 0. Whether a window of 0 is allowed is not decided here.
type Window struct {
	Duration exact.Duration `json:"duration_s,omitempty"`
	Requests int64          `json:"requests,omitempty"`
}

// String is the canonical text of the window.
func (w Window) String() string {
	if w.Requests > 0 {
		return fmt.Sprintf("%d requests", w.Requests)
	}
	return w.Duration.String()
}

const windowRemedy = `Write a duration such as "5m", or a number of requests such as "200 requests".`

// ParseWindow reads an aggregation window: "5m" or "200 requests".
func ParseWindow(s string) (Window, *Error) {
	q, err := one(s, "a window", windowRemedy)
	if err != nil {
		return Window{}, err
	}
	switch q.Dimension {
	case Requests:
		n, ok := q.Value.Int64()
		if !ok || !q.Value.IsInt() || n < 0 {
			return Window{}, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("%q is not a whole number of requests.", s), Remedy: windowRemedy}
		}
		return Window{Requests: n}, nil
	case Time:
		d, err := q.duration(0, len(s), s)
		return Window{Duration: d}, err
	}
	return Window{}, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("%q is a %s, where a window is expected.", s, q.Dimension), Remedy: windowRemedy}
}

// Span is a length of time, in time or in aggregation windows: Windows is
// above 0 for the latter, and Duration is then 0.
type Span struct {
	Duration exact.Duration
	Windows  exact.Number
}

// InWindows tells whether the span is counted in windows.
func (s Span) InWindows() bool { return s.Windows.Sign() > 0 }

// Length is the span as a duration, for windows of the given length, and false
// where it does not fit into 292 years.
func (s Span) Length(window exact.Duration) (exact.Duration, bool) {
	if s.InWindows() {
		return window.Mul(s.Windows)
	}
	return s.Duration, true
}

// String is the canonical text of the span.
func (s Span) String() string {
	if s.InWindows() {
		if s.Windows.Cmp(exact.Int(1)) == 0 {
			return "1 window"
		}
		return s.Windows.String() + " windows"
	}
	return s.Duration.String()
}

const spanRemedy = `Write a duration such as "50m", or a number of windows such as "20 windows".`

// ParseSpan reads a length of time: "50m" or "20 windows".
func ParseSpan(s string) (Span, *Error) {
	q, err := one(s, "a length of time", spanRemedy)
	if err != nil {
		return Span{}, err
	}
	switch q.Dimension {
	case Windows:
		if q.Value.Sign() <= 0 {
			return Span{}, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("%q is not above 0.", s), Remedy: spanRemedy}
		}
		return Span{Windows: q.Value}, nil
	case Time:
		d, err := q.duration(0, len(s), s)
		return Span{Duration: d}, err
	}
	return Span{}, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("%q is a %s, where a length of time is expected.", s, q.Dimension), Remedy: spanRemedy}
}
