package text

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var fenceParam = Param{
	Name: "fence", Type: "string", Default: "strip",
	Doc: `What a Markdown code fence around the JSON means: "strip" accepts one fence around the whole response, "none" accepts no fence, "extract" takes the first fenced block, or else the outermost brackets, out of any prose.`,
}

var jsonInvalidScorer = Scorer{
	ID: "json_invalid/1", Kind: "rate", Unit: "1",
	Doc: "1 where the response is not one valid JSON text (RFC 8259). An empty response is not valid JSON.",
	Params: []Param{
		fenceParam,
		{Name: "require", Type: "string", Default: "any", Doc: `What the top level must be: "any", "object" or "array".`},
	},
	New: func(params map[string]string) (ScoreFunc, error) {
		v, err := readParams("json_invalid/1", []Param{fenceParam, {Name: "require", Type: "string", Default: "any"}}, params)
		if err != nil {
			return nil, err
		}
		fence, err := v.oneOf("fence", "strip", "none", "extract")
		if err != nil {
			return nil, err
		}
		require, err := v.oneOf("require", "any", "object", "array")
		if err != nil {
			return nil, err
		}
		return func(r Response) int32 {
			body := jsonBody(r.Text, fence)
			if require == "object" && !strings.HasPrefix(body, "{") || require == "array" && !strings.HasPrefix(body, "[") {
				return 1
			}
			return rate(!validJSON(body))
		}, nil
	},
}

// validJSON is json.Valid without a copy for the text that cannot be JSON.
func validJSON(body string) bool {
	if body == "" || !strings.ContainsRune(`{["-0123456789tfn`, rune(body[0])) {
		return false
	}
	return json.Valid([]byte(body))
}

// jsonBody is the part of a response that ought to be JSON.
func jsonBody(s, fence string) string {
	s = strings.TrimSpace(strings.TrimPrefix(s, "\ufeff"))
	switch fence {
	case "none":
		return s
	case "strip":
		if body, ok := unfence(s); ok {
			return body
		}
		return s
	}
	if i := fenceAt(s, 0); i >= 0 {
		rest := s[i:]
		if line := strings.IndexByte(rest, '\n'); line >= 0 {
			if shut := fenceAt(rest, line+1); shut >= 0 {
				return strings.TrimSpace(rest[line+1 : shut])
			}
		}
	}
	open := strings.IndexAny(s, "{[")
	shut := strings.LastIndexAny(s, "}]")
	if open >= 0 && shut > open {
		return s[open : shut+1]
	}
	return s
}

// unfence removes one fence around the whole of s.
func unfence(s string) (string, bool) {
	if !strings.HasPrefix(s, "```") || !strings.HasSuffix(s, "```") || len(s) < 7 {
		return s, false
	}
	line := strings.IndexByte(s, '\n')
	if line < 0 || line+1 > len(s)-3 || strings.ContainsAny(s[3:line], " `{[") {
		return s, false
	}
	return strings.TrimSpace(s[line+1 : len(s)-3]), true
}

var schemaParam = Param{
	Name: "schema", Type: "string", Default: `{"type":"object"}`,
	Doc: "The JSON Schema, as text. References to other documents are not followed.",
}

var schemaParams = []Param{
	schemaParam, fenceParam,
	{Name: "count_invalid", Type: "bool", Default: "false", Doc: "Whether a response that is not JSON at all counts too. It belongs to json_invalid, so by default it does not."},
}

var schemaViolationScorer = Scorer{
	ID: "schema_violation/1", Kind: "rate", Unit: "1",
	Doc:    "1 where the response is a JSON object or array that the schema rejects. Any other response scores 0, since it belongs to json_invalid, unless count_invalid is true.",
	Params: schemaParams,
	New: func(params map[string]string) (ScoreFunc, error) {
		v, err := readParams("schema_violation/1", schemaParams, params)
		if err != nil {
			return nil, err
		}
		fence, err := v.oneOf("fence", "strip", "none", "extract")
		if err != nil {
			return nil, err
		}
		schema, err := compileSchema("schema_violation/1", v.str("schema"))
		if err != nil {
			return nil, err
		}
		invalid := rate(v.bool("count_invalid"))
		return func(r Response) int32 {
			body := jsonBody(r.Text, fence)
			// A bare string is a quotation more often than a document.
			if !validJSON(body) || body[0] != '{' && body[0] != '[' {
				return invalid
			}
			return rate(violates(schema, body))
		}, nil
	},
}

func violates(schema *jsonschema.Schema, body string) bool {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	return err != nil || schema.Validate(v) != nil
}

// noDocuments refuses references out of a schema: scoring reads no file and
// opens no connection.
type noDocuments struct{}

func (noDocuments) Load(url string) (any, error) {
	return nil, fmt.Errorf("the schema refers to another document, %s; put what it needs under $defs", url)
}

func compileSchema(owner, text string) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, &ParamError{owner, "schema", "is not valid JSON: " + err.Error()}
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noDocuments{})
	const here = "mem:///schema.json"
	if err := c.AddResource(here, doc); err != nil {
		return nil, &ParamError{owner, "schema", "is not a JSON Schema: " + err.Error()}
	}
	schema, err := c.Compile(here)
	if err != nil {
		var bad *jsonschema.SchemaValidationError
		if errors.As(err, &bad) {
			err = bad.Err
		}
		return nil, &ParamError{owner, "schema", "is not a JSON Schema: " + err.Error()}
	}
	return schema, nil
}
