package gate

import "github.com/fdbench/fdbench/lang/exact"

// node is a part of a condition that was admitted. It holds exact numbers,
// where expr's tree holds binary ones.
type node interface{ children() []node }

type (
	numberNode struct{ v exact.Number }
	truthNode  struct{ v bool }
	textNode   struct{ v string }
	// figureNode is a figure of the whole run, or of a row where row is set.
	figureNode struct {
		metric *Metric
		row    bool
	}
	paramNode struct{ name string }
	unaryNode struct {
		op string // not, -
		x  node
	}
	binaryNode struct {
		op   string // or, and, ==, !=, <, <=, >, >=, +, -, *, /
		l, r node
	}
	callNode struct {
		name string // abs, min, max
		args []node
	}
	inNode struct {
		x    node
		not  bool
		list []string
	}
	rowsNode struct {
		of    string // transforms, requests
		where node   // of filter; nil for all rows
	}
	quantifierNode struct {
		name string // all, any, none, count
		rows *rowsNode
		cond node
	}
)

func (*numberNode) children() []node       { return nil }
func (*truthNode) children() []node        { return nil }
func (*textNode) children() []node         { return nil }
func (*figureNode) children() []node       { return nil }
func (*paramNode) children() []node        { return nil }
func (n *unaryNode) children() []node      { return []node{n.x} }
func (n *binaryNode) children() []node     { return []node{n.l, n.r} }
func (n *callNode) children() []node       { return n.args }
func (n *inNode) children() []node         { return []node{n.x} }
func (n *quantifierNode) children() []node { return []node{n.rows, n.cond} }
func (n *rowsNode) children() []node {
	if n.where == nil {
		return nil
	}
	return []node{n.where}
}

// walk calls f for n and for all that hangs below it, from the left.
func walk(n node, f func(node)) {
	f(n)
	for _, c := range n.children() {
		walk(c, f)
	}
}

// kind is the type of a part.
type kind int

const (
	kindTruth kind = iota + 1
	kindNumber
	kindText
)

func (k kind) String() string {
	switch k {
	case kindNumber:
		return "a number"
	case kindText:
		return "a text"
	}
	return "true or false"
}

// unit is what a number counts. A constant fits every unit.
type unit struct {
	free        bool
	time, count int // exponents
}

func unitOf(k Kind) unit {
	switch k {
	case Count:
		return unit{count: 1}
	case Time:
		return unit{time: 1}
	}
	return unit{}
}

func (u unit) String() string {
	switch u {
	case unit{}:
		return "a share or ratio"
	case unit{count: 1}:
		return "a count"
	case unit{time: 1}:
		return "a time in milliseconds"
	}
	return "a product or quotient of counts and times"
}

// meet is the unit of two numbers that are added or compared, and whether they
// may be.
func meet(a, b unit) (unit, bool) {
	switch {
	case a.free:
		return b, true
	case b.free:
		return a, true
	}
	return a, a == b
}

// times is the unit of a product (sign 1) or a quotient (sign -1).
func times(a, b unit, sign int) unit {
	return unit{a.free && b.free, a.time + sign*b.time, a.count + sign*b.count}
}
