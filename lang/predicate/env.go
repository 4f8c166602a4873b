package predicate

import (
	"strings"
	"unicode/utf8"
)

// Signal is what a detector emitted. In a condition its fields have the names
// of their tags.
type Signal struct {
	Type      string            `expr:"type"`      // "alert"
	Component string            `expr:"component"` // the part that emitted it: "detector", "rules", "alertmanager"
	Status    string            `expr:"status"`    // "firing" or "resolved"
	Labels    map[string]string `expr:"labels"`    // an absent label reads as ""
	Value     string            `expr:"value"`     // the value that raised it, as text
	Reason    string            `expr:"reason"`    // what the detector says about it
	Repeat    bool              `expr:"repeat"`    // a repetition of an earlier notification
	NoData    bool              `expr:"no_data"`   // raised by the absence of data
}

// Fault is the fault that is applied when a signal arrives.
type Fault struct {
	Class     string `expr:"class"`     // the fault class's name
	Indicator string `expr:"indicator"` // the name of its indicator
	Profile   string `expr:"profile"`   // the profile's shape, such as "ramp 2m"
}

// Response is one answer of the deployment.
type Response struct {
	Text       string `expr:"text"`
	Prompt     string `expr:"prompt"`
	Words      int    `expr:"words"`      // runs of characters that are not white space
	Characters int    `expr:"characters"` // Unicode code points
	Lines      int    `expr:"lines"`      // line ends, and one more for a last line without
}

// NewResponse counts the words, characters and lines of a text.
func NewResponse(prompt, text string) Response {
	r := Response{Text: text, Prompt: prompt, Characters: utf8.RuneCountInString(text)}
	inWord := false
	for _, c := range text {
		space := isSpace(c)
		if !space && !inWord {
			r.Words++
		}
		inWord = !space
	}
	r.Lines = strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		r.Lines++
	}
	return r
}

// isSpace is white space as strings.Fields has it.
func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\v', '\f', '\r', 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

// attributionEnv and responseEnv are what expr sees. They have no methods,
// because expr would let a condition call them.
type attributionEnv struct {
	Signal Signal `expr:"signal"`
	Fault  Fault  `expr:"fault"`
}

type responseEnv struct {
	Response Response `expr:"response"`
}

// kind is the type of a part of a condition.
type kind int

const (
	kindBool kind = iota + 1
	kindText
	kindInt
	kindFloat
	kindLabels
	kindRecord
)

func (k kind) String() string {
	switch k {
	case kindBool:
		return "true or false"
	case kindText:
		return "a text"
	case kindInt, kindFloat:
		return "a number"
	case kindLabels:
		return "a set of labels"
	}
	return "a record"
}

type field struct {
	name string
	kind kind
	doc  string
}

type record struct {
	name   string
	doc    string
	fields []field
}

func (r *record) names() []string {
	out := make([]string, len(r.fields))
	for i, f := range r.fields {
		out[i] = f.name
	}
	return out
}

func (r *record) field(name string) (field, bool) {
	for _, f := range r.fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

var attributionRecords = []*record{
	{"signal", "What the detector emitted.", []field{
		{"type", kindText, "the type of the signal, such as \"alert\""},
		{"component", kindText, "the part that emitted it: \"detector\", \"rules\" or \"alertmanager\""},
		{"status", kindText, "\"firing\" or \"resolved\""},
		{"labels", kindLabels, "its labels; an absent one reads as \"\""},
		{"value", kindText, "the value that raised it, as text"},
		{"reason", kindText, "what the detector says about it"},
		{"repeat", kindBool, "whether it repeats an earlier notification"},
		{"no_data", kindBool, "whether the absence of data raised it"},
	}},
	{"fault", "The fault that is applied.", []field{
		{"class", kindText, "the name of the fault class"},
		{"indicator", kindText, "the name of the indicator that it shifts"},
		{"profile", kindText, "the profile, such as \"ramp 2m\""},
	}},
}

var responseRecords = []*record{
	{"response", "One answer of the deployment.", []field{
		{"text", kindText, "the answer"},
		{"prompt", kindText, "what was asked; \"\" where it is not known"},
		{"words", kindInt, "how many words the answer has"},
		{"characters", kindInt, "how many characters the answer has"},
		{"lines", kindInt, "how many lines the answer has"},
	}},
}
