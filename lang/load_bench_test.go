package lang

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// manyBlocks makes a scenario of n blocks, a hundred to a file.
func manyBlocks(n int) []Source {
	var files []Source
	var b strings.Builder
	flush := func() {
		files = append(files, Source{fmt.Sprintf("f%05d.fdb.hcl", len(files)), []byte(b.String())})
		b.Reset()
	}
	b.WriteString("fdbench { language = 1 }\n")
	for i := range n - 1 {
		switch i % 3 {
		case 0:
			fmt.Fprintf(&b, "\n# An indicator of the team.\nindicator \"i%d\" {\n  description = \"Share of responses that are too short.\"\n  kind        = \"rate\"\n  unit        = \"1\"\n  predicate   = \"response.words < %d\"\n}\n", i, i%50+1)
		case 1:
			fmt.Fprintf(&b, "\nfault_class \"f%d\" {\n  description = \"Responses that decline.\"\n  indicator   = indicator.i%d\n  direction   = \"up\"\n  transform   = \"refuse/1\"\n  params      = { style = \"short\" }\n}\n", i, i-1)
		default:
			fmt.Fprintf(&b, "\ndetector \"threshold\" \"d%d\" {\n  evaluate = \"1s\"\n  indicator \"a\" {\n    method = indicator.i%d\n    window = \"5m\"\n  }\n  alert \"high\" {\n    indicator = indicator.i%d\n    above     = 0.12\n    for       = \"1m\"\n  }\n}\n", i, i-2, i-2)
		}
		if i%100 == 98 {
			flush()
		}
	}
	if b.Len() > 0 {
		flush()
	}
	return files
}

// BenchmarkLoad reports, as x-parse, what Parse costs in units of HCL's parser
// alone on the same bytes, measured in the same run.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("blocks=%d", n), func(b *testing.B) {
			files := manyBlocks(n)
			size := 0
			for _, f := range files {
				size += len(f.Bytes)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			// The least of all rounds: what else runs on the machine does not
			// make it smaller.
			alone, whole := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			for b.Loop() {
				b.StopTimer()
				runtime.GC()
				start := time.Now()
				for _, f := range files {
					if _, diags := hclsyntax.ParseConfig(f.Bytes, f.Name, hcl.InitialPos); diags.HasErrors() {
						b.Fatal(diags)
					}
				}
				alone = min(alone, time.Since(start))
				runtime.GC()
				b.StartTimer()
				start = time.Now()
				if _, diags := Parse(files); len(diags) > 0 {
					b.Fatal(diags.Err())
				}
				whole = min(whole, time.Since(start))
			}
			b.ReportMetric(float64(whole)/float64(alone), "x-parse")
		})
	}
}
