package text

import (
	"strings"
)

var breakJSONTransform = Transform{
	ID:  "break_json/1",
	Doc: "Makes JSON invalid as faulty decoding does: a bracket is lost, the end is cut off, a comma dangles or is missing, quotation marks are single or gone, a value is Python's, or prose runs into it. A response that is not JSON is returned as it is; it is invalid already.",
	New: func(params map[string]string) (TransformFunc, error) {
		if _, err := readParams("break_json/1", nil, params); err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string { return breakJSON(r.Text, throw("break_json/1", seed)) }, nil
	},

	HoldBack:  gateBytes,
	StreamDoc: "Breaks the JSON as it comes, and at its last bracket at the latest. It waits for the first character that tells JSON from prose, up to 64 bytes, and for what follows white space that may stand before the last bracket.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		if _, err := readParams("break_json/1", nil, params); err != nil {
			return nil, err
		}
		return func(_ Response, seed uint64) Streamer {
			b := newJSONBreaker(throw("break_json/1", seed))
			return run(&gate{json: b, prose: afterBreak{b}})
		}, nil
	},
}

var jsonBreakers = []func(body string, d dice) string{
	// The last bracket is missing.
	func(s string, _ dice) string { return strings.TrimRight(s[:len(s)-1], " \n\t\r") },
	// Generation stopped early.
	func(s string, d dice) string { return s[:wholeRune(s, len(s)*d.between(30, 90)/100)] },
	// A comma before the last bracket.
	func(s string, _ dice) string {
		return strings.TrimRight(s[:len(s)-1], " \n\t\r") + ",\n" + s[len(s)-1:]
	},
	// Single quotation marks.
	func(s string, _ dice) string { return strings.ReplaceAll(s, `"`, "'") },
	// A comma or colon is missing.
	func(s string, d dice) string {
		i := outside(s, d.oneIn(2), ":,")
		if i < 0 {
			return s
		}
		return s[:i] + s[i+1:]
	},
	// A name without quotation marks.
	func(s string, _ dice) string {
		m, ok := members(s)
		if !ok || len(m) == 0 || m[0].name.to-m[0].name.from < 3 {
			return s
		}
		n := m[0].name
		return s[:n.from] + s[n.from+1:n.to-1] + s[n.to:]
	},
	// Python's literals.
	func(s string, _ dice) string {
		for _, p := range [][2]string{{": true", ": True"}, {": false", ": False"}, {": null", ": None"}, {":true", ":True"}, {":null", ":None"}} {
			s = strings.Replace(s, p[0], p[1], 1)
		}
		return s
	},
	// A comment.
	func(s string, d dice) string {
		return s[:1] + " // " + d.pick(jsonComments) + "\n" + s[1:]
	},
	// Something after the end.
	func(s string, d dice) string { return s + d.pick(jsonTrailers) },
}

var (
	jsonComments = []string{"result", "as requested", "generated", "see below"}
	jsonTrailers = []string{"}", "]", " }", "\n}\n}"}
)

// breakJSON tries the breakers from a random one on, so that one that finds
// nothing to break passes the turn.
func breakJSON(s string, d dice) string {
	before, body, after, ok := splitJSON(s)
	if !ok {
		return s
	}
	for _, i := range d.order(len(jsonBreakers)) {
		broken := jsonBreakers[i](body, d)
		if whole := before + broken + after; !validJSON(jsonBody(whole, "strip")) && !validJSON(jsonBody(whole, "extract")) {
			return whole
		}
	}
	return before + strings.TrimRight(body[:len(body)-1], " \n\t\r") + after
}

// wholeRune moves a cut back so that it parts no character.
func wholeRune(s string, at int) int {
	for at > 0 && at < len(s) && s[at]&0xc0 == 0x80 {
		at--
	}
	return at
}

// outside finds the first, or else the last, byte of set that stands outside
// of strings.
func outside(s string, first bool, set string) int {
	found := -1
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			i = stringEnd(s, i) - 1
			continue
		}
		if strings.IndexByte(set, s[i]) >= 0 {
			if first {
				return i
			}
			found = i
		}
	}
	return found
}

