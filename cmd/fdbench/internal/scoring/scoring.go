// Package scoring applies an indicator, and a fault class, to a file of
// responses, so that an author sees what they do before a series rests on
// them.
//
// It imports compiler/{plan,dataset}, lang/exact and stdlib/{corpus,text}.
package scoring

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/stdlib/corpus"
	"github.com/fdbench/fdbench/stdlib/text"
)

// Report is what an indicator says of a file.
type Report struct {
	Indicator string   `json:"indicator"`
	Rows      []Row    `json:"rows"`
	Summary   Summary  `json:"summary"`
	Fault     string   `json:"fault,omitempty"`
	Twins     *Summary `json:"twin_summary,omitempty"`

	Unit string `json:"-"`
}

// Row is one response. Score is 0 or 1 for a rate, and a count in the
// indicator's unit for a mean. The twin is what the fault class makes of it.
type Row struct {
	ID        string  `json:"id"`
	Score     int32   `json:"score"`
	TwinScore *int32  `json:"twin_score,omitempty"`
	Twin      *string `json:"twin,omitempty"`

	Response string `json:"-"`
}

// Summary is the indicator over all rows. SD is the sample standard deviation,
// null for fewer than two rows.
type Summary struct {
	Mean json.Number  `json:"mean"`
	SD   *json.Number `json:"sd"`
	N    int          `json:"n"`
}

// Score scores the responses of a file. class is nil for no fault; its
// replacement file lies relative to folder.
func Score(file string, rows []corpus.Row, i plan.Indicator, class *plan.FaultClass, folder string) (*Report, error) {
	f, err := dataset.Scorer(i)
	if err != nil {
		return nil, err
	}
	scores := corpus.Score(rows, f)
	r := &Report{Indicator: i.Name, Unit: i.Unit, Summary: summary(scores), Rows: make([]Row, len(rows))}
	for n, row := range rows {
		r.Rows[n] = Row{ID: row.ID, Score: scores[n], Response: row.Response}
	}
	if class == nil {
		return r, nil
	}
	var other []corpus.Row
	if class.Replace != "" {
		if other, err = ReadFile(filepath.Join(folder, filepath.FromSlash(class.Replace))); err != nil {
			return nil, err
		}
	}
	twins, err := dataset.Transform(*class, file, rows, other)
	if err != nil {
		return nil, err
	}
	changed := make([]int32, len(rows))
	for n, row := range rows {
		changed[n] = f(text.Response{Prompt: row.Prompt, Text: twins[n]})
		r.Rows[n].Twin, r.Rows[n].TwinScore = &twins[n], &changed[n]
	}
	s := summary(changed)
	r.Fault, r.Twins = class.Name, &s
	return r, nil
}

// ReadFile reads a response file.
func ReadFile(file string) ([]corpus.Row, error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder. Name one file of responses in it, with a JSON object on each line", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(file, f)
}

// Read reads responses to the end. A bad line is an error that names it and
// where it was read from.
func Read(name string, r io.Reader) ([]corpus.Row, error) {
	rows, problems := corpus.Read(r)
	if len(problems) > 0 {
		return nil, &dataset.ProblemError{File: name, Problems: problems}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s has no responses: each line has to be a JSON object with a \"response\"", name)
	}
	return rows, nil
}

func summary(scores []int32) Summary {
	s := corpus.Summarize(scores)
	out := Summary{Mean: json.Number(s.Mean.Decimal(6)), N: s.N}
	if s.N > 1 {
		squares := exact.Int(0)
		for _, x := range scores {
			d := exact.Int(int64(x)).Sub(s.Mean)
			squares = squares.Add(d.Mul(d))
		}
		// Three more places than are shown, so that the last one is rounded.
		sd := json.Number(squares.Div(exact.Int(int64(s.N - 1))).Sqrt(9).Decimal(6))
		out.SD = &sd
	}
	return out
}
