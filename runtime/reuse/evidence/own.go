package evidence

import (
	"strings"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// owners joins ids of a log with the run's own requests.
type owners struct {
	ask   func(string) (Request, bool)
	at    map[int]*record.Joined // by place in the table
	lines map[int][2]int64       // hits by the two ways in which an engine tells of them
	first map[Request]int        // the place of the first id that stands for one
	twice map[Request]bool       // two ids do
	many  int64                  // ids of the log that stand for several requests
	order []Request
}

func newOwners(ask func(string) (Request, bool)) *owners {
	return &owners{ask: ask, at: map[int]*record.Joined{}, lines: map[int][2]int64{}, first: map[Request]int{}, twice: map[Request]bool{}}
}

// claim asks whether an id that was seen for the first time is the run's own.
func (o *owners) claim(i int, id string) bool {
	for _, form := range forms(id) {
		r, ok := o.ask(form)
		if !ok {
			continue
		}
		if r == (Request{}) {
			o.many++
			return false // a shorter form of it would be a guess
		}
		if _, ok := o.first[r]; ok {
			o.twice[r] = true
		} else {
			o.first[r] = i
			o.order = append(o.order, r)
		}
		o.at[i] = &record.Joined{RequestID: id, ItemID: r.ItemID, Arm: r.Arm}
		return true
	}
	return false
}

func (o *owners) hit(i int, j *record.Joined, second bool) {
	n := o.lines[i]
	if second {
		n[1]++
	} else {
		n[0]++
	}
	o.lines[i] = n
	j.Hits = max(n[0], n[1])
}

func (o *owners) ambiguous() int64 { return int64(len(o.twice)) + o.many }

func (o *owners) joined(log string) []record.Joined {
	var out []record.Joined
	for _, r := range o.order {
		if o.twice[r] {
			continue
		}
		j := *o.at[o.first[r]]
		j.Log = log
		out = append(out, j)
	}
	return out
}

// forms returns the ways in which an id may have been sent, the likeliest
// first: as it stands, without what the API puts before it, and without what
// the engine puts behind it.
func forms(id string) []string {
	out := []string{id}
	for _, p := range []string{"chatcmpl-", "cmpl-"} {
		if rest, ok := strings.CutPrefix(id, p); ok && rest != "" {
			out = append(out, rest)
			break
		}
	}
	for _, s := range out {
		i := strings.LastIndexAny(s, "-_")
		if i <= 0 || !suffix(s[i:]) {
			continue
		}
		out = append(out, s[:i])
		// A sequence may have a number of its own before the digits that keep
		// requests of one id apart.
		if j := strings.LastIndexAny(s[:i], "-_"); j > 0 && len(s)-i == 9 && s[i] == '-' && number(s[j:i]) {
			out = append(out, s[:j])
		}
	}
	return out
}

// number tells whether s is a digit or more behind its first byte.
func number(s string) bool {
	return len(s) > 1 && len(digits([]byte(s[1:]))) == len(s)-1
}

// suffix tells whether an engine may have added s, which begins with "-" or
// "_": the number of a sequence, or "-" and eight hexadecimal digits.
func suffix(s string) bool {
	hexadecimal := s[0] == '-' && len(s) == 9
	for _, c := range s[1:] {
		hexadecimal = hexadecimal && ('0' <= c && c <= '9' || 'a' <= c && c <= 'f')
	}
	return hexadecimal || number(s)
}
