package schema

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang/gate"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/refdata"
)

// walk calls f for every block and kind with the way to it.
func walk(f func(path string, b *Block)) {
	var visit func(path string, b *Block)
	visit = func(path string, b *Block) {
		f(path, b)
		for _, k := range b.Kinds {
			visit(path+" "+k.Kind, k)
		}
		for _, c := range b.Blocks {
			visit(path+" > "+c.Type, c)
		}
	}
	visit("root", Language())
}

func TestSchemaIsComplete(t *testing.T) {
	known := map[Type]bool{}
	for _, x := range types {
		known[x.Type] = true
	}
	walk(func(path string, b *Block) {
		if b.Doc == "" || !strings.HasSuffix(b.Doc, ".") || b.Since < 1 || b.Since > Version {
			t.Errorf("%s: doc %q, since %d", path, b.Doc, b.Since)
		}
		if len(b.Kinds) > 0 && (len(b.Attrs) > 0 || len(b.Blocks) > 0 || len(b.Labels) == 0) {
			t.Errorf("%s has kinds and a body of its own", path)
		}
		if b.Unique && len(b.Labels) == 0 {
			t.Errorf("%s is unique and has no label", path)
		}
		seen := map[string]bool{}
		for _, a := range b.Attrs {
			at := path + "." + a.Name
			if seen[a.Name] || b.Attr(a.Name) != a || !hclsyntax.ValidIdentifier(a.Name) {
				t.Errorf("%s is there twice or has a bad name", at)
			}
			seen[a.Name] = true
			if a.Doc == "" || !strings.HasSuffix(a.Doc, ".") || a.Since < 1 || !known[a.Type] {
				t.Errorf("%s: doc %q, since %d, type %q", at, a.Doc, a.Since, a.Type)
			}
			if a.Required && a.Default != "" {
				t.Errorf("%s is required and has a default", at)
			}
			if (a.Type == Ref) != (len(a.Refs) > 0) {
				t.Errorf("%s: refs %v of a %s", at, a.Refs, a.Type)
			}
			for _, r := range a.Refs {
				if Top(r) == nil {
					t.Errorf("%s refers to %q, which is no block", at, r)
				}
			}
			defaultIsValid(t, at, a)
		}
		for _, c := range b.Blocks {
			if seen[c.Type] || b.Block(c.Type) != c {
				t.Errorf("%s > %s is there twice", path, c.Type)
			}
			seen[c.Type] = true
		}
		for _, g := range b.Groups {
			for _, n := range g.Names {
				if b.Attr(n) == nil || b.Attr(n).Required {
					t.Errorf("%s: the group member %q is required or unknown", path, n)
				}
			}
		}
	})
}

// defaultIsValid parses a default as the value that it stands for.
func defaultIsValid(t *testing.T, at string, a *Attr) {
	t.Helper()
	if a.Default == "" {
		return
	}
	expr, diags := hclsyntax.ParseExpression([]byte(a.Default), "default", hcl.InitialPos)
	if diags.HasErrors() {
		t.Errorf("%s: default %s: %v", at, a.Default, diags)
		return
	}
	v, diags := expr.Value(nil)
	if diags.HasErrors() {
		t.Errorf("%s: default %s: %v", at, a.Default, diags)
		return
	}
	text := strings.Trim(a.Default, `"`)
	var bad *quantity.Error
	switch a.Type {
	case Duration:
		_, bad = quantity.ParseDuration(text)
	case Span:
		_, bad = quantity.ParseSpan(text)
	case Distribution:
		_, bad = quantity.ParseDistribution(text)
	case Tokens:
		_, bad = quantity.ParseTokens(text)
	case String:
		if len(a.Enum) > 0 && !slices.Contains(a.Enum, v.AsString()) {
			t.Errorf("%s: default %s is none of %v", at, a.Default, a.Enum)
		}
	}
	if bad != nil {
		t.Errorf("%s: default %s: %v", at, a.Default, bad)
	}
}

