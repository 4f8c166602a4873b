package compiler

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/gate"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/refdata"
	"github.com/fdbench/fdbench/stdlib"
)

var update = flag.Bool("update", false, "write golden files")

// reuseExample is the complete example with a snippet worked in.
func reuseExample(t testing.TB, snippet string) map[string][]byte {
	t.Helper()
	files, err := rule.Files(spec.Example{In: spec.InScenario, Base: rule.Reuse, Text: snippet})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// onlyReuse compiles files in memory that have to give one plan.
func onlyReuse(t testing.TB, files map[string][]byte) *plan.Reuse {
	t.Helper()
	r, diags := compileMemory(files, Options{})
	if diags.HasErrors() || len(r.Reuses) != 1 || r.Reuses[0] == nil {
		t.Fatalf("no plan:\n%s", listText(diags))
	}
	return r.Reuses[0]
}

func TestReuseExampleIsClean(t *testing.T) {
	files := reuseExample(t, "")
	r, diags := compileFiles(t, files)
	if len(diags) > 0 {
		t.Errorf("the example has diagnostics:\n%s", listText(diags))
	}
	if len(r.Plans) != 0 || len(r.Reuses) != 1 || r.Reuses[0] == nil {
		t.Fatalf("plans %v, reuses %v", r.Plans, r.Reuses)
	}
	if !bytes.Equal(plan.EncodeReuse(r.Reuses[0]), plan.EncodeReuse(onlyReuse(t, files))) {
		t.Error("the plan from a folder differs from that in memory")
	}
}

// The whole plan of the example, so that a change of any field shows.
func TestReusePlanGolden(t *testing.T) {
	p := onlyReuse(t, reuseExample(t, `reuse "example" {
  live "openai" {
    route {}
    donors  = ["http://127.0.0.1:8001", "http://127.0.0.1:8002"]
    body    = { top_p = 0.9, ignore_eos = true }
    metrics = "http://127.0.0.1:8000/metrics"
    key_env = "ENDPOINT_KEY"
  }
  evidence "vllm" { log = "vllm.log" }
}

gate "no errors" {
  on  = reuse.example
  use = gate.no_engine_errors
}

gate "the headline" {
  on       = reuse.example
  use      = gate.blended_speedup
  limit    = 1.25
  at_least = { blended_pairs = 1, negative_control_pairs = 1 }
}
`))
	p.Inputs.Stdlib = "sha256:of the standard library"
	plan.SealReuse(p)
	var b bytes.Buffer
	if err := json.Indent(&b, plan.EncodeReuse(p), "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	golden := filepath.Join("testdata", "reuse", "plan.json")
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("the plan is not that of %s; -update writes it anew:\n%s", golden, b.Bytes())
	}
	again, err := plan.DecodeReuse(plan.EncodeReuse(p))
	if err != nil || again.Digest != p.Digest {
		t.Errorf("it does not come back: %v", err)
	}
}

// The scenario of the design, over the manifest of the reference.
func TestReuseOfTheDesign(t *testing.T) {
	manifest, err := os.ReadFile(refdata.Path(t, "data/reuse/fixture-v1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	p := onlyReuse(t, map[string][]byte{"manifest.jsonl": manifest, "rag.fdb.hcl": []byte(`fdbench { language = 1 }

reuse "rag" {
  manifest   = "manifest.jsonl"
  block_size = 16
  tokenizer  = "stable"
  planner "span" { min_run = 16 }

  live "openai" {
    base_url      = "http://127.0.0.1:8000"
    engine        = "vllm"
    reset         = "http://127.0.0.1:8000/reset_prefix_cache"
    order         = "counterbalanced"
    hit_threshold = "64 tokens"
  }
  evidence "vllm" { log = "vllm.log" }
}

gate "controls stay cold" {
  on        = reuse.rag
  condition = "negative_control_semantic_eligible_rate <= 0.01"
}
`)})
	d := p.Declaration
	if d.Manifest.SHA256 != "sha256:37c8222381a14888ce34faeaa0e4a347c802811c2cb4ded492fdc439e6433482" || d.Manifest.Items != 16 || d.Manifest.Controls != 2 {
		t.Errorf("manifest %+v", d.Manifest)
	}
	if d.Live.HitThreshold != 64 || d.Live.Contamination != "any" || !slices.Equal(d.Live.Reset, []string{"http://127.0.0.1:8000/reset_prefix_cache"}) || d.Evidence[0].SHA256 != "" {
		t.Errorf("live %+v, evidence %+v", d.Live, d.Evidence)
	}
	if len(p.Gates) != 1 || p.Gates[0].Condition != "negative_control_semantic_eligible_rate <= 0.01" || p.Gates[0].From != "" {
		t.Errorf("gates %+v", p.Gates)
	}
}

const offlineHead = "fdbench { language = 1 }\n"

func TestReuseOffline(t *testing.T) {
	files := reuseExample(t, "")
	files["example.fdb.hcl"] = []byte(offlineHead + `
reuse "rag" {
  manifest     = "manifest.jsonl"
  block_size   = 7
  tokenizer    = "cl100k_base"
  scope        = "corpus"
  audit        = "controls"
  plans        = "plans.jsonl"
  planner_name = "mine 1.0"
  seed         = "7"
  evidence "trtllm" { log = "audit.jsonl" }
}
`)
	files["plans.jsonl"], files["audit.jsonl"] = []byte("{}\n"), []byte("{\"event\": \"lookup\", \"found\": true}\n")
	p := onlyReuse(t, files)
	d := p.Declaration
	if d.Live != nil || d.Planner != nil || d.Plans == nil || d.Plans.Planner != "mine 1.0" || d.BlockSize != 7 || d.Seed != "7" || d.Tokenizer.Name != "cl100k_base" || d.Tokenizer.Version == "" {
		t.Errorf("declaration %+v", d)
	}
	roles := map[string]string{}
	for _, f := range p.Inputs.Files {
		roles[f.Name] = f.Role
		if f.SHA256 == "" {
			t.Errorf("%s has no digest", f.Name)
		}
	}
	want := map[string]string{"example.fdb.hcl": "scenario", "manifest.jsonl": "manifest", "plans.jsonl": "plans", "audit.jsonl": "log"}
	if !maps.Equal(roles, want) {
		t.Errorf("inputs %v, want %v", roles, want)
	}
	if d.Evidence[0].SHA256 == "" || d.Evidence[0].Engine != "trtllm" {
		t.Errorf("evidence %+v", d.Evidence)
	}
}

func TestReuseOfDocuments(t *testing.T) {
	var b strings.Builder
	for i, domain := range []string{"law", "law", "food"} {
		fmt.Fprintf(&b, "{\"id\": \"d%d\", \"domain\": %q, \"text\": \"Text %d of %s. It has some words, and then some more of them, which differ.\", \"question\": \"Which?\"}\n", i, domain, i, domain)
	}
	scenario := func(more string) map[string][]byte {
		return map[string][]byte{"docs.jsonl": []byte(b.String()), "s.fdb.hcl": []byte(offlineHead + "reuse \"rag\" {\n  planner \"chunk\" { gated = true }\n  documents {\n    source = \"docs.jsonl\"\n" + more + "  }\n}\n")}
	}
	p := onlyReuse(t, scenario(""))
	m := p.Declaration.Manifest
	if m.File != "" || m.Documents == nil || m.Items == 0 || m.Controls != 3 || !strings.HasPrefix(m.SHA256, "sha256:") || m.Documents.SHA256 == m.SHA256 || m.Documents.Selection != "cross_domain" || len(m.Documents.Transforms) < 8 {
		t.Errorf("manifest %+v, documents %+v", m, m.Documents)
	}
	if !p.Declaration.Planner.Gated {
		t.Error("the planner is not gated")
	}
	some := onlyReuse(t, scenario("    transforms = [\"negative_control\", \"exact_repeat\"]\n")).Declaration.Manifest
	if !slices.Equal(some.Documents.Transforms, []string{"exact_repeat", "negative_control"}) || some.Items != 6 || some.SHA256 == m.SHA256 {
		t.Errorf("of two transforms: %+v, %+v", some, some.Documents)
	}
	_, diags := compileMemory(map[string][]byte{
		"docs.jsonl": []byte("{\"id\": \"a\", \"text\": \"One.\", \"domain\": \"x\"}\n{\"id\": \"b\", \"text\": \"Two.\", \"domain\": \"x\"}\n"),
		"s.fdb.hcl":  scenario("    selection = \"cross_domain\"\n")["s.fdb.hcl"],
	}, Options{})
	if len(diags) != 1 || diags[0].Rule != "LANG-manifest" || diags[0].Subject.Start.Line != 6 || !strings.Contains(diags[0].Detail, "one domain") {
		t.Errorf("one domain:\n%s", listText(diags))
	}
}

// What is left out of a manifest or of documents is named, since it may be a
// misspelt key, with how often it is there, where first, and what may be meant.
func TestUnknownKeysOfItems(t *testing.T) {
	const item = `{"item_id": "%s", "dataset": "d", "source_id": "s", "transform": "t", "recipient_prompt": "r", "donor_prompts": [{"donor_id": "d", "text": "t"%s}]%s}` + "\n"
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, `, "xxxxxxxxx%d": 1`, i)
	}
	over := func(lines ...string) map[string][]byte {
		return map[string][]byte{"m.jsonl": []byte(strings.Join(lines, "")), "s.fdb.hcl": []byte(offlineHead + "reuse \"rag\" {\n  manifest = \"m.jsonl\"\n}\n")}
	}
	for _, x := range []struct {
		name  string
		files map[string][]byte
		want  []string
	}{
		{"none", over(fmt.Sprintf(item, "a", `, "label": "l"`, `, "answers": ["x"], "metadata": {"anwsers": 1}`)), nil},
		{"a missing label is none", over(fmt.Sprintf(item, "a", "", "")), nil},
		{"of items and donors", over(fmt.Sprintf(item, "a", "", ""), fmt.Sprintf(item, "b", `, "lable": "l"`, `, "anwsers": []`), fmt.Sprintf(item, "c", "", `, "anwsers": [], "colour": 1`)), []string{
			`m.jsonl, line 2: the key "anwsers" of items is not known and is left out (2 times). Did you mean "answers"?`,
			`m.jsonl, line 2: the key "lable" of donors is not known and is left out (once). Did you mean "label"?`,
			`m.jsonl, line 3: the key "colour" of items is not known and is left out (once). There are: item_id, `,
		}},
		{"very many", over(fmt.Sprintf(item, "a", `, "label": "l"`, many.String())), append([]string{
			"m.jsonl, line 1: further keys are not known and are left out, the first of them here; they are there 50 times in all.",
		}, slices.Repeat([]string{`m.jsonl, line 1: the key "xxxxxxxxx`}, 10)...)},
		{"of documents", map[string][]byte{
			"docs.jsonl": []byte(`{"id": "a", "text": "One of them.", "Domain": "x", "domain": "x"}` + "\n" + `{"id": "b", "text": "Two of them.", "domain": "y", "quesiton": "?", "Domain": "y"}` + "\n"),
			"s.fdb.hcl":  []byte(offlineHead + "reuse \"rag\" {\n  documents {\n    source = \"docs.jsonl\"\n  }\n}\n"),
		}, []string{
			`docs.jsonl, line 1: the key "Domain" of documents is not known and is left out (2 times). Did you mean "domain"?`,
			`docs.jsonl, line 2: the key "quesiton" of documents is not known and is left out (once). Did you mean "question"?`,
		}},
	} {
		r, diags := compileMemory(x.files, Options{})
		if len(r.Reuses) != 1 || r.Reuses[0] == nil {
			t.Fatalf("%s: no plan:\n%s", x.name, listText(diags))
		}
		var have []string
		for _, d := range diags {
			if d.Rule != "LANG-manifest-key" {
				continue
			}
			if have = append(have, d.Detail); d.Severity != diag.Warning || d.Subject == nil || d.Subject.Start.Line < 3 {
				t.Errorf("%s: %+v", x.name, d)
			}
		}
		if !slices.EqualFunc(have, x.want, strings.HasPrefix) {
			t.Errorf("%s:\n%s\nwant\n%s", x.name, strings.Join(have, "\n"), strings.Join(x.want, "\n"))
		}
	}
}

// A block size has a limit, which is told.
func TestLargestBlock(t *testing.T) {
	for size, ok := range map[string]bool{"16777216": true, "16777217": false} {
		_, diags := compileMemory(reuseExample(t, "reuse \"example\" {\n  block_size = "+size+"\n}\n"), Options{})
		told := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
			return d.Severity == diag.Error && strings.Contains(d.Detail, "at most 16777216 tokens (2^24)")
		})
		if told == ok {
			t.Errorf("%s:\n%s", size, listText(diags))
		}
	}
}

