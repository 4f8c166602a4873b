package compiler

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/spec"
)

// Every id that a finding can have is that of a rule with examples: the ids in
// the source of the compiler, those that the schema reports what is missing or
// out of range under, and those that it refuses names by.
func TestEveryIDIsRegistered(t *testing.T) {
	known := map[string]bool{}
	for _, r := range rule.Rules() {
		known[r.ID] = true
	}
	id := regexp.MustCompile(`^(FD|KV)-[0-9]`)
	seen := 0
	for _, folder := range []string{".", "rule"} {
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatal(folder, err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, src, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				if err == nil && id.MatchString(text) {
					seen++
					if !known[text] {
						t.Errorf("%s: %s is no rule", fset.Position(lit.Pos()), text)
					}
				}
				return true
			})
		}
	}
	if seen < 80 {
		t.Errorf("only %d ids in the source", seen)
	}
	first := func(path string, ids []string) {
		if len(ids) == 0 {
			return
		}
		if q, ok := spec.Lookup(ids[0]); ok && q.Level != spec.Should && !known[ids[0]] {
			t.Errorf("%s is reported under %s, which is no rule", path, ids[0])
		}
	}
	var visit func(path string, b *schema.Block)
	visit = func(path string, b *schema.Block) {
		if path != "" && (b.Min > 0 || b.Max > 0) {
			first(path, b.Requirements)
		}
		for _, a := range b.Attrs {
			first(path+"."+a.Name, a.Requirements)
		}
		for _, r := range b.Refused {
			first(path+" refuses "+r.Names[0], []string{r.Requirement})
		}
		for _, k := range b.Kinds {
			visit(path+" "+k.Kind, k)
		}
		for _, c := range b.Blocks {
			visit(path+" > "+c.Type, c)
		}
	}
	visit("", schema.Language())
}

// Every refusal of the schema is given for each of its names, as an argument
// and as a block, wherever it stands.
func TestEveryRefusedNameIsRefused(t *testing.T) {
	const calls = "  apply { url = \"http://127.0.0.1:8000/on\" }\n  remove { url = \"http://127.0.0.1:8000/off\" }\n  check { url = \"http://127.0.0.1:8000/show\" }\n"
	at := map[string]string{
		"environment":       "environment \"lab\" {\n  %s\n}\n",
		"caching":           "environment \"lab\" {\n  caching {\n    %s\n  }\n}\n",
		"clocks":            "environment \"lab\" {\n  clocks {\n    %s\n  }\n}\n",
		"apparatus":         "apparatus \"simulated\" \"injector\" {\n  %s\n}\n",
		"apparatus http":    "apparatus \"http\" \"sampler\" {\n  %s\n" + calls + "}\n",
		"apparatus command": "apparatus \"command\" \"switch\" {\n  apply  = [\"./fault.sh\", \"on\"]\n  remove = [\"./fault.sh\", \"off\"]\n  check  = [\"./fault.sh\", \"show\"]\n  %s\n}\n",
		"apparatus proxy":   "apparatus \"proxy\" \"relay\" {\n  listen   = \"127.0.0.1:9102\"\n  upstream = \"http://127.0.0.1:8000\"\n  %s\n}\n",
		"detector":          "detector \"threshold\" \"watch\" {\n  %s\n}\n",
		"indicator":         "detector \"threshold\" \"watch\" {\n  indicator \"refusals\" {\n    %s\n  }\n}\n",
		"signal":            "signal \"page\" {\n  %s\n}\n",
		"series":            "series \"example\" {\n  %s\n}\n",
		"load":              "series \"example\" {\n  load {\n    %s\n  }\n}\n",
		"baseline":          "series \"example\" {\n  baseline {\n    %s\n  }\n}\n",
		"quiet":             "series \"example\" {\n  quiet {\n    %s\n  }\n}\n",
		"trials":            "series \"example\" {\n  trials {\n    %s\n  }\n}\n",
		"fault":             "series \"example\" {\n  fault \"refusals\" {\n    %s\n  }\n}\n",
		"threshold":         "series \"example\" {\n  threshold \"refusals\" {\n    %s\n  }\n}\n",
		"false_detection":   "series \"example\" {\n  false_detection {\n    %s\n  }\n}\n",
		"masking":           "series \"example\" {\n  masking {\n    %s\n  }\n}\n",
		"reduced":           "series \"example\" {\n  trials { count = 19 }\n  reduced {\n    reason = \"screening\"\n    %s\n  }\n}\n",
	}
	const live = "reuse \"rag\" {\n  manifest = \"manifest.jsonl\"\n  live \"KIND\" {\n    base_url = \"http://127.0.0.1:8000\"\n    %s\n  }\n}\n"
	at["reuse"] = "reuse \"rag\" {\n  manifest = \"manifest.jsonl\"\n  %s\n}\n"
	at["live openai"], at["live sglang"] = strings.Replace(live, "KIND", "openai", 1), strings.Replace(live, "KIND", "sglang", 1)
	at["gate"] = "reuse \"rag\" {\n  manifest = \"manifest.jsonl\"\n}\ngate \"g\" {\n  on        = reuse.rag\n  condition = \"exact_block_hit_rate >= 0.5\"\n  %s\n}\n"
	var visit func(b *schema.Block)
	visit = func(b *schema.Block) {
		for _, r := range b.Refused {
			for _, name := range r.Names {
				for _, text := range []string{name + " = 1", name + " {\n}"} {
					outer, ok := at[b.Type+" "+b.Kind]
					if !ok {
						outer, ok = at[b.Type]
					}
					if !ok {
						t.Fatalf("no scenario with a %s block to refuse %q in", b.Type, name)
					}
					diags, err := CheckExample(spec.Example{In: spec.InScenario, Text: strings.Replace(outer, "%s", text, 1)})
					if err != nil {
						t.Fatal(err)
					}
					if len(diags) != 1 || diags[0].Rule != r.Requirement || !strings.Contains(diags[0].Detail, r.Why) {
						t.Errorf("%s in a %s block, which %s refuses:\n%s", text, b.Type, r.Requirement, listText(diags))
					}
				}
			}
		}
		for _, list := range [][]*schema.Block{b.Kinds, b.Blocks} {
			for _, c := range list {
				if b.Type != "detector" || c.Kind == "threshold" || c.Kind == "" {
					visit(c)
				}
			}
		}
	}
	visit(schema.Language())
}
