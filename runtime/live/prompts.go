package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/stdlib/prompts"
)

// Prompts is a request population. It is safe for concurrent use.
type Prompts interface {
	// Prompt is the n-th prompt of the population, from 0.
	Prompt(n uint64) string
	// Digest reads the population afresh and gives its sha256: that of
	// plan.PopulationDigest as long as it is the declared one (FD-3.3-2).
	Digest() (string, error)
}

// OpenPrompts opens the population of a plan. dir is the folder of the
// scenario, for a population that is a file.
func OpenPrompts(p *plan.Plan, dir string) (Prompts, error) {
	pop := &p.Declaration.Population
	salt := pop.Salt == "nonce"
	if pop.Source == "" {
		g, ok := prompts.New(pop.Generator, p.Declaration.Seed, uint64(pop.Size), salt)
		if !ok {
			return nil, fmt.Errorf("population %s: there is no generator %q in this fdbench; there is %q", pop.Name, pop.Generator, prompts.Template1)
		}
		return generated{g, plan.PopulationDigest(p)}, nil
	}
	f := &listed{plan: p, path: filepath.Join(dir, filepath.FromSlash(pop.Source)), salt: salt}
	list, sum, err := f.read()
	if err != nil {
		return nil, err
	}
	if want := f.declared(); sum != want {
		return nil, fmt.Errorf("%s was changed after the plan was made; make a new plan, or bring the file back", pop.Source)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no prompt; it needs one JSON object a line, such as {\"prompt\": \"...\"}", pop.Source)
	}
	f.list = list
	return f, nil
}

// generated makes its prompts: nothing of it can change while a run lasts.
type generated struct {
	*prompts.Generator
	digest string
}

func (g generated) Digest() (string, error) { return g.digest, nil }

// listed takes its prompts from a file, over and over.
type listed struct {
	plan *plan.Plan
	path string
	list []string
	salt bool
}

func (f *listed) Prompt(n uint64) string {
	p := f.list[n%uint64(len(f.list))]
	if f.salt {
		return prompts.Salt(n, p)
	}
	return p
}

// Digest is the declared one while the file is the declared one.
func (f *listed) Digest() (string, error) {
	_, sum, err := f.read()
	if err != nil {
		return "", err
	}
	if sum == f.declared() {
		return plan.PopulationDigest(f.plan), nil
	}
	return plan.Digest("fdbench.live/population", []byte(sum)), nil
}

// declared is the digest that the plan has of the file.
func (f *listed) declared() string {
	for _, in := range f.plan.Inputs.Files {
		if in.Name == f.plan.Declaration.Population.Source {
			return in.SHA256
		}
	}
	return f.plan.Declaration.Population.Digest
}

func (f *listed) read() ([]string, string, error) {
	raw, err := os.ReadFile(f.path)
	if err != nil {
		return nil, "", err
	}
	raw, sum := dataset.Normalize(raw)
	var out []string
	for i, line := range bytes.Split(raw, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row struct {
			Prompt *string `json:"prompt"`
		}
		if err := json.Unmarshal(line, &row); err != nil || row.Prompt == nil {
			return nil, "", fmt.Errorf("%s, line %d: this is not a JSON object with a \"prompt\" that is a text", f.path, i+1)
		}
		out = append(out, *row.Prompt)
	}
	return out, sum, nil
}
