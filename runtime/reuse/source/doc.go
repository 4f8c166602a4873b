// Package source opens the manifest of a plan: the file that it names, or what
// the transforms make of the user's documents. In both cases the bytes are held
// against the plan's digest.
//
// It imports compiler/plan and runtime/reuse/{manifest,transform}.
package source
