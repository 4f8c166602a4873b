package exact

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Duration is a span of time in whole nanoseconds. Its JSON form is a decimal
// string of seconds ("0.25"), which no reader rounds.
type Duration int64

// Units of Duration.
const (
	Nanosecond  Duration = 1
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
	Day                  = 24 * Hour
)

// Seconds returns d in seconds.
func (d Duration) Seconds() Number { return Frac(int64(d), int64(Second)) }

// DurationOf returns n seconds rounded to the nanosecond, and false where that
// does not fit into 292 years.
func DurationOf(seconds Number) (Duration, bool) {
	ns := seconds.Mul(Int(int64(Second))).Round(0)
	i := ns.view().Num()
	if !i.IsInt64() {
		return 0, false
	}
	return Duration(i.Int64()), true
}

// Mul returns d times n rounded to the nanosecond, and false on overflow.
func (d Duration) Mul(n Number) (Duration, bool) { return DurationOf(d.Seconds().Mul(n)) }

// String is the exact text with units, largest first: "1h30m", "2.5s", "0s". A
// negative duration is in seconds, since a sign before several parts could be
// read as that of the first: "-70s".
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	if d < 0 {
		return d.Seconds().Decimal(9) + "s"
	}
	var b strings.Builder
	rest := d
	for _, u := range []struct {
		size Duration
		name string
	}{{Day, "d"}, {Hour, "h"}, {Minute, "m"}} {
		if n := rest / u.size; n > 0 {
			fmt.Fprintf(&b, "%d%s", int64(n), u.name)
		}
		rest %= u.size
	}
	switch {
	case rest == 0:
	case rest < Second && b.Len() == 0:
		b.WriteString(Frac(int64(rest), int64(Millisecond)).Decimal(6) + "ms")
	default:
		b.WriteString(rest.Seconds().Decimal(9) + "s")
	}
	return b.String()
}

// Words is d for a reader who plans a week: the two largest units, rounded
// ("19 days", "3 hours 20 minutes").
func (d Duration) Words() string {
	type unit struct {
		size Duration
		name string
	}
	units := []unit{{Day, "day"}, {Hour, "hour"}, {Minute, "minute"}, {Second, "second"}}
	say := func(n Duration, name string) string {
		if n == 1 {
			return "1 " + name
		}
		return fmt.Sprintf("%d %ss", int64(n), name)
	}
	for i, u := range units {
		if d < u.size {
			continue
		}
		n := d / u.size
		if i == len(units)-1 || n >= 10 {
			return say((d+u.size/2)/u.size, u.name)
		}
		next := units[i+1]
		m := (d - n*u.size + next.size/2) / next.size
		if m == u.size/next.size {
			return say(n+1, u.name)
		}
		if m == 0 {
			return say(n, u.name)
		}
		return say(n, u.name) + " " + say(m, next.name)
	}
	if d == 0 {
		return "no time"
	}
	return d.String()
}

// MarshalJSON writes seconds as a decimal string.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.Seconds().String()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Duration) UnmarshalJSON(b []byte) error {
	var n Number
	if err := n.UnmarshalJSON(b); err != nil {
		return err
	}
	v, ok := DurationOf(n)
	if !ok || v.Seconds().Cmp(n) != 0 {
		return fmt.Errorf("%s seconds is not a whole number of nanoseconds within 292 years", n)
	}
	*d = v
	return nil
}
