package promrules

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// manifest tells whether a document is a Kubernetes manifest, and complains
// about it once: what Prometheus loads is a part of it that an operator cuts
// out.
func (c *checker) manifest(root *yaml.Node) bool {
	if root.Kind != yaml.MappingNode {
		return false
	}
	fields := map[string]*yaml.Node{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		fields[root.Content[i].Value] = resolve(root.Content[i+1])
	}
	kind, spec := textOf(fields["kind"]), fields["spec"]
	switch {
	case fields["groups"] != nil || kind == "" && fields["apiVersion"] == nil:
		return false
	case kind == "PrometheusRule" || kind == "" && spec != nil:
		where := ""
		if spec != nil {
			where = ", here from line " + strconv.Itoa(spec.Line) + " on"
		}
		c.fail(root, `this is a Kubernetes PrometheusRule manifest; a rule file is what stands under its "spec:"`+where+
			`, beginning with "groups:" at the left margin; copy that into the file`)
	case kind == "ConfigMap":
		c.fail(root, `this is a Kubernetes ConfigMap; a rule file is the text of one entry under its "data:"`+dataNames(fields["data"])+
			`, beginning with "groups:" at the left margin; copy that into the file`)
	default:
		c.fail(root, "this is a Kubernetes manifest"+ofKind(kind)+`, not a rule file; a rule file begins with "groups:"`)
	}
	return true
}

func ofKind(kind string) string {
	if kind == "" {
		return ""
	}
	return " of kind " + kind
}

func dataNames(data *yaml.Node) string {
	if data == nil || data.Kind != yaml.MappingNode || len(data.Content) == 0 {
		return ""
	}
	var names []string
	for i := 0; i+1 < len(data.Content); i += 2 {
		names = append(names, data.Content[i].Value)
	}
	return " (" + strings.Join(names, ", ") + ")"
}
