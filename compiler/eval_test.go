package compiler

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Numbers leave an expression as the decimals that a reader expects.
func TestNumbersOfExpressions(t *testing.T) {
	tests := []struct{ expr, want string }{
		{"0.1 + 0.2", "0.3"},
		{"0.1", "0.1"},
		{"1e-3", "0.001"},
		{"-0.05", "-0.05"},
		{"0", "0"},
		{"1 - 0.9", "0.1"},
		{"3 * 0.07", "0.21"},
		{"1 / 8", "0.125"},
		{"1 / 3", "0.3333333333333333333333333333333333"},
		{"2 / 3", "0.6666666666666666666666666666666667"},
		{"100 / 3", "33.33333333333333333333333333333333"},
		{"0.34 - 0.02", "0.32"},
		{"123456789012345", "123456789012345"},
		{"0.12345678901234567890123456789012", "0.12345678901234567890123456789012"},
		{"0.000000000000001", "0.000000000000001"},
		{"1e15", "1000000000000000"},
		{"0.99999999999999999999999999999999999", "1"},
		{"1e16", "out of range"},
		{"1e-16", "out of range"},
		{"1 / 0", "out of range"},
		{"-1 / 0", "out of range"},
	}
	for _, test := range tests {
		e, diags := hclsyntax.ParseExpression([]byte(test.expr), "x", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		v, diags := e.Value(nil)
		if diags.HasErrors() {
			if test.want != "out of range" {
				t.Errorf("%s: %v", test.expr, diags)
			}
			continue
		}
		n, ok := fromCty(v)
		got := n.String()
		if !ok {
			got = "out of range"
		}
		if got != test.want {
			t.Errorf("%s = %s, want %s", test.expr, got, test.want)
		}
	}
}

// Whatever decimal is written comes out again, digit for digit.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0.1", "21.5", "999999999999999", "0.000000001", "4.64"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := exact.Parse(s)
		if err != nil || strings.ContainsAny(s, "/eE+-") || len(s) > 30 || want.Sign() < 0 {
			return
		}
		e, diags := hclsyntax.ParseExpression([]byte(s), "x", hcl.InitialPos)
		if diags.HasErrors() {
			return
		}
		v, diags := e.Value(nil)
		if diags.HasErrors() || v.IsNull() || v.Type().FriendlyName() != "number" {
			return
		}
		if got, ok := fromCty(v); ok && got.Cmp(want) != 0 {
			t.Fatalf("%s became %s", s, got)
		}
	})
}

