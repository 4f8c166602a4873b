package table

import (
	"strings"
	"unicode/utf8"
)

// Table is rows of cells under a head. A head that begins with ">" is aligned
// to the right.
type Table struct {
	Head []string
	Rows [][]string
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

func (t *Table) right(col int) bool { return strings.HasPrefix(t.Head[col], ">") }

func (t *Table) title(col int) string { return strings.TrimPrefix(t.Head[col], ">") }

// Cut removes the last column.
func (t *Table) Cut() {
	last := len(t.Head) - 1
	t.Head = t.Head[:last]
	for i := range t.Rows {
		t.Rows[i] = t.Rows[i][:last]
	}
}

// Empty tells whether no row has anything in a column.
func (t *Table) Empty(col int) bool {
	for _, row := range t.Rows {
		if row[col] != "" {
			return false
		}
	}
	return true
}

// Width is how many columns text needs, with an indent of two.
func (t *Table) Width() int {
	total := 0
	for col := range t.Head {
		w := utf8.RuneCountInString(t.title(col))
		for _, row := range t.Rows {
			w = max(w, utf8.RuneCountInString(row[col]))
		}
		total += w + 2
	}
	return total
}

// Markdown writes the table in the syntax of GitHub.
func (t *Table) Markdown(b *strings.Builder) {
	for i := range t.Head {
		b.WriteString("| " + Cell(t.title(i)) + " ")
	}
	b.WriteString("|\n")
	for i := range t.Head {
		if t.right(i) {
			b.WriteString("|---:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		for _, c := range row {
			b.WriteString("| " + Cell(c) + " ")
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n")
}

// Text lays the table out in columns with two spaces between them. paint, if
// not nil, colours a padded cell; row -1 is the head. The last column is not
// padded.
func (t *Table) Text(b *strings.Builder, indent string, paint func(row, col int, s string) string) {
	widths := make([]int, len(t.Head))
	for i := range t.Head {
		widths[i] = utf8.RuneCountInString(t.title(i))
	}
	for _, row := range t.Rows {
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
	titles := make([]string, len(t.Head))
	for i := range titles {
		titles[i] = t.title(i)
	}
	line(-1, titles)
	for n, row := range t.Rows {
		line(n, row)
	}
}

var cellEscaper = strings.NewReplacer("|", `\|`, "\r", " ", "\n", " ", "<", "&lt;", "`", "\\`", "*", `\*`)

// Cell keeps a text from ending its cell or being taken as markup.
func Cell(s string) string { return cellEscaper.Replace(s) }

// Code is s as a code span, whatever it holds.
func Code(s string) string {
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
