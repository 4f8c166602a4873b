package measure

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/journal"
)

const (
	timeVirtual = "virtual"
	timeReal    = "real"
)

// coarsest is the coarsest resolution that Fault Onset may be recorded with
// (FD-3.4-1).
const coarsest = exact.Millisecond

// onsetSource is the only place where Fault Onset may come from (FD-3.4-2).
const onsetSource = "apparatus"

// opening takes in the first entry: which plan, which environment, which
// clocks, and where requests and faults go to.
func (c *computer) opening(e journal.Entry, o *journal.Open) error {
	c.claimed(e, o)
	c.open = *o
	c.hostless = c.lacks("hosts", "hosts.apparatus", "hosts.detector")
	if o.PlanDigest != c.p.Digest {
		return &journal.PlanError{Want: c.p.Digest, Got: o.PlanDigest}
	}
	if o.Series != c.p.Series {
		return reject(e, "it is of series %q, and the plan is of %q", o.Series, c.p.Series)
	}
	if want := c.p.Estimators.Engine; o.Engine != want && !c.lacks("engine") {
		c.breach("FD-4.1-5", "", fmt.Sprintf("the series was run by the engine %q, and its plan was made for %q", o.Engine, want), e.Line)
	}
	if o.Exploratory && o.Time != timeVirtual {
		c.breach("FD-4.1-5", "", "an exploratory run keeps no lock, so nothing shows that the declaration was not changed", e.Line)
	}
	c.generations(e, o)
	c.confined(e, o)
	if !c.lacks("onset") {
		if r := exact.Duration(o.Onset.Resolution); !c.lacks("onset.resolution_ns") && (r <= 0 || r > coarsest) {
			c.breach("FD-3.4-1", "", fmt.Sprintf("Fault Onset is stamped with a resolution of %s ms, and 1 ms is the coarsest", r.Seconds().Mul(exact.Int(1000))), e.Line)
		}
		if s := o.Onset.Source; s != onsetSource && !c.lacks("onset.source") {
			c.breach("FD-3.4-2", "", fmt.Sprintf("Fault Onset is taken from %q, and it has to come from the injection apparatus", s), e.Line)
		}
	}
	return nil
}

// Kinds of deployments that are models, and what the engines of virtual time
// are called.
var models = map[string]bool{"simulated": true, "recorded": true}

const (
	virtualEngines = "fdbench.virtual/"
	runsByItself   = "openai" // the kind of a deployment that does
)

// modelled says what makes a plan one for the model of a deployment, which no
// journal can make real, or "" (FD-1.2-10, AMB-41).
func modelled(p *plan.Plan) string {
	d := &p.Declaration
	switch {
	case models[d.Serving.Kind]:
		return "its deployment is of the kind " + d.Serving.Kind
	case d.Apparatus.Kind == "simulated":
		return "its apparatus is simulated"
	case strings.HasPrefix(p.Estimators.Engine, virtualEngines):
		return "its engine is " + p.Estimators.Engine
	}
	return ""
}

// claimed holds the time that a journal claims against its plan. The plan of a
// model makes the series simulated whatever the journal says.
func (c *computer) claimed(e journal.Entry, o *journal.Open) {
	model := modelled(c.p)
	switch {
	case model != "":
		if o.Time == timeReal {
			c.breach("FD-1.1-3", "", fmt.Sprintf("the series is said to have run in real time, and %s: it is simulated", model), e.Line)
		}
		if o.Time == timeReal || c.lacks("time") {
			o.Time = timeVirtual
		}
	case o.Time == timeVirtual && c.p.Declaration.Serving.Kind == runsByItself:
		c.breach("FD-1.1-3", "", "the series is said to have run in virtual time, and its plan is for a deployment that runs by itself", e.Line)
	}
}

// generations checks that a series that was declared anew says so: each
// generation before this one is on record, in order, with what was changed
// after it (FD-3.2-3).
func (c *computer) generations(e journal.Entry, o *journal.Open) {
	if c.lacks("generation") {
		return
	}
	if o.Exploratory && o.Generation == 0 && len(o.Earlier) == 0 {
		return // without a lock there is nothing to count
	}
	if o.Generation != len(o.Earlier)+1 {
		c.breach("FD-3.2-3", "", fmt.Sprintf("the series calls itself generation %d, and %d before it are on record", o.Generation, len(o.Earlier)), e.Line)
		return
	}
	for i, g := range o.Earlier {
		if g.Generation != i+1 {
			c.breach("FD-3.2-3", "", fmt.Sprintf("generation %d of the series is on record where generation %d belongs", g.Generation, i+1), e.Line)
		}
	}
}

// kinds are the environments that a series may be run in (FD-1.1-3).
var kinds = map[string]bool{"simulated": true, "lab": true, "ci": true}

// confined checks that the series stayed in a test environment (FD-1.1-3,
// FD-7-1).
func (c *computer) confined(e journal.Entry, o *journal.Open) {
	kind := c.p.Declaration.Environment.Kind
	switch {
	case !kinds[kind]:
		c.breach("FD-1.1-3", "", fmt.Sprintf("the environment is of the kind %q, which is no test environment", kind), e.Line)
	case c.lacks("time"):
	case o.Time == timeReal && kind == "simulated":
		c.breach("FD-1.1-3", "", "the environment is declared as simulated, and the series was run in real time", e.Line)
	case o.Time != timeReal && o.Time != timeVirtual:
		c.breach("FD-1.1-3", "", fmt.Sprintf("the time of the series is %q, and there is only virtual and real", o.Time), e.Line)
	}
	if c.lacks("targets") {
		return
	}
	if o.Time == timeReal && len(o.Targets) == 0 {
		c.breach("FD-7-1", "", "a series in real time names no address that its requests and faults went to", e.Line)
	}
	if o.Time == timeVirtual && len(o.Targets) > 0 {
		c.breach("FD-7-1", "", "a series in virtual time talks to nothing, and it names addresses", e.Line)
	}
	for _, t := range o.Targets {
		if t.Allowed {
			continue // the command line let it through, and the result says so
		}
		if reason := outside(t.Address); reason != "" {
			c.breach("FD-7-1", t.Name, fmt.Sprintf("the address %q %s, and the command line did not let it through", t.Address, reason), e.Line)
		}
	}
}

// outside says why an address is not confined to a test environment, or "". A
// journal holds addresses as they resolved; a name shows nothing.
func outside(address string) string {
	addr, err := netip.ParseAddr(strings.Trim(address, "[]"))
	if err != nil {
		p, err := netip.ParseAddrPort(address)
		if err != nil {
			return "is no resolved address"
		}
		addr = p.Addr()
	}
	if _, ok := confine.Check(addr); !ok {
		return "lies outside the confined ranges"
	}
	return ""
}
