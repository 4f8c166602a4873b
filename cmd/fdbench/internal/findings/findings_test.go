package findings

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/hashicorp/hcl/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/ignore"
	"github.com/fdbench/fdbench/spec"
)

// The file has characters of one to four bytes, some of several code points.
const sample = "locals {\n  é = \"👩‍👩‍👧 e\u0301\" # here\n  b = 2\n  c = 2\n}\n"

// scenario is one with a file of its own and findings at the given texts.
func scenario(t testing.TB, name, raw string) Scenario {
	t.Helper()
	f, _ := lang.ParseSyntax(lang.Source{Name: name, Bytes: []byte(raw)})
	return Scenario{Path: name, Files: []File{{Name: name, Text: f.Bytes, Raw: f.Raw}}, Sources: f.Sources()}
}

// at is the place of the nth occurrence of a text, counted from 0.
func (s *Scenario) at(text string, nth int) *hcl.Range {
	src, from := string(s.Files[0].Text), 0
	for ; ; nth-- {
		from += strings.Index(src[from:], text)
		if nth == 0 {
			break
		}
		from += len(text)
	}
	r := s.Sources.Range(s.Files[0].Name, from, from+len(text))
	return &r
}

func sampleReport(t testing.TB) *Report {
	s := scenario(t, "dir/my 50% #1 é.fdb.hcl", sample)
	s.List = diag.List{
		{Severity: diag.Error, Rule: "FD-5.1-8", Summary: "Too few trials declared", Detail: "A count of 19.\n\n  trials { count = 20 }", Subject: s.at("# here", 0), Fix: &diag.Fix{Range: *s.at("b = 2", 0), Text: "b = 20"}},
		{Severity: diag.Warning, Rule: "FD-3.3-5", Summary: "Narrow load range, mind", Detail: "100% of it: a, b\r\nand c.", Subject: s.at("2", 0)},
		{Severity: diag.Warning, Rule: "FD-3.3-5", Summary: "Narrow load range, mind", Detail: "Again.", Subject: s.at("2", 1)},
		{Severity: diag.Note, Rule: "LANG-hidden-character", Summary: "Something without place", Detail: "Control \x01\x1b characters."},
	}
	s.Ignored = []ignore.Ignored{{Diagnostic: diag.Diagnostic{Severity: diag.Warning, Rule: "FD-3.3-4", Summary: "Few load points", Detail: "Three."}, Reason: "it is enough", Directive: *s.at("# here", 0)}}
	s.Ignored[0].Diagnostic.Subject = s.at("e\u0301", 0)
	return &Report{Scenarios: []Scenario{s, {Path: "clean"}, {Path: "nowhere", List: diag.List{{Severity: diag.Error, Rule: "LANG-no-such-path", Summary: "No such file", Detail: "Nothing."}}}},
		Dir: "/srv/dir", FailLevel: diag.Error, ExitCode: 3, Version: "v0.0.0-test"}
}

func render(t testing.TB, form string, r *Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, form, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var compiled = func() *jsonschema.Schema {
	f, err := os.Open("testdata/sarif/sarif-2.1.0-rtm.5.json")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		panic(err)
	}
	return c.MustCompile("sarif.json")
}()

