package live

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// table is a Markdown table.
type table struct {
	head []string
	rows [][]string
}

func (x *table) add(cells ...any) {
	var row []string
	for _, c := range cells {
		row = append(row, fmt.Sprint(c))
	}
	x.rows = append(x.rows, row)
}

func (x *table) String() string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(x.head)
	line(slices.Repeat([]string{"---"}, len(x.head)))
	for _, r := range x.rows {
		line(r)
	}
	return b.String()
}

// publish writes a page into the folder out of the repository and logs it.
func publish(t *testing.T, name, text string) {
	t.Helper()
	t.Log("\n" + text)
	dir := filepath.Join("..", "..", "out")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file(t, dir, name, text)
}

// quantile is the value below which a share q lies, by the nearest rank; NaN of
// none.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	v := slices.Sorted(slices.Values(values))
	i := int(math.Ceil(q*float64(len(v)))) - 1
	return v[min(max(i, 0), len(v)-1)]
}

func ms(ns float64) string { return fmt.Sprintf("%.3f ms", ns/1e6) }

func sec(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
