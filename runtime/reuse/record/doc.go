// Package record holds what a run of a reuse block puts into its journal: rows
// of the manifest, requests of the two arms, and what engines' logs say. Every
// reported figure is computed from these entries.
//
// It imports lang/exact.
package record
