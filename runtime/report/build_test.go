package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/spec"
)

// ids collects the rows that the package's own code can name in an omission.
func ids(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	note := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && strings.HasPrefix(s, "FD-") {
				out[s] = true
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr: // c.omit, and the helpers that are told the row
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"omit", "magnitude", "complete"}, f.Sel.Name) && len(n.Args) > 0 {
					note(n.Args[0])
				}
			case *ast.CompositeLit: // omission.Omission{Rule: "FD-..."}
				if name, ok := n.Type.(*ast.SelectorExpr); ok && name.Sel.Name == "Omission" {
					for _, x := range n.Elts {
						if kv, ok := x.(*ast.KeyValueExpr); ok && kv.Key.(*ast.Ident).Name == "Rule" {
							note(kv.Value)
						}
					}
				}
			case *ast.ValueSpec: // the table of members that are wanted
				if len(n.Names) == 1 && n.Names[0].Name == "wanted" {
					ast.Inspect(n, func(n ast.Node) bool {
						if kv, ok := n.(*ast.KeyValueExpr); ok {
							note(kv.Value)
						}
						return true
					})
				}
			}
			return true
		})
	}
	return out
}

// No omission is under an id without a rule, and no rule is one that nothing
// checks.
func TestIDsAreThoseOfTheRules(t *testing.T) {
	used := ids(t)
	for _, r := range report.Rules() {
		if !used[r.ID] && r.Effect != spec.Permission {
			t.Errorf("%s has a rule, and nothing checks it", r.ID)
		}
		delete(used, r.ID)
	}
	for id := range used {
		t.Errorf("%s stands in an omission and has no rule", id)
	}
}

func refuse(t *testing.T, r *measure.Result) []omission.Omission {
	t.Helper()
	_, err := report.Build(r)
	var o *omission.Error
	if !errors.As(err, &o) {
		t.Fatalf("a report is made: %v", err)
	}
	for _, x := range o.Omissions {
		if !strings.Contains(err.Error(), x.String()) {
			t.Errorf("the error does not say %q", x)
		}
	}
	return o.Omissions
}

