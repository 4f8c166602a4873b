// Package schemagen makes the JSON Schemas of plans, journals, results and
// comparisons, of series and of reuse blocks, from their Go types and from the comments on them, so that
// neither the types nor the schemas can drift.
//
// It imports lang/{exact,schema}, compiler/plan, internal/plainjson, spec,
// runtime/{compare,journal,measure} and runtime/reuse/{audit,evidence,record,result}.
package schemagen
