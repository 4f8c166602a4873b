package openai

import (
	"encoding/json"
	"slices"
)

// maxMembers bounds the names that are kept of one response.
const maxMembers = 256

// members gathers the names of all JSON members of a response, as paths:
// "choices[].delta.content". What responses of two kinds are told apart by is
// a name, and not its value.
type members map[string]bool

// add takes in a piece of JSON; what is none is left out.
func (m members) add(data []byte) {
	var v any
	if json.Unmarshal(data, &v) == nil {
		m.walk("", v)
	}
}

func (m members) walk(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if path != "" {
			path += "."
		}
		for name, x := range v {
			if len(m) < maxMembers || m[path+name] {
				m[path+name] = true
				m.walk(path+name, x)
			}
		}
	case []any:
		for _, x := range v {
			m.walk(path+"[]", x)
		}
	}
}

// sorted lists the names.
func (m members) sorted() []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
