package text

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaHold bounds what waits before the name of a member is known, and the
// names that a fault may choose.
const schemaHold = 128

// weaknesses are what breaks a schema whatever else a response says, as far
// as it can be read off without one. Parts of a schema that depend on more
// than the kind of bracket, such as if and not, are left out.
type weaknesses struct {
	required          []string            // names, in byte order
	properties        []string            // names, in byte order
	types             map[string][]string // what a member must be, where the schema says
	noNull            map[string]bool     // members that must not be null
	closed            bool                // no other member is allowed
	strict            bool                // an object with one unknown member is refused
	noArray, noObject bool
}

func weaknessesOf(schema *jsonschema.Schema) *weaknesses { return weaknessesWithin(schema, 0) }

// deepestSchema bounds how far references and branches are followed.
const deepestSchema = 16

func weaknessesWithin(s *jsonschema.Schema, depth int) *weaknesses {
	k := &weaknesses{types: map[string][]string{}, noNull: map[string]bool{}}
	k.collect(s, depth)
	slices.Sort(k.required)
	k.required = slices.Compact(k.required)
	slices.Sort(k.properties)
	k.properties = slices.Compact(k.properties)
	k.strict = k.strict || k.noObject || k.closed || len(k.required) > 0
	return k
}

// collect adds what s asks of every response.
func (k *weaknesses) collect(s *jsonschema.Schema, depth int) {
	if s == nil || depth > deepestSchema {
		return
	}
	k.collect(s.Ref, depth+1)
	for _, part := range s.AllOf {
		k.collect(part, depth+1)
	}
	k.branches(s.AnyOf, depth)
	k.branches(s.OneOf, depth)
	if types := typesOf(s, 0); types != nil {
		k.noArray = k.noArray || !slices.Contains(types, "array")
		k.noObject = k.noObject || !slices.Contains(types, "object")
	}
	for _, name := range s.Required {
		if len(quoteJSON(name)) <= schemaHold/2 {
			k.required = append(k.required, name)
		}
	}
	for name, p := range s.Properties {
		if len(quoteJSON(name)) > schemaHold/2 {
			continue
		}
		k.properties = append(k.properties, name)
		if types := typesOf(p, 0); types != nil {
			k.types[name] = types
		}
		if p.Validate(nil) != nil {
			k.noNull[name] = true
		}
	}
	if open, ok := s.AdditionalProperties.(bool); ok && !open && len(s.PatternProperties) == 0 {
		k.closed = true
	}
}

// branches adds what all of several schemas ask, of which one must hold.
func (k *weaknesses) branches(of []*jsonschema.Schema, depth int) {
	if len(of) == 0 || depth > 4 {
		return
	}
	noArray, noObject, strict, closed := true, true, true, true
	var required []string
	objects := 0
	for _, s := range of {
		one := weaknessesWithin(s, depth+1)
		noArray = noArray && one.noArray
		noObject = noObject && one.noObject
		strict = strict && one.strict
		k.properties = append(k.properties, one.properties...)
		if one.noObject {
			continue
		}
		closed = closed && one.closed
		if objects++; objects == 1 {
			required = one.required
		} else {
			required = slices.DeleteFunc(slices.Clone(required), func(name string) bool { return !slices.Contains(one.required, name) })
		}
	}
	k.noArray = k.noArray || noArray
	k.noObject = k.noObject || noObject
	k.strict = k.strict || strict
	k.closed = k.closed || closed && objects > 0
	k.required = append(k.required, required...)
}

// typesOf are the types that a schema admits, nil where it does not say.
func typesOf(s *jsonschema.Schema, depth int) []string {
	switch {
	case s == nil || depth > deepestSchema:
		return nil
	case s.Types != nil:
		return s.Types.ToStrings()
	}
	return typesOf(s.Ref, depth+1)
}

// The ways to break a schema.
const (
	dropIt = iota
	renameIt
	nullIt
	retypeIt
	addUnknown
	wrapAsArray
	wrapAsObject
	atTheEnd
)

