package promrules

import (
	"strings"
	"text/template/parse"

	"github.com/prometheus/prometheus/model/rulefmt"
	"go.yaml.in/yaml/v3"
)

// definitions is what Prometheus puts before each template of an alert.
const definitions = "{{$labels := .Labels}}{{$externalLabels := .ExternalLabels}}{{$externalURL := .ExternalURL}}{{$value := .Value}}"

// traits is what a template does that matters for running it.
type traits struct {
	value    bool     // may print the value
	volatile bool     // may print something else with equal labels and value
	external bool     // reads the external labels or URL of a Prometheus
	queries  []string // constant expressions that it evaluates
	computed bool     // evaluates an expression that it computes
}

func hasAction(text string) bool { return strings.Contains(text, "{{") }

// inspect finds the traits of a template that parses.
func inspect(text string) traits {
	var t traits
	if !hasAction(text) {
		return t
	}
	tree := parse.New("template")
	tree.Mode = parse.SkipFuncCheck
	all := map[string]*parse.Tree{}
	if _, err := tree.Parse(definitions+text, "", "", all); err != nil {
		return t
	}
	for _, sub := range all {
		skip := 0
		if sub == tree || sub.Name == tree.Name {
			skip = strings.Count(definitions, "{{")
		}
		for i, n := range sub.Root.Nodes {
			if i >= skip {
				t.visit(n)
			}
		}
	}
	return t
}

func (t *traits) visit(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			t.visit(c)
		}
	case *parse.ActionNode:
		t.pipe(n.Pipe)
	case *parse.IfNode:
		t.branch(&n.BranchNode)
	case *parse.RangeNode:
		t.branch(&n.BranchNode)
	case *parse.WithNode:
		t.branch(&n.BranchNode)
	case *parse.TemplateNode:
		t.pipe(n.Pipe)
	case *parse.PipeNode:
		t.pipe(n)
	case *parse.ChainNode:
		t.visit(n.Node)
	case *parse.DotNode:
		t.value = true
	case *parse.FieldNode:
		t.name(n.Ident[0])
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			t.value = true
			if len(n.Ident) > 1 {
				t.name(n.Ident[1])
			}
			return
		}
		t.name(n.Ident[0])
	}
}

func (t *traits) name(name string) {
	switch name {
	case "Value", "$value":
		t.value = true
	case "ExternalLabels", "ExternalURL", "$externalLabels", "$externalURL", "externalURL", "pathPrefix":
		t.external = true
	case "now":
		t.volatile = true
	}
}

func (t *traits) branch(n *parse.BranchNode) {
	t.pipe(n.Pipe)
	t.visit(n.List)
	if n.ElseList != nil {
		t.visit(n.ElseList)
	}
}

func (t *traits) pipe(p *parse.PipeNode) {
	if p == nil {
		return
	}
	for i, cmd := range p.Cmds {
		for j, arg := range cmd.Args {
			id, ok := arg.(*parse.IdentifierNode)
			if !ok {
				t.visit(arg)
				continue
			}
			t.name(id.Ident)
			if id.Ident != "query" {
				continue
			}
			t.volatile = true
			var operand parse.Node
			switch {
			case j == 0 && len(cmd.Args) == 2:
				operand = cmd.Args[1]
			case j == 0 && i > 0 && len(p.Cmds[i-1].Args) == 1:
				operand = p.Cmds[i-1].Args[0]
			}
			if s, ok := operand.(*parse.StringNode); ok {
				t.queries = append(t.queries, s.Text)
			} else {
				t.computed = true
			}
		}
	}
}

// templates checks the templates of an alert. Those of labels decide what the
// alert is and so must be possible in virtual time; annotations reach nobody.
func (c *checker) templates(n *yaml.Node, what string, identity bool) {
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, text := n.Content[i].Value, resolve(n.Content[i+1])
		if text.Kind != yaml.ScalarNode || !hasAction(text.Value) {
			continue
		}
		if err := templateError(text.Value); err != nil {
			c.fail(text, "the template of the "+what+" "+key+" cannot be parsed: "+err.Error())
			continue
		}
		t := inspect(text.Value)
		for _, q := range t.queries {
			if tree, err := c.parser.ParseExpr(q); err != nil {
				c.unsupported(text, "the template of the "+what+" "+key+" queries "+q+", which cannot be parsed: "+err.Error())
			} else if _, found := fixedInstant(tree); found {
				c.unsupported(text, "the template of the "+what+" "+key+" queries with @ and a fixed time, which means nothing in virtual time")
			}
		}
		switch {
		case !identity:
		case t.external:
			c.unsupported(text, "the template of the label "+key+" reads the external labels or URL of a Prometheus; there are none here, so write the text itself")
		case t.computed:
			c.unsupported(text, "the template of the label "+key+" computes the expression that it queries; only a constant expression is possible, because it decides how long samples are kept")
		}
	}
}

// templateError asks Prometheus's loader, which knows the functions.
func templateError(text string) error {
	r := rulefmt.Rule{Alert: "x", Expr: "1", Annotations: map[string]string{"x": text}}
	errs := r.Validate(rulefmt.RuleNode{}, utf8Names, newParser())
	if len(errs) == 0 {
		return nil
	}
	message := errs[0].Error()
	if _, after, ok := strings.Cut(message, "template: __alert_x:"); ok {
		message = after
	}
	return templateMessage(message)
}

// templateMessage drops the line within the template and the definitions that
// Prometheus puts before it.
type templateMessage string

func (m templateMessage) Error() string {
	if _, after, ok := strings.Cut(string(m), ": "); ok {
		return after
	}
	return string(m)
}
