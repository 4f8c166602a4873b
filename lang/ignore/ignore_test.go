package ignore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/format"
)

var known = []string{"FD-3.3-5", "FD-3.3-4", "FD-5.1-8", "LANG-hidden-character"}

func parse(t testing.TB, src string) *lang.Document {
	t.Helper()
	doc, _ := lang.ParseLibrary([]lang.Source{{Name: "a.fdb.hcl", Bytes: []byte(src)}})
	return doc
}

// at is a finding whose subject is the nth place of a text, counted from 0.
func at(t testing.TB, doc *lang.Document, severity diag.Severity, rule, text string, nth int) diag.Diagnostic {
	t.Helper()
	src, from := string(doc.Files[0].Bytes), 0
	for ; ; nth-- {
		i := strings.Index(src[from:], text)
		if i < 0 {
			t.Fatalf("%q is not in %q", text, src)
		}
		from += i
		if nth == 0 {
			break
		}
		from += len(text)
	}
	r := doc.Sources().Range("a.fdb.hcl", from, from+len(text))
	return diag.Diagnostic{Severity: severity, Rule: rule, Summary: "A finding of tests", Detail: "Text.", Subject: &r}
}

func idsOf(l diag.List) string {
	var out []string
	for _, d := range l {
		out = append(out, d.Rule)
	}
	return strings.Join(out, " ")
}

// Each case has findings at a marked place and says whether they are set aside.
func TestScope(t *testing.T) {
	const c = "fdbench:ignore FD-3.3-5 it is like this"
	for _, tt := range []struct {
		name, src, text string
		nth             int
		ignored         bool
	}{
		{"end of the line", "locals {\n  a = 1 # " + c + "\n}\n", "1", 0, true},
		{"with slashes", "locals {\n  a = 1 // " + c + "\n}\n", "1", 0, true},
		{"next line is another", "locals {\n  a = 1 # " + c + "\n  b = 2\n}\n", "2", 0, false},
		{"above the argument", "locals {\n  # " + c + "\n  a = 1\n  b = 2\n}\n", "1", 0, true},
		{"above another argument", "locals {\n  # " + c + "\n  a = 1\n  b = 2\n}\n", "2", 0, false},
		{"with a comment between", "locals {\n  # " + c + "\n  # More on it.\n  a = 1\n}\n", "1", 0, true},
		{"above a block", "# " + c + "\nlocals {\n  a = 1\n  b = 2\n}\n", "2", 0, true},
		{"the header of the block below", "# " + c + "\nprofile \"p\" {\n}\n", "profile \"p\"", 0, true},
		{"above the block before", "# " + c + "\nlocals {\n  a = 1\n}\nlocals {\n  b = 2\n}\n", "2", 0, false},
		{"behind a header, the header", "profile \"p\" { # " + c + "\n  shape = \"step\"\n}\n", "profile \"p\"", 0, true},
		{"behind a header, the content", "profile \"p\" { # " + c + "\n  shape = \"step\"\n}\n", "\"step\"", 0, false},
		{"behind a block of one line", "locals { a = 1 } # " + c + "\n", "1", 0, true},
		{"behind the closing brace", "locals {\n  a = 1\n} # " + c + "\n", "1", 0, false},
		{"first line of a list", "locals {\n  a = [ # " + c + "\n    1,\n    2,\n  ]\n}\n", "2", 0, true},
		{"last line of a list", "locals {\n  a = [\n    1,\n    2,\n  ] # " + c + "\n}\n", "2", 0, true},
		{"an item of a list", "locals {\n  a = [\n    1, # " + c + "\n    2,\n  ]\n}\n", "1", 0, true},
		{"another item of a list", "locals {\n  a = [\n    1, # " + c + "\n    2,\n  ]\n}\n", "2", 0, false},
		{"above an item of a list", "locals {\n  a = [\n    # " + c + "\n    1,\n    2,\n  ]\n}\n", "1", 0, true},
		{"above the item before", "locals {\n  a = [\n    # " + c + "\n    1,\n    2,\n  ]\n}\n", "2", 0, false},
		{"nested block", "series \"s\" {\n  # " + c + "\n  load {\n    points = \"1 req/s\"\n  }\n  seed = 1\n}\n", "\"1 req/s\"", 0, true},
		{"outside of the nested block", "series \"s\" {\n  # " + c + "\n  load {\n    points = \"2 req/s\"\n  }\n  seed = 1\n}\n", "1", 0, false},
		{"inside of a text", "locals {\n  a = \"# " + c + "\"\n}\n", "a =", 0, false},
		{"inside of a heredoc", "locals {\n  a = <<EOT\n# " + c + "\nEOT\n  b = 2\n}\n", "2", 0, false},
		{"above a heredoc", "locals {\n  # " + c + "\n  a = <<EOT\nwords\nEOT\n  b = 2\n}\n", "words", 0, true},
		{"not below a heredoc", "locals {\n  # " + c + "\n  a = <<EOT\nwords\nEOT\n  b = 2\n}\n", "2", 0, false},
		{"of another rule", "locals {\n  a = 1 # " + strings.ReplaceAll(c, "3.3-5", "3.3-4") + "\n}\n", "1", 0, false},
		{"second of several ids", "locals {\n  a = 1 # fdbench:ignore FD-3.3-4, FD-3.3-5 so be it\n}\n", "1", 0, true},
		{"ids without spaces", "locals {\n  a = 1 # fdbench:ignore FD-3.3-4,FD-3.3-5: so be it\n}\n", "1", 0, true},
		{"after characters of several bytes", "locals {\n  漢 = \"👩‍👩‍👧\" # " + c + "\n}\n", "\"👩‍👩‍👧\"", 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := parse(t, tt.src)
			d := at(t, doc, diag.Warning, "FD-3.3-5", tt.text, tt.nth)
			kept, ignored := Apply(doc, diag.List{d}, Options{Known: known})
			if len(kept)+len(ignored) != 1 {
				t.Fatalf("kept %v, ignored %v", kept, ignored)
			}
			if got := len(ignored) == 1; got != tt.ignored {
				t.Errorf("ignored is %v, want %v", got, tt.ignored)
			}
			if len(ignored) == 1 && (!strings.Contains(ignored[0].Reason, "it is") && !strings.Contains(ignored[0].Reason, "so be it")) {
				t.Errorf("the reason is %q", ignored[0].Reason)
			}
		})
	}
}

