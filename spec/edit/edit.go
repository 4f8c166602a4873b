package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Item is one thing that can be picked.
type Item struct {
	Kind string
	Data json.RawMessage
}

// Apply carries an example out and returns the changed items; the ones given
// stay as they are.
//
// A line that begins in the first column picks: KIND, optionally which of
// those that match ("all", "last"; the first without), optionally an object
// whose members they have. The lines below it, indented by two spaces, change
// what was picked:
//
//	set OBJECT      merges the object into it (RFC 7386): null removes a member
//	null NAME       sets a member to null, which set cannot; "a.b" goes inside
//	shift OBJECT    adds integers to integer members, "a.b" goes inside
//	drop            removes it
//	copy            puts a copy behind it, which later lines of it change
//	before KIND OBJECT, after KIND OBJECT   put a new item there
//
// Lines that begin with "#" are comments. An error names the line. A line that
// picks nothing is an error: an example that changes nothing shows nothing.
func Apply(items []Item, text string) ([]Item, error) {
	out := append([]Item(nil), items...)
	var picked []int
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		var err error
		if line[0] != ' ' && line[0] != '\t' {
			picked, err = pick(out, trimmed)
		} else if picked == nil {
			err = fmt.Errorf("nothing was picked to change")
		} else {
			out, picked, err = change(out, picked, trimmed)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d (%s): %w", i+1, trimmed, err)
		}
	}
	return out, nil
}

// word splits the first word off.
func word(s string) (first, rest string) {
	first, rest, _ = strings.Cut(s, " ")
	return first, strings.TrimSpace(rest)
}

func pick(items []Item, line string) ([]int, error) {
	kind, rest := word(line)
	which := ""
	if w, r := word(rest); w == "all" || w == "last" {
		which, rest = w, r
	}
	var want any
	if rest != "" {
		if err := decode([]byte(rest), &want); err != nil {
			return nil, err
		}
	}
	var found []int
	for i, it := range items {
		if it.Kind != kind {
			continue
		}
		var have any
		if err := decode(it.Data, &have); err != nil {
			return nil, err
		}
		if want == nil || has(have, want) {
			found = append(found, i)
		}
	}
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("no item matches")
	case which == "all":
		return found, nil
	case which == "last":
		return found[len(found)-1:], nil
	}
	return found[:1], nil
}

// has tells whether a value has all that another one asks for.
func has(have, want any) bool {
	w, ok := want.(map[string]any)
	if !ok {
		a, _ := json.Marshal(have)
		b, _ := json.Marshal(want)
		return bytes.Equal(a, b)
	}
	h, ok := have.(map[string]any)
	if !ok {
		return false
	}
	for k, v := range w {
		x, ok := h[k]
		if !ok || !has(x, v) {
			return false
		}
	}
	return true
}

// change returns the items with one change, and the places of those that were
// picked. From the last to the first, so that the earlier places stay.
func change(items []Item, picked []int, line string) ([]Item, []int, error) {
	verb, rest := word(line)
	for n := len(picked) - 1; n >= 0; n-- {
		i := picked[n]
		var err error
		switch verb {
		case "set", "shift", "null":
			var data any
			if err = decode(items[i].Data, &data); err == nil {
				data, err = revise(verb, data, rest)
			}
			if err == nil {
				items[i].Data, err = json.Marshal(data)
			}
		case "drop":
			items = append(items[:i:i], items[i+1:]...)
		case "copy":
			items = insert(items, i+1, items[i])
			picked[n] = i + 1
			move(picked[n+1:])
		case "before", "after":
			kind, object := word(rest)
			if object == "" {
				object = "{}"
			}
			if !json.Valid([]byte(object)) {
				err = fmt.Errorf("%q is no object", object)
				break
			}
			at := i
			if verb == "after" {
				at++
			}
			items = insert(items, at, Item{kind, json.RawMessage(object)})
			if verb == "before" {
				picked[n]++
			}
			move(picked[n+1:])
		default:
			err = fmt.Errorf("there is no change %q", verb)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if verb == "drop" {
		picked = nil
	}
	return items, picked, nil
}

func move(places []int) {
	for i := range places {
		places[i]++
	}
}

func insert(items []Item, at int, it Item) []Item {
	out := append([]Item(nil), items[:at]...)
	out = append(out, it)
	return append(out, items[at:]...)
}

func revise(verb string, data any, text string) (any, error) {
	if verb == "null" {
		return data, inside(data, text, func(any) (any, error) { return nil, nil })
	}
	var patch any
	if err := decode([]byte(text), &patch); err != nil {
		return nil, err
	}
	object, ok := patch.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is no object", text)
	}
	if verb == "set" {
		return merge(data, object), nil
	}
	for path, by := range object {
		err := inside(data, path, func(old any) (any, error) {
			a, okA := old.(json.Number)
			b, okB := by.(json.Number)
			x, errA := a.Int64()
			y, errB := b.Int64()
			if !okA || !okB || errA != nil || errB != nil {
				return nil, fmt.Errorf("%q is not an integer to shift", path)
			}
			return x + y, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// inside replaces the member at a path such as "event.at".
func inside(data any, path string, f func(any) (any, error)) error {
	object, ok := data.(map[string]any)
	name, rest, deeper := strings.Cut(path, ".")
	old, exists := object[name]
	if !ok || !exists {
		return fmt.Errorf("there is no member %q", name)
	}
	if deeper {
		return inside(old, rest, f)
	}
	v, err := f(old)
	object[name] = v
	return err
}

// merge is RFC 7386.
func merge(data any, patch map[string]any) any {
	object, ok := data.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for k, v := range patch {
		switch v := v.(type) {
		case nil:
			delete(object, k)
		case map[string]any:
			object[k] = merge(object[k], v)
		default:
			object[k] = v
		}
	}
	return object
}

func decode(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(v)
}
