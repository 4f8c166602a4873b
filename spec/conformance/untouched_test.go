package conformance

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/compare/comparetest"
	"github.com/fdbench/fdbench/runtime/measure/example"
	"github.com/fdbench/fdbench/runtime/report/reporttest"
	reuse "github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/edit"
)

// untouched tells whether an example leaves its original as it is. Such a one
// shows that the original is valid, which others show already.
func untouched(x spec.Example) (bool, error) {
	switch x.In {
	case spec.InScenario:
		return alike(x, rule.Files, func(a, b map[string][]byte) bool { return maps.EqualFunc(a, b, bytes.Equal) })
	case spec.InComparison:
		return alike(x, comparetest.Example, func(a, b *compare.Comparison) bool { return bytes.Equal(compare.Encode(a), compare.Encode(b)) })
	case spec.InResult:
		return alike(x, func(x spec.Example) (json.RawMessage, error) {
			original, err := originalResult(x)
			if err != nil {
				return nil, err
			}
			return edit.Object(original, x.Text)
		}, sameOf(x))
	}
	return alike(x, func(x spec.Example) ([]edit.Item, error) {
		items, err := originalEntries(x)
		if err != nil {
			return nil, err
		}
		return edit.Apply(items, x.Text)
	}, func(a, b []edit.Item) bool {
		return slices.EqualFunc(a, b, func(m, n edit.Item) bool { return m.Kind == n.Kind && sameOf(x)(m.Data, n.Data) })
	})
}

// originalResult is the result that an example changes.
func originalResult(x spec.Example) (json.RawMessage, error) {
	if ofReuse(x) {
		return reuse.OriginalResult(x.Base)
	}
	return reporttest.Original(x.Base)
}

// originalEntries are the plan and the journal that an example changes.
func originalEntries(x spec.Example) ([]edit.Item, error) {
	if ofReuse(x) {
		return reuse.Original(x.Base)
	}
	return example.Original(x.Base)
}

// alike compares what an example gives with what it gives without its text.
func alike[T any](x spec.Example, of func(spec.Example) (T, error), same func(a, b T) bool) (bool, error) {
	with, err := of(x)
	if err != nil {
		return false, err
	}
	x.Text = ""
	without, err := of(x)
	if err != nil {
		return false, err
	}
	return same(with, without), nil
}

// sameOf compares what two documents of the kind that an example changes say.
// Those of a reuse block tell null, which was not measured, from 0.
func sameOf(x spec.Example) func(a, b json.RawMessage) bool {
	if !ofReuse(x) {
		return sameJSON
	}
	return func(a, b json.RawMessage) bool {
		var x, y any
		return decode(a, &x) == nil && decode(b, &y) == nil && reflect.DeepEqual(x, y)
	}
}

// sameJSON compares what two objects say: a member that is not there says as
// much as an empty one.
func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	if decode(a, &x) != nil || decode(b, &y) != nil {
		return false
	}
	return reflect.DeepEqual(stripped(x), stripped(y))
}

func stripped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, x := range v {
			if s := stripped(x); !zero(s) {
				out[name] = s
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = stripped(v[i])
		}
		return out
	}
	return v
}

func TestUntouched(t *testing.T) {
	plan := func(text string) spec.Example { return spec.Example{In: spec.InPlan, Text: "plan\n  " + text} }
	result := func(text string) spec.Example { return spec.Example{In: spec.InResult, Text: "signal\n  " + text} }
	for _, x := range []struct {
		example spec.Example
		want    bool
	}{
		{in("", ""), true},
		{in("", "quiet\n  shift {\"to_ns\": 0}"), true},
		{in("", "trial {\"purpose\": \"trials\"}\n  set {\"markers\": []}"), true},
		{in("", "quiet\n  shift {\"to_ns\": 1}"), false},
		{in("", "readback last\n  copy"), false},
		{plan("put declaration.masking.trials 20"), true},
		{plan("put declaration.masking.trials 21"), false},
		{result("set {\"name\": \"page\"}"), true},
		{result("set {\"name\": \"ticket\"}"), false},
		{spec.Example{In: spec.InComparison, Text: "comparability\n  put offered_load.value.points.0 \"10 req/s\""}, true},
		{spec.Example{In: spec.InComparison, Text: "top\n  set {\"generation\": 2}"}, false},
		{spec.Example{In: spec.InScenario}, true},
		{spec.Example{In: spec.InScenario, Base: "reuse", Text: "reuse \"example\" {\n  block_size = 16\n}\n"}, true},
		{spec.Example{In: spec.InJournal, Base: "reuse live", Text: "reuse_arm\n  put cached_tokens 0"}, true},
		{spec.Example{In: spec.InJournal, Base: "reuse live", Text: "reuse_arm\n  put cached_tokens 1"}, false},
		{spec.Example{In: spec.InResult, Base: "reuse bare", Text: "aggregate\n  null semantic_candidate_blocks"}, true},
		{spec.Example{In: spec.InResult, Base: "reuse bare", Text: "aggregate\n  put semantic_candidate_blocks 0"}, false},
		{scenario("trials", "count = 21"), false},
	} {
		if got, err := untouched(x.example); err != nil || got != x.want {
			t.Errorf("%+v: untouched %t, want %t (%v)", x.example, got, x.want, err)
		}
	}
}