// Each case says what is wrong with the directive of a scenario in which
// nothing was found but, where it is marked, an error or a warning.
func TestMistakes(t *testing.T) {
	for _, tt := range []struct {
		comment, want, detail string
		severity              diag.Severity
	}{
		{"# fdbench:ignore FD-3.3-5 the machine is small", "FD-3.3-5", "", diag.Note},
		{"# fdbench:ignore FD-3.3-5 ", "LANG-ignore-reason", "Write the reason", 0},
		{"# fdbench:ignore FD-3.3-5 - 12", "LANG-ignore-reason", "Write the reason", 0},
		{"# fdbench:ignore FD-3.3-5 ab", "LANG-ignore-reason", "Write the reason", 0},
		{"# fdbench:ignore FD-3.3-5 todo", "LANG-ignore-reason", "Write the reason", 0},
		{"# fdbench:ignore FD-3.3-5: TBD.", "LANG-ignore-reason", "Write the reason", 0},
		{"# fdbench:ignore FD-3.3-5 n/a", "LANG-ignore-reason", "Write the reason", 0},
		{"# fdbench:ignore FD-3.3-5 abc", "LANG-ignore-unused", "Nothing was found", 0},
		{"# fdbench:ignore FD-3.3-5 é漢字", "LANG-ignore-unused", "Nothing was found", 0},
		{"# fdbench:ignore FD-3.3-5, FD-3.3-4 the machine", "LANG-ignore-unused LANG-ignore-unused", "", 0},
		{"# fdbench:ignore FD-3.3-55 the machine", "LANG-ignore-unknown", "Did you mean FD-3.3-5?", 0},
		{"# fdbench:ignore fd-5.1-8 the machine", "LANG-ignore-unknown", "Did you mean FD-5.1-8?", 0},
		{"# fdbench:ignore everything here", "LANG-ignore-unknown", "separated by commas", 0},
		{"# fdbench:ignore", "LANG-ignore-form", "Write the id", 0},
		{"# fdbench:ignore FD-5.1-8 the machine is small", "FD-5.1-8 LANG-ignore-must", "FD-5.1-8 (a finding of tests) is an error", diag.Error},
		{"# fdbench:ignore LANG-ignore-unused it may be", "LANG-ignore-must", "comments like this one", 0},
		{"# fdbench:ignroe FD-3.3-5 the machine", "LANG-ignore-form", "in small letters", 0},
		{"# FDBENCH:IGNORE FD-3.3-5 the machine", "LANG-ignore-form", "in small letters", 0},
		{"# fdbench: ignore FD-3.3-5 the machine", "LANG-ignore-form", "without a space", 0},
		{"/* fdbench:ignore FD-3.3-5 the machine */", "LANG-ignore-form", "between /* and */", 0},
		{"# fdbench: the scenario of last year", "", "", 0},
		{"# see fdbench:ignore", "", "", 0},
	} {
		t.Run(tt.comment, func(t *testing.T) {
			ids := append([]string{"LANG-ignore-unused"}, known...)
			doc := parse(t, "locals {\n  a = 1 "+tt.comment+"\n}\n")
			var list diag.List
			if tt.severity != 0 {
				rule := strings.Fields(tt.want)[0]
				list.Add(at(t, doc, tt.severity, rule, "1", 0))
			}
			kept, ignored := Apply(doc, list, Options{Known: ids, Complete: true})
			got := idsOf(kept)
			for _, i := range ignored {
				got = strings.TrimSpace(got + " " + i.Diagnostic.Rule)
			}
			if got != tt.want {
				t.Fatalf("found %q, want %q", got, tt.want)
			}
			if len(kept) > 0 && !strings.Contains(kept[len(kept)-1].Detail, tt.detail) {
				t.Errorf("said: %s", kept[len(kept)-1].Detail)
			}
			for _, d := range kept {
				if strings.HasPrefix(d.Rule, own) {
					words := len(strings.Fields(d.Summary))
					if d.Subject == nil || words < 3 || words > 6 {
						t.Errorf("%+v", d)
					}
				}
			}
		})
	}
}

