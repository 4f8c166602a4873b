package schemagen

import (
	"encoding/json"
	"maps"
	"testing"
)

// An enum of a field that is not there restricts nothing: every value that is
// listed stands in a schema.
func TestEveryEnumIsOfAField(t *testing.T) {
	files, err := Files("../..")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]int{}
	for _, b := range files {
		var v any
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatal(err)
		}
		walk(v, func(enum []any) {
			key, err := json.Marshal(enum)
			if err != nil {
				t.Fatal(err)
			}
			used[string(key)]++
		})
	}
	all := reuseEnums()
	maps.Copy(all, seriesEnums)
	for field, values := range all {
		key, err := json.Marshal(values)
		if err != nil || used[string(key)] == 0 {
			t.Errorf("no schema has the values of %s: %s (%v)", field, key, err)
		}
	}
	if len(all) != len(reuseEnums())+len(seriesEnums) {
		t.Error("a field has two enums")
	}
}

func walk(v any, enum func([]any)) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			if list, ok := x.([]any); ok && name == "enum" {
				enum(list)
				continue
			}
			walk(x, enum)
		}
	case []any:
		for _, x := range v {
			walk(x, enum)
		}
	}
}
