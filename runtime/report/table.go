package report

import (
	"strings"
	"unicode/utf8"
)

// table is rows of cells under a head. A head that begins with ">" is aligned
// to the right.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) right(col int) bool { return strings.HasPrefix(t.head[col], ">") }

func (t *table) title(col int) string { return strings.TrimPrefix(t.head[col], ">") }

// cut removes the last column.
func (t *table) cut() {
	last := len(t.head) - 1
	t.head = t.head[:last]
	for i := range t.rows {
		t.rows[i] = t.rows[i][:last]
	}
}

func (t *table) empty(col int) bool {
	for _, row := range t.rows {
		if row[col] != "" {
			return false
		}
	}
	return true
}

// width is how many columns text needs, with an indent of two.
func (t *table) width() int {
	total := 0
	for col := range t.head {
		w := utf8.RuneCountInString(t.title(col))
		for _, row := range t.rows {
			w = max(w, utf8.RuneCountInString(row[col]))
		}
		total += w + 2
	}
	return total
}

// markdown writes the table in the syntax of GitHub.
func (t *table) markdown(b *strings.Builder) {
	for i := range t.head {
		b.WriteString("| " + cell(t.title(i)) + " ")
	}
	b.WriteString("|\n")
	for i := range t.head {
		if t.right(i) {
			b.WriteString("|---:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.rows {
		for _, c := range row {
			b.WriteString("| " + cell(c) + " ")
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n")
}

// text lays the table out in columns with two spaces between them. paint, if
// not nil, colours a padded cell; row -1 is the head. The last column is not
// padded.
func (t *table) text(b *strings.Builder, indent string, paint func(row, col int, s string) string) {
	widths := make([]int, len(t.head))
	for i := range t.head {
		widths[i] = utf8.RuneCountInString(t.title(i))
	}
	for _, row := range t.rows {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	line := func(n int, cells []string) {
		var l strings.Builder
		for i, c := range cells {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			switch {
			case t.right(i):
				c = pad + c
			case i < len(cells)-1:
				c += pad
			}
			if paint != nil {
				c = paint(n, i, c)
			}
			if i > 0 {
				l.WriteString("  ")
			}
			l.WriteString(c)
		}
		b.WriteString(indent + strings.TrimRight(l.String(), " ") + "\n")
	}
	titles := make([]string, len(t.head))
	for i := range titles {
		titles[i] = t.title(i)
	}
	line(-1, titles)
	for n, row := range t.rows {
		line(n, row)
	}
}

var cellEscaper = strings.NewReplacer("|", `\|`, "\r", " ", "\n", " ", "<", "&lt;", "`", "\\`", "*", `\*`)

// cell keeps a text from ending its cell or being taken as markup.
func cell(s string) string { return cellEscaper.Replace(s) }

// code is s as a code span, whatever it holds.
func code(s string) string {
	s = strings.NewReplacer("\r", " ", "\n", " ").Replace(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
