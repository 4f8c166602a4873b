package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/spec"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// exampleScenario is complete and breaks nothing. The snippets of the rules
// change it.
const exampleScenario = `fdbench { language = 1 }

indicator "refusal_rate" {
  kind   = "rate"
  scorer = "refusal/1"
}

fault_class "refusal" {
  indicator = indicator.refusal_rate
  direction = "up"
  transform = "refuse/1"
}

population "support" {
  generator  = "template/1"
  provenance = "synthetic"
}

serving "simulated" "model" {
  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
}

apparatus "simulated" "injector" {
  sampling = "quota"
}

detector "threshold" "watch" {
  evaluate = "5s"

  indicator "refusals" {
    method = indicator.refusal_rate
    window = "1m"
  }

  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    above     = 0.08
  }
}

environment "lab" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.model
  apparatus    = apparatus.injector
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

signal "page" {
  type        = "alert"
  component   = detector.watch
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}

series "example" {
  environment = environment.lab
  population  = population.support
  detector    = detector.watch
  signal      = signal.page

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
    timeout = "20m"
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.1, 0.2]
    profiles   = ["step"]
  }

  threshold "refusals" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.02
    lower      = "floor"
    upper      = 0.3
  }

  false_detection {
    at_least = "2h"
  }

  masking {
    trials = 20
  }
}
`

// exampleRules is the rule file that some snippets name.
const exampleRules = `groups:
  - name: refusals
    rules:
      - alert: RefusalsHigh
        expr: rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m]) > 0.08
        for: 1m
`

// exampleShort looks back twenty seconds only.
const exampleShort = `groups:
  - name: refusals
    rules:
      - alert: RefusalsHigh
        expr: rate(llm_refusals_total[20s]) / rate(llm_responses_total[20s]) > 0.08
`

// exampleRecording has no alert.
const exampleRecording = `groups:
  - name: refusals
    rules:
      - record: refusals:ratio
        expr: rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m])
`

// Lab is the base of an example whose environment is a laboratory: the usual
// one, with an attestation of everything that a machine cannot see there.
const Lab = "lab"

// Live is the base of an example that measures a running deployment with a
// running detector, with an attestation of everything that a machine cannot
// see there.
const Live = "live"

// toLive makes the example a live one: its blocks replace those of the
// simulation, which nothing refers to any more.
const toLive = `indicator "refusal_rate" { planning_baseline = 0.02 }

serving "openai" "endpoint" {
  base_url = "http://127.0.0.1:9101"
  model    = "tiny"
}

apparatus "proxy" "relay" {
  listen   = "127.0.0.1:9102"
  upstream = "http://127.0.0.1:8000"
}

detector "prometheus" "alerts" {
  url                 = "http://127.0.0.1:9090"
  rules               = "alerts.yml"
  scrape_interval     = "15s"
  evaluation_interval = "15s"

  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "5m"
    exports = "llm_refusals_total"
  }

  alertmanager {
    url            = "http://127.0.0.1:9093"
    group_interval = "1m"
  }

  receiver {
    listen = "127.0.0.1:9105"
  }
}

environment "lab" {
  serving   = serving.endpoint
  apparatus = apparatus.relay
}

signal "page" {
  component   = detector.alerts
  attribution = "signal.component == 'alertmanager' and signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}

series "example" {
  detector = detector.alerts

  baseline { interval = "150m" }

  quiet {
    at_least = "20m"
    at_most  = "4h"
  }

  trials { timeout = "2h" }
}
`

func exampleOf(base string) (*hclwrite.File, error) {
	text := exampleScenario
	if base == Reuse {
		text = exampleReuse
	}
	f, diags := hclwrite.ParseConfig([]byte(text), "example.fdb.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	switch base {
	case "", Reuse:
	case Lab, Live:
		var b strings.Builder
		b.WriteString("environment \"lab\" { kind = \"lab\" }\nseries \"example\" {\n")
		for _, q := range spec.Requirements() {
			if q.Attested() {
				fmt.Fprintf(&b, "  attest %q {\n    by        = \"the owner of the laboratory\"\n    statement = \"I have looked, and it is so.\"\n  }\n", label(q.ID))
			}
		}
		b.WriteString("}\n")
		if base == Live {
			b.WriteString(toLive)
		}
		if err := work(f, b.String()); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("there is no example called %q", base)
	}
	return f, nil
}

func work(f *hclwrite.File, snippet string) error {
	change, diags := hclwrite.ParseConfig([]byte(snippet), "snippet.fdb.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		return diags
	}
	return merge(f.Body(), change.Body())
}

// Files returns the files of the complete scenario that an example changes,
// with the example worked in.
func Files(e spec.Example) (map[string][]byte, error) {
	if e.In != spec.InScenario {
		return nil, fmt.Errorf("the example %q changes a %s, and no scenario", e.Name, e.In)
	}
	f, err := exampleOf(e.Base)
	if err != nil {
		return nil, err
	}
	if err := work(f, e.Text); err != nil {
		return nil, err
	}
	files, err := reuseFiles()
	if err != nil {
		return nil, err
	}
	maps.Copy(files, map[string][]byte{"example.fdb.hcl": hclwrite.Format(f.Bytes()), "alerts.yml": []byte(exampleRules), "short.yml": []byte(exampleShort), "recording.yml": []byte(exampleRecording)})
	return files, nil
}

// Example returns the files of the complete example with a snippet worked in:
// an argument of the snippet replaces that of the block with the same type and
// labels, and a block that the example lacks is added. Arguments that a block
// may not have beside each other are the snippet's affair.
func Example(snippet string) (map[string][]byte, error) {
	return Files(spec.Example{In: spec.InScenario, Text: snippet})
}

func merge(dst, src *hclwrite.Body) error {
	for _, b := range src.Blocks() {
		if b.Type() == "remove" && len(b.Labels()) > 0 {
			if err := remove(dst, b); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(src.Attributes())) {
		dst.SetAttributeRaw(name, src.GetAttribute(name).Expr().BuildTokens(nil))
	}
	for _, b := range src.Blocks() {
		if b.Type() == "remove" && len(b.Labels()) > 0 {
			continue
		}
		old := dst.FirstMatchingBlock(b.Type(), b.Labels())
		if old == nil {
			dst.AppendBlock(b)
			continue
		}
		if err := merge(old.Body(), b.Body()); err != nil {
			return err
		}
	}
	return nil
}

// remove takes a nested block or an argument away. It is written remove "NAME"
// {} in a snippet that shows what is missing, with the labels of the block
// where it has some, and never printed.
func remove(dst *hclwrite.Body, b *hclwrite.Block) error {
	name, labels := b.Labels()[0], b.Labels()[1:]
	if dst.RemoveAttribute(name) != nil {
		return nil
	}
	for _, n := range dst.Blocks() {
		if n.Type() == name && (len(labels) == 0 || slices.Equal(n.Labels(), labels)) {
			dst.RemoveBlock(n)
			return nil
		}
	}
	return fmt.Errorf("nothing called %q to remove", name)
}
