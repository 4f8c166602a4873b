// Package audit looks for blocks of tokens that stand where the construction of
// a manifest says they cannot: in a negative control that shares a block with
// its own donors, and in a recipient that shares one with another document. A
// cache that reuses such a block does nothing wrong, but the item does not
// measure what it is there for (KV-7-1).
//
// It imports runtime/reuse/{manifest,record} and stdlib/tokens.
package audit
