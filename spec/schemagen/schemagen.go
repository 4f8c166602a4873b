package schemagen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/exact"
)

// Draft is the dialect that the schemas are written in.
const Draft = "https://json-schema.org/draft/2020-12/schema"

// Generator makes schemas. The zero value is ready.
type Generator struct {
	// Docs holds descriptions by "measure.Latency" and "measure.Latency.P95S".
	Docs map[string]string

	// Enums restricts string fields, by the same names.
	Enums map[string][]string

	// Null tells whether nil slices and maps of a struct's fields are written
	// as null. Where it is nil they never are.
	Null func(reflect.Type) bool

	defs  []member
	known map[reflect.Type]string
}

// For returns the schema of v's type without descriptions.
func For(v any, id, title string) []byte { return new(Generator).Schema(v, id, title) }

// Schema returns the schema of v's type, indented and with a line end. Types
// that encoding/json refuses are a programmer's error and panic.
func (g *Generator) Schema(v any, id, title string) []byte {
	g.reset()
	root := g.typ(reflect.TypeOf(v))
	return encode(append(object{{"$schema", Draft}, {"$id", id}, {"title", title}}, append(root, member{"$defs", object(g.defs)})...))
}

func (g *Generator) reset() {
	g.defs, g.known = nil, map[reflect.Type]string{}
}

// object keeps the order of its members.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		k, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		b.Write(k)
		b.WriteByte(':')
		v, err := plainjson.Line(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func encode(o object) []byte {
	return plainjson.MustIndent(o)
}

var (
	numberType   = reflect.TypeFor[exact.Number]()
	durationType = reflect.TypeFor[exact.Duration]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	marshaler    = reflect.TypeFor[json.Marshaler]()
)

// typ is the schema of a type, as members that others may be added to.
func (g *Generator) typ(t reflect.Type) object {
	switch t {
	case numberType:
		return object{{"type", "string"}, {"pattern", `^-?[0-9]+(\.[0-9]+|/[0-9]+)?$`}, {"description", "An exact number: a decimal, or a reduced fraction where no decimal is exact."}}
	case durationType:
		return object{{"type", "string"}, {"pattern", `^-?[0-9]+(\.[0-9]{1,9})?$`}, {"description", "Seconds, exact to the nanosecond."}}
	case rawType:
		return object{}
	}
	if s, ok := reflect.Zero(t).Interface().(shaped); ok && t.Kind() == reflect.Struct {
		return object{{"$ref", "#/$defs/" + g.defAs(t, reflect.TypeOf(s.JSONShape()))}}
	}
	if t.Kind() != reflect.Pointer && t.Implements(marshaler) {
		panic("schemagen: no schema is known for " + t.String())
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.String:
		return object{{"type", "string"}}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return object{{"type", "integer"}}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{{"type", "integer"}, {"minimum", 0}}
	case reflect.Float32, reflect.Float64:
		return object{{"type", "number"}}
	case reflect.Interface:
		return object{}
	case reflect.Pointer:
		return nullable(g.typ(t.Elem()))
	case reflect.Slice:
		return object{{"type", "array"}, {"items", g.typ(t.Elem())}}
	case reflect.Array:
		return object{{"type", "array"}, {"items", g.typ(t.Elem())}, {"minItems", t.Len()}, {"maxItems", t.Len()}}
	case reflect.Map:
		return object{{"type", "object"}, {"additionalProperties", g.typ(t.Elem())}}
	case reflect.Struct:
		return object{{"$ref", "#/$defs/" + g.def(t)}}
	}
	panic("schemagen: JSON has no form for " + t.String())
}

// shaped is a type that writes itself, as another struct would be written.
type shaped interface{ JSONShape() any }

// nullable lets a value be null.
func nullable(o object) object {
	for i, m := range o {
		if m.key == "type" {
			if name, ok := m.value.(string); ok {
				o = slices.Clone(o)
				o[i].value = []string{name, "null"}
			}
			return o
		}
	}
	if len(o) == 0 {
		return o
	}
	return object{{"anyOf", []object{o, {{"type", "null"}}}}}
}

// def adds the definition of a struct, once, and returns its name.
func (g *Generator) def(t reflect.Type) string { return g.defAs(t, t) }

// defAs is def for a struct that is written as another one.
func (g *Generator) defAs(t, shape reflect.Type) string {
	if name, ok := g.known[t]; ok {
		return name
	}
	name := typeName(t)
	g.known[t] = name
	at := len(g.defs)
	g.defs = append(g.defs, member{name, nil})
	properties, required := object{}, []string{}
	owner := typeName(shape)
	for i := range shape.NumField() {
		f := shape.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || key == "-" {
			continue
		}
		if f.Anonymous || key == "" {
			panic(fmt.Sprintf("schemagen: %s.%s has no name in JSON of its own", t, f.Name))
		}
		if !strings.Contains(options, "omit") {
			required = append(required, key)
		}
		properties = append(properties, member{key, g.field(shape, f, owner)})
	}
	def := object{{"type", "object"}}
	if d := g.Docs[name]; d != "" {
		def = append(def, member{"description", d})
	}
	g.defs[at].value = append(def, member{"properties", properties}, member{"required", required}, member{"additionalProperties", false})
	return name
}

func (g *Generator) field(t reflect.Type, f reflect.StructField, owner string) object {
	o := g.typ(f.Type)
	kind := f.Type.Kind()
	if (kind == reflect.Slice || kind == reflect.Map) && f.Type != rawType && g.Null != nil && g.Null(t) {
		o = nullable(o)
	}
	if values := g.Enums[owner+"."+f.Name]; values != nil {
		o = append(o, member{"enum", values})
	}
	if d := g.Docs[owner+"."+f.Name]; d != "" {
		o = slices.DeleteFunc(o, func(m member) bool { return m.key == "description" })
		o = append(o, member{"description", d})
	}
	return o
}

// typeName is "measure.Latency".
func typeName(t reflect.Type) string { return path.Base(t.PkgPath()) + "." + t.Name() }
