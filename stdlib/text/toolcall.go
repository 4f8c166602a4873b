package text

import (
	"encoding/json"
	"slices"
	"strings"
)

var toolCallParams = []Param{
	{Name: "well_formed", Type: "string", Default: "ok", Doc: `What a well-formed call inside the text is: "ok", or "broken" for a deployment that should have taken it out of the text.`},
	{Name: "expected", Type: "bool", Default: "false", Doc: "Whether every response should hold a call, so that one without is broken."},
	{Name: "tools", Type: "string", Default: "", Doc: "Names of the declared tools, with commas; a call to another is broken. Empty admits every name."},
}

var toolCallScorer = Scorer{
	ID: "tool_call_broken/1", Kind: "rate", Unit: "1",
	Doc:    `1 where the response tries to call a tool and the call does not parse: an open <tool_call> tag, arguments that are not a JSON object, a missing or undeclared name. Code in other languages does not count.`,
	Params: toolCallParams,
	New: func(params map[string]string) (ScoreFunc, error) {
		v, err := readParams("tool_call_broken/1", toolCallParams, params)
		if err != nil {
			return nil, err
		}
		wellFormed, err := v.oneOf("well_formed", "ok", "broken")
		if err != nil {
			return nil, err
		}
		var tools []string
		for _, t := range strings.Split(v.str("tools"), ",") {
			if t = strings.TrimSpace(t); t != "" {
				tools = append(tools, t)
			}
		}
		expected := v.bool("expected")
		return func(r Response) int32 {
			switch toolCallState(r.Text, tools) {
			case noCall:
				return rate(expected)
			case goodCall:
				return rate(wellFormed == "broken")
			}
			return 1
		}, nil
	},
}

type callState uint8

const (
	noCall callState = iota
	goodCall
	badCall
)

// callTags are the marks around a call in the formats of common models. An
// empty end means that the call runs to the end of the response.
var callTags = []struct{ open, end string }{
	{"<tool_call>", "</tool_call>"}, {"<|tool_call|>", ""}, {"<function_call>", "</function_call>"},
	{"[TOOL_CALLS]", ""}, {"<|python_tag|>", ""}, {"<tool_use>", "</tool_use>"}, {"<|tool_call_begin|>", "<|tool_call_end|>"},
}

func toolCallState(s string, tools []string) callState {
	state := noCall
	if strings.ContainsAny(s, "<[") {
		for _, tag := range callTags {
			for rest := s; ; {
				at := strings.Index(rest, tag.open)
				if at < 0 {
					break
				}
				rest = rest[at+len(tag.open):]
				body := rest
				if tag.end != "" {
					end := strings.Index(rest, tag.end)
					if end < 0 {
						return badCall
					}
					body, rest = rest[:end], rest[end+len(tag.end):]
				}
				if !goodCallBody(body, tools) {
					return badCall
				}
				state = goodCall
				if tag.end == "" {
					break
				}
			}
			if tag.end != "" && strings.Count(s, tag.end) > strings.Count(s, tag.open) {
				return badCall
			}
		}
	}
	if state != noCall {
		return state
	}
	if bare := jsonBody(s, "strip"); strings.HasPrefix(bare, "{") && namesCall(bare) {
		if goodCallBody(bare, tools) {
			return goodCall
		}
		return badCall
	}
	if i := strings.Index(s, "Action Input:"); i >= 0 && strings.Contains(s[:i], "Action:") {
		input := strings.TrimSpace(s[i+len("Action Input:"):])
		if end := strings.Index(input, "\nObservation:"); end >= 0 {
			input = strings.TrimSpace(input[:end])
		}
		_, name, _ := strings.Cut(s[:i], "Action:")
		if strings.HasPrefix(input, "{") && !json.Valid([]byte(input)) || !declared(strings.TrimSpace(name), tools) {
			return badCall
		}
		return goodCall
	}
	return noCall
}

// namesCall tells whether an object, valid or not, has the look of a call.
func namesCall(s string) bool {
	head := s[:min(len(s), 240)]
	name := strings.Contains(head, `"name"`) || strings.Contains(head, `"tool"`) || strings.Contains(head, `"function"`)
	return name && (strings.Contains(s, `"arguments"`) || strings.Contains(s, `"parameters"`) || strings.Contains(s, `"tool_input"`))
}

// goodCallBody parses a call, or a list of calls.
func goodCallBody(s string, tools []string) bool {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "[") {
		var calls []json.RawMessage
		if json.Unmarshal([]byte(s), &calls) != nil || len(calls) == 0 {
			return false
		}
		for _, c := range calls {
			if !goodCallBody(string(c), tools) {
				return false
			}
		}
		return true
	}
	var call struct {
		Name       *string         `json:"name"`
		Tool       *string         `json:"tool"`
		Function   json.RawMessage `json:"function"`
		Arguments  json.RawMessage `json:"arguments"`
		Parameters json.RawMessage `json:"parameters"`
		Input      json.RawMessage `json:"tool_input"`
	}
	if json.Unmarshal([]byte(s), &call) != nil {
		return false
	}
	if strings.HasPrefix(string(call.Function), "{") {
		return goodCallBody(string(call.Function), tools)
	}
	name := ""
	switch {
	case call.Name != nil:
		name = *call.Name
	case call.Tool != nil:
		name = *call.Tool
	case len(call.Function) > 0:
		if json.Unmarshal(call.Function, &name) != nil {
			return false
		}
	}
	if name == "" || !declared(name, tools) {
		return false
	}
	for _, args := range []json.RawMessage{call.Arguments, call.Parameters, call.Input} {
		if args == nil {
			continue
		}
		// The wire format of chat completions carries arguments as a string.
		var inner string
		if json.Unmarshal(args, &inner) == nil {
			args = json.RawMessage(inner)
		}
		var object map[string]json.RawMessage
		return json.Unmarshal(args, &object) == nil && object != nil
	}
	return false
}

func declared(name string, tools []string) bool {
	return len(tools) == 0 || slices.Contains(tools, name)
}
