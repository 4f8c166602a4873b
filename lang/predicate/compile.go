package predicate

import (
	"fmt"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/fdbench/fdbench/lang/internal/condition"
	"github.com/fdbench/fdbench/lang/quantity"
)

// Error is a mistake in a condition: byte offsets, what is wrong, and what to
// write instead.
type Error = quantity.Error

// compiled is an admitted condition. Its program is made when it first runs:
// that is most of the cost, and lint runs none.
type compiled struct {
	text  string
	truth truth
	used  map[string]bool

	once    sync.Once
	env     any
	program *vm.Program
	err     error
}

// form is what is said to who writes a condition wrongly.
var form = condition.Form{
	Example: `A condition reads like: signal.labels.alertname == "RefusalsHigh" and signal.status == "firing".`,
	Empty:   `Write a comparison, such as signal.status == "firing".`,
	Shorten: "Shorten it; a pattern with `matches` can replace many comparisons.",
	Plain:   "Write the function before its argument: lower(response.text).",
}

func compile(src string, records []*record, env any) (*compiled, *Error) {
	tree, s, err := form.Parse(src)
	if err != nil {
		return nil, err
	}
	c := checker{records: records, used: map[string]bool{}, spans: s}
	k, err := c.check(tree)
	if err != nil {
		return nil, err
	}
	if k != kindBool {
		return nil, c.fail(tree, fmt.Sprintf("The condition is %s, not true or false.", k), `Compare it with something: signal.status == "firing".`)
	}
	return &compiled{text: text(tree), truth: fold(tree), used: c.used, env: env}, nil
}

// prepare compiles the canonical text, since that is what a plan holds.
func (c *compiled) prepare() {
	options := []expr.Option{expr.Env(c.env), expr.AsBool(), expr.DisableAllBuiltins(), expr.MaxNodes(4 * condition.MaxNodes)}
	for _, f := range functions {
		options = append(options, expr.EnableBuiltin(f))
	}
	c.program, c.err = expr.Compile(c.text, options...)
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// machine is a virtual machine with its environment, reused between runs.
type machine[E any] struct {
	vm  vm.VM
	env E
}

type pool[E any] struct{ p sync.Pool }

func (p *pool[E]) run(c *compiled, fill func(*E)) (bool, error) {
	if c.once.Do(c.prepare); c.err != nil {
		return false, fmt.Errorf("condition %s cannot run: %s", c.text, firstLine(c.err))
	}
	m, _ := p.p.Get().(*machine[E])
	if m == nil {
		m = new(machine[E])
	}
	fill(&m.env)
	out, err := m.vm.Run(c.program, &m.env)
	var empty E
	m.env = empty
	p.p.Put(m)
	if err != nil {
		return false, fmt.Errorf("condition %s: %s", c.text, firstLine(err))
	}
	b, ok := out.(bool)
	if !ok {
		return false, fmt.Errorf("condition %s gave %v, not true or false", c.text, out)
	}
	return b, nil
}

var (
	attributions pool[attributionEnv]
	responses    pool[responseEnv]
)

// Attribution says which signals are due to a fault (FD-4.1-4). It may be used
// by several goroutines at once.
type Attribution struct {
	c       *compiled
	apart   sync.Once
	clauses *clause // made by Decide
}

// CompileAttribution compiles a condition over `signal` and `fault`.
func CompileAttribution(src string) (*Attribution, *Error) {
	c, err := compile(src, attributionRecords, &attributionEnv{})
	if err != nil {
		return nil, err
	}
	return &Attribution{c: c}, nil
}

// Match tells whether s is due to f. An admitted condition does not fail; the
// error is there for what no one foresaw.
func (a *Attribution) Match(s Signal, f Fault) (bool, error) {
	return attributions.run(a.c, func(e *attributionEnv) { e.Signal, e.Fault = s, f })
}

// Text is the canonical text, which compiles to the same condition.
func (a *Attribution) Text() string { return a.c.text }

// UsesFault tells whether the condition looks at the fault, and so can tell
// simultaneous faults apart (FD-4.4-1).
func (a *Attribution) UsesFault() bool { return a.c.used["fault"] }

// ConstantTrue tells whether the condition is true of every signal (FD-4.1-4).
func (a *Attribution) ConstantTrue() bool { return a.c.truth == always }

// ConstantFalse tells whether the condition is true of no signal.
func (a *Attribution) ConstantFalse() bool { return a.c.truth == never }

// ResponsePredicate says which responses an indicator counts. It may be used
// by several goroutines at once.
type ResponsePredicate struct{ c *compiled }

// CompileResponse compiles a condition over `response`.
func CompileResponse(src string) (*ResponsePredicate, *Error) {
	c, err := compile(src, responseRecords, &responseEnv{})
	if err != nil {
		return nil, err
	}
	return &ResponsePredicate{c}, nil
}

// Match tells whether r counts.
func (p *ResponsePredicate) Match(r Response) (bool, error) {
	return responses.run(p.c, func(e *responseEnv) { e.Response = r })
}

// Text is the canonical text, which compiles to the same condition.
func (p *ResponsePredicate) Text() string { return p.c.text }

// ConstantTrue tells whether the condition is true of every response.
func (p *ResponsePredicate) ConstantTrue() bool { return p.c.truth == always }

// ConstantFalse tells whether the condition is true of no response.
func (p *ResponsePredicate) ConstantFalse() bool { return p.c.truth == never }