func TestVariables(t *testing.T) {
	files := example(t, `variable "limit" {
  type    = number
  default = 0.08
  validation {
    condition     = var.limit > 0
    error_message = "The limit is above 0."
  }
}
variable "alert" {
  type    = string
  default = "RefusalsHigh"
}
variable "magnitudes" {
  type    = list(number)
  default = [0.1, 0.2]
}
locals {
  window  = "1m"
  minutes = 2
  faults  = [for m in var.magnitudes : m / 2]
}
detector "threshold" "watch" {
  evaluate = "${local.minutes * 5}s"
  indicator "refusals" { window = local.window }
  alert "RefusalsHigh" { above = var.limit }
}
series "example" {
  fault "refusals" { magnitudes = local.faults }
}`)
	dir := t.TempDir()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compile := func(o Options) (*Result, diag.List) { return CompilePath(dir, o) }

	r, diags := compile(Options{})
	if diags.HasErrors() {
		t.Fatal(listText(diags))
	}
	p := r.Plans[0]
	if a := p.Declaration.Detector.Alerts[0]; a.Threshold.String() != "0.08" {
		t.Errorf("threshold %s", a.Threshold)
	}
	if p.Declaration.Detector.Evaluate != 10*exact.Second || p.Combinations.Trials[0].Magnitude.String() != "0.05" {
		t.Errorf("%+v", p.Declaration.Detector)
	}
	want := map[string]string{"limit": `"0.08"`, "alert": `"RefusalsHigh"`, "magnitudes": `["0.1","0.2"]`}
	for name, v := range want {
		if p.Inputs.Variables[name] != v {
			t.Errorf("variable %s is kept as %s, want %s", name, p.Inputs.Variables[name], v)
		}
	}

	r, diags = compile(Options{
		Variables: map[string]string{"limit": "0.1 + 0.2", "magnitudes": "[0.3]"},
		Env:       []string{"FDBENCH_VAR_limit=0.5", "FDBENCH_VAR_alert=other", "FDBENCH_VAR_unrelated=x", "limit=9"},
	})
	if diags.HasErrors() {
		t.Fatal(listText(diags))
	}
	p = r.Plans[0]
	if got := p.Declaration.Detector.Alerts[0].Threshold.String(); got != "0.3" {
		t.Errorf("the command line gives %s", got)
	}
	if got := p.Inputs.Variables["alert"]; got != `"other"` {
		t.Errorf("the environment gives %s", got)
	}

	for name, test := range map[string]struct {
		o    Options
		want string
	}{
		"unknown":   {Options{Variables: map[string]string{"limt": "1"}}, `Did you mean "limit"?`},
		"no number": {Options{Variables: map[string]string{"limit": "high"}}, "which is not number"},
		"not valid": {Options{Env: []string{"FDBENCH_VAR_limit=-1"}}, "The limit is above 0. (value of \"limit\" from the environment variable FDBENCH_VAR_limit: -1)"},
		"a list":    {Options{Variables: map[string]string{"limit": "[1]"}}, "--var limit gives has to be number"},
		"infinite":  {Options{Variables: map[string]string{"limit": "1/0"}}, "a number in it is out of range"},
	} {
		_, diags := compile(test.o)
		if diags.Count(diag.Error) != 1 || !strings.Contains(listText(diags), test.want) {
			t.Errorf("%s:\n%s", name, listText(diags))
		}
	}
}

// The functions of the language are pure, and each has a name that its
// documentation can be found under.
func TestFunctionsArePure(t *testing.T) {
	names := FunctionNames()
	if len(names) < 40 {
		t.Errorf("only %d functions", len(names))
	}
	for _, bad := range []string{"timestamp", "uuid", "env", "file", "random", "bcrypt", "now", "assertnotnull"} {
		if _, ok := functions[bad]; ok {
			t.Errorf("%s is not pure", bad)
		}
	}
	for _, name := range names {
		if functions[name].Description() == "" {
			t.Errorf("%s has no description", name)
		}
	}
}

// Each mistake is reported once, however often the value is used.
func TestOneMistakeOneDiagnostic(t *testing.T) {
	doc, diags := lang.Parse([]lang.Source{{Name: "x.fdb.hcl", Bytes: []byte(`fdbench { language = 1 }
locals {
  bad   = missing
  one   = local.bad
  two   = local.one
  three = [local.bad, local.two]
}
population "a" {
  generator  = local.two
  provenance = local.one
}
`)}})
	if diags.HasErrors() {
		t.Fatal(listText(diags))
	}
	_, diags = Compile(doc, Options{})
	if len(diags) != 1 {
		t.Errorf("%d diagnostics:\n%s", len(diags), listText(diags))
	}
}

// No text makes the compiler panic.
func FuzzCompile(f *testing.F) {
	f.Add(`locals { a = local.a }`)
	f.Add(`variable "x" { type = string }`)
	f.Add(`indicator "x" {
  kind = "rate"
  scorer = 5
}`)
	f.Add(`series "example" {
  environment = environment.lab
  trials {
    count = 1e9
    timeout = "1 window"
  }
}`)
	f.Fuzz(func(t *testing.T, s string) {
		doc, diags := lang.Parse([]lang.Source{{Name: "x.fdb.hcl", Bytes: []byte("fdbench { language = 1 }\n" + s)}})
		if diags.HasErrors() {
			return
		}
		Compile(doc, Options{})
	})
}

func TestFunctionReference(t *testing.T) {
	text := string(FunctionReference())
	for _, name := range FunctionNames() {
		if !strings.Contains(text, "- `"+name+"(") {
			t.Errorf("%s is not described", name)
		}
	}
	if !strings.Contains(text, "- `join(separator, lists...)`:") {
		t.Errorf("join is described otherwise:\n%s", text)
	}
}
