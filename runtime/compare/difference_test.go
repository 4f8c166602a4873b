package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func said(list []Difference) string {
	var parts []string
	value := func(s *string) string {
		if s == nil {
			return "absent"
		}
		return *s
	}
	for _, d := range list {
		path := d.Path
		if d.Line > 0 {
			path += fmt.Sprintf(":%d", d.Line)
		}
		parts = append(parts, path+" "+value(d.A)+" -> "+value(d.B))
	}
	return strings.Join(parts, "; ")
}

func TestDifferences(t *testing.T) {
	for _, x := range []struct{ a, b, want string }{
		{`{"a":1}`, `{"a":1}`, ""},
		{`"gateway"`, `"engine"`, " gateway -> engine"},
		{`{"a":{"b":"x"},"c":true}`, `{"a":{"b":"y"},"c":false}`, "a.b x -> y; c true -> false"},
		{`{"a":1}`, `{"b":2}`, "a 1 -> absent; b absent -> 2"},
		// What is empty is as good as absent, unless nothing else differs.
		{`{"a":"","b":1}`, `{"b":2}`, "b 1 -> 2"},
		{`{"a":null,"b":""}`, `{"b":"x"}`, "b absent -> x"},
		{`{"a":""}`, `{}`, "a  -> absent"},
		{`{"a":null}`, `{"a":[]}`, ""},
		{`{"n":0}`, `{"n":1}`, "n 0 -> 1"},
		// A list of plain values is one value; members of others have names.
		{`{"path":["engine","gateway"]}`, `{"path":["gateway","engine"]}`, "path engine, gateway -> gateway, engine"},
		{`{"l":[{"name":"x","v":1},{"name":"y","v":1}]}`, `{"l":[{"name":"y","v":2},{"name":"x","v":1}]}`, "l[y].v 1 -> 2"},
		{`{"l":[{"name":"x","v":1}]}`, `{"l":[{"name":"x","v":1},{"name":"x","v":3}]}`, "l[x #2].name absent -> x; l[x #2].v absent -> 3"},
		{`{"g":[{"place":"p","class":"c","m":"1"}]}`, `{"g":[{"place":"p","class":"c","m":"2"}]}`, "g[p, c].m 1 -> 2"},
		{`{"l":[{"v":1}]}`, `{"l":[{"v":2}]}`, "l[0].v 1 -> 2"},
		// A configuration inside a string is looked into.
		{`{"c":"{\"tp\":1,\"q\":\"fp8\"}"}`, `{"c":"{\"tp\":2,\"q\":\"fp8\"}"}`, "c.tp 1 -> 2"},
		{`{"c":"{}"}`, `{"c":"{\"tp\":2}"}`, "c {} -> absent; c.tp absent -> 2"},
		{`{"c":"{not json"}`, `{"c":"{x"}`, "c {not json -> {x"},
		{`{"a":{"b":1},"a.b":2}`, `{"a":{"b":3},"a.b":4}`, `"a.b" 2 -> 4; a.b 1 -> 3`},
		// Of a text the lines that differ.
		{`{"t":"a\nb\nc\n"}`, `{"t":"a\nB\nc\n"}`, "t:2 b -> B"},
		{`{"t":"a\nc\n"}`, `{"t":"a\nb\nc\n"}`, "t:2 absent -> b"},
		{`{"t":"a\nb\nsame\nd"}`, `{"t":"A\nB\nsame\nD"}`, "t:1 a -> A; t:2 b -> B; t:4 d -> D"},
	} {
		if got := said(differences(json.RawMessage(x.a), json.RawMessage(x.b))); got != x.want {
			t.Errorf("%s against %s: %q, want %q", x.a, x.b, got, x.want)
		}
	}
}

func TestKinds(t *testing.T) {
	for path, want := range map[string]string{
		"detector.alerts[High].threshold":              "threshold",
		"detector.alerts[High].limit":                  "threshold",
		"detector.alerts[High].for":                    "alerting rule",
		"detector.prometheus.rules":                    "alerting rule",
		"detector.indicators[refusal].sampling":        "sampling rate",
		"detector.indicators[refusal].judge_model":     "judge model",
		"detector.indicators[refusal].judge_version":   "judge model",
		"detector.indicators[refusal].window.duration": "configuration",
		"detector.version":                             "configuration",
		"indicators[refusal].scorer":                   "indicator",
		"signal.attribution":                           "declared signal",
	} {
		if got := kinds([]Difference{{Path: path}, {Path: path}}); len(got) != 1 || got[0] != want {
			t.Errorf("%s is called %q, want %q once", path, got, want)
		}
	}
}

func TestFactor(t *testing.T) {
	for name, want := range map[string]string{
		"detector": DetectorConfiguration, "dut_config": DetectorConfiguration, "dut-config": DetectorConfiguration,
		"serving": ServingConfiguration, "deployment": ServingConfiguration, "serving_configuration": ServingConfiguration,
		"population": RequestPopulation, "observation_point": ObservationPoint, "observation-point": ObservationPoint, "load": OfferedLoad,
	} {
		if got, ok := Factor(name); !ok || got != want {
			t.Errorf("%s is %q, %t, want %q", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "detectors", "environment", "observation"} {
		if got, ok := Factor(name); ok {
			t.Errorf("%q is the factor %q", name, got)
		}
	}
}

// FuzzDifferences compares any two JSON values: the list is the same with the
// sides exchanged, and empty for equal values.
func FuzzDifferences(f *testing.F) {
	f.Add([]byte(`{"a":[{"name":"x","v":"a\nb"}],"c":"{\"d\":1}"}`), []byte(`{"a":[{"name":"x","v":"a\nc"}],"c":"{\"d\":2}"}`))
	f.Add([]byte(`[1,[2]]`), []byte(`{"":null}`))
	f.Add([]byte(`"x"`), []byte(`nothing`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, y := differences(a, b), differences(b, a)
		if bytes.Equal(a, b) && len(x) > 0 {
			t.Errorf("%q differs from itself: %s", a, said(x))
		}
		if len(x) != len(y) {
			t.Fatalf("%q against %q: %d differences one way and %d the other", a, b, len(x), len(y))
		}
		for i := range x {
			if x[i].Path != y[i].Path || text(x[i].A) != text(y[i].B) || text(x[i].B) != text(y[i].A) {
				t.Errorf("%q against %q: %s and %s", a, b, said(x), said(y))
			}
		}
	})
}
