package rule

import (
	"fmt"
	"slices"
	"strings"
)

// unmatched refuses selectors that no sample can meet, where the signal depends
// on them. Those that ask for the same labels in vain are one mistake.
func (r *ruleFile) unmatched() {
	type mistake struct{ text, also, remedy string }
	var mistakes []*mistake
	byRemedy := map[string]*mistake{}
	seen := map[string]bool{}
	for i, rule := range r.review.Rules {
		for _, e := range rule.Empty {
			if !r.needed[i] || e.Unknown || seen[e.Text] {
				continue
			}
			seen[e.Text] = true
			remedy := labelRemedy(e.Asked)
			if m := byRemedy[remedy]; m != nil && len(e.Asked) > 0 {
				m.also += fmt.Sprintf(", %s in line %d", e.Text, e.Line)
				continue
			}
			of := ""
			if e.Name != "" {
				of = " of " + e.Name
			}
			m := &mistake{remedy: remedy, text: fmt.Sprintf("The rules in %s select %s, and no sample can match it (%s): the samples%s have %s.",
				r.name, e.Text, r.where(rule, e.Line), of, e.Has)}
			mistakes, byRemedy[remedy] = append(mistakes, m), m
		}
	}
	for _, m := range mistakes {
		if m.also != "" {
			m.also = " The same is true of " + strings.TrimPrefix(m.also, ", ") + "."
		}
		r.l.err(r.place, "Selector that nothing matches", "%s%s %s", m.text, m.also, m.remedy)
	}
}

// labelRemedy says which arguments give the samples the labels asked for.
func labelRemedy(asked map[string]string) string {
	var set, further []string
	for _, name := range sortedNames(asked) {
		if name == "job" || name == "instance" {
			set = append(set, fmt.Sprintf("%s = %q", name, asked[name]))
		} else {
			further = append(further, fmt.Sprintf("%s = %q", labelKey(name), asked[name]))
		}
	}
	if len(further) > 0 {
		set = append(set, "labels = { "+strings.Join(further, ", ")+" }")
	}
	if len(set) == 0 {
		return "The arguments job, instance and labels of the detector say which labels the exported samples have; give them those of your deployment."
	}
	return "If your deployment has these labels, write " + strings.Join(set, " and ") + " in the detector block, whose arguments job, instance and labels say what the exported samples have."
}

// labelKey writes a label's name as the key of an object.
func labelKey(name string) string {
	for i, r := range name {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return fmt.Sprintf("%q", name)
		}
	}
	return name
}

func sortedNames(m map[string]string) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// groupings notes labels that the signal's rules group by in vain.
func (r *ruleFile) groupings() {
	seen := map[string]bool{}
	for i, rule := range r.review.Rules {
		for _, g := range rule.Groupings {
			if !r.needed[i] || seen[g.Label] {
				continue
			}
			seen[g.Label] = true
			r.l.note(r.place, "Grouping by an absent label",
				"%s groups by %s (line %d of %s), and no sample there has that label: they have %s. So they are not kept apart by it. If your counters have it, add labels = { %s = \"...\" } to the detector.",
				rule.Name, g.Label, g.Line, r.name, g.Has, labelKey(g.Label))
		}
	}
}
