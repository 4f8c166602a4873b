package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Response is all that an indicator may look at. Prompt is empty where it is
// not known.
type Response struct {
	Prompt string
	Text   string
}

// Param describes one parameter of a scorer or a transform. Values travel as
// text; Type says how the text is read.
type Param struct {
	Name    string
	Type    string // "string", "int", "number" or "bool"
	Default string
	Doc     string
}

// ScoreFunc computes the score of one response: 0 or 1 for a rate, a count in
// the indicator's unit for a mean. It is safe for concurrent use.
type ScoreFunc = func(Response) int32

// TransformFunc returns the text of the affected response. It is safe for
// concurrent use.
type TransformFunc = func(r Response, seed uint64) string

// Scorer computes an indicator from one response.
type Scorer struct {
	ID     string // name and version, "refusal/1"
	Doc    string
	Kind   string // "rate" or "mean"
	Unit   string // "1" for a rate, "words" and the like for a mean
	Params []Param

	// New checks the parameters and returns the scoring function. An unknown
	// name or a value that its type does not admit is an error.
	New func(params map[string]string) (ScoreFunc, error)
}

// Transform turns a response into what the faulty deployment would have
// answered. Equal responses and equal seeds give equal bytes.
type Transform struct {
	ID     string // name and version, "refuse/1"
	Doc    string
	Params []Param

	// New checks the parameters and returns the transforming function.
	New func(params map[string]string) (TransformFunc, error)

	// HoldBack is the most bytes of the original content that a Streamer keeps
	// between two calls before it sends or drops them. StreamDoc says what the
	// streaming form does and what it waits for.
	HoldBack  int
	StreamDoc string

	// Stream checks the parameters, which are those of New, and returns the
	// streaming form: the class's indicator judges its results as it judges the
	// twins that New's function makes, though they need not be the same bytes.
	Stream func(params map[string]string) (StreamFunc, error)
}

// Scorers returns every scorer in a fixed order.
func Scorers() []Scorer { return slices.Clone(scorers) }

// Transforms returns every transform in a fixed order.
func Transforms() []Transform { return slices.Clone(transforms) }

// LookupScorer finds a scorer by its ID.
func LookupScorer(id string) (Scorer, bool) {
	for _, s := range scorers {
		if s.ID == id {
			return s, true
		}
	}
	return Scorer{}, false
}

// LookupTransform finds a transform by its ID.
func LookupTransform(id string) (Transform, bool) {
	for _, t := range transforms {
		if t.ID == id {
			return t, true
		}
	}
	return Transform{}, false
}

// ParamError is a parameter that a scorer or transform does not accept. The
// caller knows the place in the scenario; the error knows the remedy.
type ParamError struct {
	Owner string // ID of the scorer or transform
	Name  string
	Why   string
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("%s: parameter %q %s", e.Owner, e.Name, e.Why)
}

// values holds parameters after defaults and type checks.
type values struct {
	owner string
	set   map[string]string
}

// readParams fills in defaults and refuses names that are not declared. Of
// several unknown names it reports the first in byte order.
func readParams(owner string, declared []Param, given map[string]string) (values, error) {
	v := values{owner: owner, set: make(map[string]string, len(declared))}
	var names []string
	for _, p := range declared {
		names = append(names, p.Name)
		v.set[p.Name] = p.Default
	}
	var unknown []string
	for name := range given {
		if !slices.Contains(names, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		why := "does not exist; there are none"
		if len(names) > 0 {
			why = "does not exist; there are: " + strings.Join(names, ", ")
		}
		return v, &ParamError{owner, unknown[0], why}
	}
	for _, p := range declared {
		text, ok := given[p.Name]
		if !ok {
			continue
		}
		if err := checkType(p.Type, text); err != nil {
			return v, &ParamError{owner, p.Name, err.Error()}
		}
		v.set[p.Name] = text
	}
	return v, nil
}

func checkType(typ, text string) error {
	switch typ {
	case "int":
		if _, err := strconv.Atoi(text); err != nil {
			return fmt.Errorf("is %q, and must be a whole number", text)
		}
	case "number":
		if f, err := strconv.ParseFloat(text, 64); err != nil || f != f || f > 1e6 || f < -1e6 {
			return fmt.Errorf("is %q, and must be a number such as 0.5", text)
		}
	case "bool":
		if text != "true" && text != "false" {
			return fmt.Errorf("is %q, and must be true or false", text)
		}
	}
	return nil
}

func (v values) str(name string) string { return v.set[name] }

func (v values) bool(name string) bool { return v.set[name] == "true" }

func (v values) int(name string, low, high int) (int, error) {
	n, err := strconv.Atoi(v.set[name])
	if err != nil || n < low || n > high {
		return 0, &ParamError{v.owner, name, fmt.Sprintf("is %s, and must lie between %d and %d", v.set[name], low, high)}
	}
	return n, nil
}

func (v values) number(name string, low, high float64) (float64, error) {
	f, err := strconv.ParseFloat(v.set[name], 64)
	if err != nil || f < low || f > high {
		return 0, &ParamError{v.owner, name, fmt.Sprintf("is %s, and must lie between %g and %g", v.set[name], low, high)}
	}
	return f, nil
}

// oneOf returns a parameter that must be one of a few words.
func (v values) oneOf(name string, words ...string) (string, error) {
	if w := v.set[name]; slices.Contains(words, w) {
		return w, nil
	}
	return "", &ParamError{v.owner, name, fmt.Sprintf("is %q, and must be one of: %s", v.set[name], strings.Join(words, ", "))}
}

// fixedScorer makes the New of a scorer without parameters.
func fixedScorer(id string, f ScoreFunc) func(map[string]string) (ScoreFunc, error) {
	return func(params map[string]string) (ScoreFunc, error) {
		if _, err := readParams(id, nil, params); err != nil {
			return nil, err
		}
		return f, nil
	}
}

// rate turns a yes-or-no judgement into a score.
func rate(hit bool) int32 {
	if hit {
		return 1
	}
	return 0
}
