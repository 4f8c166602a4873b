// Package verify checks the folder of a reuse block's run: the digests of the
// plan, the chain of the journal, and that the result and the reports are what
// both give. Rows, audits and logs can be measured again.
//
// It imports compiler/plan, internal/plainjson, runtime/journal,
// runtime/verify/difference and runtime/reuse/{execute,record,report,result}.
package verify
