package conformance

import (
	"encoding/json"
	"slices"
	"testing"
)

// Every member is changed in every way, alone, and the original stays.
func TestMutants(t *testing.T) {
	original := json.RawMessage(`{"a":{"b":1},"c":[[2,3]],"d":"0.5","e":false,"f":"x","g":null}`)
	before := string(original)
	var got []string
	for _, m := range mutants(original) {
		line := m.path + " " + m.how + " " + string(m.data)
		if m.same {
			line += " same"
		}
		got = append(got, line)
	}
	rest := `"c":[[2,3]],"d":"0.5","e":false,"f":"x","g":null}`
	for _, want := range []string{
		`a null {"a":null,` + rest,
		`a removed {` + rest,
		`a.b changed {"a":{"b":2},` + rest,
		`a.b removed {"a":{},` + rest,
		`c emptied {"a":{"b":1},"c":[],"d":"0.5","e":false,"f":"x","g":null}`,
		`c shortened {"a":{"b":1},"c":[],"d":"0.5","e":false,"f":"x","g":null}`,
		`c[0] shortened {"a":{"b":1},"c":[[2]],"d":"0.5","e":false,"f":"x","g":null}`,
		`c[0][0] changed {"a":{"b":1},"c":[[3,3]],"d":"0.5","e":false,"f":"x","g":null}`,
		`d changed {"a":{"b":1},"c":[[2,3]],"d":"0.51","e":false,"f":"x","g":null}`,
		`d changed {"a":{"b":1},"c":[[2,3]],"d":"0","e":false,"f":"x","g":null}`,
		`e changed {"a":{"b":1},"c":[[2,3]],"d":"0.5","e":true,"f":"x","g":null}`,
		`e null {"a":{"b":1},"c":[[2,3]],"d":"0.5","e":null,"f":"x","g":null} same`,
		`f changed {"a":{"b":1},"c":[[2,3]],"d":"0.5","e":false,"f":"xx","g":null}`,
		`g removed {"a":{"b":1},"c":[[2,3]],"d":"0.5","e":false,"f":"x"} same`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no mutant is\n%s", want)
		}
	}
	if string(original) != before {
		t.Errorf("the original became %s", original)
	}
	seen := map[string]bool{}
	for _, line := range got {
		if seen[line] {
			t.Errorf("%s comes twice", line)
		}
		seen[line] = true
	}
}

func TestPlus(t *testing.T) {
	for in, want := range map[string]string{"0": "1", "-1": "0", "99": "100", "0.5": "0.51", "1e3": "1e31", "0.29411764705882354": "0.2941176470588236", "-0.29411764705882354": "-0.2941176470588235"} {
		if got := plus(in); got != want {
			t.Errorf("plus(%s) = %s, want %s", in, got, want)
		}
	}
}
