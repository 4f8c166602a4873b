package stdlib

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/fdbench/fdbench/stdlib/text"
)

// block is a parsed block with its values; references are kept as text.
type block struct {
	kind, name string
	values     map[string]cty.Value
	refs       map[string]string
}

func parse(t *testing.T) []block {
	t.Helper()
	var out []block
	p := hclparse.NewParser()
	for _, f := range Files() {
		file, diags := p.ParseHCL(f.Data, f.Name)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, b := range file.Body.(*hclsyntax.Body).Blocks {
			if len(b.Labels) != 1 || len(b.Body.Blocks) > 0 {
				t.Errorf("%s: a block has one label and no blocks inside", b.Range())
			}
			one := block{b.Type, b.Labels[0], map[string]cty.Value{}, map[string]string{}}
			for name, attr := range b.Body.Attributes {
				if tr, d := hcl.AbsTraversalForExpr(attr.Expr); !d.HasErrors() {
					one.refs[name] = tr.RootName() + "." + tr[1].(hcl.TraverseAttr).Name
					continue
				}
				v, d := attr.Expr.Value(nil)
				if d.HasErrors() {
					t.Fatal(d)
				}
				one.values[name] = v
			}
			out = append(out, one)
		}
	}
	return out
}

func (b block) str(name string) string {
	if v, ok := b.values[name]; ok {
		return v.AsString()
	}
	return ""
}

// params are the parameters as text, as the compiler hands them on.
func (b block) params(t *testing.T) map[string]string {
	out := map[string]string{}
	if v, ok := b.values["params"]; ok {
		for name, p := range v.AsValueMap() {
			s, err := convert.Convert(p, cty.String)
			if err != nil {
				t.Fatalf("%s %q: parameter %s: %v", b.kind, b.name, name, err)
			}
			out[name] = s.AsString()
		}
	}
	return out
}

func TestFilesAreFormatted(t *testing.T) {
	for _, f := range Files() {
		if got := hclwrite.Format(f.Data); !bytes.Equal(got, f.Data) {
			t.Errorf("%s is not in canonical layout:\n%s", f.Name, got)
		}
	}
}

func TestIndicatorsNameScorers(t *testing.T) {
	used := map[string]bool{}
	for _, b := range parse(t) {
		if b.kind != "indicator" {
			continue
		}
		s, ok := text.LookupScorer(b.str("scorer"))
		if !ok {
			t.Errorf("indicator %q names scorer %q, which does not exist", b.name, b.str("scorer"))
			continue
		}
		used[s.ID] = true
		if b.str("kind") != s.Kind || b.str("unit") != s.Unit {
			t.Errorf("indicator %q is a %s in %q, and its scorer a %s in %q", b.name, b.str("kind"), b.str("unit"), s.Kind, s.Unit)
		}
		if _, err := s.New(b.params(t)); err != nil {
			t.Errorf("indicator %q: %v", b.name, err)
		}
		if v, ok := b.values["planning_baseline"]; ok {
			if f, _ := v.AsBigFloat().Float64(); f <= 0 || f >= 0.1 {
				t.Errorf("indicator %q plans with a baseline of %v", b.name, f)
			}
		}
	}
	for _, s := range text.Scorers() {
		if !used[s.ID] {
			t.Errorf("no indicator uses scorer %s", s.ID)
		}
	}
}

// transformScorer pairs a transform with the scorer that it must move.
var transformScorer = map[string]string{
	"refuse/1": "refusal/1", "break_json/1": "json_invalid/1", "violate_schema/1": "schema_violation/1", "verbose/1": "verbosity/1",
	"terse/1": "verbosity/1", "truncate/1": "truncation/1", "empty/1": "empty/1", "repeat/1": "repetition/1",
	"switch_language/1": "wrong_language/1", "garble/1": "garbled/1", "leak_special_tokens/1": "special_token_leak/1",
	"leak_reasoning/1": "reasoning_leak/1", "break_tool_call/1": "tool_call_broken/1",
}

