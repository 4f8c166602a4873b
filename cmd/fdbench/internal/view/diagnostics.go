package view

import (
	"fmt"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/lang/diag"
)

// width is where text for people is wrapped at most.
const width = 100

// Diagnostics writes a list and returns how many errors are in it.
func Diagnostics(to terminal.Stream, list diag.List, src *diag.Sources) int {
	if len(list) > 0 {
		// A stream that cannot be written to cannot be told about either.
		_ = diag.WriteText(to, list, src, diag.TextOptions{Color: to.Color, Width: to.Columns(width)})
	}
	return list.Count(diag.Error)
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
