package manifest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Warning is something that was left out of items, or was not there, without
// changing a figure.
type Warning struct {
	Where  string `json:"where"`  // item, donor; document
	Key    string `json:"key"`    // "" for all beyond the first MaxWarnings
	Reason string `json:"reason"` // unknown, missing
	Line   int64  `json:"line"`   // where it was first seen
	N      int64  `json:"n"`      // how often
}

func (w Warning) String() string {
	what := fmt.Sprintf("the key %q of %ss is not known and was left out", w.Key, w.Where)
	switch {
	case w.Key == "":
		what = fmt.Sprintf("further keys of %ss are not known and were left out", w.Where)
	case w.Reason == "missing":
		what = fmt.Sprintf("the key %q of %ss is missing", w.Key, w.Where)
	}
	times := "once"
	if w.N > 1 {
		times = fmt.Sprintf("%d times", w.N)
	}
	return fmt.Sprintf("line %d: %s (%s)", w.Line, what, times)
}

// Keys are those that an item or a donor may have, by the Where of a Warning;
// nil for anything else.
func Keys(where string) []string {
	switch where {
	case "item":
		return []string{"item_id", "dataset", "source_id", "transform", "recipient_prompt", "donor_prompts", "input", "answers", "negative_control", "metadata", "benchmark_version"}
	case "donor":
		return []string{"donor_id", "text", "label", "metadata"}
	}
	return nil
}

// maxKey bounds the bytes of a key that a warning spells out.
const maxKey = 100

// MaxWarnings bounds the keys that warnings tell apart.
const MaxWarnings = 50

// Warnings collects them, and knows a bounded number apart.
type Warnings struct{ by map[Warning]*Warning }

// Add counts one.
func (l *Warnings) Add(where, key, reason string, line int64) {
	if len(key) > maxKey {
		key = strings.ToValidUTF8(key[:maxKey], "") + "..."
	}
	id := Warning{Where: where, Key: key, Reason: reason}
	w := l.by[id]
	if w == nil && len(l.by) >= MaxWarnings {
		id.Key = ""
		w = l.by[id]
	}
	if w == nil {
		if l.by == nil {
			l.by = map[Warning]*Warning{}
		}
		w = &Warning{Where: where, Key: id.Key, Reason: reason, Line: line}
		l.by[id] = w
	}
	w.N++
}

// List returns them in the order of their first lines.
func (l *Warnings) List() []Warning {
	out := make([]Warning, 0, len(l.by))
	for _, w := range l.by {
		out = append(out, *w)
	}
	slices.SortFunc(out, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Where, b.Where), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Key, b.Key))
	})
	return out
}
