// Package schemagen makes the JSON Schemas of plans, journals and results from
// their Go types and from the comments on them, so that neither the types nor
// the schemas can drift.
//
// It imports lang/exact, compiler/plan and runtime/{journal,measure}.
package schemagen
