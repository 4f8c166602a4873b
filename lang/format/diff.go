package format

import (
	"fmt"
	"strings"
)

// contextLines is how many unchanged lines a hunk shows around a change.
const contextLines = 3

// maxEdits bounds the search for a shortest script. Beyond it the middle is
// shown as replaced whole.
const maxEdits = 1000

// Diff returns the difference of two texts in the unified format, "" where
// there is none.
func Diff(a, b []byte, name string) string {
	if string(a) == string(b) {
		return ""
	}
	x, y := splitLines(string(a)), splitLines(string(b))
	ops := script(x, y)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
	for start := 0; start < len(ops); {
		if ops[start].kind == ' ' {
			start++
			continue
		}
		from := max(start-contextLines, 0)
		end, quiet := start, 0
		for i := start; i < len(ops) && quiet <= 2*contextLines; i++ {
			if ops[i].kind == ' ' {
				quiet++
			} else {
				quiet = 0
				end = i + 1
			}
		}
		to := min(end+contextLines, len(ops))
		hunk(&out, ops[from:to])
		start = to
	}
	return out.String()
}

type op struct {
	kind byte // ' ', '-' or '+'
	line string
	a, b int // 0-based numbers of the line in both texts
}

func hunk(out *strings.Builder, ops []op) {
	lenA, lenB := 0, 0
	for _, o := range ops {
		if o.kind != '+' {
			lenA++
		}
		if o.kind != '-' {
			lenB++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", hunkRange(ops[0].a, lenA), hunkRange(ops[0].b, lenB))
	for _, o := range ops {
		out.WriteByte(o.kind)
		out.WriteString(o.line)
		if !strings.HasSuffix(o.line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

func hunkRange(start, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", start)
	}
	if n == 1 {
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, n)
}

func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// script is a way from x to y: Myers' shortest one, where it is short enough.
func script(x, y []string) []op {
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	var ops []op
	for i := range head {
		ops = append(ops, op{' ', x[i], i, i})
	}
	for _, o := range myers(x[head:len(x)-tail], y[head:len(y)-tail]) {
		o.a, o.b = o.a+head, o.b+head
		ops = append(ops, o)
	}
	for i := range tail {
		a, b := len(x)-tail+i, len(y)-tail+i
		ops = append(ops, op{' ', x[a], a, b})
	}
	return ops
}

func myers(x, y []string) []op {
	n, m := len(x), len(y)
	limit := min(n+m, maxEdits)
	v := make([]int, 2*limit+3)
	at := func(k int) int { return k + limit + 1 }
	var trace [][]int
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int(nil), v[at(-d-1):at(d+1)+1]...))
		for k := -d; k <= d; k += 2 {
			i := v[at(k-1)] + 1
			if k == -d || k != d && v[at(k-1)] < v[at(k+1)] {
				i = v[at(k+1)]
			}
			for i < n && i-k < m && x[i] == y[i-k] {
				i++
			}
			v[at(k)] = i
			if i >= n && i-k >= m {
				return backtrack(x, y, trace)
			}
		}
	}
	var ops []op
	for i, line := range x {
		ops = append(ops, op{'-', line, i, 0})
	}
	for j, line := range y {
		ops = append(ops, op{'+', line, n, j})
	}
	return ops
}

func backtrack(x, y []string, trace [][]int) []op {
	var reversed []op
	i, j := len(x), len(y)
	for d := len(trace) - 1; d >= 0; d-- {
		v := func(k int) int { return trace[d][k+d+1] }
		k := i - j
		before := k - 1
		if k == -d || k != d && v(k-1) < v(k+1) {
			before = k + 1
		}
		pi := v(before)
		pj := pi - before
		for i > pi && j > pj && i > 0 && j > 0 {
			i, j = i-1, j-1
			reversed = append(reversed, op{' ', x[i], i, j})
		}
		if d == 0 {
			break
		}
		if i == pi {
			j--
			reversed = append(reversed, op{'+', y[j], i, j})
		} else {
			i--
			reversed = append(reversed, op{'-', x[i], i, j})
		}
	}
	ops := make([]op, len(reversed))
	for i, o := range reversed {
		ops[len(reversed)-1-i] = o
	}
	return ops
}
