package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// mutant is a JSON object with one member changed.
type mutant struct {
	path string // "event.at_ns", "indicators[0].windows[0][1]"
	how  string // null, removed, changed, grown
	data json.RawMessage
	same bool // a reader that takes what is absent for zero sees what was there before
}

// mutants changes every member of an object alone, those of its parts too: to
// null, away, and to another value of its kind. Of a list the first element
// stands for all.
func mutants(object json.RawMessage) []mutant {
	var out []mutant
	var root any
	if err := decode(object, &root); err != nil {
		panic("conformance: an original is no JSON: " + err.Error())
	}
	put := func(path, how string, same bool) {
		b, err := json.Marshal(root)
		if err != nil {
			panic("conformance: a mutant does not encode: " + err.Error())
		}
		out = append(out, mutant{path, how, b, same})
	}
	var walk func(v any, path string, set func(any), remove func())
	walk = func(v any, path string, set func(any), remove func()) {
		if path != "" {
			if v != nil {
				set(nil)
				put(path, "null", zero(v))
			}
			for _, x := range others(v) {
				set(x.value)
				put(path, x.how, false)
			}
			if remove != nil {
				set(v)
				remove()
				put(path, "removed", zero(v))
			}
			set(v)
		}
		switch v := v.(type) {
		case map[string]any:
			for _, name := range sortedKeys(v) {
				inner := name
				if path != "" {
					inner = path + "." + name
				}
				walk(v[name], inner, func(x any) { v[name] = x }, func() { delete(v, name) })
			}
		case []any:
			if len(v) > 0 {
				walk(v[0], path+"[0]", func(x any) { v[0] = x }, nil)
			}
		}
	}
	walk(root, "", nil, nil)
	return out
}

// zero tells whether a value is the one that an absent member is taken for.
func zero(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case json.Number:
		return v == "0"
	case string:
		return v == "" || v == "0"
	case []any:
		return len(v) == 0
	}
	return false
}

type other struct {
	how   string
	value any
}

// others are other values of the same kind as v.
func others(v any) []other {
	switch v := v.(type) {
	case bool:
		return []other{{"changed", !v}}
	case json.Number:
		return []other{{"changed", json.Number(plus(v.String()))}}
	case string:
		if isDecimal(v) {
			return []other{{"changed", v + "1"}, {"changed", "0"}}
		}
		return []other{{"changed", v + "x"}}
	case []any:
		if len(v) == 0 {
			return nil
		}
		return []other{{"emptied", []any{}}, {"shortened", slices.Clone(v[:len(v)-1])}}
	}
	return nil
}

func isDecimal(s string) bool {
	var n json.Number
	return s != "" && json.Unmarshal([]byte(s), &n) == nil && n.String() == s && strings.Contains(s, ".")
}

// plus is a number that is larger by one in its last digit.
func plus(s string) string {
	var n int64
	if _, err := fmt.Sscanf(s, "%d", &n); err == nil && !strings.ContainsAny(s, ".eE") {
		return fmt.Sprint(n + 1)
	}
	// A figure that is printed with all of its digits is the same with one more.
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		if g, err := strconv.ParseFloat(s+"1", 64); err == nil && f == g {
			return strconv.FormatFloat(math.Nextafter(f, math.Inf(1)), 'g', -1, 64)
		}
	}
	return s + "1"
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func decode(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(v)
}
