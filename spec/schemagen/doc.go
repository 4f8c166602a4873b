// Package schemagen makes the JSON Schemas of plans, journals, results and
// comparisons from their Go types and from the comments on them, so that
// neither the types nor the schemas can drift.
//
// It imports lang/exact, compiler/plan and runtime/{compare,journal,measure}.
package schemagen
