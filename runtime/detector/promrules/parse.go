package promrules

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"maps"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"

	"github.com/fdbench/fdbench/lang/exact"
)

// Parse reads a rule file and checks all that can be known before a run. Each
// error is a *RuleError; they come in the order of the file. Either result is
// nil where the other is not.
func Parse(fileName string, rules []byte) (*RuleFile, []error) {
	c := &checker{file: fileName, lines: strings.Split(string(rules), "\n"), parser: newParser(), records: map[string]*yaml.Node{}}
	c.document(rules)
	if len(c.errs) > 0 {
		return nil, c.sorted()
	}
	// Prometheus's own loader has the last word.
	groups, errs := rulefmt.Parse(rules, false, model.UTF8Validation, c.parser, slog.New(slog.DiscardHandler))
	for _, err := range errs {
		c.foreign(err)
	}
	if len(c.errs) > 0 {
		return nil, c.sorted()
	}
	f := c.build(groups.Groups)
	f.analyse(c)
	return f, nil
}

// checker walks the YAML tree of a rule file. It finds what Prometheus's loader
// finds, but knows where.
type checker struct {
	file    string
	lines   []string
	parser  parser.Parser
	errs    []*RuleError
	records map[string]*yaml.Node // recording rules by name, labels and expression
	depth   int                   // of mappings that are merged into mappings
	places  [][]int               // the line of each rule, by group; of the group itself first
	exprs   [][]*yaml.Node        // the expression of each rule, by group
}

func (c *checker) fail(n *yaml.Node, message string) {
	c.errs = append(c.errs, &RuleError{File: c.file, Line: n.Line, Column: n.Column, Message: message})
}

func (c *checker) unsupported(n *yaml.Node, message string) {
	c.errs = append(c.errs, &RuleError{File: c.file, Line: n.Line, Column: n.Column, Message: message, Unsupported: true})
}

