package promrules

import (
	"errors"
	"sort"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

// rule checks a rule and gives its expression, or nil where it has none.
func (c *checker) rule(n, groupLabels *yaml.Node) *yaml.Node {
	f := c.fields(n, "a rule", "record", "alert", "expr", "for", "keep_firing_for", "labels", "annotations")
	if f == nil {
		return nil
	}
	for _, field := range []string{"record", "alert", "expr"} {
		if f[field] != nil && !c.text(f[field], field) {
			return nil
		}
	}
	record, alert, expr := textOf(f["record"]), textOf(f["alert"]), textOf(f["expr"])
	c.duration(f["for"], "for")
	c.duration(f["keep_firing_for"], "keep_firing_for")
	c.labels(f["labels"], "label", true)
	c.labels(f["annotations"], "annotation", false)
	switch {
	case record != "" && alert != "":
		c.fail(f["alert"], `a rule has either "record" or "alert"; this one has both`)
	case record == "" && alert == "" && (f["?record"] != nil || f["?alert"] != nil):
	case record == "" && alert == "":
		c.fail(n, `a rule without "record" and "alert"; name the series that it records or the alert that it raises`)
	case record != "":
		c.recordOnly(f)
	default:
		c.templates(groupLabels, "label", true)
		c.templates(f["labels"], "label", true)
		c.templates(f["annotations"], "annotation", false)
	}
	if expr == "" && f["?expr"] != nil {
		return nil
	}
	if expr == "" {
		c.fail(n, `a rule without "expr"; give it the expression to evaluate`)
		return nil
	}
	tree := c.expr(f["expr"])
	if record == "" || tree == nil {
		return f["expr"]
	}
	key := record + "\xff" + labelText(f["labels"]) + "\xff" + tree.String()
	if first := c.records[key]; first != nil {
		c.unsupported(n, "the recording rule "+strconv.Quote(record)+" with the same labels and expression stands in line "+
			strconv.Itoa(first.Line)+" already; remove one of them")
		return f["expr"]
	}
	c.records[key] = n
	return f["expr"]
}

func (c *checker) recordOnly(f map[string]*yaml.Node) {
	record := f["record"]
	for _, field := range []string{"for", "keep_firing_for", "annotations"} {
		switch v := f[field]; {
		case v == nil, field == "annotations" && v.Kind == yaml.MappingNode && len(v.Content) == 0:
		case field != "annotations" && isZeroDuration(v.Value):
		default:
			c.fail(v, "a recording rule has no "+strconv.Quote(field))
		}
	}
	if name := record.Value; strings.ContainsAny(name, "{}") {
		c.fail(record, "the recorded name "+strconv.Quote(name)+` holds braces; an expression belongs into "expr"`)
	} else if !model.UTF8Validation.IsValidMetricName(name) {
		c.fail(record, strconv.Quote(name)+" is not a name for a series")
	}
}

func isZeroDuration(s string) bool {
	d, err := model.ParseDuration(s)
	return err == nil && d == 0
}

func textOf(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	return n.Value
}

// labelText is a text that differs for different labels.
func labelText(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	var pairs []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		pairs = append(pairs, strconv.Quote(n.Content[i].Value)+"="+strconv.Quote(resolve(n.Content[i+1]).Value))
	}
	sort.Strings(pairs)
	return strings.Join(pairs, ",")
}

// expr checks an expression and gives its tree, or nil.
func (c *checker) expr(n *yaml.Node) parser.Expr {
	tree, err := c.parser.ParseExpr(n.Value)
	if err != nil {
		c.exprError(n, err)
		return nil
	}
	switch tree.Type() {
	case parser.ValueTypeVector, parser.ValueTypeScalar:
	default:
		c.unsupported(n, "the expression gives a "+string(tree.Type())+
			"; Prometheus fails at each evaluation of such a rule, which needs a vector or a scalar")
	}
	if pos, found := fixedInstant(tree); found {
		line, column := c.place(n, pos)
		c.errs = append(c.errs, &RuleError{
			File: c.file, Line: line, Column: column, Unsupported: true,
			Message: "@ with a fixed time means nothing in virtual time; use an offset, or @ start() and @ end()",
		})
	}
	return tree
}

func (c *checker) exprError(n *yaml.Node, err error) {
	var list parser.ParseErrors
	var one *parser.ParseErr
	switch {
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = parser.ParseErrors{*one}
	default:
		c.fail(n, "the expression cannot be parsed: "+err.Error())
		return
	}
	// Later errors of one expression are mostly echoes of the first.
	e := list[0]
	line, column := c.place(n, int(e.PositionRange.Start))
	c.errs = append(c.errs, &RuleError{File: c.file, Line: line, Column: column, Message: "the expression cannot be parsed: " + e.Err.Error()})
}

// fixedInstant finds an @ modifier with a number, and its selector's place.
func fixedInstant(tree parser.Expr) (pos int, found bool) {
	parser.Inspect(tree, func(node parser.Node, _ []parser.Node) error {
		var ts *int64
		switch n := node.(type) {
		case *parser.VectorSelector:
			ts = n.Timestamp
		case *parser.SubqueryExpr:
			ts = n.Timestamp
		}
		if ts != nil && !found {
			pos, found = int(node.PositionRange().Start), true
		}
		return nil
	})
	return pos, found
}

// place finds the line and column of a byte of a text in the file. YAML folds
// and strips white space, so any run of it stands for any other; where the text
// was written with escapes, the place is that of the text as a whole.
func (c *checker) place(n *yaml.Node, pos int) (line, column int) {
	row, col := n.Line-1, n.Column-1
	switch n.Style &^ yaml.TaggedStyle {
	case yaml.LiteralStyle, yaml.FoldedStyle:
		row, col = row+1, 0
	case yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle:
		col++
	}
	skip := func() {
		for row < len(c.lines) {
			for col < len(c.lines[row]) && isSpace(c.lines[row][col]) {
				col++
			}
			if col < len(c.lines[row]) {
				return
			}
			row, col = row+1, 0
		}
	}
	text := n.Value
	skip()
	for i := 0; i < len(text); i++ {
		if isSpace(text[i]) {
			continue
		}
		if i > 0 && isSpace(text[i-1]) || row < len(c.lines) && col >= len(c.lines[row]) {
			skip()
		}
		if row >= len(c.lines) || c.lines[row][col] != text[i] {
			return n.Line, n.Column
		}
		if i >= pos {
			return row + 1, col + 1
		}
		col++
	}
	return min(row, len(c.lines)-1) + 1, col + 1
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// nearest is the known word that takes the fewest changes, if they are few, or
// else one that the word begins or that begins the word.
func nearest(word string, known []string) string {
	best, found := 3, ""
	for _, k := range known {
		if d := distance(word, k); d < best {
			best, found = d, k
		}
	}
	for _, k := range known {
		if found == "" && min(len(word), len(k)) >= 4 && (strings.HasPrefix(k, word) || strings.HasPrefix(word, k)) {
			found = k
		}
	}
	return found
}

// distance is the number of inserted, removed and replaced bytes (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
