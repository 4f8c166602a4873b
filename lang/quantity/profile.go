package quantity

import (
	"fmt"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/suggest"
)

// Profile is the course of a fault's magnitude over time.
//
//	step                 full at once
//	ramp D               linear from 0 to full over D (Ramp)
//	pulse D              full for D (On), then gone
//	intermittent ON OFF  full for ON (On), gone for OFF (Off), and so on
//	drift D              as ramp, meant for hours (Ramp)
type Profile struct {
	Shape string         `json:"shape"`
	Ramp  exact.Duration `json:"ramp_s,omitempty"`
	On    exact.Duration `json:"on_s,omitempty"`
	Off   exact.Duration `json:"off_s,omitempty"`
}

// Shapes are the names of all profiles, in the order of the reference.
var Shapes = []string{"step", "ramp", "pulse", "intermittent", "drift"}

// String is the canonical text, which ParseProfile reads back.
func (p Profile) String() string {
	switch p.Shape {
	case "ramp", "drift":
		return p.Shape + " " + p.Ramp.String()
	case "pulse":
		return p.Shape + " " + p.On.String()
	case "intermittent":
		return p.Shape + " " + p.On.String() + " " + p.Off.String()
	}
	return p.Shape
}

const profileRemedy = `Write "step", "ramp 2m", "pulse 30s", "intermittent 30s 90s" or "drift 2h".`

// ParseProfile reads a profile. Its durations are above 0.
func ParseProfile(s string) (Profile, *Error) {
	tree, err := parse(shapeParser, s, "a profile", profileRemedy)
	if err != nil {
		return Profile{}, err
	}
	var times []exact.Duration
	for _, g := range tree.arguments() {
		q, _, err := quantityOf(g, s, durationRemedy)
		if err != nil {
			return Profile{}, err
		}
		from, to := g[0].Pos.Offset, end(g[len(g)-1].Tokens)
		d, err := q.duration(from, to, s[from:to])
		if err != nil {
			return Profile{}, err
		}
		if d == 0 {
			return Profile{}, &Error{Offset: from, End: to, Message: fmt.Sprintf("%q is not above 0.", s[from:to]), Remedy: profileRemedy}
		}
		times = append(times, d)
	}
	p := Profile{Shape: tree.Name}
	want := 1
	switch tree.Name {
	case "step":
		want = 0
	case "intermittent":
		want = 2
	case "ramp", "pulse", "drift":
	default:
		return Profile{}, tree.unknown("profile", Shapes, profileRemedy)
	}
	if len(times) != want {
		return Profile{}, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf("The profile %q takes %s, and %d are given.", tree.Name, durations(want), len(times)), Remedy: profileRemedy}
	}
	switch tree.Name {
	case "ramp", "drift":
		p.Ramp = times[0]
	case "pulse":
		p.On = times[0]
	case "intermittent":
		p.On, p.Off = times[0], times[1]
	}
	return p, nil
}

func durations(n int) string {
	switch n {
	case 0:
		return "no duration"
	case 1:
		return "one duration"
	}
	return fmt.Sprintf("%d durations", n)
}

// arguments are the quantities behind the word.
func (n *shapeNode) arguments() [][]*measureNode {
	return append(group(n.First), group(n.Rest)...)
}

func (n *shapeNode) unknown(what string, names []string, remedy string) *Error {
	e := &Error{Offset: n.Pos.Offset, End: n.Pos.Offset + len(n.Name), Message: fmt.Sprintf("There is no %s %q.", what, n.Name), Remedy: remedy}
	if near := suggest.Nearest(n.Name, names); near != "" {
		e.Remedy, e.Instead = fmt.Sprintf("Did you mean %q?", near), suggest.Only(n.Name, names)
	}
	return e
}
