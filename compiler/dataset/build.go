package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/stdlib/corpus"
	"github.com/fdbench/fdbench/stdlib/text"
)

// Builder computes datasets and remembers every score, so that several series
// over one file share the work. The zero value is ready to use, by one
// goroutine at a time.
type Builder struct {
	scores map[string][]int32
	texts  map[string][]string
}

// Build computes the dataset of a recorded deployment. rows are those of the
// response file with that digest; other returns the rows of a replacement file
// and its digest.
func (b *Builder) Build(d *plan.Declaration, rows []corpus.Row, digest string, other func(name string) ([]corpus.Row, string, error)) (*Dataset, error) {
	if b.scores == nil {
		b.scores, b.texts = map[string][]int32{}, map[string][]string{}
	}
	set := &Dataset{Rows: rows}
	for _, i := range d.Indicators {
		s, err := b.score(i, rows, "file "+digest, nil)
		if err != nil {
			return nil, err
		}
		set.Indicators = append(set.Indicators, i.Name)
		set.Scores = append(set.Scores, s)
	}
	for _, c := range d.FaultClasses {
		key := fmt.Sprintf("twins %s %s %s %v", digest, c.Name, c.Transform, sortedParams(c.Params))
		var replacement []corpus.Row
		if c.Replace != "" {
			rows, sum, err := other(c.Replace)
			if err != nil {
				return nil, err
			}
			replacement, key = rows, "replaced "+digest+" "+sum
		}
		texts, ok := b.texts[key]
		if !ok {
			var err error
			if texts, err = Transform(c, d.Serving.Responses, rows, replacement); err != nil {
				return nil, err
			}
			b.texts[key] = texts
		}
		var twins [][]int32
		for _, i := range d.Indicators {
			s, err := b.score(i, rows, key, texts)
			if err != nil {
				return nil, err
			}
			twins = append(twins, s)
		}
		set.Classes = append(set.Classes, c.Name)
		set.Twins = append(set.Twins, twins)
	}
	return set, nil
}

// score applies an indicator to the rows, or to other texts in their places.
func (b *Builder) score(i plan.Indicator, rows []corpus.Row, of string, texts []string) ([]int32, error) {
	key := fmt.Sprintf("%s | %s | %s | %s", of, i.Scorer, i.Predicate, sortedParams(i.Params))
	if s, ok := b.scores[key]; ok {
		return s, nil
	}
	f, err := Scorer(i)
	if err != nil {
		return nil, err
	}
	scores := make([]int32, len(rows))
	for n, row := range rows {
		t := row.Response
		if texts != nil {
			t = texts[n]
		}
		scores[n] = f(text.Response{Prompt: row.Prompt, Text: t})
	}
	b.scores[key] = scores
	return scores, nil
}

func sortedParams(p map[string]string) string {
	b, err := plan.Canonical(p)
	if err != nil {
		panic("dataset: " + err.Error())
	}
	return string(b)
}

// Load builds the dataset of a sealed plan from the scenario's folder, for a
// run that begins with a plan instead of a scenario. It is nil for a simulated
// deployment. A file that is not what the plan was made from is refused.
func Load(p *plan.Plan, dir string) (*Dataset, error) {
	if p.Declaration.Serving.Kind != "recorded" {
		return nil, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	read := func(name string) ([]corpus.Row, string, error) {
		f, err := root.Open(name)
		if err != nil {
			return nil, "", err
		}
		defer f.Close()
		raw, err := io.ReadAll(f)
		if err != nil {
			return nil, "", err
		}
		raw, sum := Normalize(raw)
		for _, in := range p.Inputs.Files {
			if in.Name == name && in.SHA256 != sum {
				return nil, "", fmt.Errorf("%s was changed after the plan was made; make a new plan, or bring the file back", name)
			}
		}
		rows, problems := corpus.Read(bytes.NewReader(raw))
		if len(problems) > 0 {
			return nil, "", &ProblemError{File: name, Problems: problems}
		}
		return rows, sum, nil
	}
	rows, sum, err := read(p.Declaration.Serving.Responses)
	if err != nil {
		return nil, err
	}
	return new(Builder).Build(&p.Declaration, rows, sum, read)
}

// Normalize gives a text LF line ends and no byte order mark, and returns its
// SHA-256 as "sha256:" and hex: a checkout with CRLF has the same digest.
func Normalize(b []byte) ([]byte, string) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(b, '\r') >= 0 {
		b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	}
	sum := sha256.Sum256(b)
	return b, "sha256:" + hex.EncodeToString(sum[:])
}