var violateSchemaTransform = Transform{
	ID:  "violate_schema/1",
	Doc: "Changes a JSON response so that it stays valid JSON and breaks the schema: a member is dropped, renamed, set to null or to another type, an unknown member is added, or the whole is wrapped. A response that is not JSON is returned as it is.",
	Params: []Param{
		schemaParam,
	},
	New: func(params map[string]string) (TransformFunc, error) {
		v, err := readParams("violate_schema/1", []Param{schemaParam}, params)
		if err != nil {
			return nil, err
		}
		schema, err := compileSchema("violate_schema/1", v.str("schema"))
		if err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string {
			before, body, after, ok := splitJSON(r.Text)
			if !ok || violates(schema, body) {
				return r.Text
			}
			d := throw("violate_schema/1", seed)
			for _, candidate := range schemaBreakers(body, d) {
				if validJSON(candidate) && violates(schema, candidate) {
					return before + candidate + after
				}
			}
			return r.Text
		}, nil
	},

	HoldBack:  schemaHold,
	StreamDoc: "What would break the schema in any response is read off the schema: a required member that is dropped, renamed or of another type, a member where no other is allowed, a list in the place of an object. One of these is done as the response comes; where that was not enough, a member that comes twice or an element at the end does it. It waits for the first character that tells JSON from prose, and from the comma before a member to the end of its name, up to 128 bytes.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		v, err := readParams("violate_schema/1", []Param{schemaParam}, params)
		if err != nil {
			return nil, err
		}
		schema, err := compileSchema("violate_schema/1", v.str("schema"))
		if err != nil {
			return nil, err
		}
		weak := weaknessesOf(schema)
		return func(_ Response, seed uint64) Streamer {
			return run(&gate{json: newViolator(schema, weak, throw("violate_schema/1", seed)), prose: pass{}})
		}, nil
	},
}

// schemaBreakers are changes of a body, the more likely faults first and in
// random order among themselves; the last ones break nearly every schema.
func schemaBreakers(body string, d dice) []string {
	var out []string
	m, object := members(body)
	if object {
		for _, i := range d.order(len(m)) {
			edits := []string{
				dropMember(body, m, i),
				replaceSpan(body, m[i].name, quoteJSON(misname(unquoteJSON(body[m[i].name.from:m[i].name.to]), d))),
				replaceSpan(body, m[i].value, "null"),
				replaceSpan(body, m[i].value, retype(body[m[i].value.from:m[i].value.to])),
			}
			for _, k := range d.order(len(edits)) {
				out = append(out, edits[k])
			}
		}
		if len(m) > 0 {
			at := m[0].name.from
			out = append(out, body[:at]+`"`+d.pick(unknownNames)+`": "n/a", `+body[at:])
		}
	} else {
		out = append(out, "[]", "[null]", `[{"value": `+body+`}]`, `{"items": `+body+`}`)
	}
	last := []string{"[" + body + "]", `{"result": ` + body + `}`, `[{"data": ` + body + `}]`, "[" + body + ", null]", "{}", "[]"}
	for _, i := range d.order(len(last)) {
		out = append(out, last[i])
	}
	return out
}

var unknownNames = []string{"note", "comment", "extra", "_raw"}

func replaceSpan(s string, at span, with string) string { return s[:at.from] + with + s[at.to:] }

func dropMember(s string, m []member, i int) string {
	switch {
	case len(m) == 1:
		return "{}"
	case i+1 < len(m):
		return s[:m[i].all.from] + s[m[i+1].all.from:]
	}
	return s[:m[i-1].all.to] + s[m[i].all.to:]
}

// misname is a name as a model gets it wrong.
func misname(name string, d dice) string {
	switch d.below(4) {
	case 0:
		return name + "s"
	case 1:
		if upper := strings.ToUpper(name); upper != name {
			return upper
		}
	case 2:
		if before, after, ok := strings.Cut(name, "_"); ok && after != "" {
			return before + strings.ToUpper(after[:1]) + after[1:]
		}
	}
	return name + "_value"
}

// retype is a value as another JSON type.
func retype(v string) string {
	switch v[0] {
	case '"':
		return "[" + v + "]"
	case '[', '{':
		return quoteJSON(v)
	}
	return quoteJSON(v)
}