func TestFaultClassesNameTransforms(t *testing.T) {
	all := parse(t)
	scorer := map[string]string{}
	kind := map[string]string{}
	for _, b := range all {
		if b.kind == "indicator" {
			scorer["indicator."+b.name] = b.str("scorer")
			kind["indicator."+b.name] = b.str("kind")
		}
	}
	used := map[string]bool{}
	for _, b := range all {
		if b.kind != "fault_class" {
			continue
		}
		tr, ok := text.LookupTransform(b.str("transform"))
		if !ok {
			t.Errorf("fault_class %q names transform %q, which does not exist", b.name, b.str("transform"))
			continue
		}
		used[tr.ID] = true
		if _, err := tr.New(b.params(t)); err != nil {
			t.Errorf("fault_class %q: %v", b.name, err)
		}
		ref := b.refs["indicator"]
		if scorer[ref] == "" || scorer[ref] != transformScorer[tr.ID] {
			t.Errorf("fault_class %q: indicator %s has scorer %q; transform %s moves %q", b.name, ref, scorer[ref], tr.ID, transformScorer[tr.ID])
		}
		if d := b.str("direction"); d != "up" && d != "down" {
			t.Errorf("fault_class %q has direction %q", b.name, d)
		}
		if _, scaled := b.values["scale"]; scaled != (kind[ref] == "mean") {
			t.Errorf("fault_class %q: scale belongs to classes of mean indicators, and to all of them", b.name)
		}
		if v := b.values["seen_in"]; v.IsNull() || v.LengthInt() == 0 {
			t.Errorf("fault_class %q names no incident", b.name)
		}
	}
	for _, tr := range text.Transforms() {
		if !used[tr.ID] {
			t.Errorf("no fault class uses transform %s", tr.ID)
		}
	}
}

func TestProfiles(t *testing.T) {
	shape := regexp.MustCompile(`^(step|(ramp|pulse|drift) \d+(s|m|h)|intermittent \d+(s|m|h) \d+(s|m|h))$`)
	seen := map[string]bool{}
	for _, b := range parse(t) {
		if b.kind != "profile" {
			continue
		}
		if !shape.MatchString(b.str("shape")) {
			t.Errorf("profile %q has shape %q", b.name, b.str("shape"))
		}
		seen[strings.Fields(b.str("shape"))[0]] = true
	}
	for _, s := range []string{"step", "ramp", "pulse", "intermittent", "drift"} {
		if !seen[s] {
			t.Errorf("no profile of shape %s", s)
		}
	}
}

func TestEntriesAndLookup(t *testing.T) {
	parsed := parse(t)
	listed := Entries()
	if len(parsed) != len(listed) {
		t.Fatalf("%d entries for %d blocks", len(listed), len(parsed))
	}
	var names []string
	for i, e := range listed {
		if e.Kind != parsed[i].kind || e.Name != parsed[i].name {
			t.Errorf("entry %d is %s %q, the block %s %q", i, e.Kind, e.Name, parsed[i].kind, parsed[i].name)
		}
		if e.Description != parsed[i].str("description") || e.Description == "" {
			t.Errorf("%s %q: description %q, want %q", e.Kind, e.Name, e.Description, parsed[i].str("description"))
		}
		if id := e.Kind + "." + e.Name; slices.Contains(names, id) {
			t.Errorf("%s occurs twice", id)
		} else {
			names = append(names, id)
		}
		src, file, ok := Lookup(e.Kind, e.Name)
		if !ok || file != e.File {
			t.Fatalf("Lookup(%s, %s) = %v, %q", e.Kind, e.Name, ok, file)
		}
		f, d := hclsyntax.ParseConfig(src, file, hcl.InitialPos)
		if d.HasErrors() || len(f.Body.(*hclsyntax.Body).Blocks) != 1 {
			t.Errorf("the source of %s %q is not one block: %v\n%s", e.Kind, e.Name, d, src)
		}
	}
	if _, _, ok := Lookup("indicator", "nothing"); ok {
		t.Error("Lookup finds what does not exist")
	}
	if _, _, ok := Lookup("profile", "refusal"); ok {
		t.Error("Lookup mixes kinds")
	}
}