func TestVariants(t *testing.T) {
	d := Top("detector")
	if d.Variant("ewma") == nil || d.Variant("ewma").Kind != "ewma" || d.Variant("magic") != nil {
		t.Error("the kinds of a detector are not found")
	}
	if s := Top("series"); s.Variant("anything") != s {
		t.Error("a block without kinds is its own variant")
	}
	body := Top("series").Body()
	if len(body.Attributes) != len(Top("series").Attrs) || len(body.Blocks) != len(Top("series").Blocks) {
		t.Error("the HCL schema is not complete")
	}
	if body != Top("series").Body() {
		t.Error("the HCL schema is built twice")
	}
}

func TestRequirementsExist(t *testing.T) {
	src, err := os.ReadFile(refdata.Path(t, "reference/requirements.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| (FD-[0-9.]+-[0-9]+) `).FindAllSubmatch(src, -1) {
		known[string(m[1])] = true
	}
	for _, q := range spec.KVReuse() {
		known[q.ID] = true
	}
	check := func(at string, ids []string) {
		for _, id := range ids {
			if !known[id] {
				t.Errorf("%s serves %s, which is not a requirement", at, id)
			}
		}
	}
	walk(func(path string, b *Block) {
		check(path, b.Requirements)
		for _, a := range b.Attrs {
			check(path+"."+a.Name, a.Requirements)
		}
	})
}

func TestReferenceNamesEverything(t *testing.T) {
	text := string(Reference())
	if text != string(Reference()) {
		t.Error("two references differ")
	}
	walk(func(path string, b *Block) {
		if b.Type != "" && !strings.Contains(text, b.Type) {
			t.Errorf("%s is not in the reference", path)
		}
		for _, a := range b.Attrs {
			if !strings.Contains(text, "| `"+a.Name+"` |") {
				t.Errorf("%s.%s is not in the reference", path, a.Name)
			}
		}
	})
	for _, want := range []string{quantity.Grammar(), gate.Grammar(), "signal.labels", "Exactly one of `scorer`, `predicate`.", "| **required** |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the reference", want)
		}
	}
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "| `") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 6 {
			t.Errorf("line %d has not five cells: %s", i+1, line)
		}
	}
}

func TestJSONIsCompleteAndStable(t *testing.T) {
	if !bytes.Equal(JSON(), JSON()) {
		t.Error("two machine forms differ")
	}
	var got struct {
		Language int
		Blocks   []jsonBlock
	}
	if err := json.Unmarshal(JSON(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Language != Version || len(got.Blocks) != len(Language().Blocks) {
		t.Errorf("version %d with %d blocks", got.Language, len(got.Blocks))
	}
	series := got.Blocks[slices.IndexFunc(got.Blocks, func(b jsonBlock) bool { return b.Type == "series" })]
	if series.Type != "series" || len(series.Arguments) != len(Top("series").Attrs) || len(series.Blocks) != len(Top("series").Blocks) {
		t.Errorf("series has %d arguments and %d blocks", len(series.Arguments), len(series.Blocks))
	}
}

// The kinds of a nested block are found by its label, as those of one at the
// top level are.
func TestNestedKinds(t *testing.T) {
	r := Top("reuse")
	for typ, kinds := range map[string][]string{
		"planner": {"span", "chunk"}, "live": {"openai", "sglang"}, "evidence": {"vllm", "trtllm", "sglang", "lmcache", "audit"},
	} {
		b := r.Block(typ)
		if b == nil || !slices.Equal(b.KindNames(), kinds) {
			t.Fatalf("%s has not the kinds %v", typ, kinds)
		}
		for _, k := range kinds {
			if b.Variant(k) == nil || b.Variant(k).Kind != k {
				t.Errorf("%s %s is not found", typ, k)
			}
		}
		if b.Variant("none") != nil {
			t.Errorf("%s has a kind that nobody wrote", typ)
		}
	}
	for _, a := range []string{"base_url", "reset", "order", "hit_threshold", "contamination"} {
		if r.Block("live").Variant("openai").Attr(a) == nil || r.Block("live").Variant("sglang").Attr(a) == nil {
			t.Errorf("one of the protocols has no %s", a)
		}
	}
	if r.Block("live").Variant("sglang").Attr("body") != nil {
		t.Error("the protocol of SGLang takes a body of the other one")
	}
}
