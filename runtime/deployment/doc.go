// Package deployment is a small serving deployment for demonstrations and
// tests: OpenAI's chat completions and completions and SGLang's generate, in
// one piece or streamed, with a latency model, answers from a file, from
// templates, from the prompt itself or from the built-in language model, and a
// cache of prompts that is a real one.
//
// Its defaults can be changed while it runs, by whoever has its token: a wrong
// temperature, another system prompt or a biased token are faults by real
// mechanisms.
//
// # True values
//
// What a reuse run measures here can be computed beforehand. A prompt of P
// tokens, of which the cache had C, gets its first token
//
//	factor * (First + Prefill*(P-C))
//
// after it was admitted (Latency; factor is 1 where Sigma is 0), and each
// further one factor*Token later; both are deadlines counted from the moment
// of admission, so that no delay adds up. With Sigma 0 the speed-up of a pair
// is therefore
//
//	(First + Prefill*P) / (First + Prefill*(P-C))
//
// P and C are what usage reports. C follows from the mode of the cache, B
// tokens a block (Reuse):
//
//   - prefix: the longest beginning in whole blocks that an earlier prompt
//     shares;
//   - semantic: that beginning, and every later block on the prompt's own grid
//     whose B tokens stand in a row in an earlier prompt, at whatever offset;
//   - none: nothing.
//
// The block that holds the last token is never counted: its token is what the
// first answer is computed from. Faults make a cache that does wrong on
// purpose (Faults): which prompts they strike is a function of the seed and
// the prompt, and can be asked for.
//
// At temperature 0 an answer is a function of the prompt and the seed alone,
// so that two answers to one prompt differ only where a leak made one of them
// wrong.
//
// It imports runtime/{eventstream,listen,random,tinylm} and
// stdlib/{corpus,prompts}.
package deployment
