// Package blocks measures what of a recipient's prompt its donors could
// provide, in full blocks of tokens: exact hits (content, wherever it stands),
// prefix hits (as an engine's prefix cache needs them), and what a plan copies
// (candidate blocks) or could load as one piece (eligible blocks). It holds the
// planners span and chunk, and reads plans of other planners from files.
//
// Everything here is offline evidence. Nothing of it says that an engine
// loaded a block (KV-3-3, KV-4-4).
//
// It imports compiler/plan and runtime/reuse/record.
package blocks
