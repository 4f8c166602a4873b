package measure

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzEachMember holds the scanner against encoding/json, on valid text.
func FuzzEachMember(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1}`, ` { "a" : [1,{"b":"}\""}] , "c\u0064" : null } `, `{"a":{},"b":[],"a":"x,y"}`, `{"":-1.5e3,"t":true}`, `[]`, `3`, `"{"`,
		`{"a":"\\"}`, `{"a":"\\\"","b":[[[]]]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) || !utf8.Valid(text) {
			return
		}
		got := map[string]json.RawMessage{}
		eachMember(text, func(name, value []byte) { got[string(name)] = bytes.Clone(value) })
		var want map[string]json.RawMessage
		if json.Unmarshal(text, &want) != nil {
			want = nil
		}
		for name, v := range want {
			if g, ok := got[name]; !ok || !bytes.Equal(g, v) {
				t.Fatalf("%s: member %q is %s, want %s", text, name, g, v)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d members, want %d", text, len(got), len(want))
		}
		for name, v := range got {
			if !json.Valid(v) {
				t.Fatalf("%s: member %q is %s", text, name, v)
			}
		}
		n := 0
		eachElement(text, func(value []byte) {
			n++
			if !json.Valid(value) {
				t.Fatalf("%s: element %d is %s", text, n, value)
			}
		})
		var list []json.RawMessage
		if json.Unmarshal(text, &list) == nil && n != len(list) {
			t.Fatalf("%s: %d elements, want %d", text, n, len(list))
		}
	})
}