// valid checks a log against the schema and against what the standard demands
// beyond it, and returns its run.
func valid(t testing.TB, log []byte) sarifRun {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	if err := compiled.Validate(doc); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	var parsed sarifLog
	if err := json.Unmarshal(log, &parsed); err != nil || len(parsed.Runs) != 1 {
		t.Fatal(err)
	}
	run := parsed.Runs[0]
	if run.ColumnKind != "utf16CodeUnits" || len(run.Invocations) != 1 {
		t.Errorf("columns are %q, invocations %v", run.ColumnKind, run.Invocations)
	}
	ids := map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		if ids[r.ID] {
			t.Errorf("rule %s is there twice", r.ID)
		}
		ids[r.ID] = true
		if r.ShortDescription.Text == "" || r.FullDescription.Text == "" || r.Help.Text == "" || r.Help.Markdown == "" || !strings.HasPrefix(r.HelpURI, Repository) {
			t.Errorf("rule %+v is not described", r)
		}
	}
	artifact := func(a sarifArtifact) {
		ref, err := url.Parse(a.URI)
		if err != nil || a.URI == "" || strings.Contains(ref.Path, "../") {
			t.Errorf("uri %q: %v", a.URI, err)
		}
		if (a.URIBaseID == "") != ref.IsAbs() {
			t.Errorf("uri %q has base %q", a.URI, a.URIBaseID)
		}
		if a.URIBaseID != "" {
			if _, ok := run.OriginalURIBaseIDs[a.URIBaseID]; !ok {
				t.Errorf("base %q is not declared", a.URIBaseID)
			}
		}
		if a.Index != nil && run.Artifacts[*a.Index].Location.URI != a.URI {
			t.Errorf("artifact %d is not %q", *a.Index, a.URI)
		}
	}
	region := func(r sarifRegion) {
		if r.StartLine < 1 || r.StartColumn < 1 || r.EndLine < r.StartLine || r.EndColumn < 1 || r.EndLine == r.StartLine && r.EndColumn < r.StartColumn {
			t.Errorf("region %+v", r)
		}
		if r.ByteOffset != nil && (*r.ByteOffset < 0 || *r.ByteLength < 0) {
			t.Errorf("region %+v", r)
		}
	}
	prints := map[string]bool{}
	braces := regexp.MustCompile(`^(\{\{|\}\}|[^{}])*$`)
	for _, r := range run.Results {
		if r.RuleIndex < 0 || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("rule %d is not %s", r.RuleIndex, r.RuleID)
		}
		if len(r.Locations) != 1 || !braces.MatchString(r.Message.Text) || r.Message.Text == "" {
			t.Errorf("result %+v", r)
		}
		artifact(r.Locations[0].PhysicalLocation.ArtifactLocation)
		region(r.Locations[0].PhysicalLocation.Region)
		if p := r.PartialFingerprints[fingerprint]; p == "" || prints[p] {
			t.Errorf("fingerprint %q is missing or there twice", p)
		} else {
			prints[p] = true
		}
		if r.Suppressions == nil {
			t.Error("suppressions are there for some results only")
		}
		for _, f := range r.Fixes {
			artifact(f.ArtifactChanges[0].ArtifactLocation)
			region(f.ArtifactChanges[0].Replacements[0].DeletedRegion)
		}
	}
	return run
}

func TestSARIF(t *testing.T) {
	r := sampleReport(t)
	run := valid(t, render(t, "sarif", r))
	if len(run.Results) != 6 || run.Invocations[0].ExitCode != 3 || !run.Invocations[0].ExecutionSuccessful || run.Tool.Driver.Version != r.Version {
		t.Fatalf("%d results, %+v", len(run.Results), run.Invocations)
	}
	first := run.Results[0]
	if got := first.Locations[0].PhysicalLocation.ArtifactLocation; got.URI != "dir/my%2050%25%20%231%20%C3%A9.fdb.hcl" || got.URIBaseID != sourceRoot {
		t.Errorf("uri %+v", got)
	}
	// Before the comment: two spaces, é, and the text of 👩‍👩‍👧 e and a combining
	// mark, 8 and 3 code units.
	reg := first.Locations[0].PhysicalLocation.Region
	line := strings.Split(sample, "\n")[1]
	column := len(utf16.Encode([]rune(line[:strings.Index(line, "#")]))) + 1
	if reg.StartLine != 2 || reg.StartColumn != column || column != 21 || reg.EndColumn != column+6 || *reg.ByteOffset != strings.Index(sample, "#") || *reg.ByteLength != 6 || reg.Snippet.Text != "# here" {
		t.Errorf("region %+v, want column %d", reg, column)
	}
	if first.Level != "error" || run.Tool.Driver.Rules[first.RuleIndex].DefaultConfiguration.Level != "error" || !strings.Contains(first.Message.Text, "trials {{ count = 20 }}") {
		t.Errorf("%+v", first)
	}
	fixed := first.Fixes[0].ArtifactChanges[0].Replacements[0]
	if fixed.DeletedRegion.StartLine != 3 || fixed.InsertedContent.Text != "b = 20" {
		t.Errorf("repair %+v", fixed)
	}
	if run.Results[1].PartialFingerprints[fingerprint] == run.Results[2].PartialFingerprints[fingerprint] {
		t.Error("two findings have one fingerprint")
	}
	if note := run.Results[3]; note.Level != "note" || note.Locations[0].PhysicalLocation.Region.StartLine != 1 || note.Locations[0].PhysicalLocation.ArtifactLocation.Index == nil {
		t.Errorf("the finding without a place is at %+v", note.Locations)
	}
	aside := run.Results[4]
	if len(aside.Suppressions) != 1 || aside.Suppressions[0].Kind != "inSource" || aside.Suppressions[0].Justification != "it is enough" || len(first.Suppressions) != 0 {
		t.Errorf("suppressions %+v", aside.Suppressions)
	}
	if got := run.Results[5].Locations[0].PhysicalLocation.ArtifactLocation.URI; got != "nowhere" {
		t.Errorf("a path without files is at %q", got)
	}
	if link := run.Tool.Driver.Rules[first.RuleIndex].HelpURI; !strings.HasSuffix(link, "/spec/requirements.md#fd-51-8") {
		t.Errorf("link %s", link)
	}
	if run := valid(t, render(t, "sarif", &Report{Dir: "/"})); len(run.Results) != 0 {
		t.Errorf("nothing gives %v", run.Results)
	}
}