// What is set aside twice is set aside once: the second time is of no use,
// and its repair leaves the first.
func TestIgnoredTwice(t *testing.T) {
	for _, tt := range []struct {
		name, src, want string // want: after the repairs
	}{
		{"two comments", "locals {\n  # fdbench:ignore FD-3.3-5 the machine\n  a = 1 # fdbench:ignore FD-3.3-5 the port\n}\n", "locals {\n  # fdbench:ignore FD-3.3-5 the machine\n  a = 1\n}\n"},
		{"an outer one", "# fdbench:ignore FD-3.3-5 the machine\nlocals {\n  # fdbench:ignore FD-3.3-5 the port\n  a = 1\n}\n", "# fdbench:ignore FD-3.3-5 the machine\nlocals {\n  a = 1\n}\n"},
		{"two ids", "locals {\n  a = 1 # fdbench:ignore FD-3.3-5,FD-3.3-5 the port\n}\n", "locals {\n  a = 1 # fdbench:ignore FD-3.3-5 the port\n}\n"},
		{"another finding", "# fdbench:ignore FD-3.3-5 the machine\nlocals {\n  a = 1 # fdbench:ignore FD-3.3-4, FD-3.3-5 the port\n}\n", "# fdbench:ignore FD-3.3-5 the machine\nlocals {\n  a = 1 # fdbench:ignore FD-3.3-4 the port\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := parse(t, tt.src)
			list := diag.List{at(t, doc, diag.Warning, "FD-3.3-5", "1", 0)}
			if strings.Contains(tt.src, "FD-3.3-4") {
				list.Add(at(t, doc, diag.Warning, "FD-3.3-4", "1", 0))
			}
			kept, ignored := Apply(doc, list, Options{Known: known, Complete: true})
			if len(ignored) != len(list) || len(kept) != 1 || kept[0].Rule != "LANG-ignore-unused" || !strings.Contains(kept[0].Detail, "set aside already, by the comment at line ") || kept[0].Fix == nil {
				t.Fatalf("kept %v, ignored %v", kept, ignored)
			}
			f := kept[0].Fix
			if got := tt.src[:f.Range.Start.Byte] + f.Text + tt.src[f.Range.End.Byte:]; got != tt.want {
				t.Errorf("repaired to\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestAboutNothing(t *testing.T) {
	for _, src := range []string{
		"# fdbench:ignore FD-3.3-5 the machine\n\nlocals {\n}\n",
		"locals {\n}\n# fdbench:ignore FD-3.3-5 the machine\n",
		"# fdbench:ignore FD-3.3-5 the machine",
	} {
		kept, _ := Apply(parse(t, src), nil, Options{Known: known, Complete: true})
		if idsOf(kept) != "LANG-ignore-form" {
			t.Errorf("%q gives %q", src, idsOf(kept))
		}
	}
}

// Where something else is in error, a directive may be of use once it is
// repaired.
func TestUnusedOnlyWhereComplete(t *testing.T) {
	doc := parse(t, "locals {\n  a = 1 # fdbench:ignore FD-3.3-5 the machine\n  b = 2\n}\n")
	for _, tt := range []struct {
		list     diag.List
		complete bool
		want     string
	}{
		{nil, true, "LANG-ignore-unused"},
		{nil, false, ""},
		{diag.List{at(t, doc, diag.Error, "FD-5.1-8", "2", 0)}, true, "FD-5.1-8"},
		{diag.List{at(t, doc, diag.Warning, "FD-5.1-8", "2", 0)}, true, "FD-5.1-8 LANG-ignore-unused"},
	} {
		if kept, _ := Apply(doc, tt.list, Options{Known: known, Complete: tt.complete}); idsOf(kept) != tt.want {
			t.Errorf("complete %v: %q, want %q", tt.complete, idsOf(kept), tt.want)
		}
	}
}

// The repair of an unused directive takes it out and leaves the rest.
func TestFixes(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"locals {\n  a = 1 # fdbench:ignore FD-3.3-5 the machine\n}\n", "locals {\n  a = 1\n}\n"},
		{"locals {\n  # fdbench:ignore FD-3.3-5 the machine\n  a = 1\n}\n", "locals {\n  a = 1\n}\n"},
		{"locals {\n  a = 1 # fdbench:ignore FD-3.3-5, FD-3.3-4 the machine\n}\n", "locals {\n  a = 1 # fdbench:ignore FD-3.3-4 the machine\n}\n"},
		{"locals {\n  a = 1 # fdbench:ignore FD-5.1-88 the machine\n}\n", "locals {\n  a = 1 # fdbench:ignore FD-5.1-8 the machine\n}\n"},
	} {
		doc := parse(t, tt.src)
		kept, _ := Apply(doc, nil, Options{Known: known, Complete: true})
		if len(kept) == 0 || kept[0].Fix == nil {
			t.Fatalf("%q has no repair: %v", tt.src, kept)
		}
		f := kept[0].Fix
		got := tt.src[:f.Range.Start.Byte] + f.Text + tt.src[f.Range.End.Byte:]
		if got != tt.want {
			t.Errorf("repaired\n%s\nwant\n%s", got, tt.want)
		}
	}
}

// The formatter keeps the comments, and what they are about.
func TestFormatterKeepsThem(t *testing.T) {
	const src = "# fdbench:ignore FD-3.3-5 above\nlocals {\n\n\n  a=1   // fdbench:ignore FD-3.3-4 behind\n      # fdbench:ignore FD-3.3-5, FD-3.3-4   inside\n  long = [\n 1,\n    ]\n}\n"
	formatted, diags := format.Format([]byte(src), "a.fdb.hcl")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	show := func(src string) string {
		doc, out := parse(t, src), ""
		for _, d := range Parse(doc.Files[0]) {
			covered := strings.Join(strings.Fields(src[d.From:d.To]), "")
			out += fmt.Sprintln(len(d.IDs), d.IDs[0].Text, d.Reason, d.own, len(covered) > 0)
		}
		return out
	}
	before, after := show(src), show(string(formatted))
	if before != after || strings.Count(before, "\n") != 3 {
		t.Errorf("before\n%safter\n%s", before, after)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("# fdbench:ignore FD-3.3-5 above\nlocals {\n  a = 1 // fdbench:ignore FD-3.3-4, X: behind\n}\n")
	f.Add("a = [ # fdbench:ignore\n 1, /* fdbench:ignore FD-3.3-5 */\n]")
	f.Add("a = <<EOT\n# fdbench:ignore x\nEOT\n# fdbench:ignore ,,, -")
	f.Add("#fdbench:ignore\tFD-3.3-5,\tFD-3.3-4\treason\r\nlocals{a=1}")
	f.Fuzz(func(t *testing.T, src string) {
		doc, _ := lang.ParseLibrary([]lang.Source{{Name: "a.fdb.hcl", Bytes: []byte(src)}})
		file := doc.Files[0]
		for _, d := range Parse(file) {
			if d.From < 0 || d.From > d.To || d.To > len(file.Bytes) {
				t.Fatalf("scope [%d, %d) of %d bytes", d.From, d.To, len(file.Bytes))
			}
			comment := string(file.Bytes[d.Range.Start.Byte:d.Range.End.Byte])
			if !strings.HasPrefix(comment, "#") && !strings.HasPrefix(comment, "/") {
				t.Fatalf("the range of a directive is %q", comment)
			}
			for _, id := range d.IDs {
				if got := string(file.Bytes[id.Range.Start.Byte:id.Range.End.Byte]); got != id.Text || got == "" {
					t.Fatalf("the range of %q is %q", id.Text, got)
				}
			}
			if strings.TrimSpace(d.Reason) != d.Reason || strings.Contains(d.Reason, "\n") {
				t.Fatalf("reason %q", d.Reason)
			}
		}
		kept, _ := Apply(doc, nil, Options{Known: known, Complete: true})
		for _, d := range kept {
			if d.Fix != nil && (d.Fix.Range.Start.Byte > d.Fix.Range.End.Byte || d.Fix.Range.End.Byte > len(file.Bytes)) {
				t.Fatalf("fix %+v", d.Fix)
			}
		}
	})
}
