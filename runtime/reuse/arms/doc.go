// Package arms sends the requests of a reuse block to a running endpoint: for
// each item of the manifest a cold arm, of whose prompt nothing should be
// cached, and a warm one, after its donors. What it saw goes into record.Arm
// word for word; what the figures mean is decided elsewhere, from the journal.
//
// Two drivers speak to endpoints: "openai" (chat completions or completions, a
// gateway before them or not) and "sglang" (that engine's own /generate).
//
// The clock of a request starts when its last byte is handed to the connection
// and stops at the first content that is not empty. Setting a connection up and
// sending the prompt are therefore in no figure, and neither arm gains by the
// other's connection. A first event that only tells the role, and reasoning,
// do not stop the clock.
//
// Everything goes to addresses that package confine has checked. Keys come from
// environment variables or files and stand in no record.
//
// It imports compiler/plan, lang/exact, internal/redact, runtime/confine,
// runtime/journal (for the type of a target), runtime/openai, runtime/random,
// and of runtime/reuse: manifest, quality, record and window.
package arms
