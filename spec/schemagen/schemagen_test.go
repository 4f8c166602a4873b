package schemagen_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/spec/schemagen"
)

const root = "../.."

func TestSchemasAreUpToDate(t *testing.T) {
	files, err := schemagen.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, "spec", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("spec/%s is out of date: run go run ./spec/schemagen/cmd (%v)", name, err)
		}
	}
}

func TestSchemasCompile(t *testing.T) {
	files, err := schemagen.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		compile(t, name, b)
	}
}

func compile(t testing.TB, name string, b []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

type inner struct {
	N exact.Number `json:"n"`
}

type sample struct {
	Text  string            `json:"text"`
	D     exact.Duration    `json:"d"`
	Count uint8             `json:"count"`
	Maybe *float64          `json:"maybe"`
	In    *inner            `json:"in"`
	List  []inner           `json:"list"`
	Pair  [2]int64          `json:"pair"`
	Map   map[string]string `json:"map"`
	Any   any               `json:"any"`
	Raw   json.RawMessage   `json:"raw"`
	Skip  string            `json:"-"`
	Opt   string            `json:"opt,omitempty"`
}

func TestSample(t *testing.T) {
	s := compile(t, "sample", schemagen.For(sample{}, "urn:test", "sample"))
	good, err := json.Marshal(sample{List: []inner{{}}, Map: map[string]string{"a": "b"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		old, new string
		ok       bool
	}{
		{"", "", true},
		{`"n":"0"`, `"n":"1/3"`, true},
		{`"n":"0"`, `"n":"-0.25"`, true},
		{`"n":"0"`, `"n":0`, false},
		{`"n":"0"`, `"n":"x"`, false},
		{`"d":"0"`, `"d":"1.0000000001"`, false},
		{`"count":0`, `"count":-1`, false},
		{`"count":0`, `"count":0.5`, false},
		{`"maybe":null`, `"maybe":1.5`, true},
		{`"in":null`, `"in":{"n":"2"}`, true},
		{`"in":null`, `"in":{}`, false},
		{`"list":[{"n":"0"}]`, `"list":null`, false},
		{`"pair":[0,0]`, `"pair":[0]`, false},
		{`"map":{"a":"b"}`, `"map":{"a":1}`, false},
		{`"any":null`, `"any":{"x":[1]}`, true},
		{`"text":""`, `"text":"","opt":"x"`, true},
		{`"text":""`, `"text":"","more":"x"`, false},
		{`"text":"",`, ``, false},
	} {
		b := string(good)
		if x.old != "" {
			if !strings.Contains(b, x.old) {
				t.Fatalf("%q is not in %s", x.old, b)
			}
			b = strings.Replace(b, x.old, x.new, 1)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); (err == nil) != x.ok {
			t.Errorf("%s to %s: valid is %v, want %v (%v)", x.old, x.new, err == nil, x.ok, err)
		}
	}
}

func TestUnknownFormsPanic(t *testing.T) {
	for _, v := range []any{make(chan int), struct{ NoTag int }{}, struct {
		F func() `json:"f"`
	}{}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T has a schema", v)
				}
			}()
			schemagen.For(v, "urn:x", "x")
		}()
	}
}

func TestDescriptionsComeFromTheSource(t *testing.T) {
	docs, err := schemagen.ReadDocs(filepath.Join(root, "compiler", "plan"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"plan.Plan": "Plan is one series, compiled.", "plan.Combination.Magnitude": "signed absolute change"} {
		if !strings.Contains(docs[name], want) {
			t.Errorf("%s: %q, want %q in it", name, docs[name], want)
		}
	}
	if _, err := schemagen.ReadDocs(t.TempDir()); err == nil {
		t.Error("a folder without sources has comments")
	}
	b := (&schemagen.Generator{Docs: docs}).Schema(plan.Plan{}, "urn:x", "x")
	if !bytes.Contains(b, []byte("signed absolute change")) {
		t.Error("the schema does not describe a magnitude")
	}
}
