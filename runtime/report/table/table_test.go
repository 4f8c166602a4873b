package table

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	tab := &Table{Head: []string{"name", ">n", "remark"}}
	tab.Add("a", "1", "")
	tab.Add("länger", "1,000", "x | y")
	var md, text, painted strings.Builder
	tab.Markdown(&md)
	if want := "| name | n | remark |\n|---|---:|---|\n| a | 1 |  |\n| länger | 1,000 | x \\| y |\n\n"; md.String() != want {
		t.Errorf("%q", md.String())
	}
	tab.Text(&text, "  ", nil)
	if want := "  name        n  remark\n  a           1\n  länger  1,000  x | y\n"; text.String() != want {
		t.Errorf("%q", text.String())
	}
	if tab.Width() != 23 || tab.Empty(2) || !tab.right(1) || tab.right(0) {
		t.Errorf("width %d, empty %v", tab.Width(), tab.Empty(2))
	}
	tab.Text(&painted, "", func(row, col int, s string) string {
		if row == -1 && col == 0 {
			return strings.ToUpper(s)
		}
		return s
	})
	if !strings.HasPrefix(painted.String(), "NAME ") {
		t.Errorf("%q", painted.String())
	}
	tab.Cut()
	if len(tab.Head) != 2 || len(tab.Rows[1]) != 2 {
		t.Errorf("%v", tab)
	}
}

// No text ends its cell or its code span.
func TestCellAndCode(t *testing.T) {
	for in, want := range map[string]string{"a|b": `a\|b`, "a\nb": "a b", "<b>": "&lt;b>", "`x`": "\\`x\\`", "*x*": `\*x\*`} {
		if have := Cell(in); have != want {
			t.Errorf("Cell(%q) = %q, want %q", in, have, want)
		}
	}
	for in, want := range map[string]string{"x": "`x`", "a`b": "``a`b``", "`": "`` ` ``", "a\nb": "`a b`"} {
		if have := Code(in); have != want {
			t.Errorf("Code(%q) = %q, want %q", in, have, want)
		}
	}
}
