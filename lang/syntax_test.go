package lang

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/diag"
)

func rulesOf(diags diag.List) string {
	var out []string
	for _, d := range diags {
		out = append(out, d.Rule)
	}
	return strings.Join(out, " ")
}

func TestSyntaxErrorsAreOneEachAndInHouseStyle(t *testing.T) {
	tests := []struct {
		src, rule string
		line      int
	}{
		{"a = 'x'\n", "LANG-invalid-character", 1},
		{"a = “x”\n", "LANG-invalid-character", 1},
		{"series \"a\" {\n a = 1\n", "LANG-unclosed-block", 1},
		{"a = \"abc\nb = 2\n", "LANG-unclosed-string", 1},
		{"x \"y\" {\n  a = \"abc\n  b = 2\n}\n", "LANG-unclosed-string", 2},
		{"a = [1 2]\n", "LANG-missing-comma", 1},
		{"a = [1\n", "LANG-unclosed-bracket", 1},
		{"a = {b = 1\n", "LANG-missing-value", 2},
		{"a = f(1\n", "LANG-unclosed-bracket", 1},
		{"a = f(1 2)\n", "LANG-missing-comma", 1},
		{"a = {b: 1, c 2}\n", "LANG-missing-equals", 1},
		{"x { a = 1 b = 2 }\n", "LANG-single-line-block", 1},
		{"x { a = 1, b = 2 }\n", "LANG-single-line-block", 1},
		{"a = 1,\nb = 2\n", "LANG-comma", 1},
		{"a = 1 b = 2\n", "LANG-missing-newline", 1},
		{"a = \"\\q\"\n", "LANG-invalid-escape", 1},
		{"a = \"${x\"\n", "LANG-unclosed-bracket", 1},
		{"foo bar baz\n", "LANG-block-header", 1},
		{"series a = {\n}\n", "LANG-block-header", 1},
		{"}\n", "LANG-syntax", 1},
		{"\"a\" = 1\n", "LANG-quoted-name", 1},
		{"a = ;\n", "LANG-invalid-character", 1},
		{"a =\n", "LANG-missing-value", 1},
		{"a = 1 & 2\n", "LANG-operator", 1},
		{"a = (1\n", "LANG-unclosed-bracket", 2},
		{"a = \x00\n", "LANG-invalid-character", 1},
		{"a = \"\xff\"\n", "LANG-encoding", 1},
	}
	for _, tt := range tests {
		_, diags := Parse([]Source{{"a.fdb.hcl", []byte(tt.src)}})
		if rulesOf(diags) != tt.rule || diags[0].Subject.Start.Line != tt.line {
			t.Errorf("%q: %s at %v, want %s on line %d", tt.src, rulesOf(diags), diags[0].Subject, tt.rule, tt.line)
		}
	}
	for hcl, p := range phrases {
		if n := len(strings.Fields(p.summary)); n < 3 || n > 6 {
			t.Errorf("summary %q for %q has %d words", p.summary, hcl, n)
		}
	}
}

func TestNewerLanguageIsSaidAndNothingElse(t *testing.T) {
	for _, src := range []string{
		"fdbench { language = 2 }\nfrobnicate {}\n",
		"fdbench { language = 3 }\nfrobnicate {\n",
		"fdbench {\n  language = 2\n  other = 1\n}\nseries \"a\" {}\n",
	} {
		_, diags := Parse([]Source{{"b.fdb.hcl", []byte(src)}, {"a.fdb.hcl", []byte("nonsense {}\n")}})
		if rulesOf(diags) != "LANG-newer-language" {
			t.Errorf("%q: %s", src, rulesOf(diags))
		}
	}
	for _, src := range []string{"fdbench { language = 0 }\n", "fdbench { language = 1.5 }\n", "fdbench { language = -1 }\n", "fdbench { language = local.x }\n"} {
		if _, diags := Parse([]Source{{"a.fdb.hcl", []byte(src)}}); rulesOf(diags) != "LANG-language-version" {
			t.Errorf("%q: %s", src, rulesOf(diags))
		}
	}
	if _, diags := Parse([]Source{{"a.fdb.hcl", nil}}); rulesOf(diags) != "LANG-missing-block" {
		t.Errorf("an empty file: %s", rulesOf(diags))
	}
	if _, diags := ParseLibrary([]Source{{"a.fdb.hcl", nil}}); len(diags) > 0 {
		t.Errorf("an empty library file: %s", rulesOf(diags))
	}
}