// The anchors are those of headings that the pages have.
func TestLinksExist(t *testing.T) {
	pagesText := map[string]string{}
	ids := []string{"LANG-unknown-block", "LANG-type", "LANG-gate"}
	for _, q := range spec.Requirements() {
		ids = append(ids, q.ID)
		if e := explain(q.ID); e.short == q.ID || e.why != q.Why || (e.severity == diag.Warning) != (q.Level == spec.Should) {
			t.Errorf("%s is explained as %+v", q.ID, e)
		}
	}
	if link := explain("KV-8-3").link; !strings.HasSuffix(link, "/spec/reuse.md#kv-8-3") {
		t.Errorf("a row of KV reuse is explained at %s", link)
	}
	for _, id := range ids {
		page, frag, _ := strings.Cut(strings.TrimPrefix(explain(id).link, pages), "#")
		if pagesText[page] == "" {
			b, err := os.ReadFile("../../../../spec/" + page)
			if err != nil {
				t.Fatal(err)
			}
			pagesText[page] = string(b)
		}
		if !regexp.MustCompile(`(?m)^#+ `+regexp.QuoteMeta(id)+`$`).MatchString(pagesText[page]) || frag != anchor(id) {
			t.Errorf("%s has no heading %s", page, id)
		}
	}
}

// A fingerprint stays when lines come before the finding, and changes with its
// line.
func TestFingerprints(t *testing.T) {
	print := func(src string) string {
		s := scenario(t, "a.fdb.hcl", src)
		s.List = diag.List{{Severity: diag.Error, Rule: "FD-5.1-8", Summary: "S", Detail: "D.", Subject: s.at("count", 0)}}
		run := valid(t, render(t, "sarif", &Report{Scenarios: []Scenario{s}, Dir: "/x"}))
		return run.Results[0].PartialFingerprints[fingerprint]
	}
	base := print("series \"a\" {\n  count = 19\n}\n")
	for src, same := range map[string]bool{
		"# more\n\nlocals {\n}\nseries \"a\" {\n  other = 1\n    count   =  19\n}\n": true,
		"series \"a\" {\n  count = 18\n}\n":                                          false,
		"series \"b\" {\n  count = 19\n}\n":                                          false,
	} {
		if got := print(src); (got == base) != same {
			t.Errorf("%q: same is %v", src, got == base)
		}
	}
}

// Bytes count in the file as it is stored.
func TestStoredBytes(t *testing.T) {
	raw := "\xef\xbb\xbfa = 1\r\nbé = 2\r\nc = 3"
	s := scenario(t, "a.fdb.hcl", raw)
	for _, text := range []string{"a = 1", "= 2", "c = 3", "1\nbé"} {
		stored := strings.ReplaceAll(text, "\n", "\r\n")
		got := newTexts(s.Files).region(*s.at(text, 0))
		if got.offset != strings.Index(raw, stored) || got.length != len(stored) {
			t.Errorf("%q is at %d, %d long", text, got.offset, got.length)
		}
	}
}

func TestURI(t *testing.T) {
	for _, tt := range []struct {
		dir, name, want string
		base            bool
	}{
		{"/w", "a b/c.fdb.hcl", "a%20b/c.fdb.hcl", true},
		{"/w", "/w/x:y/%41#?.hcl", "x%3Ay/%2541%23%3F.hcl", true},
		{"/w", "é漢.hcl", "%C3%A9%E6%BC%A2.hcl", true},
		{"/w/x", "../y/a b.hcl", "file:///w/y/a%20b.hcl", false},
		{"/w", "..a/b", "..a/b", true},
	} {
		got, base := uri(tt.dir, tt.name)
		if got != tt.want || base != tt.base {
			t.Errorf("%s in %s is %s (%v), want %s", tt.name, tt.dir, got, base, tt.want)
		}
	}
}