// violator breaks the schema of a JSON text that stays JSON.
type violator struct {
	schema *jsonschema.Schema
	weak   *weaknesses
	d      dice
	how    int
	target string // the member to change
	before string // of a wrapping
	after  string

	hold     []byte   // before the name of a member is known
	comma    bool     // hold begins with a comma
	naming   bool     // in a name that waits
	any      bool     // a member was sent
	names    []string // of members that were sent
	found    bool     // the next value is the target's
	skip     bool     // the target is left out, up to the next comma
	noComma  bool     // the next comma is left out
	quoting  bool     // the target becomes a string
	wrapping bool     // the target becomes a list
	space    []byte   // white space behind a value that becomes a string
	doc      transcript
}

func newViolator(schema *jsonschema.Schema, weak *weaknesses, d dice) *violator {
	return &violator{schema: schema, weak: weak, d: d, how: -1}
}

// choose decides, once the first bracket is known.
func (v *violator) choose(bracket string) {
	v.how = atTheEnd
	k := v.weak
	if bracket == "[" {
		// An object with one strange member lacks what is required.
		if !k.noArray && k.strict {
			v.how, v.before, v.after = wrapAsObject, "{"+quoteJSON(v.strange(wrapperNames))+": ", "}"
		}
		return
	}
	switch {
	case k.noObject:
		// It breaks the schema already.
	case len(k.required) > 0:
		v.target = v.d.pick(k.required)
		v.how = v.d.between(dropIt, retypeIt)
		if v.how == nullIt && !k.noNull[v.target] || v.how == retypeIt && k.types[v.target] == nil {
			v.how = v.d.between(dropIt, renameIt)
		}
	case k.closed:
		v.how = addUnknown
	case k.noArray:
		v.how = wrapAsArray
		v.before, v.after = "[", "]"
		switch v.d.below(3) {
		case 0:
			v.before, v.after = `[{"data": `, "}]"
		case 1:
			v.after = ", null]"
		}
	}
}

func (v *violator) write(s string, w *strings.Builder) {
	v.doc.add(s)
	w.WriteString(s)
}

func (v *violator) flush(w *strings.Builder) {
	v.write(string(v.hold), w)
	v.hold, v.comma, v.naming = v.hold[:0], false, false
}

func (v *violator) event(ev jsonEvent, raw string, _ rune, s *jsonScan, w *strings.Builder) {
	if s.done {
		if ev == jsonClose {
			v.close(raw, s, w)
		} else {
			w.WriteString(raw)
		}
		return
	}
	if v.how < 0 {
		v.choose(raw)
		v.write(v.before+raw, w)
		return
	}
	top := len(s.stack) == 1 && s.object()
	switch {
	case top && ev == jsonComma:
		v.endValue(w)
		v.flush(w)
		v.hold, v.comma = append(v.hold, raw...), true
		if v.noComma {
			v.hold, v.comma, v.noComma = v.hold[:0], false, false
		}
	case v.skip:
	case top && ev == jsonQuote && s.name:
		v.naming = true
		v.hold = append(v.hold, raw...)
	case v.naming && ev == jsonUnquote:
		v.hold = append(v.hold, raw...)
		v.named(w)
	case v.naming || top && ev == jsonSpace && (s.expect == expectName || s.expect == expectMember):
		if v.hold = append(v.hold, raw...); len(v.hold) > schemaHold {
			v.any = v.any || v.naming
			v.flush(w)
		}
	case v.found && ev != jsonColon && ev != jsonSpace:
		v.beginValue(raw, w)
	case v.quoting && top && ev == jsonSpace:
		if len(v.space) < gateBytes {
			v.space = append(v.space, raw...)
		}
	case v.quoting:
		v.write(quoted(string(v.space))+quoted(raw), w)
		v.space = v.space[:0]
	default:
		v.write(raw, w)
	}
}

