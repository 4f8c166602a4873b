package rule

import (
	"fmt"
	"maps"
	"slices"

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

// exampleRecording has no alert.
const exampleRecording = `groups:
  - name: refusals
    rules:
      - record: refusals:ratio
        expr: rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m])
`

// Example returns the files of the complete example with a snippet worked in:
// an argument of the snippet replaces that of the block with the same type and
// labels, and a block that the example lacks is added. Arguments that a block
// may not have beside each other are the snippet's affair.
func Example(snippet string) (map[string][]byte, error) {
	base, diags := hclwrite.ParseConfig([]byte(exampleScenario), "example.fdb.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	change, diags := hclwrite.ParseConfig([]byte(snippet), "snippet.fdb.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		return nil, diags
	}
	if err := merge(base.Body(), change.Body()); err != nil {
		return nil, err
	}
	return map[string][]byte{"example.fdb.hcl": base.Bytes(), "alerts.yml": []byte(exampleRules), "recording.yml": []byte(exampleRecording)}, nil
}

func merge(dst, src *hclwrite.Body) error {
	for _, b := range src.Blocks() {
		if b.Type() == "remove" {
			if err := remove(dst, b); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(src.Attributes())) {
		dst.SetAttributeRaw(name, src.GetAttribute(name).Expr().BuildTokens(nil))
	}
	for _, b := range src.Blocks() {
		if b.Type() == "remove" {
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
// {} in a snippet that shows what is missing, and never printed.
func remove(dst *hclwrite.Body, b *hclwrite.Block) error {
	name := b.Labels()[0]
	if dst.RemoveAttribute(name) != nil {
		return nil
	}
	for _, n := range dst.Blocks() {
		if n.Type() == name {
			dst.RemoveBlock(n)
			return nil
		}
	}
	return fmt.Errorf("nothing called %q to remove", name)
}

// visible is a snippet without its removals, as a reader sees it.
func visible(snippet string) string {
	f, diags := hclwrite.ParseConfig([]byte(snippet), "snippet.fdb.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		return snippet
	}
	var strip func(b *hclwrite.Body)
	strip = func(b *hclwrite.Body) {
		for _, n := range b.Blocks() {
			if n.Type() == "remove" {
				b.RemoveBlock(n)
				continue
			}
			strip(n.Body())
		}
	}
	strip(f.Body())
	return string(hclwrite.Format(f.Bytes()))
}