func TestGitHub(t *testing.T) {
	r := sampleReport(t)
	got := string(render(t, "github", r))
	want := "::error file=dir/my 50%25 #1 é.fdb.hcl,line=2,endLine=2,col=21,endColumn=27,title=Too few trials declared (FD-5.1-8)::A count of 19.%0A%0A  trials { count = 20 }\n" +
		"::warning file=dir/my 50%25 #1 é.fdb.hcl,line=3,endLine=3,col=7,endColumn=8,title=Narrow load range%2C mind (FD-3.3-5)::100%25 of it: a, b%0D%0Aand c.\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if strings.Count(got, "\n") != 5 || !strings.Contains(got, "::notice file=") || strings.Contains(got, "Few load points") {
		t.Errorf("got\n%s", got)
	}
}

// parseCommand reads a workflow command as a runner does.
func parseCommand(t testing.TB, line string) (name string, values map[string]string, message string) {
	t.Helper()
	rest, ok := strings.CutPrefix(line, "::")
	if !ok {
		t.Fatalf("%q is no command", line)
	}
	head, message, ok := strings.Cut(rest, "::")
	if !ok {
		t.Fatalf("%q has no message", line)
	}
	name, list, _ := strings.Cut(head, " ")
	values = map[string]string{}
	for _, pair := range strings.Split(list, ",") {
		k, v, _ := strings.Cut(pair, "=")
		values[k] = strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",").Replace(v)
	}
	return name, values, strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n").Replace(message)
}

func FuzzGitHub(f *testing.F) {
	f.Add("a,b:c%2C.hcl", "Summary::x, y", "Detail %0A\r\n::error::z", "FD-1")
	f.Add("é \n", "%25", "%", "")
	f.Fuzz(func(t *testing.T, file, summary, detail, rule string) {
		if file == "" || strings.ContainsRune(file, 0) {
			return
		}
		r := hcl.Range{Filename: file, Start: hcl.InitialPos, End: hcl.InitialPos}
		line := command(&diag.Diagnostic{Severity: diag.Warning, Rule: rule, Summary: summary, Detail: detail}, r, nil, "/w")
		if !strings.HasSuffix(line, "\n") || strings.Count(line, "\n") != 1 || strings.Contains(line, "\r") {
			t.Fatalf("not one line: %q", line)
		}
		name, values, message := parseCommand(t, strings.TrimSuffix(line, "\n"))
		title := summary
		if rule != "" {
			title += " (" + rule + ")"
		}
		if name != "warning" || values["title"] != title || values["file"] != relative("/w", file) || message != detail {
			t.Fatalf("%q read back as %q %q %q", line, name, values, message)
		}
	})
}

func TestJUnit(t *testing.T) {
	r := sampleReport(t)
	for _, tt := range []struct {
		level             diag.Severity
		failures, skipped int
	}{{diag.Error, 2, 1}, {diag.Warning, 4, 1}, {diag.Note, 5, 1}, {0, 0, 1}} {
		r.FailLevel = tt.level
		text := render(t, "junit", r)
		var got junitSuites
		if err := xml.Unmarshal(text, &got); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got.Tests != 7 || got.Failures != tt.failures || got.Skipped != tt.skipped || len(got.Suites) != 3 {
			t.Errorf("level %v: %d tests, %d failures, %d skipped", tt.level, got.Tests, got.Failures, got.Skipped)
		}
		for _, s := range got.Suites {
			failed, skipped := 0, 0
			for _, c := range s.Cases {
				if c.Failure != nil {
					failed++
				}
				if c.Skipped != nil {
					skipped++
				}
			}
			if s.Tests != len(s.Cases) || s.Failures != failed || s.Skipped != skipped || s.Tests == 0 {
				t.Errorf("suite %s counts %d, %d, %d", s.Name, s.Tests, s.Failures, s.Skipped)
			}
		}
		if c := got.Suites[1].Cases[0]; c.Failure != nil || c.Name != "lint" {
			t.Errorf("the clean scenario has %+v", c)
		}
		if bytes.ContainsAny(text, "\x01\x1b") || bytes.Contains(text, []byte("&#x1;")) || strings.Contains(string(text), "hostname") {
			t.Errorf("text\n%s", text)
		}
	}
}