func TestHostileNestingIsRefusedBeforeItIsParsed(t *testing.T) {
	n := 100_000
	for name, src := range map[string]string{
		"brackets":     "a = " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n",
		"parentheses":  "a = " + strings.Repeat("(", n) + "\n",
		"blocks":       strings.Repeat("x {\n", n),
		"templates":    "a = " + strings.Repeat("\"${", n) + "\n",
		"unary":        "a = " + strings.Repeat("!", n) + "true\n",
		"conditionals": "a = " + strings.Repeat("b ? 1 : ", n) + "2\n",
		"sums":         "a = 1" + strings.Repeat(" + 1", n) + "\n",
		"spread":       "a = (1\n" + strings.Repeat("+ 1\n", n) + ")\n",
		"attributes":   "a = b" + strings.Repeat(".c", n) + "\n",
	} {
		_, diags := Parse([]Source{{"a.fdb.hcl", []byte(src)}})
		if rulesOf(diags) != "LANG-too-deep" {
			t.Errorf("%s: %s", name, rulesOf(diags))
		}
	}
	// Much of everything, but not deep, is fine.
	var b strings.Builder
	b.WriteString("fdbench { language = 1 }\nlocals {\n  a = [")
	for i := range 5000 {
		fmt.Fprintf(&b, "-%d, ", i)
	}
	b.WriteString("]\n  b = \"" + strings.Repeat("(a - b) [ ", 3000) + "\"\n}\n")
	if _, diags := Parse([]Source{{"a.fdb.hcl", []byte(b.String())}}); len(diags) > 0 {
		t.Errorf("a long list: %s", rulesOf(diags))
	}
	deep := "fdbench { language = 1 }\nlocals {\n  a = " + strings.Repeat("[", 150) + strings.Repeat("]", 150) + "\n}\n"
	if _, diags := Parse([]Source{{"a.fdb.hcl", []byte(deep)}}); len(diags) > 0 {
		t.Errorf("150 brackets: %s", rulesOf(diags))
	}
}

func TestHiddenCharactersAreFlagged(t *testing.T) {
	src := "fdbench { language = 1 }\n# a\u202eb\nlocals {\n  a = \"x\u200b\u200by\"\n  b = \"é 漢 👨‍👩‍👧\"\n}\n"
	_, diags := Parse([]Source{{"a.fdb.hcl", []byte(src)}})
	if rulesOf(diags) != "LANG-hidden-character LANG-hidden-character" || diags.HasErrors() {
		t.Fatalf("%s", rulesOf(diags))
	}
	if r := diags[1].Subject; src[r.Start.Byte:r.End.Byte] != "\u200b\u200b" || r.Start.Line != 4 {
		t.Errorf("the run is at %v", r)
	}
}

func TestLineEndsAndByteOrderMarkDoNotMatter(t *testing.T) {
	unix := "fdbench { language = 1 }\nlocals { a = <<EOT\nx\ny\nEOT\n}\n"
	dos := "\xef\xbb\xbf" + strings.ReplaceAll(unix, "\n", "\r\n")
	a, _ := Parse([]Source{{"a.fdb.hcl", []byte(unix)}})
	b, _ := Parse([]Source{{"a.fdb.hcl", []byte(dos)}})
	if a.Files[0].SHA256 != b.Files[0].SHA256 || string(a.Files[0].Bytes) != string(b.Files[0].Bytes) {
		t.Error("CRLF or a byte order mark changes the digest")
	}
}

func TestLoadSaysWhatIsWrongWithThePath(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	write("empty/readme.md", "x")
	other := write("other/main.hcl", "x")
	large := write("large/a.fdb.hcl", strings.Repeat("#", MaxFileSize+1))
	good := write("good/b.fdb.hcl", "fdbench { language = 1 }\n")
	write("good/a.fdb.hcl", "locals { a = 1 }\n")
	write("good/.hidden.fdb.hcl", "nonsense\n")
	write("good/a.fdb.hcl~", "nonsense\n")
	write("good/sub/c.fdb.hcl", "nonsense\n")
	for path, rule := range map[string]string{
		filepath.Join(dir, "nothing"):    "LANG-no-such-path",
		filepath.Join(dir, "empty"):      "LANG-no-files",
		other:                            "LANG-file-name",
		large:                            "LANG-file-too-large",
		filepath.Join(dir, "large"):      "LANG-file-too-large",
		good:                             "",
		filepath.Join(dir, "good"):       "",
		filepath.Join(dir, "good") + "/": "",
	} {
		doc, diags := Load(path)
		if rulesOf(diags) != rule || doc == nil {
			t.Errorf("%s: %q, want %q", path, rulesOf(diags), rule)
		}
		for _, d := range diags {
			if !strings.Contains(d.Detail, path[:len(path)-1]) {
				t.Errorf("%s is not named in %q", path, d.Detail)
			}
		}
	}
	doc, _ := Load(filepath.Join(dir, "good"))
	if len(doc.Files) != 2 || doc.Files[0].Name != "a.fdb.hcl" || doc.Files[1].Name != "b.fdb.hcl" || len(doc.Blocks) != 2 || doc.Blocks[0].Type != "locals" {
		t.Errorf("files %+v", doc.Files)
	}
}
