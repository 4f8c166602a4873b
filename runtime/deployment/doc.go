// Package deployment is a small OpenAI-compatible serving deployment for
// demonstrations and tests: chat completions and completions, in one piece or
// streamed, with a latency model, answers from a file, from templates or from
// the built-in language model, and a prefix cache that is a real one.
//
// Its defaults can be changed while it runs, by whoever has its token: a wrong
// temperature, another system prompt or a biased token are faults by real
// mechanisms.
//
// It imports runtime/{eventstream,listen,random,tinylm} and
// stdlib/{corpus,prompts}.
package deployment
