package pages

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/spec"
)

// describe puts an edit (package edit) of a document of some kind, such as
// spec.InJournal, into words: `the first trial of purpose "search" has no
// event`. It is false for one that it cannot read; whether the
// edit fits a document is not its affair.
func describe(in, text string) (string, bool) {
	var parts []string
	subject, acts := "", []string(nil)
	flush := func() {
		if subject != "" && len(acts) > 0 {
			parts = append(parts, subject+" "+strings.Join(acts, " and "))
		}
		acts = nil
	}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		var ok bool
		if line[0] != ' ' && line[0] != '\t' {
			flush()
			if subject, ok = picked(in, trimmed); !ok {
				return "", false
			}
			continue
		}
		if verb, kind := word(trimmed); verb == "next" || verb == "previous" {
			flush()
			if subject == "" || kind == "" {
				return "", false
			}
			subject = map[string]string{"next": "the next ", "previous": "the previous "}[verb] + called(kind)
			continue
		}
		act, ok := changed(trimmed)
		if !ok || subject == "" {
			return "", false
		}
		acts = append(acts, act)
	}
	flush()
	return strings.Join(parts, ", and "), true
}

func word(s string) (first, rest string) {
	first, rest, _ = strings.Cut(s, " ")
	return first, strings.TrimSpace(rest)
}

// once are the items that a document has one of.
var once = map[string][]string{
	spec.InJournal:    {"open", "close"},
	spec.InPlan:       {"plan", "digests", "inputs", "declaration", "combinations", "estimators", "budget"},
	spec.InResult:     single,
	spec.InComparison: single,
}

var single = []string{
	"conformance", "comparability", "topology", "apparatus", "detector", "signal", "onset", "clocks", "reception", "readback", "traffic", "caching",
	"supplementary", "footer",
	// Of a reuse block.
	"claims", "run", "aggregate", "negative_controls", "collisions", "placement", "paired", "confirmation", "quality",
}

// words are what people call a kind of item whose name does not say it.
var words = map[string]string{
	"by_transform": "transform", "claims": "list of claims", "collisions": "audit of collisions", "gates": "gate",
	"negative_controls": "summary of the controls", "paired": "comparison of pairs",
	"reuse_arm": "request", "reuse_audit": "audit of collisions", "reuse_counters": "reading of the counters", "reuse_evidence": "summary of a log",
	"reuse_item": "item", "reuse_joined": "request of a log", "reuse_reset": "reset",
}

// called is what people call a kind of item.
func called(kind string) string {
	if w, ok := words[kind]; ok {
		return w
	}
	return strings.ReplaceAll(kind, "_", " ")
}

// picked says which items a line picks.
func picked(in, line string) (string, bool) {
	kind, rest := word(line)
	which := "the first "
	if slices.Contains(once[in], kind) {
		which = "the "
	}
	switch w, r := word(rest); w {
	case "all":
		which, rest = "every ", r
	case "last":
		which, rest = "the last ", r
	}
	name := which + called(kind)
	if kind == "top" {
		name = "the document"
	}
	if rest == "" {
		return name, true
	}
	members, ok := object(rest)
	if !ok {
		return "", false
	}
	var list []string
	for _, m := range members {
		list = append(list, m.name+" "+m.value)
	}
	return name + " of " + suggest.And(list), true
}

// changed says what one line does to an item.
func changed(line string) (string, bool) {
	verb, rest := word(line)
	switch verb {
	case "drop":
		return "is missing", rest == ""
	case "copy":
		return "stands there twice", rest == ""
	case "null":
		return "has null for " + rest, rest != ""
	case "cut":
		return "has no " + rest, rest != ""
	case "put":
		path, value := word(rest)
		return "has " + valued(path, value), json.Valid([]byte(value))
	case "before", "after":
		kind, _ := word(rest)
		if kind == "" {
			return "", false
		}
		return map[string]string{"before": "follows ", "after": "is followed by "}[verb] + "another " + kind, true
	case "set", "shift":
		members, ok := object(rest)
		if !ok || len(members) == 0 {
			return "", false
		}
		var has, lacks, moved []string
		for _, m := range members {
			switch {
			case verb == "set" && m.value == "null":
				lacks = append(lacks, "no "+m.name)
			case verb == "set":
				has = append(has, valued(m.name, m.value))
			case strings.HasPrefix(m.value, "-"):
				moved = append(moved, "its "+m.name+" lowered by "+m.value[1:])
			default:
				moved = append(moved, "its "+m.name+" raised by "+m.value)
			}
		}
		return "has " + suggest.And(append(append(has, lacks...), moved...)), true
	}
	return "", false
}

// valued is a member with its value, or "another" where the value is long:
// the edit itself stands below.
func valued(name, value string) string {
	if len(value) > 50 {
		return "another " + name
	}
	return name + " " + value
}

type member struct{ name, value string }

// object lists the members of an object by their paths, inner objects
// unfolded, in the order of the names.
func object(text string) ([]member, bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v map[string]any
	if d.Decode(&v) != nil {
		return nil, false
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, false
	}
	return unfold("", v), true
}

func unfold(prefix string, v map[string]any) []member {
	var list []member
	for _, k := range slices.Sorted(maps.Keys(v)) {
		if inner, ok := v[k].(map[string]any); ok && len(inner) > 0 {
			list = append(list, unfold(prefix+k+".", inner)...)
			continue
		}
		b, err := plainjson.Line(v[k])
		if err != nil {
			return append(list, member{prefix + k, fmt.Sprint(v[k])})
		}
		list = append(list, member{prefix + k, string(b)})
	}
	return list
}
