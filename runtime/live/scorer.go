package live

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/injection"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
	"github.com/fdbench/fdbench/stdlib/text"
)

// Scorer scores responses for every indicator of a plan: the same functions at
// both points (FD-5.5-3).
func Scorer(p *plan.Plan) (driver.Scorer, error) {
	var fs []text.ScoreFunc
	for _, ind := range p.Declaration.Indicators {
		f, err := dataset.Scorer(ind)
		if err != nil {
			return nil, err
		}
		fs = append(fs, f)
	}
	return func(prompt, response string) []int32 {
		out := make([]int32, len(fs))
		for i, f := range fs {
			out[i] = f(text.Response{Prompt: prompt, Text: response})
		}
		return out
	}, nil
}

// twinner computes what each fault class would make of a response.
type twinner struct {
	classes []twinClass
}

type twinClass struct {
	name      string
	indicator int
	score     text.ScoreFunc
	transform text.TransformFunc // nil for a class without one
}

func newTwinner(p *plan.Plan) (*twinner, error) {
	t := &twinner{}
	for _, c := range p.Declaration.FaultClasses {
		k := twinClass{name: c.Name, indicator: indicatorOf(p, c)}
		if c.Transform != "" {
			tr, ok := text.LookupTransform(c.Transform)
			if !ok {
				return nil, fmt.Errorf("fault class %s: there is no transform %q in this fdbench", c.Name, c.Transform)
			}
			var err error
			if k.transform, err = tr.New(c.Params); err != nil {
				return nil, err
			}
			if k.score, err = dataset.Scorer(p.Declaration.Indicators[k.indicator]); err != nil {
				return nil, err
			}
		}
		t.classes = append(t.classes, k)
	}
	return t, nil
}

// twins are the scores of the changed texts, by class; before are those of the
// response as it was.
func (t *twinner) twins(key, prompt, response string, before []int32) []world.Twin {
	out := make([]world.Twin, 0, len(t.classes))
	for _, c := range t.classes {
		w := world.Twin{Class: c.name}
		if c.transform != nil {
			changed := c.transform(text.Response{Prompt: prompt, Text: response}, injection.Seed("twin "+c.name, key))
			w.Sum, w.Before, w.N = int64(c.score(text.Response{Prompt: prompt, Text: changed})), int64(before[c.indicator]), 1
		}
		out = append(out, w)
	}
	return out
}

// indicatorOf is the index of a class's indicator; the compiler has seen to it
// that there is one.
func indicatorOf(p *plan.Plan, c plan.FaultClass) int {
	for i, ind := range p.Declaration.Indicators {
		if ind.Name == c.Indicator {
			return i
		}
	}
	panic("live: the plan does not declare indicator " + c.Indicator)
}