func TestOmissionSaysWhatAndWhere(t *testing.T) {
	r := cases(t)["real"]
	r.Threshold[1].BaselineSD = nil
	got := refuse(t, r)
	want := omission.Omission{Rule: "FD-5.3-12", Where: "threshold[1].baseline_sd", Detail: "the threshold of refusal, step at 10 req/s has no baseline standard deviation"}
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Omissions come in the order of the table, whatever order they are found in.
func TestOmissionsAreSorted(t *testing.T) {
	r := cases(t)["real"]
	r.Masking[0].Method, r.Latency[0].MedianS, r.Footer.Statement, r.Caching.Approach = "", nil, "", ""
	var got []string
	for _, x := range refuse(t, r) {
		got = append(got, x.Rule)
	}
	if want := []string{"FD-1.1-1", "FD-1.2-6", "FD-3.3-8", "FD-5.1-12", "FD-5.5-7"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A violation explains an absence at the load that it names, and at no other.
func TestAnotherLoadExplainsNothing(t *testing.T) {
	for detail, made := range map[string]bool{
		"1 req/s: no Baseline Interval is on record":  true,
		"no Baseline Interval is on record":           true,
		"10 req/s: no Baseline Interval is on record": false,
		"0.1 req/s: no Baseline Interval":             false,
	} {
		r := cases(t)["real"]
		r.Conformance.Status = measure.StatusNonconform
		r.Conformance.Violations = []measure.Violation{{Rule: "FD-4.2-1", Effect: string(spec.Marks), Detail: detail}}
		r.Threshold[0].BaselineSD = nil
		if _, err := report.Build(r); (err == nil) != made {
			t.Errorf("%q: made %v, want %v", detail, err == nil, made)
		}
	}
}

// A run that stopped is reported with what it has.
func TestAStoppedRunIsReported(t *testing.T) {
	for _, name := range []string{"interrupted", "no false detection rate"} {
		r := cases(t)[name]
		md := string(build(t, r).Markdown())
		if name == "no false detection rate" {
			for _, want := range []string{"| withheld: no false detection rate (FD-5.4-6) |", "| withheld: no false detection rate (FD-5.4-7) |"} {
				if !strings.Contains(md, want) {
					t.Errorf("the report does not say %q", want)
				}
			}
		}
	}
}

// A result that went through JSON, also with its members in another order, is
// read; one without a member, or with one too many, is not.
func TestRead(t *testing.T) {
	b := measure.Encode(cases(t)["real"])
	if _, err := report.Read(b); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	again, _ := json.Marshal(m)
	if _, err := report.Read(again); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(){
		"a list is missing":         func() { delete(m, "latency") },
		"an unknown member":         func() { m["extra"] = 1 },
		"another format":            func() { m["format"] = "fdbench.result/0" },
		"an object that is no list": func() { m["coverage"] = map[string]any{} },
	} {
		m = nil
		json.Unmarshal(b, &m)
		change()
		changed, _ := json.Marshal(m)
		if _, err := report.Read(changed); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"format": "fdbench.result/1"}`))
	f.Add([]byte(`{"format": "fdbench.result/1", "latency": [{"class": "a", "magnitude": "1e3", "detected": 3, "median_s": 1, "p95_s": 1, "mean_s": 1}]}`))
	f.Add([]byte(`{"format": "fdbench.result/1", "comparability": {"offered_load": {"value": {"points": ["1 req/s"]}, "sha256": "x"}}, "topology": null}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := report.Read(b)
		if err != nil {
			return
		}
		p.Markdown()
		p.CSV()
		if err := p.Text(&bytes.Buffer{}, report.TextOptions{}); err != nil {
			t.Error(err)
		}
		if again, err := report.Read(p.JSON()); err != nil || !bytes.Equal(again.JSON(), p.JSON()) {
			t.Errorf("what was written is not read: %v", err)
		}
	})
}

// Every table stands under a caption that says what the result may be called,
// and what its figures were obtained at.
func TestEveryTableHasItsCaption(t *testing.T) {
	caption := regexp.MustCompile(`^\*\*Table (\d+)\. ([^*]+)\*\* \((.*?)\)\.`)
	for name, r := range cases(t) {
		md := string(build(t, r).Markdown())
		title, _, _ := strings.Cut(md, "\n")
		_, heading, _ := strings.Cut(title, ": fault detection, ")
		last, tables := "", 0
		for i, line := range strings.Split(md, "\n") {
			if strings.HasPrefix(line, "|---") {
				tables++
				m := caption.FindStringSubmatch(last)
				switch {
				case m == nil:
					t.Errorf("%s, line %d: a table under %q", name, i+1, last)
				case m[1] != strconv.Itoa(tables) || m[3] != heading:
					t.Errorf("%s: table %d says %q of itself", name, tables, last)
				case strings.HasPrefix(m[2], "Detection Latency at ") && !strings.Contains(last, "False detections at this load: "):
					t.Errorf("%s: a latency without its False Detection Rate: %q", name, last)
				case strings.HasPrefix(m[2], "Detection ") && !strings.Contains(m[2], "load") && !strings.Contains(m[2], "req/s"):
					t.Errorf("%s: a table of results without its load: %q", name, last)
				}
			}
			if line != "" && !strings.HasPrefix(line, "|") {
				last = line
			}
		}
		if tables < 12 {
			t.Errorf("%s: %d tables", name, tables)
		}
	}
}

// What was reduced stands above every figure, in every row and on the terminal.
func TestReductionsAreEverywhere(t *testing.T) {
	const said = "load points: 2 instead of 4"
	for _, name := range []string{"full", "reduced", "interrupted", "exploratory"} {
		p := build(t, cases(t)[name])
		md := string(p.Markdown())
		if top, _, _ := strings.Cut(md, "## 1."); !strings.Contains(top, said) || !strings.Contains(top, "reduced") {
			t.Errorf("%s: the top of the report does not say it", name)
		}
		var b bytes.Buffer
		p.Text(&b, report.TextOptions{})
		if top, _, _ := strings.Cut(b.String(), "\n\n"); !strings.Contains(top, said) {
			t.Errorf("%s: the summary does not say it: %s", name, top)
		}
		if !bytes.Contains(p.JSON(), []byte(`"what": "load_points"`)) {
			t.Errorf("%s: the JSON does not say it", name)
		}
		for file, csv := range p.CSV() {
			for i, line := range strings.Split(strings.TrimSpace(string(csv)), "\n")[1:] {
				if !strings.Contains(line, said) || !strings.Contains(line, "reduced series") {
					t.Errorf("%s, %s: row %d does not say it: %s", name, file, i+1, line)
				}
			}
		}
	}
}

// The error bound stands on every latency, not in a footnote (FD-3.5-5).
func TestErrorBoundOnEveryLatency(t *testing.T) {
	r := cases(t)["error bound"]
	p := build(t, r)
	bound := regexp.MustCompile(`^(withheld.*|no detection|none|not reached|.*no .* limit.*|.* ± 1|-?[\d.]+ ± 1\^?)$`)
	section := regexp.MustCompile(`(?s)## 10\. .*?## 11\. `).FindString(string(p.Markdown()))
	rows := 0
	for _, line := range strings.Split(section, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 9 || !strings.Contains(line, "req") && !strings.HasPrefix(line, "| refusal") && !strings.HasPrefix(line, "| verbosity") {
			continue
		}
		rows++
		for _, c := range cells[5:8] {
			if !bound.MatchString(strings.TrimSpace(c)) {
				t.Errorf("a latency without its bound: %q in %s", c, line)
			}
		}
	}
	if rows != len(r.Latency) {
		t.Errorf("%d rows, want %d", rows, len(r.Latency))
	}
	var b bytes.Buffer
	p.Text(&b, report.TextOptions{Width: 200})
	for _, line := range strings.Split(b.String(), "\n") {
		if f := strings.Fields(line); len(f) > 4 && (f[0] == "refusal" || f[0] == "verbosity_down") && strings.Count(line, "±") != 2 && !strings.Contains(line, ":") {
			t.Errorf("a latency without its bound: %s", line)
		}
	}
	lines := strings.Split(strings.TrimSpace(string(p.CSV()["latency.csv"])), "\n")
	col := slices.Index(strings.Split(lines[0], ","), "error_bound_s")
	for _, line := range lines[1:] {
		// The reductions of a full series are empty and its heading is quoted.
		if fields := strings.Split(strings.Replace(line, "methodology, with", "methodology with", 1), ","); fields[col] == "" {
			t.Errorf("a row without its bound: %s", line)
		}
	}
	for _, l := range r.Latency {
		if l.ErrorBoundS == nil {
			t.Error("the JSON has a latency without its bound")
		}
	}
}

// No template judges: the words do not stand in any report (FD-1.1-1).
func TestNoReportJudges(t *testing.T) {
	verdict := regexp.MustCompile(`(?i)\b(pass(ed|es)?|fail(ed|s)?|inadequate|(un)?acceptable|satisfactory|SLO|winner)\b|adequate`)
	for name, r := range cases(t) {
		p := build(t, r)
		var b bytes.Buffer
		p.Text(&b, report.TextOptions{Width: 10000})
		texts := map[string][]byte{"markdown": p.Markdown(), "text": b.Bytes(), "json": p.JSON()}
		for file, csv := range p.CSV() {
			texts[file] = csv
		}
		for form, text := range texts {
			s := strings.ReplaceAll(string(text), "do not say whether the detector is adequate for any purpose", "")
			s = strings.ReplaceAll(s, `"scrape_failures"`, "")
			if w := verdict.FindString(s); w != "" {
				t.Errorf("%s, %s: %q", name, form, w)
			}
		}
	}
}

// What is attested is never printed as verified, and who attests it is named.
func TestAttestedIsNotVerified(t *testing.T) {
	r := cases(t)["reduced"]
	md := string(build(t, r).Markdown())
	_, table, _ := strings.Cut(md, "Attested, not verified**")
	table, _, _ = strings.Cut(table, "\n\n##")
	for _, a := range r.Conformance.Attested {
		if !strings.Contains(table, "| "+a.By+" | "+a.Statement+" |") {
			t.Errorf("%s is not in the table", a.Subject)
		}
	}
	if len(r.Conformance.Attested) != 14 || !strings.Contains(table, "| FD-7-1 |") {
		t.Errorf("the table is %s", table)
	}
}

// A target that the command line let through is said before any figure.
func TestOptedInTargetsAreLoud(t *testing.T) {
	p := build(t, cases(t)["error bound"])
	var b bytes.Buffer
	p.Text(&b, report.TextOptions{Width: 200})
	top, _, _ := strings.Cut(string(p.Markdown()), "## 1.")
	for form, s := range map[string]string{"markdown": top, "text": b.String()} {
		if !strings.Contains(s, "203.0.113.7:443") || !strings.Contains(s, "OUTSIDE THE CONFINED RANGES") {
			t.Errorf("%s does not say it", form)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	r := cases(b)["error bound"]
	for b.Loop() {
		if _, err := report.Build(r); err != nil {
			b.Fatal(err)
		}
	}
}
