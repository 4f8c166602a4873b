package probing

import (
	"net/http"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/internal/redact"
	"github.com/fdbench/fdbench/runtime/openai"
)

// Report is one request and everything that was seen of it.
type Report struct {
	Content       string            `json:"content"`
	Reasoning     string            `json:"reasoning"`
	ContentEvents int               `json:"content_events"` // with content that is not empty; 0 for an answer in one piece
	Usage         *openai.Usage     `json:"usage"`          // null where the deployment gave none
	FinishReason  *string           `json:"finish_reason"`  // null where the deployment gave none
	Error         *string           `json:"error"`          // null where there was none
	Stamps        openai.Stamps     `json:"stamps_ns"`      // -1 where a thing did not happen
	Outcome       openai.Outcome    `json:"outcome"`
	Status        int               `json:"status"` // of HTTP; 0 without a response
	URL           string            `json:"url"`
	Address       string            `json:"address"` // that was connected to
	Range         string            `json:"range"`   // of a test environment, that the address lies in
	Model         string            `json:"model"`   // as the deployment names it
	ID            string            `json:"id"`
	ToolCalls     []openai.ToolCall `json:"tool_calls"`
	Events        int               `json:"events"` // with data, of any sort
	Done          bool              `json:"done"`   // [DONE] was seen
	Unterminated  bool              `json:"unterminated"`
	Bytes         int64             `json:"bytes"` // of the body
	Headers       http.Header       `json:"headers"`
}

// NewReport describes a record. The key, and cookies, stand nowhere in it.
func NewReport(t Target, url, key string, rec openai.Record) *Report {
	a := rec.Answer
	hide := func(s string) string { return redact.Text(s, "(key)", key) }
	r := &Report{
		Content: hide(a.Content), Reasoning: hide(a.Reasoning), ContentEvents: a.ContentEvents, Usage: a.Usage, Stamps: rec.Stamps,
		Outcome: rec.Outcome, Status: rec.Status, URL: url, Address: t.Addr.String(), Range: t.Range,
		Model: hide(a.Model), ID: hide(a.ID), ToolCalls: slices.Clone(a.ToolCalls), Events: a.Events, Done: a.Done, Unterminated: a.Unterminated,
		Bytes: rec.Bytes, Headers: http.Header{},
	}
	if r.ToolCalls == nil {
		r.ToolCalls = []openai.ToolCall{}
	}
	for i, c := range r.ToolCalls {
		r.ToolCalls[i] = openai.ToolCall{ID: hide(c.ID), Name: hide(c.Name), Arguments: hide(c.Arguments)}
	}
	if a.FinishReason != "" {
		reason := hide(a.FinishReason)
		r.FinishReason = &reason
	}
	if rec.Outcome != openai.OK {
		detail := hide(rec.Detail)
		r.Error = &detail
	}
	for name, values := range rec.Header {
		if name == "Set-Cookie" {
			continue
		}
		for _, v := range values {
			r.Headers[hide(name)] = append(r.Headers[hide(name)], hide(v))
		}
	}
	return r
}

// Remedy is what a person may do about a request that failed, "" where nothing
// is known.
func (r *Report) Remedy() string {
	switch {
	case r.Outcome == openai.Refused:
		return "see whether the deployment runs, and whether the URL's port is its own"
	case r.Outcome == openai.Timeout:
		return "see whether the deployment is overloaded, or allow more with --timeout"
	case r.Outcome == openai.Malformed && r.Status == http.StatusOK:
		return "see whether what answers at this URL is an OpenAI-compatible deployment"
	case r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden:
		return "name the variable that holds the deployment's key with --key-env"
	case r.Status == http.StatusNotFound:
		return "check the model's name and the URL; a GET of " + strings.TrimSuffix(strings.TrimSuffix(r.URL, "completions"), "chat/") + "models lists the models"
	case r.Status >= 300 && r.Status < 400:
		return "write the URL that it redirects to; redirects are not followed"
	}
	return ""
}
