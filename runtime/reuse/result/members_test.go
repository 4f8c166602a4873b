package result

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

type inside struct {
	A int    `json:"a"`
	B string `json:"b"`
}

type sampled struct {
	N    int64    `json:"n"`
	P    *int64   `json:"p"`
	In   inside   `json:"in"`
	Ptr  *inside  `json:"ptr"`
	List []inside `json:"list"`
	Opt  []inside `json:"opt,omitempty"`
	Word string   `json:"word,omitempty"`
}

func TestWhole(t *testing.T) {
	const rest = `,"in":{"a":1,"b":"}"},"ptr":null,"list":null}`
	for text, want := range map[string]string{
		`{"n":1,"p":null` + rest: "",
		`{ "n" : 1 , "p" : -2e3 , "in" : { "a" : 1 , "b" : "\"," } , "ptr" : { "b" : "[" , "a" : 0 } , "list" : [ ] } `: "",
		`{"p":2,"n":1` + rest:    "",
		`{"p":2` + rest:          "n",
		`{"n":null,"p":2` + rest: "n",
		`{"n":1` + rest:          "p",
		`{"n":1,"p":2,"in":{"a":1},"ptr":null,"list":null}`:                                        "in.b",
		`{"n":1,"p":2,"in":null,"ptr":null,"list":null}`:                                           "in",
		`{"n":1,"p":2,"in":{"a":1,"b":""},"ptr":{"a":1},"list":null}`:                              "ptr.b",
		`{"n":1,"p":2,"in":{"a":1,"b":""},"ptr":null,"list":[{"a":1,"b":"x"},{"b":"y"}]}`:          "list[1].a",
		`{"n":1,"p":2,"in":{"a":1,"b":""},"ptr":null,"list":[null]}`:                               "list[0].what it should hold",
		`{"n":1,"p":2,"in":{"a":1,"b":""},"ptr":null,"list":[],"opt":null}`:                        "opt",
		`{"n":1,"p":2,"in":{"a":1,"b":""},"ptr":null,"list":[],"opt":[{"a":1,"b":"2"}],"word":""}`: "",
		`null`: "what it should hold",
		`{}`:   "n",
	} {
		if !json.Valid([]byte(text)) {
			t.Fatalf("%s is no JSON", text)
		}
		if got := whole([]byte(text), reflect.TypeFor[sampled]()); got != want {
			t.Errorf("%s lacks %q, want %q", text, got, want)
		}
	}
}

// What encoding/json writes of a record is whole, and each of its members is
// missed that a map of them lacks.
func FuzzWhole(f *testing.F) {
	for _, v := range []any{record.Item{Invalid: []record.Reason{{Reason: "r", N: 1}}}, record.Arm{Route: &record.Route{}}, record.Evidence{}, record.Audit{Listed: []record.Collision{{}}}} {
		b, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		if lack := whole(b, reflect.TypeOf(v)); lack != "" {
			f.Errorf("%T as it is written lacks %s", v, lack)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v record.Item
		if json.Unmarshal(data, &v) != nil {
			return
		}
		var have map[string]json.RawMessage
		if json.Unmarshal(data, &have) != nil {
			return
		}
		lack := whole(data, reflect.TypeFor[record.Item]())
		for _, m := range membersOf(reflect.TypeFor[record.Item]()) {
			if _, ok := have[m.name]; !ok && !m.optional && have != nil && lack == "" {
				t.Errorf("%s: nothing is missing, and %s is", data, m.name)
			}
		}
	})
}