func (c *checker) sorted() []error {
	sort.SliceStable(c.errs, func(i, j int) bool {
		a, b := c.errs[i], c.errs[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	errs := make([]error, len(c.errs))
	for i, e := range c.errs {
		e.Line = min(e.Line, len(c.lines)) // the YAML reader may name the line after the last
		errs[i] = e
	}
	return errs
}

var (
	yamlLine  = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\s+)?line (\d+): ([\s\S]*)`)
	placeText = regexp.MustCompile(`^(\d+):(\d+): (?:\d+:\d+: )?([\s\S]*)`)
)

// foreign takes over an error of Prometheus's loader, with the place that its
// text begins with.
func (c *checker) foreign(err error) {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &RuleError{File: c.file, Message: text}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Message = m[2]
	} else if m := placeText.FindStringSubmatch(text); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Column, _ = strconv.Atoi(m[2])
		e.Message = m[3]
	}
	c.errs = append(c.errs, e)
}

func (c *checker) document(rules []byte) {
	decoder := yaml.NewDecoder(bytes.NewReader(rules))
	var doc yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if !errors.Is(err, io.EOF) {
			c.foreign(err)
		}
		return
	}
	var second yaml.Node
	if err := decoder.Decode(&second); err == nil && len(second.Content) > 0 && !isNull(second.Content[0]) {
		c.unsupported(second.Content[0], "a second YAML document; Prometheus would ignore it, so put its groups into the first")
	}
	if len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return
	}
	if c.manifest(resolve(doc.Content[0])) {
		return
	}
	root := c.fields(doc.Content[0], "a rule file", "groups")
	groups := root["groups"]
	names := map[string]bool{}
	for _, g := range c.list(groups, "groups") {
		c.group(g, names)
	}
}

func (c *checker) group(n *yaml.Node, names map[string]bool) {
	f := c.fields(n, "a group", "name", "interval", "query_offset", "limit", "rules", "labels")
	places := []int{n.Line}
	if f == nil {
		return
	}
	switch name := f["name"]; {
	case name == nil && f["?name"] != nil:
	case name == nil || name.Value == "":
		c.fail(n, `a group without a name; give it one with "name:"`)
	case !c.text(name, "name"):
	case names[name.Value]:
		c.fail(name, "the group "+strconv.Quote(name.Value)+" is in this file twice; give one of them another name")
	default:
		names[name.Value] = true
	}
	c.duration(f["interval"], "interval")
	c.duration(f["query_offset"], "query_offset")
	if limit := f["limit"]; limit != nil {
		var v int
		if err := limit.Decode(&v); err != nil {
			c.fail(limit, "the limit is not a whole number")
		}
	}
	c.labels(f["labels"], "label", true)
	var exprs []*yaml.Node
	for _, r := range c.list(f["rules"], "rules") {
		exprs = append(exprs, c.rule(r, f["labels"]))
		places = append(places, r.Line)
	}
	c.places = append(c.places, places)
	c.exprs = append(c.exprs, exprs)
}

// fields gives the fields of a mapping by name and refuses those that are not
// among known. Where one of those looks like a known field, it is given under
// that name with a question mark before it, so that the field is not said to be
// missing as well.
func (c *checker) fields(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	n = resolve(n)
	if c.deep(n) {
		return nil
	}
	defer func() { c.depth-- }()
	if n.Kind != yaml.MappingNode {
		c.fail(n, what+" is a mapping of "+strings.Join(known, ", "))
		return nil
	}
	found := map[string]*yaml.Node{}
	var merged []map[string]*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(n.Content[i+1])
		if key.Tag == "!!merge" {
			sources := []*yaml.Node{value}
			if value.Kind == yaml.SequenceNode {
				sources = value.Content
			}
			for _, s := range sources {
				merged = append(merged, c.fields(s, what, known...))
			}
			continue
		}
		switch {
		case isNull(key):
			c.unsupported(key, "a field without a name in "+what+"; Prometheus would ignore it, so remove it")
			continue
		case found[key.Value] != nil:
			c.fail(key, "the field "+strconv.Quote(key.Value)+" is given twice")
		case !contains(known, key.Value):
			message := "unknown field " + strconv.Quote(key.Value) + " in " + what
			if near := nearest(key.Value, known); near != "" {
				message += "; did you mean " + strconv.Quote(near) + "?"
				found["?"+near] = key
			}
			c.fail(key, message)
		}
		if !isNull(value) {
			found[key.Value] = value
		}
	}
	for _, m := range merged {
		for name, v := range m {
			if found[name] == nil {
				found[name] = v
			}
		}
	}
	return found
}

// deep begins a mapping, and tells where so many are merged into each other that
// one must be merged into itself.
func (c *checker) deep(n *yaml.Node) bool {
	if c.depth > 16 {
		c.fail(n, "the anchor is merged into itself")
		return true
	}
	c.depth++
	return false
}

func (c *checker) list(n *yaml.Node, what string) []*yaml.Node {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		c.fail(n, strconv.Quote(what)+` is a list; begin each entry with "- "`)
		return nil
	}
	var list []*yaml.Node
	for _, e := range n.Content {
		if e = resolve(e); isNull(e) {
			c.unsupported(e, "an empty entry in "+strconv.Quote(what)+"; Prometheus would ignore it, so remove it")
			continue
		}
		list = append(list, e)
	}
	return list
}

// text tells whether the node is a single text, and complains where not.
func (c *checker) text(n *yaml.Node, what string) bool {
	if n.Kind != yaml.ScalarNode {
		c.fail(n, strconv.Quote(what)+" is a text")
		return false
	}
	return true
}

func (c *checker) duration(n *yaml.Node, what string) {
	if n == nil || !c.text(n, what) {
		return
	}
	if _, err := model.ParseDuration(n.Value); err != nil {
		c.fail(n, what+": "+strconv.Quote(n.Value)+` is not a duration; write, for example, "30s", "5m" or "1h30m"`)
	}
}

func (c *checker) labels(n *yaml.Node, what string, reserved bool) {
	if n == nil || c.deep(n) {
		return
	}
	defer func() { c.depth-- }()
	if n.Kind != yaml.MappingNode {
		c.fail(n, "the "+what+"s are a mapping of names to texts")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(n.Content[i+1])
		switch {
		case key.Tag == "!!merge":
			c.labels(value, what, reserved)
		case isNull(key):
			c.unsupported(key, "a "+what+" without a name; Prometheus would ignore it, so remove it")
		case seen[key.Value]:
			c.fail(key, "the "+what+" "+strconv.Quote(key.Value)+" is given twice")
		case !model.UTF8Validation.IsValidLabelName(key.Value) || reserved && key.Value == metricName:
			c.fail(key, strconv.Quote(key.Value)+" is not a name for a "+what)
		case value.Kind != yaml.ScalarNode:
			c.fail(value, "the "+what+" "+strconv.Quote(key.Value)+" is a text")
		}
		seen[key.Value] = true
	}
}

func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func contains(list []string, s string) bool {
	for _, o := range list {
		if o == s {
			return true
		}
	}
	return false
}

// build takes the rules over from Prometheus's loader.
func (c *checker) build(groups []rulefmt.RuleGroup) *RuleFile {
	f := &RuleFile{file: groups}
	line := func(g, r int) int {
		if g < len(c.places) && r < len(c.places[g]) {
			return c.places[g][r]
		}
		return 0
	}
	for i, g := range groups {
		group := Group{Name: g.Name, Interval: exact.Duration(g.Interval), Limit: g.Limit, Rules: len(g.Rules), Line: line(i, 0)}
		if g.QueryOffset != nil {
			group.QueryOffset = exact.Duration(*g.QueryOffset)
		}
		f.Groups = append(f.Groups, group)
		for j, r := range g.Rules {
			labels := map[string]string{}
			maps.Copy(labels, g.Labels)
			maps.Copy(labels, r.Labels)
			if r.Alert == "" {
				f.Records = append(f.Records, RecordRule{Group: g.Name, Name: r.Record, Expr: r.Expr, Labels: labels, Line: line(i, j+1)})
				continue
			}
			f.Alerts = append(f.Alerts, AlertRule{
				Group: g.Name, Name: r.Alert, Expr: r.Expr,
				For: exact.Duration(r.For), KeepFiringFor: exact.Duration(r.KeepFiringFor),
				Labels: labels, Annotations: r.Annotations, Line: line(i, j+1),
			})
		}
	}
	return f
}

// offset is the query_offset of a group.
func offset(g *rulefmt.RuleGroup) time.Duration {
	if g.QueryOffset == nil {
		return 0
	}
	return time.Duration(*g.QueryOffset)
}
