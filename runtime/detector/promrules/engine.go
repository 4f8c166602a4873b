package promrules

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// The limits of a Prometheus that is started without flags.
const (
	lookback   = 5 * time.Minute
	maxSamples = 50_000_000
)

// engine evaluates expressions with Prometheus's own query engine.
type engine struct {
	promql    *promql.Engine
	queryable *queryable
}

// newEngine returns an engine on a store. step is the resolution of a subquery
// that names none: Prometheus's global evaluation interval.
func newEngine(q *queryable, trees *treeCache, step time.Duration) *engine {
	return &engine{
		queryable: q,
		promql: promql.NewEngine(promql.EngineOpts{
			MaxSamples: maxSamples,
			// A result must not depend on how busy the machine is, so there is
			// no timeout; maxSamples bounds the work.
			Timeout:                  math.MaxInt64,
			LookbackDelta:            lookback,
			NoStepSubqueryIntervalFn: func(int64) int64 { return step.Milliseconds() },
			EnableAtModifier:         true,
			EnableNegativeOffset:     true,
			Parser:                   trees,
		}),
	}
}

// query evaluates an expression at one instant. A scalar becomes a vector of one
// sample without labels, as rules have it.
func (e *engine) query(ctx context.Context, expr string, ts time.Time) (promql.Vector, error) {
	q, err := e.promql.NewInstantQuery(ctx, e.queryable, nil, expr, ts)
	if err != nil {
		return nil, err
	}
	defer q.Close()
	res := q.Exec(ctx)
	if res.Err != nil {
		return nil, res.Err
	}
	switch v := res.Value.(type) {
	case promql.Vector:
		return v, nil
	case promql.Scalar:
		return promql.Vector{{T: v.T, F: v.V, Metric: labels.EmptyLabels()}}, nil
	}
	return nil, errors.New("the expression gives neither a vector nor a scalar")
}

// treeCache is a parser that parses a rule's expression once. The engine writes
// into the tree that it evaluates, so each query gets a copy.
type treeCache struct {
	parser.Parser
	trees map[string]parser.Expr
}

func newTreeCache() *treeCache {
	return &treeCache{Parser: newParser(), trees: map[string]parser.Expr{}}
}

// newParser returns the parser of a Prometheus without feature flags.
func newParser() parser.Parser { return parser.NewParser(parser.Options{}) }

// keep parses an expression that will be evaluated again and again.
func (c *treeCache) keep(expr string) error {
	tree, err := c.Parser.ParseExpr(expr)
	if err != nil {
		return err
	}
	c.trees[expr] = tree
	return nil
}

// ParseExpr implements parser.Parser.
func (c *treeCache) ParseExpr(expr string) (parser.Expr, error) {
	if tree := c.trees[expr]; tree != nil {
		return clone(tree), nil
	}
	return c.Parser.ParseExpr(expr)
}

// clone copies a parsed expression as far as the engine writes into it. The
// matchers of a selector are shared: queryable tells selectors apart by them.
func clone(e parser.Expr) parser.Expr {
	switch n := e.(type) {
	case nil:
		return nil
	case *parser.AggregateExpr:
		c := *n
		c.Expr = clone(n.Expr)
		c.Param = clone(n.Param)
		return &c
	case *parser.BinaryExpr:
		c := *n
		c.LHS = clone(n.LHS)
		c.RHS = clone(n.RHS)
		return &c
	case *parser.Call:
		c := *n
		c.Args = make(parser.Expressions, len(n.Args))
		for i, a := range n.Args {
			c.Args[i] = clone(a)
		}
		return &c
	case *parser.MatrixSelector:
		c := *n
		c.VectorSelector = clone(n.VectorSelector)
		return &c
	case *parser.SubqueryExpr:
		c := *n
		c.Expr = clone(n.Expr)
		return &c
	case *parser.ParenExpr:
		c := *n
		c.Expr = clone(n.Expr)
		return &c
	case *parser.UnaryExpr:
		c := *n
		c.Expr = clone(n.Expr)
		return &c
	case *parser.StepInvariantExpr:
		return &parser.StepInvariantExpr{Expr: clone(n.Expr)}
	case *parser.VectorSelector:
		c := *n
		return &c
	case *parser.NumberLiteral:
		c := *n
		return &c
	case *parser.StringLiteral:
		c := *n
		return &c
	}
	// The parser makes no other node without feature flags.
	panic("promrules: an expression holds a node of an unknown kind")
}
