// Package offline makes the rows of a reuse block that the manifest alone, and
// a plan for it, give: one record.Item an item. What it counts is evidence of
// what could be reused, and none that an engine did (KV-4-4).
//
// It imports compiler/plan, stdlib/tokens and runtime/reuse/{manifest, source,
// blocks, record}.
package offline
