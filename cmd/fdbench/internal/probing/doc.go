// Package probing sends one request to a deployment and tells everything that
// was seen of it: the text, the reasoning beside it, the usage, the raw stamps,
// and what went wrong.
//
// It imports internal/redact and runtime/{confine,openai}.
package probing
