package view

import (
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"
)

// sheet is a table whose rows belong to loads. A head that begins with ">" is
// aligned to the right.
type sheet struct {
	title string
	head  []string
	loads []string // of each row; "" where rows belong to none
	rows  [][]string
	notes []string
}

func (s *sheet) add(load string, cells ...string) {
	s.loads = append(s.loads, load)
	s.rows = append(s.rows, cells)
}

func (s *sheet) grouped() bool { return len(s.loads) > 0 && s.loads[0] != "" }

func (s *sheet) widths() []int {
	w := make([]int, len(s.head))
	for i, h := range s.head {
		w[i] = utf8.RuneCountInString(strings.TrimPrefix(h, ">"))
	}
	for _, row := range s.rows {
		for i, c := range row {
			w[i] = max(w[i], utf8.RuneCountInString(c))
		}
	}
	return w
}

// width is how many columns text needs, with an indent of two.
func (s *sheet) width() int {
	total := 0
	for _, w := range s.widths() {
		total += w + 2
	}
	return total
}

// text lays the table out in columns. Each load has a line of its own above its
// rows, which emphasis writes where it is not nil.
func (s *sheet) text(b *strings.Builder, indent string, emphasis *color.Color) {
	widths := s.widths()
	line := func(cells []string) {
		var l strings.Builder
		for i, c := range cells {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if strings.HasPrefix(s.head[i], ">") {
				c = pad + c
			} else {
				c += pad
			}
			if i > 0 {
				l.WriteString("  ")
			}
			l.WriteString(c)
		}
		b.WriteString(indent + strings.TrimRight(l.String(), " ") + "\n")
	}
	titles := make([]string, len(s.head))
	for i, h := range s.head {
		titles[i] = strings.TrimPrefix(h, ">")
	}
	line(titles)
	load := ""
	for i, row := range s.rows {
		if s.grouped() && s.loads[i] != load {
			load = s.loads[i]
			text := load
			if emphasis != nil {
				text = emphasis.Sprint(load)
			}
			b.WriteString(indent + text + "\n")
		}
		line(row)
	}
}

// markdown writes the table in the syntax of GitHub, with the load as its first
// column.
func (s *sheet) markdown(b *strings.Builder) {
	head := s.head
	if s.grouped() {
		head = append([]string{"load"}, head...)
	}
	for _, h := range head {
		b.WriteString("| " + cell(strings.TrimPrefix(h, ">")) + " ")
	}
	b.WriteString("|\n")
	for _, h := range head {
		if strings.HasPrefix(h, ">") {
			b.WriteString("|---:")
		} else {
			b.WriteString("|---")
		}
	}
	b.WriteString("|\n")
	for i, row := range s.rows {
		if s.grouped() {
			b.WriteString("| " + cell(s.loads[i]) + " ")
		}
		for _, c := range row {
			b.WriteString("| " + cell(c) + " ")
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n")
}

var cellEscaper = strings.NewReplacer("|", `\|`, "\r", " ", "\n", " ", "<", "&lt;", "`", "\\`", "*", `\*`)

// cell keeps a text from ending its cell or being taken as markup.
func cell(s string) string { return cellEscaper.Replace(printable(s)) }
