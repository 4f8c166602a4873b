// Package prompts makes the request populations that need no file, and the
// answers that the built-in language model is trained on. Every prompt is a
// function of its number alone.
//
// It imports runtime/random only.
package prompts