// The hit rate of the library asks for pairs that tell whether they were a hit,
// and for no more of them than there are.
func TestHitRateOfTheLibrary(t *testing.T) {
	use := func(more string) map[string][]byte {
		return reuseExample(t, "gate \"hits\" {\n  on       = reuse.example\n  use      = gate.hit_rate\n  limit    = 0.5\n  at_least = { blended_pairs = 1"+more+" }\n}\n")
	}
	if _, diags := compileMemory(use(""), Options{}); len(diags) != 1 || diags[0].Rule != "LANG-gate" || !strings.Contains(diags[0].Detail, "hit_measured_pairs has to be at least 10") {
		t.Errorf("as it is:\n%s", listText(diags))
	}
	g := onlyReuse(t, use(", hit_measured_pairs = 1")).Gates
	if least := g[len(g)-1].AtLeast; !slices.Equal(least, []plan.Minimum{{Metric: "blended_pairs", N: 1}, {Metric: "hit_measured_pairs", N: 1}}) {
		t.Errorf("%+v", least)
	}
}

// A name selects a series or a reuse block, and both have their own order.
func TestSelectionOfReuse(t *testing.T) {
	files, err := rule.Example("reuse \"rag\" {\n  manifest = \"manifest.jsonl\"\n}\nreuse \"second\" {\n  manifest = \"none.jsonl\"\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	r, diags := compileMemory(files, Options{})
	if len(r.Plans) != 1 || r.Plans[0] == nil || len(r.Reuses) != 2 || r.Reuses[0] == nil || r.Reuses[1] != nil || !diags.HasErrors() {
		t.Errorf("both: %v, %v\n%s", r.Plans, r.Reuses, listText(diags))
	}
	for name, want := range map[string][2]int{"example": {1, 0}, "rag": {0, 1}, "nobody": {0, 0}} {
		r, diags := compileMemory(files, Options{Series: name})
		if len(r.Plans) != want[0] || len(r.Reuses) != want[1] {
			t.Errorf("%s: %v, %v", name, r.Plans, r.Reuses)
		}
		if diags.HasErrors() != (name == "nobody") {
			t.Errorf("%s:\n%s", name, listText(diags))
		}
	}
	_, diags = compileMemory(files, Options{Series: "rga"})
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, `no series or reuse block "rga". Did you mean "rag"?`) {
		t.Errorf("a misspelt name:\n%s", listText(diags))
	}
	checked, _ := compileMemory(files, Options{Check: true})
	if checked.Reuses != nil || checked.Plans != nil {
		t.Error("a check has plans")
	}
}

