package compare

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// differences lists where two JSON values differ, by path. Absent, null and
// empty are one, as in the lock of a scenario, unless nothing else differs.
func differences(a, b json.RawMessage) []Difference {
	found := between(flatten(a, false), flatten(b, false))
	if len(found) == 0 {
		found = between(flatten(a, true), flatten(b, true))
	}
	return found
}

// between lists where two flat values differ, by path and line.
func between(a, b map[string]string) []Difference {
	out := []Difference{}
	paths := make([]string, 0, len(a))
	for path := range a {
		paths = append(paths, path)
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		x, inA := a[path]
		y, inB := b[path]
		switch {
		case inA && inB && x == y:
		case inA && inB && strings.Contains(x+y, "\n"):
			out = append(out, lines(path, x, y)...)
		default:
			d := Difference{Path: path}
			if inA {
				d.A = &x
			}
			if inB {
				d.B = &y
			}
			out = append(out, d)
		}
	}
	return out
}

// lines pairs the lines between the common beginning and the common end of two
// texts. Numbers are those of the first text, from 1.
func lines(path, a, b string) []Difference {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	from := 0
	for from < min(len(x), len(y)) && x[from] == y[from] {
		from++
	}
	for len(x) > from && len(y) > from && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	var out []Difference
	for i := from; i < max(len(x), len(y)); i++ {
		d := Difference{Path: path, Line: i + 1}
		if i < len(x) {
			d.A = &x[i]
		}
		if i < len(y) {
			d.B = &y[i]
		}
		if d.A == nil || d.B == nil || *d.A != *d.B {
			out = append(out, d)
		}
	}
	return out
}

// flatten lists the scalar values of a JSON value by path; empty keeps those
// that are null or "" as well. The path of a value that is no object is "".
func flatten(raw json.RawMessage, empty bool) map[string]string {
	f := flattener{map[string]string{}, empty}
	if v, ok := parse(raw); ok {
		f.walk("", v)
	}
	return f.out
}

type flattener struct {
	out   map[string]string
	empty bool
}

// parse decodes one JSON value; numbers keep their digits.
func parse(raw []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil, false
	}
	return v, true
}

func (f *flattener) walk(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			f.walk(join(path, name), v[name])
		}
	case []any:
		if text, ok := scalars(v); ok {
			f.put(path, text)
			return
		}
		seen := make(map[string]int, len(v))
		for i, item := range v {
			name := itemName(item, i)
			if seen[name]++; seen[name] > 1 {
				name += " #" + strconv.Itoa(seen[name])
			}
			f.walk(path+"["+name+"]", item)
		}
	case string:
		// A deployment's own configuration is canonical JSON inside a string.
		if strings.HasPrefix(v, "{") {
			if inner, ok := parse([]byte(v)); ok {
				if o := inner.(map[string]any); len(o) > 0 {
					f.walk(path, inner)
					return
				}
			}
		}
		f.put(path, v)
	default:
		f.put(path, scalar(v))
	}
}

func (f *flattener) put(path, text string) {
	if text != "" || f.empty {
		f.out[path] = text
	}
}

// join adds a name to a path. One that would be taken for several is quoted.
func join(path, name string) string {
	if name == "" || strings.ContainsAny(name, ".[]\"") {
		name = strconv.Quote(name)
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// scalars joins a list of values that have no members: its order is a part of
// what it says, so it is one value.
func scalars(list []any) (string, bool) {
	parts := make([]string, len(list))
	for i, v := range list {
		switch v.(type) {
		case map[string]any, []any:
			return "", false
		}
		parts[i] = scalar(v)
	}
	return strings.Join(parts, ", "), true
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// itemName addresses a member of a list by what it is about, so that another
// value in it is a changed value and no other member.
func itemName(v any, i int) string {
	o, _ := v.(map[string]any)
	text := func(key string) string { s, _ := o[key].(string); return s }
	if place := text("place"); place != "" {
		if class := text("class"); class != "" {
			return place + ", " + class
		}
		return place
	}
	for _, key := range []string{"name", "label", "indicator", "class", "rate"} {
		if s := text(key); s != "" {
			return s
		}
	}
	return strconv.Itoa(i)
}