func TestJSON(t *testing.T) {
	var got struct {
		Valid        bool   `json:"valid"`
		Version      string `json:"format_version"`
		Errors       int    `json:"error_count"`
		Warnings     int    `json:"warning_count"`
		IgnoredCount int    `json:"ignored_count"`
		Diagnostics  []diag.JSONDiagnostic
		Ignored      []struct {
			Rule, Reason string
			Comment      diag.JSONRange
		}
	}
	if err := json.Unmarshal(render(t, "json", sampleReport(t)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Valid || got.Version != "1.0" || got.Errors != 2 || got.Warnings != 2 || len(got.Diagnostics) != 5 {
		t.Errorf("%+v", got)
	}
	if got.IgnoredCount != 1 || got.Ignored[0].Rule != "FD-3.3-4" || got.Ignored[0].Reason != "it is enough" || got.Ignored[0].Comment.Start.Line != 2 {
		t.Errorf("ignored %+v", got.Ignored)
	}
	if text := string(render(t, "json", &Report{})); !strings.Contains(text, `"diagnostics": []`) || !strings.Contains(text, `"ignored": []`) || !strings.Contains(text, `"valid": true`) {
		t.Errorf("nothing gives\n%s", text)
	}
}

func TestSummary(t *testing.T) {
	r := sampleReport(t)
	if got := r.Summary(); got != "2 errors, 2 warnings, 1 note, 1 ignored" {
		t.Errorf("%q", got)
	}
	r.Fixed = []Fixed{{Rule: "R", Summary: "S", File: "f", Line: 3, Old: "a\n  b", New: ""}}
	if got := r.Summary(); !strings.HasSuffix(got, ", 1 fixed") {
		t.Errorf("%q", got)
	}
	if got := r.Fixed[0].String(); got != `f:3: S (R): took out a b` {
		t.Errorf("%q", got)
	}
	if got := (&Report{}).Summary(); got != "no problems" {
		t.Errorf("%q", got)
	}
	if err := Write(nil, "yaml", r); err == nil {
		t.Error("an unknown form is written")
	}
}

// FuzzForms gives arbitrary findings in arbitrary files to every form.
func FuzzForms(f *testing.F) {
	f.Add("a.fdb.hcl", "a = 1\n", "Rule", "Summary", "Detail {0} [x](y)", 0, 3, uint8(1))
	f.Add("../b c%.hcl", "é\xff\r\n\x00", "", "", "\x1b", -3, 99, uint8(7))
	f.Add("/x/y", "\xef\xbb\xbfa = \"😀\"\r\n", "FD-5.1-8", "S", "D", 2, 1, uint8(2))
	f.Fuzz(func(t *testing.T, name, src, rule, summary, detail string, from, to int, severity uint8) {
		if name == "" || strings.ContainsRune(name, 0) || len(src) > 1<<16 {
			return
		}
		s := scenario(t, name, src)
		d := diag.Diagnostic{Severity: diag.Severity(severity % 5), Rule: rule, Summary: summary, Detail: detail}
		d.Subject = &hcl.Range{Filename: name, Start: hcl.Pos{Line: 1, Column: 1, Byte: from}, End: hcl.Pos{Line: 1, Column: 1, Byte: to}}
		d.Fix = &diag.Fix{Range: *d.Subject, Text: detail}
		s.List = diag.List{d, d, {Rule: rule}}
		s.Ignored = []ignore.Ignored{{Diagnostic: d, Reason: detail, Directive: *d.Subject}}
		r := &Report{Scenarios: []Scenario{s, s}, Dir: "/w", FailLevel: diag.Warning}
		if run := valid(t, render(t, "sarif", r)); len(run.Results) != 8 {
			t.Fatalf("%d results", len(run.Results))
		}
		if !json.Valid(render(t, "json", r)) {
			t.Fatal("no JSON")
		}
		var x junitSuites
		if err := xml.Unmarshal(render(t, "junit", r), &x); err != nil || x.Tests != 8 {
			t.Fatalf("%d tests: %v", x.Tests, err)
		}
		if got := strings.Count(string(render(t, "github", r)), "\n"); got != 6 {
			t.Fatalf("%d commands", got)
		}
	})
}

func BenchmarkSARIF(b *testing.B) {
	s := scenario(b, "a.fdb.hcl", strings.Repeat("locals { a = 2 }\n", 2000))
	for i := range 1000 {
		s.List.Add(diag.Diagnostic{Severity: diag.Error, Rule: "FD-5.1-8", Summary: "S", Detail: fmt.Sprint(i), Subject: s.at("2", 0)})
	}
	for b.Loop() {
		render(b, "sarif", &Report{Scenarios: []Scenario{s}, Dir: "/w"})
	}
}
