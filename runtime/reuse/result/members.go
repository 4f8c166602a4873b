package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// member is one that the data of an entry has to have. Without it, or with null
// in its place, decoding would put a zero there, which must not pass for a
// figure.
type member struct {
	name     string
	optional bool // it may be left out
	null     bool // null is an answer: it was not reported, or there is no list
	inner    reflect.Type
	list     bool // inner is the type of each element
}

var known sync.Map // of []member by reflect.Type

// membersOf lists the members that encoding/json writes of a struct.
// There are at most 64 of them.
func membersOf(t reflect.Type) []member {
	if list, ok := known.Load(t); ok {
		return list.([]member)
	}
	var list []member
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		m := member{name: name, optional: strings.Contains(options, "omit")}
		m.null = !m.optional && (f.Type.Kind() == reflect.Pointer || f.Type.Kind() == reflect.Slice)
		in := f.Type
		if in.Kind() == reflect.Slice {
			in, m.list = in.Elem(), true
		}
		if in.Kind() == reflect.Pointer {
			in = in.Elem()
		}
		if in.Kind() == reflect.Struct && !reflect.PointerTo(in).Implements(unmarshaler) {
			m.inner = in
		}
		list = append(list, m)
	}
	if len(list) > 64 {
		panic("result: " + t.String() + " has more members than are counted")
	}
	known.Store(t, list)
	return list
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// whole says which member an object lacks, or "". The data is JSON that has been
// decoded into that type, so that it is looked through and not decoded again:
// this is done for every row of a manifest.
func whole(data []byte, t reflect.Type) string {
	if data = bytes.TrimSpace(data); len(data) == 0 || data[0] != '{' {
		return "what it should hold"
	}
	members := membersOf(t)
	var seen uint64 // membersOf has no more
	next := 0
	lack := ""
	each(data, func(name, value []byte) bool {
		i := next // members come in the order of the type, where a run wrote them
		for n := 0; n < len(members) && string(name) != members[i%len(members)].name; n++ {
			i++
		}
		m := members[i%len(members)]
		if string(name) != m.name {
			return true
		}
		next, seen = i%len(members)+1, seen|1<<(i%len(members))
		lack = m.holds(value)
		return lack == ""
	})
	if lack != "" {
		return lack
	}
	for i, m := range members {
		if seen&(1<<i) == 0 && !m.optional {
			return m.name
		}
	}
	return ""
}

// holds says what a member lacks that is there.
func (m *member) holds(value []byte) string {
	switch null := string(value) == "null"; {
	case null && !m.null:
		return m.name
	case null || m.inner == nil:
		return ""
	case !m.list:
		if lack := whole(value, m.inner); lack != "" {
			return m.name + "." + lack
		}
		return ""
	}
	n, lack := 0, ""
	each(value, func(_, x []byte) bool {
		if lack = whole(x, m.inner); lack != "" {
			lack = fmt.Sprintf("%s[%d].%s", m.name, n, lack)
		}
		n++
		return lack == ""
	})
	return lack
}

// each hands f the members of an object with their names, or the elements of a
// list, until f says no. The data is valid JSON.
func each(data []byte, f func(name, value []byte) bool) {
	object := data[0] == '{'
	for i := 1; i < len(data)-1; {
		switch data[i] {
		case ' ', '\t', '\r', '\n', ',':
			i++
			continue
		}
		var name []byte
		if object {
			end := after(data, i)
			name = data[i+1 : end-1]
			for i = end; data[i] != ':'; i++ {
			}
			for i++; data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n'; i++ {
			}
		}
		end := after(data, i)
		if !f(name, data[i:end]) {
			return
		}
		i = end
	}
}

// after is the place behind the value that begins at i.
func after(data []byte, i int) int {
	depth := 0
	for ; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				if depth < 0 {
					return i // the end of what a number or a word stands in
				}
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