// Rules of one sort of block say nothing of the other.
func TestOutcomesAreOfTheirOwnRows(t *testing.T) {
	files, err := rule.Example("reuse \"rag\" {\n  manifest = \"manifest.jsonl\"\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	r, _ := compileMemory(files, Options{})
	for _, o := range r.Plans[0].Rules {
		if !strings.HasPrefix(o.ID, "FD-") {
			t.Errorf("a series has an outcome of %s", o.ID)
		}
	}
	var ids []string
	for _, o := range r.Reuses[0].Rules {
		ids = append(ids, o.ID)
		if o.Note == "" || o.Status != "met" && o.Status != "run" {
			t.Errorf("%+v", o)
		}
	}
	var want []string
	for _, q := range spec.KVReuse() {
		if q.Before() {
			want = append(want, q.ID)
		}
	}
	if !slices.Equal(ids, want) {
		t.Errorf("outcomes of %v, want %v", ids, want)
	}
}

func TestReuseDeviation(t *testing.T) {
	p := onlyReuse(t, reuseExample(t, `remove "gate" "controls stay cold" {}
remove "gate" "no more drop than between cold runs" {}
reuse "example" {
  manifest = "no-controls.jsonl"
  because  = { "KV-7-3" = "the controls are in a manifest of their own" }
  remove "calibration" {}
}
`))
	d := p.Declaration.Deviations
	if len(d) != 1 || d[0].Rule != "KV-7-3" || d[0].Because != "the controls are in a manifest of their own" {
		t.Errorf("deviations %+v", d)
	}
	for _, o := range p.Rules {
		if o.ID == "KV-7-3" && (o.Status != "deviation" || o.Note != d[0].Because) {
			t.Errorf("outcome %+v", o)
		}
	}
}

// Every gate of the standard library can be used, and says what it is for.
func TestLibraryGates(t *testing.T) {
	n := 0
	for _, e := range stdlib.Entries() {
		if e.Kind != "gate" {
			continue
		}
		n++
		limit := ""
		if src, _, _ := stdlib.Lookup(e.Kind, e.Name); strings.Contains(string(src), "limit") {
			limit = "  limit = 0.5\n"
		}
		p := onlyReuse(t, reuseExample(t, `reuse "example" {
  live "openai" {
    route {}
  }
  evidence "vllm" { log = "vllm.log" }
}
gate "used" {
  on       = reuse.example
  use      = gate.`+e.Name+`
`+limit+`  at_least = { request_count = 1, pairs_used = 1, blended_pairs = 1, hit_measured_pairs = 1, negative_control_pairs = 1, warm_vs_cold_pairs = 1 }
}
`))
		g := p.Gates[len(p.Gates)-1]
		if g.From != "gate."+e.Name {
			t.Errorf("%s is from %q", e.Name, g.From)
		}
		c, err := gate.Compile(g.Condition)
		if err != nil || c.Text() != g.Condition {
			t.Errorf("%s: %s is no canonical condition: %v", e.Name, g.Condition, err)
		}
		for _, m := range g.AtLeast {
			if !slices.ContainsFunc(gate.Metrics(), func(x gate.Metric) bool { return x.Name == m.Metric && x.Kind == gate.Count }) {
				t.Errorf("%s: %s is no count", e.Name, m.Metric)
			}
		}
	}
	if n < 20 {
		t.Errorf("%d gates", n)
	}
}

// An error in a condition points at the very characters.
func TestPlacesInConditions(t *testing.T) {
	for condition, want := range map[string]string{
		`exact_block_hit_rate >= 0.1 and exact_blok_hit_rate >= 0.2`:                                       "exact_blok_hit_rate",
		`pairs_used >= 2 and hit_only_ttft_speedup_mean >= 2`:                                              "hit_only_ttft_speedup_mean",
		`warm_vs_cold_pairs >= 2 and warm_vs_cold_output_rouge_l_mean >= 0.9`:                              "warm_vs_cold_output_rouge_l_mean",
		`semantic_candidate_blocks >= 1 and all(requests, .semantic_candidate_blocks < semantic_eligible)`: "semantic_eligible",
		`none(requests, .warm_vs_cold_rouge_l < 0.5)`:                                                      "warm_vs_cold_rouge_l",
	} {
		files := reuseExample(t, "gate \"shown\" {\n  on        = reuse.example\n  condition = \""+condition+"\"\n}\n")
		_, diags := compileMemory(files, Options{})
		if len(diags) != 1 {
			t.Errorf("%s:\n%s", condition, listText(diags))
			continue
		}
		at := diags[0].Subject
		if got := string(files["example.fdb.hcl"][at.Start.Byte:at.End.Byte]); got != want {
			t.Errorf("%s points at %q, want %q", condition, got, want)
		}
	}
}

// A scenario's own gate serves others, with its limit and least counts.
func TestOwnGateServesOthers(t *testing.T) {
	p := onlyReuse(t, reuseExample(t, `gate "fast" {
  condition = "blended_ttft_speedup_mean >= limit and hit_rate >= limit / 4"
  limit     = 2
  at_least  = { pairs_used = 2, pairs_total = 2 }
}
gate "fast enough" {
  on  = reuse.example
  use = gate.fast
}
gate "faster" {
  on       = reuse.example
  use      = gate.fast
  limit    = 3
  at_least = { pairs_used = 1 }
}
`))
	want := map[string]plan.Gate{
		"fast enough": {Name: "fast enough", Condition: "blended_ttft_speedup_mean >= 2 and hit_rate >= 2 / 4", AtLeast: []plan.Minimum{{Metric: "pairs_total", N: 2}, {Metric: "pairs_used", N: 2}}},
		"faster":      {Name: "faster", Condition: "blended_ttft_speedup_mean >= 3 and hit_rate >= 3 / 4", AtLeast: []plan.Minimum{{Metric: "pairs_total", N: 2}, {Metric: "pairs_used", N: 1}}},
	}
	for _, g := range p.Gates[2:] {
		w := want[g.Name]
		if g.Condition != w.Condition || !slices.Equal(g.AtLeast, w.AtLeast) || g.From != "" {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
	if len(p.Gates) != 4 {
		t.Errorf("%d gates, want the two of the example and two more", len(p.Gates))
	}
}

// A gate may be called what one of the library is called, and use that one.
// Whoever names it elsewhere means the scenario's.
func TestGateNamedAsTheLibrarys(t *testing.T) {
	named := `gate "no_collisions" {
  on       = reuse.example
  use      = gate.no_collisions
  at_least = { request_count = 2 }
}
`
	for name, gates := range map[string]string{
		"alone":   named,
		"before":  "gate \"other\" {\n  on  = reuse.example\n  use = gate.no_collisions\n}\n" + named,
		"behind":  named + "gate \"other\" {\n  on  = reuse.example\n  use = gate.no_collisions\n}\n",
		"chosen":  strings.Replace(named, "use      = gate.no_collisions", "use      = 1 < 2 ? gate.no_collisions : gate.hit_rate", 1),
		"without": "gate \"no_collisions\" {\n  use      = gate.no_collisions\n  at_least = { request_count = 2 }\n}\ngate \"other\" {\n  on  = reuse.example\n  use = gate.no_collisions\n}\n",
	} {
		list := onlyReuse(t, reuseExample(t, gates)).Gates[2:]
		if len(list) != strings.Count(gates, "on ") {
			t.Errorf("%s: %d gates", name, len(list))
		}
		for _, g := range list {
			if g.Condition != "collision_violations == 0" || g.From != "gate.no_collisions" || !slices.Equal(g.AtLeast, []plan.Minimum{{Metric: "request_count", N: 2}}) {
				t.Errorf("%s: %+v", name, g)
			}
		}
	}
	// A limit of the library's that a scenario's own gate of that name sets.
	p := onlyReuse(t, reuseExample(t, "gate \"eligible_lift\" {\n  on    = reuse.example\n  use   = gate.eligible_lift\n  limit = 0.25\n}\n"))
	if g := p.Gates[len(p.Gates)-1]; g.Condition != "semantic_eligible_lift >= 0.25" {
		t.Errorf("%+v", g)
	}
}

func TestGatesThatNeedThemselves(t *testing.T) {
	gate := func(name, use string) string {
		return "gate \"" + name + "\" {\n  on  = reuse.example\n  use = gate." + use + "\n}\n"
	}
	for gates, want := range map[string]string{
		gate("mine", "mine"):                                    `The gate "mine" takes its condition from itself, and the standard library has none of that name. Write condition = "..."`,
		gate("a", "b") + gate("b", "a"):                         `The gate "a" takes its condition from a gate that takes it from this one.`,
		gate("a", "b") + gate("b", "c") + gate("c", "a"):        `The gate "a" takes its condition from a gate that takes it from this one.`,
		gate("a", "no_collisions") + gate("no_collisions", "a"): `The gate "a" takes its condition from a gate that takes it from this one.`,
	} {
		_, diags := compileMemory(reuseExample(t, gates), Options{})
		if len(diags) != 1 || diags[0].Rule != "LANG-cycle" || !strings.Contains(diags[0].Detail, want) {
			t.Errorf("%s\n%s", gates, listText(diags))
		}
	}
}

// The lock of a scenario guards what a row depends on, and nothing else.
func TestLockOfTheExample(t *testing.T) {
	base := onlyReuse(t, reuseExample(t, ""))
	l := &plan.Lock{}
	if _, err := l.BeginReuse(base, false); err != nil {
		t.Fatal(err)
	}
	for snippet, path := range map[string]string{
		"reuse \"example\" {\n  description = \"Other words.\"\n}\n":                                                             "",
		"reuse \"example\" {\n  block_size = 32\n}\n":                                                                            "declaration.block_size",
		"reuse \"example\" {\n  planner \"span\" {\n    min_run = 8\n  }\n}\n":                                                   "declaration.planner.min_run",
		"gate \"controls stay cold\" {\n  condition = \"negative_control_semantic_eligible_rate <= 0.02\"\n}\n":                  "gates[controls stay cold].condition",
		"gate \"controls stay cold\" {\n  at_least = { negative_control_count = 1, total_blocks = 3 }\n}\n":                      "gates[controls stay cold].at_least[total_blocks].n",
		"reuse \"example\" {\n  live \"openai\" {\n    order = \"cold_first\"\n  }\n}\n":                                         "declaration.live.order",
		"reuse \"example\" {\n  manifest = \"no-controls.jsonl\"\n  remove \"calibration\" {}\n}\n" + withoutControlsOrFloorGate: "declaration.manifest.sha256",
	} {
		gen, diffs := l.CheckReuse(onlyReuse(t, reuseExample(t, snippet)))
		found := slices.ContainsFunc(diffs, func(d plan.Diff) bool { return d.Path == path })
		if gen != 1 || found != (path != "") || path == "" && len(diffs) > 0 {
			t.Errorf("%s: generation %d, %v, want %q", snippet, gen, diffs, path)
		}
	}
}

const withoutControlsOrFloorGate = "remove \"gate\" \"controls stay cold\" {}\nremove \"gate\" \"no more drop than between cold runs\" {}\n"

// A manifest is read as a stream: the heap does not grow with it.
func TestManifestIsStreamed(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const items, text = 1500, 16 << 10
	prompt := strings.Repeat("a word and another one ", text/23)
	for i := range items {
		fmt.Fprintf(f, "{\"item_id\": \"i%d\", \"dataset\": \"d\", \"source_id\": \"s%d\", \"transform\": \"exact_repeat\", \"recipient_prompt\": %q, \"donor_prompts\": [{\"donor_id\": \"d%d\", \"label\": \"base_prompt\", \"text\": %q}]}\n", i, i, prompt, i, prompt)
	}
	size, _ := f.Seek(0, 1)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	scenario := offlineHead + "reuse \"rag\" {\n  manifest = \"manifest.jsonl\"\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "s.fdb.hcl"), []byte(scenario), 0o644); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, diags := CompilePath(dir, Options{})
	runtime.ReadMemStats(&after)
	if diags.HasErrors() || r.Reuses[0].Declaration.Manifest.Items != items {
		t.Fatal(listText(diags))
	}
	// Without a collection in between the heap may hold what was thrown away,
	// but the runtime never asks the system for much more than lives.
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > size/2 {
		t.Errorf("a manifest of %d bytes made the heap grow by %d", size, grown)
	}
}

func TestReuseErrorsHaveNoFaultDetectionWords(t *testing.T) {
	src, err := os.ReadFile("testdata/language/reuse.fdb.hcl")
	if err != nil {
		t.Fatal(err)
	}
	_, diags := compileFiles(t, withBase(t, "reuse.fdb.hcl", src))
	for _, d := range diags {
		if strings.HasPrefix(d.Rule, "FD-") && d.Rule != confinement || strings.Contains(d.Detail, "series counts") {
			t.Errorf("%s: %s", d.Rule, d.Detail)
		}
	}
}
