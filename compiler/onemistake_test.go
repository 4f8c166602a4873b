package compiler

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/diag"
)

// argumentLine is a line with an argument whose value is no object.
var argumentLine = regexp.MustCompile(`^(\s*)([a-z_]+)(\s*= )([^{]+)$`)

// attestLine opens an attest block.
var attestLine = regexp.MustCompile(`^(\s*attest ")([a-z0-9_]+)(" \{)$`)

// mistakes makes one mistake in a line, each of those that people make, by what
// is wrong.
func mistakes(line string) map[string]string {
	if m := attestLine.FindStringSubmatch(line); m != nil {
		return map[string]string{"a label with a letter too many": m[1] + m[2] + "x" + m[3]}
	}
	m := argumentLine.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	out := map[string]string{"a misspelt argument": m[1] + m[2][:len(m[2])-1] + "x" + m[2][len(m[2])-1:] + m[3] + m[4], "no argument": ""}
	for what, value := range map[string]string{
		"a number": "5", "a word": `"x"`, "an empty list": "[]", "a negative span": `"-5m"`,
	} {
		out[what] = m[1] + m[2] + m[3] + value
	}
	return out
}

// One mistake in one line of a scenario that runs gives one error at most, and
// with an error no warning: what follows from a mistake is not told as another.
func TestOneMistakeInALine(t *testing.T) {
	for _, name := range []string{"quickstart", "prometheus-rules", "live-quickstart", "live-mechanism"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("..", "scenarios", name)
			files := map[string][]byte{}
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
					t.Fatal(err)
				}
			}
			file := name + ".fdb.hcl"
			right, found := files[file], 0
			lines := strings.Split(string(right), "\n")
			for i, line := range lines {
				for what, wrong := range mistakes(line) {
					lines[i] = wrong
					files[file] = []byte(strings.Join(lines, "\n"))
					_, diags := compileMemory(files, Options{Check: true})
					errors := diags.Count(diag.Error)
					found += errors
					if errors > 1 || errors == 1 && diags.Count(diag.Warning) > 0 {
						t.Errorf("line %d, %s in place of %q:\n%s", i+1, what, strings.TrimSpace(line), listText(diags))
					}
				}
				lines[i] = line
			}
			if found < 100 {
				t.Errorf("%d errors in all", found)
			}
		})
	}
}
