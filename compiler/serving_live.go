package compiler

import (
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/exact"
)

// maxTimeout bounds what one request may take.
const maxTimeout = 24 * exact.Hour

// ownMembers are those that a request gets from elsewhere.
var ownMembers = map[string]string{
	"model":          "Write model = \"...\" beside it.",
	"messages":       "The population gives it.",
	"prompt":         "The population gives it.",
	"stream":         "Write stream = true or false beside it.",
	"stream_options": "A stream is always asked for its usage.",
	"n":              "A request gets one answer, which is scored.",
}

// endpoint reads a deployment that runs by itself.
func (c *compilation) endpoint(d *decoder, v *serving) {
	e := &plan.Endpoint{
		BaseURL: d.target("base_url"), API: d.text("api"), Stream: d.flag("stream"), Headers: d.headers("headers"), Late: d.text("late"), InFlight: int(d.count("in_flight", 0)),
		Cold: d.text("connections") == "new", Body: "{}",
	}
	v.plan.Endpoint = e
	if d.usable("model") && d.given("model") && v.plan.Model == "" {
		d.refuse("model", "No model", "A request names the model that is to answer. Write its name; GET /v1/models of the deployment lists those that it has.")
	}
	d.credentials(e)
	c.members(d, e, ownMembers)
	if d.given("late_by") && e.Late == "late" && d.usable("late") {
		d.refuse("late_by", "Limit without a policy", "Nothing is left out with late = \"late\". Write late = \"drop\", or leave the limit out.")
	}
	if e.Late == "drop" {
		e.LateBy = d.longer("late_by")
	}
	d.timeouts(e)
}

// credentials reads where the key comes from.
func (d *decoder) credentials(e *plan.Endpoint) {
	e.KeyEnv, e.KeyFile = d.variable("key_env"), d.text("key_file")
	if d.given("key_env") && d.given("key_file") {
		d.refuse("key_file", "Two keys", "The key comes from key_env or from key_file. Keep one of them.")
	}
	if d.given("key_file") && d.usable("key_file") && e.KeyFile == "" {
		d.refuse("key_file", "Empty file name", "Name the file that holds the key.")
	}
	if d.given("key_file") && looksSecret(e.KeyFile) {
		d.secret("key_file", "It names the file that holds the key, and this is the key.")
	}
}

// timeouts reads when a request is given up.
func (d *decoder) timeouts(e *plan.Endpoint) {
	b := d.b.One("timeouts")
	if b == nil {
		e.Header, e.Gap, e.Whole = defaultTimeout, defaultTimeout, 20*defaultTimeout
		return
	}
	t := d.c.decode(b)
	e.Header, e.Gap, e.Whole = t.timeout("header"), t.timeout("gap"), t.timeout("whole")
	d.bad = d.bad || t.bad
}

// defaultTimeout is that of the header and of a gap, as the schema has it; the
// whole has twenty of it.
const defaultTimeout = 30 * exact.Second

func (d *decoder) timeout(name string) exact.Duration {
	v := d.span(name)
	if v > maxTimeout {
		d.refuse(name, "Duration out of range", fmt.Sprintf("%q is at most a day.", name))
	}
	return v
}

// members reads the further members of a request's body, among which are none
// that come from elsewhere.
func (c *compilation) members(d *decoder, e *plan.Endpoint, elsewhere map[string]string) {
	raw, set := d.raw("body")
	if !set {
		return
	}
	if !raw.Type().IsObjectType() && !raw.Type().IsMapType() {
		d.wrongType("body", raw, "an object")
		return
	}
	for it := raw.ElementIterator(); it.Next(); {
		key, _ := it.Element()
		if why := elsewhere[key.AsString()]; why != "" {
			d.refuse("body", "Member that comes from elsewhere", fmt.Sprintf("%q is not for the body. %s", key.AsString(), why))
			return
		}
	}
	if what, found := keyInside(raw); found {
		d.secret("body", fmt.Sprintf("In the body %s is a key.", what))
		return
	}
	text, err := wireValue(raw)
	if err != nil {
		d.refuse("body", "Value out of range", sentence(err.Error()))
		return
	}
	e.Body = text
}

// wireValue is a value as it is sent: JSON with the names of members in byte
// order, and numbers as numbers.
func wireValue(v cty.Value) (string, error) {
	tree, err := treeOf(v, func(n exact.Number) any { return json.Number(n.String()) }) // a decimal: see fromCty
	if err != nil {
		return "", err
	}
	b, err := plainjson.Line(tree)
	return string(b), err
}
