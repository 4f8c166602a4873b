package compiler

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// group is twelve blocks, one of each kind, under names of their own.
const group = `
variable "limit_%[1]d" {
  type        = number
  default     = 0.%02[2]d
  description = "The limit of the alert in group %[1]d."

  validation {
    condition     = var.limit_%[1]d > 0 && var.limit_%[1]d < 1
    error_message = "The limit is a share."
  }
}

locals {
  window_%[1]d = "1m"
  name_%[1]d   = "group ${upper("%[1]d")}"
}

indicator "rate_%[1]d" {
  description = "Share of short responses."
  kind        = "rate"
  predicate   = "response.words < %[2]d"
}

fault_class "short_%[1]d" {
  description = "Answers become short."
  indicator   = indicator.rate_%[1]d
  direction   = "up"
  transform   = "truncate/1"
}

profile "ramp_%[1]d" {
  shape = "ramp 2m"
}

population "support_%[1]d" {
  generator  = "template/1"
  provenance = "synthetic"
}

serving "simulated" "model_%[1]d" {
  model   = local.name_%[1]d
  latency = "lognormal 1.2s, 0.5"

  behaviour {
    indicator = indicator.rate_%[1]d
    rate      = 0.02
  }
}

apparatus "simulated" "injector_%[1]d" {
  sampling = "quota"
}

detector "threshold" "watch_%[1]d" {
  evaluate = "5s"

  indicator "short" {
    method = indicator.rate_%[1]d
    window = local.window_%[1]d
  }

  alert "Short" {
    indicator = indicator.rate_%[1]d
    above     = var.limit_%[1]d
    for       = "30s"
  }
}

environment "lab_%[1]d" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.model_%[1]d
  apparatus    = apparatus.injector_%[1]d
  path         = ["engine", "guardrail", "gateway"]
  inject_at    = "engine"
  observe_at   = "gateway"

  caching {
    approach = "disabled"
  }

  clocks {
    arrangement = "same_host"
  }
}

signal "page_%[1]d" {
  type        = "alert"
  component   = detector.watch_%[1]d
  attribution = "signal.labels.alertname == 'Short' and signal.status == 'firing'"
}

series "series_%[1]d" {
  environment = environment.lab_%[1]d
  population  = population.support_%[1]d
  detector    = detector.watch_%[1]d
  signal      = signal.page_%[1]d

  load {
    points         = "1..100 req/s in 4 log steps"
    representative = "21.5 req/s"
  }

  baseline {
    interval = "30m"
  }

  quiet {
    at_least = "5m"
    at_most  = "1h"
  }

  trials {
    count   = 20
    timeout = "30m"
  }

  fault "short" {
    class      = fault_class.short_%[1]d
    magnitudes = [0.1, 0.2]
    profiles   = ["step", profile.ramp_%[1]d]
  }

  threshold "short" {
    class      = fault_class.short_%[1]d
    profile    = "step"
    target     = "18/20"
    resolution = 0.02
    lower      = "floor"
    upper      = 0.3
  }

  false_detection {
    at_least = "2h"
  }
}
`

// manyBlocks writes a scenario of about n blocks, spread over files of a
// hundred blocks or so, and returns its folder and bytes.
func manyBlocks(tb testing.TB, n int) (dir string, files map[string][]byte) {
	tb.Helper()
	dir = tb.TempDir()
	files = map[string][]byte{"000.fdb.hcl": []byte("fdbench { language = 1 }\n")}
	var b strings.Builder
	for g := 0; g < n/12; g++ {
		fmt.Fprintf(&b, group, g, g%20+1)
		if g%8 == 7 || g == n/12-1 {
			files[fmt.Sprintf("%03d.fdb.hcl", g/8+1)] = []byte(b.String())
			b.Reset()
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return dir, files
}

func parseAll(tb testing.TB, files map[string][]byte) time.Duration {
	start := time.Now()
	for _, name := range sortedKeys(files) {
		if _, diags := hclsyntax.ParseConfig(files[name], name, hcl.InitialPos); diags.HasErrors() {
			tb.Fatal(diags)
		}
	}
	return time.Since(start)
}

// BenchmarkLint measures a whole lint against what hclsyntax.ParseConfig takes
// on the same bytes, alternating within one run. The ratio is "x-parse".
//
// Both sides run with the garbage collector set as the command sets it.
func BenchmarkLint(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir, files := manyBlocks(b, n)
			if diags := Lint(dir); len(diags) > 0 {
				b.Fatal(listText(diags[:min(len(diags), 5)]))
			}
			var lint, parse time.Duration
			for b.Loop() {
				parse += parseAll(b, files)
				start := time.Now()
				Lint(dir)
				lint += time.Since(start)
			}
			b.ReportMetric(float64(lint)/float64(parse), "x-parse")
			b.ReportMetric(float64(lint.Milliseconds())/float64(b.N), "lint-ms")
			b.ReportMetric(float64(parse.Milliseconds())/float64(b.N), "parse-ms")
		})
	}
}
