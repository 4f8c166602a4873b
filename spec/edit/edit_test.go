package edit

import (
	"encoding/json"
	"strings"
	"testing"
)

func items() []Item {
	return []Item{
		{"trial", json.RawMessage(`{"n":1,"kept":true,"event":{"at":90071992547409930}}`)},
		{"quiet", json.RawMessage(`{"to":5}`)},
		{"trial", json.RawMessage(`{"n":2,"kept":false,"event":null}`)},
		{"trial", json.RawMessage(`{"n":3,"kept":true}`)},
	}
}

func written(list []Item) string {
	var b strings.Builder
	for _, it := range list {
		b.WriteString(it.Kind + string(it.Data) + "\n")
	}
	return b.String()
}

func TestApply(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"trial {\"kept\": false}\n  set {\"kept\": true, \"event\": {\"at\": 3}}", `trial{"n":1,"kept":true,"event":{"at":90071992547409930}}
quiet{"to":5}
trial{"event":{"at":3},"kept":true,"n":2}
trial{"n":3,"kept":true}
`},
		{"trial\n  shift {\"event.at\": 1}\n# and\ntrial last\n  drop", `trial{"event":{"at":90071992547409931},"kept":true,"n":1}
quiet{"to":5}
trial{"n":2,"kept":false,"event":null}
`},
		{"trial {\"event\": {\"at\": 90071992547409930}}\n  null event", `trial{"event":null,"kept":true,"n":1}
quiet{"to":5}
trial{"n":2,"kept":false,"event":null}
trial{"n":3,"kept":true}
`},
		{"trial all\n  before apply {}\n  set {\"kept\": null}", `apply{}
trial{"event":{"at":90071992547409930},"n":1}
quiet{"to":5}
apply{}
trial{"event":null,"n":2}
apply{}
trial{"n":3}
`},
		{"trial all {\"kept\": true}\n  copy\n  set {\"n\": 9}", `trial{"n":1,"kept":true,"event":{"at":90071992547409930}}
trial{"event":{"at":90071992547409930},"kept":true,"n":9}
quiet{"to":5}
trial{"n":2,"kept":false,"event":null}
trial{"n":3,"kept":true}
trial{"kept":true,"n":9}
`},
		{"trial {\"n\": 2}\n  previous quiet\n  put to [1,[2,3]]\n  cut to.0\n  put to.0.1 {\"x\":4}\n  shift {\"to.0.0\": 5}\n  next trial\n  drop", `trial{"n":1,"kept":true,"event":{"at":90071992547409930}}
quiet{"to":[[7,{"x":4}]]}
trial{"n":3,"kept":true}
`},
		{"quiet\n  after close {\"a\":1}\n  set {\"to\": 6}", `trial{"n":1,"kept":true,"event":{"at":90071992547409930}}
quiet{"to":6}
close{"a":1}
trial{"n":2,"kept":false,"event":null}
trial{"n":3,"kept":true}
`},
	} {
		in := items()
		got, err := Apply(in, x.text)
		if err != nil || written(got) != x.want {
			t.Errorf("%s\ngave %v\n%s", x.text, err, written(got))
		}
		if written(in) != written(items()) {
			t.Errorf("%s\nchanged what it was given", x.text)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, text := range []string{
		"trial {\"kept\": 1}\n  drop", "pause\n  drop", "  drop", "trial\n  bend {}", "trial\n  set 3", "trial\n  set {",
		"trial {\n  drop", "trial\n  shift {\"kept\": 1}", "trial\n  null nothing", "trial\n  drop\n  set {}", "trial\n  previous quiet", "trial last\n  next trial", "trial\n  put nothing 1", "trial\n  put n",
		"trial\n  cut event.7", "trial\n  put n.0 1", "trial\n  put kept x", "trial\n  after quiet {",
	} {
		if got, err := Apply(items(), text); err == nil {
			t.Errorf("%s\ngave\n%s", text, written(got))
		} else if !strings.HasPrefix(err.Error(), "line ") {
			t.Errorf("%s: %v names no line", text, err)
		}
	}
}

func TestObject(t *testing.T) {
	const doc = `{"format":"x/1","n":3,"rows":[{"a":1},{"a":2}],"sub":{"b":1},"none":[],"gone":null}`
	for _, x := range []struct{ text, want string }{
		{"rows {\"a\": 2}\n  set {\"c\": 1}", `{"format":"x/1","gone":null,"n":3,"none":[],"rows":[{"a":1},{"a":2,"c":1}],"sub":{"b":1}}`},
		{"rows all\n  drop", `{"format":"x/1","gone":null,"n":3,"none":[],"rows":[],"sub":{"b":1}}`},
		{"sub\n  drop", `{"format":"x/1","gone":null,"n":3,"none":[],"rows":[{"a":1},{"a":2}]}`},
		{"top\n  set {\"n\": null, \"format\": \"y\"}", `{"format":"y","gone":null,"none":[],"rows":[{"a":1},{"a":2}],"sub":{"b":1}}`},
		{"top\n  after none {\"z\":1}", `{"format":"x/1","gone":null,"n":3,"none":[{"z":1}],"rows":[{"a":1},{"a":2}],"sub":{"b":1}}`},
	} {
		got, err := Object(json.RawMessage(doc), x.text)
		if err != nil || string(got) != x.want {
			t.Errorf("%s\ngave %v\n%s", x.text, err, got)
		}
	}
	if _, err := Object(json.RawMessage(doc), "top\n  after other {}"); err == nil {
		t.Error("a member that the document does not have was made")
	}
}
