package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
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
//	null PATH       sets a member to null, which set cannot
//	put PATH VALUE  gives a member that is there another value
//	cut PATH        removes a member, or an element of a list
//	shift OBJECT    adds integers to integer members, named by their paths
//	drop            removes it
//	copy            puts a copy behind it, which later lines of it change
//	before KIND OBJECT, after KIND OBJECT   put a new item there
//	next KIND, previous KIND                pick the nearest of that kind instead
//
// A path such as "event.at" or "windows.3.0" goes inside objects, and into
// lists by an element's place, from 0.
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
		} else if verb, kind := word(trimmed); verb == "next" || verb == "previous" {
			picked, err = near(out, picked, verb == "next", kind)
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
		case "set", "shift", "null", "put", "cut":
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

// near moves each pick to the nearest item of a kind before or behind it.
func near(items []Item, picked []int, behind bool, kind string) ([]int, error) {
	step := -1
	if behind {
		step = 1
	}
	moved := make([]int, 0, len(picked))
	for _, i := range picked {
		for i += step; i >= 0 && i < len(items) && items[i].Kind != kind; i += step {
		}
		if i < 0 || i >= len(items) {
			return nil, fmt.Errorf("no item %q is there", kind)
		}
		moved = append(moved, i)
	}
	slices.Sort(moved)
	return slices.Compact(moved), nil
}

func revise(verb string, data any, text string) (any, error) {
	switch verb {
	case "null":
		return inside(data, text, func(any) (any, error) { return nil, nil })
	case "cut":
		return inside(data, text, func(any) (any, error) { return gone{}, nil })
	}
	var patch any
	path, value := "", text
	if verb == "put" {
		path, value = word(text)
	}
	if err := decode([]byte(value), &patch); err != nil {
		return nil, err
	}
	if verb == "put" {
		return inside(data, path, func(any) (any, error) { return patch, nil })
	}
	object, ok := patch.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is no object", text)
	}
	if verb == "set" {
		return merge(data, object), nil
	}
	for path, by := range object {
		var err error
		data, err = inside(data, path, func(old any) (any, error) {
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

// gone stands for a value that is to be removed.
type gone struct{}

// inside replaces what stands at a path such as "event.at" or "windows.3.0".
func inside(data any, path string, f func(any) (any, error)) (any, error) {
	name, rest, deeper := strings.Cut(path, ".")
	if deeper {
		last := f
		f = func(old any) (any, error) { return inside(old, rest, last) }
	}
	switch d := data.(type) {
	case map[string]any:
		old, exists := d[name]
		if !exists {
			break
		}
		v, err := f(old)
		if _, remove := v.(gone); remove {
			delete(d, name)
		} else {
			d[name] = v
		}
		return d, err
	case []any:
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(d) {
			break
		}
		v, err := f(d[i])
		if _, remove := v.(gone); remove {
			return slices.Delete(d, i, i+1), err
		}
		d[i] = v
		return d, err
	}
	return nil, fmt.Errorf("there is no member %q", name)
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
