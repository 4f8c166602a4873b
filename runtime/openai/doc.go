// Package openai speaks the protocol of OpenAI-compatible deployments as a
// client: chat completions and completions, in one piece or as a stream. It
// keeps raw stamps of every request, from which named times are derived, and
// tells failures from answers.
//
// It imports the standard library, internal/redact and runtime/eventstream
// only.
package openai