// named decides on the member whose name is complete.
func (v *violator) named(w *strings.Builder) {
	held := string(v.hold)
	at := strings.IndexByte(held, '"')
	name := unquoteJSON(held[at:])
	if v.how == addUnknown && !v.any {
		v.write(held[:at]+v.unknown()+", ", w)
		v.hold = append(v.hold[:0], held[at:]...)
	}
	if name == v.target {
		switch v.how {
		case dropIt:
			v.skip, v.noComma = true, !v.comma
			v.hold, v.comma, v.naming = v.hold[:0], false, false
			return
		case renameIt:
			v.hold = append(v.hold[:0], held[:at]+quoteJSON(misname(name, v.d))...)
		case nullIt, retypeIt:
			v.found = true
		}
	}
	v.any = true
	if len(v.names) < 32 {
		v.names = append(v.names, name)
	}
	v.flush(w)
}

// unknown is a member that the schema does not name.
func (v *violator) unknown() string {
	return quoteJSON(v.strange(unknownNames)) + `: "n/a"`
}

var wrapperNames = []string{"result", "items", "data"}

// strange is one of the names, or a made-up one, that the schema does not know.
func (v *violator) strange(names []string) string {
	for _, i := range v.d.order(len(names)) {
		if name := names[i]; !slices.Contains(v.weak.properties, name) && !slices.Contains(v.weak.required, name) {
			return name
		}
	}
	return "unexpected_" + v.d.pick(names)
}

// beginValue takes the first bytes of the target's value.
func (v *violator) beginValue(raw string, w *strings.Builder) {
	v.found = false
	types := v.weak.types[v.target]
	switch {
	case v.how == retypeIt && raw == `"` && !slices.Contains(types, "array"):
		v.wrapping = true
		v.write("["+raw, w)
		return
	case v.how == retypeIt && raw != `"` && !slices.Contains(types, "string"):
		v.quoting = true
		v.write(`"`+quoted(raw), w)
		return
	}
	null := "null"
	if !v.weak.noNull[v.target] {
		// Neither is known to be wrong; no type admits both.
		null = "[null, {}]"
	}
	v.write(null, w)
	v.skip = true
}

// endValue comes before the comma or bracket behind a member.
func (v *violator) endValue(w *strings.Builder) {
	switch {
	case v.quoting:
		v.write(`"`, w)
	case v.wrapping:
		v.write("]", w)
	}
	v.quoting, v.wrapping, v.skip = false, false, false
	v.space = v.space[:0]
}

func (v *violator) close(bracket string, s *jsonScan, w *strings.Builder) {
	v.endValue(w)
	v.flush(w)
	switch v.how {
	case addUnknown:
		if !v.any {
			v.write(v.unknown(), w)
		}
	case wrapAsArray, wrapAsObject:
		w.WriteString(bracket + v.after)
		return
	}
	doc := string(v.doc.text)
	if len(doc) >= transcriptBytes/2 || violates(v.schema, doc+bracket) {
		w.WriteString(bracket)
		return
	}
	for _, more := range v.endings(bracket) {
		if violates(v.schema, doc+more+bracket) && validJSON(doc+more+bracket) {
			w.WriteString(more)
			break
		}
	}
	w.WriteString(bracket)
}

// endings are what a JSON text can go on with before its last bracket. A
// member that comes twice has its second value for most readers.
func (v *violator) endings(bracket string) []string {
	gap := ", "
	var out []string
	if bracket == "]" {
		if strings.HasSuffix(strings.TrimRight(string(v.doc.text), " \n\t\r"), "[") {
			gap = ""
		}
		for _, value := range []string{"null", "{}", `"n/a"`, "[]", "0", "null, null"} {
			out = append(out, gap+value)
		}
		return out
	}
	if !v.any {
		return nil
	}
	for _, i := range v.d.order(len(v.names)) {
		for _, value := range []string{"null", "[null]", "{}", `"n/a"`, "-1"} {
			out = append(out, gap+quoteJSON(v.names[i])+": "+value)
		}
	}
	return append(out, gap+v.unknown())
}

func (v *violator) release(_ *jsonScan, _ bool, w *strings.Builder) {
	v.write(string(v.hold)+string(v.space), w)
	v.hold, v.space = nil, nil
}

func (v *violator) held() int { return len(v.hold) + len(v.space) }
