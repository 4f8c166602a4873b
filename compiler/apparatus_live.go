package compiler

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/zclconf/go-cty/cty"
)

// The limits of a lease: shorter than the least, and a pause of the harness
// would end the fault.
const (
	leastLease   = exact.Second
	longestLease = 10 * exact.Minute
)

func (d *decoder) lease() exact.Duration {
	v := d.duration("lease")
	if d.usable("lease") && (v < leastLease || v > longestLease) {
		d.refuse("lease", "Lease out of range", fmt.Sprintf("A lease lasts from %s to %s: a shorter one ends while the harness takes breath, and a longer one leaves the fault of a harness that is gone. This is %s.", leastLease, longestLease, v))
	}
	return v
}

func (c *compilation) proxyApparatus(d *decoder, a *apparatus) {
	// Nothing that passes the proxy can be asked for a token.
	a.plan.Proxy = &plan.ProxyApparatus{Listen: d.listen("listen", true), Upstream: d.target("upstream")}
	a.plan.Lease = d.lease()
}

func (c *compilation) httpApparatus(d *decoder, a *apparatus) {
	c.elsewhere(d, a)
	p := &plan.HTTPApparatus{Headers: d.headers("headers"), KeyEnv: d.variable("key_env")}
	a.plan.HTTP = p
	p.Apply, p.Remove, p.Check = c.call(d, "apply"), c.call(d, "remove"), c.call(d, "check")
}

// elsewhere fills in what is the same of all apparatuses that set a mechanism
// of the deployment, which itself decides for each response.
func (c *compilation) elsewhere(d *decoder, a *apparatus) {
	a.plan.Sampling, a.plan.Verify, a.plan.Lease = "bernoulli", "observed", d.lease()
	for _, b := range d.b.All("level") {
		c.level(d, a, b)
	}
}

func (c *compilation) call(parent *decoder, typ string) plan.HTTPCall {
	b := parent.b.One(typ)
	if b == nil {
		parent.bad = true // reported when the document was loaded
		return plan.HTTPCall{}
	}
	d := c.decode(b)
	defer func() { parent.bad = parent.bad || d.bad }()
	call := plan.HTTPCall{Method: d.text("method"), Body: d.text("body"), Status: int(d.count("status", 0))}
	if d.usable("status") && call.Status != 0 && (call.Status < 200 || call.Status > 499) {
		d.refuse("status", "Not a status to expect", fmt.Sprintf("An answer has a status from 200 to 499, or 0 for any from 200 to 299; this is %d.", call.Status))
	}
	call.URL = d.template("url", true)
	d.template("body", false)
	switch {
	case call.Method == "GET" && call.Body != "":
		d.refuse("body", "Body of a GET", "A GET has no body. Write another method, or leave the body out.")
	case looksSecret(call.Body):
		d.secret("body", "The body is a key.")
	case json.Valid([]byte(call.Body)):
		if v, err := jsonValue(call.Body); err == nil {
			if what, found := keyInside(v); found {
				d.secret("body", fmt.Sprintf("In the body %s is a key.", what))
			}
		}
	}
	return call
}

func jsonValue(text string) (cty.Value, error) {
	return functions["jsondecode"].Call([]cty.Value{cty.StringVal(text)})
}

// placeholders of a call; see plan.HTTPCall.
var (
	placeholders = []string{"{class}", "{magnitude}", "{fraction}", "{level}", "{trial}", "{lease}"}
	braced       = regexp.MustCompile(`\{[A-Za-z_]+\}`)
)

// template reads a text with placeholders; an address is looked at with values
// in their places.
func (d *decoder) template(name string, address bool) string {
	text := d.text(name)
	if !d.given(name) || !d.usable(name) {
		return ""
	}
	for _, found := range braced.FindAllString(text, -1) {
		if !slices.Contains(placeholders, found) {
			d.refuse(name, "Unknown placeholder", fmt.Sprintf("%s stands for nothing. There are: %s.", found, strings.Join(placeholders, ", ")))
			return ""
		}
	}
	if !address {
		return text
	}
	host, _, _ := strings.Cut(afterScheme(text), "/")
	if braced.MatchString(host) {
		d.refuse(name, "Host that depends on the fault", "Where a call goes is the same for every fault, so that it can be checked. Put the placeholder into the path, the query or the body.")
		return ""
	}
	u := d.targetOf(name, braced.ReplaceAllString(text, "x"))
	if u == "" {
		return ""
	}
	return text
}

func afterScheme(text string) string {
	if _, rest, ok := strings.Cut(text, "://"); ok {
		return rest
	}
	return text
}

func (c *compilation) commandApparatus(d *decoder, a *apparatus) {
	c.elsewhere(d, a)
	a.plan.Command = &plan.CommandApparatus{Apply: d.program("apply"), Remove: d.program("remove"), Check: d.program("check")}
}

// program reads a program and its arguments.
func (d *decoder) program(name string) []string {
	list := d.texts(name)
	switch {
	case !d.given(name) || !d.usable(name):
	case len(list) == 0 || list[0] == "":
		d.refuse(name, "No program", fmt.Sprintf("%q is a list that begins with a program: %s = [\"./fault.sh\", \"on\"].", name, name))
	case slices.ContainsFunc(list, func(s string) bool { return strings.ContainsRune(s, 0) }):
		d.refuse(name, "Argument that cannot be passed", "An argument of a program holds no NUL.")
	case slices.ContainsFunc(list, looksSecret):
		d.secret(name, "An argument is a key, and every user of the machine can see the arguments of its programs.")
	default:
		return list
	}
	return []string{}
}

// level binds a magnitude to what the mechanism is given for it.
func (c *compilation) level(parent *decoder, a *apparatus, b *lang.Block) {
	d := c.decode(b)
	defer func() { parent.bad = parent.bad || d.bad }()
	l := plan.Level{}
	if s := d.ref("class"); s != nil {
		l.Class = s.name
		d.bad = d.bad || !c.faultClass(s).ok
	}
	if n := d.number("magnitude"); n != nil {
		l.Magnitude = *n
	}
	if v, set := d.raw("value"); set {
		switch v.Type() {
		case cty.String:
			l.Value = v.AsString()
		case cty.Bool, cty.Number:
			text, err := wireValue(v)
			if err != nil {
				d.refuse("value", "Value out of range", sentence(err.Error()))
			}
			l.Value = text
		default:
			d.wrongType("value", v, "a text, a number, or true or false")
		}
	}
	if d.bad {
		return
	}
	for _, other := range a.plan.Levels {
		if other.Class == l.Class && other.Magnitude.Cmp(l.Magnitude) == 0 {
			d.refuse("magnitude", "Level given twice", fmt.Sprintf("fault_class.%s at %s has the level %q already. Keep one.", l.Class, l.Magnitude, other.Value))
			return
		}
	}
	a.plan.Levels = append(a.plan.Levels, l)
}
