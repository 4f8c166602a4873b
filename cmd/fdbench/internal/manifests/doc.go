// Package manifests inspects and builds the manifests of reuse blocks, so that
// an author sees what one holds before a run rests on it.
//
// It imports runtime/reuse/{manifest,transform,audit}, stdlib/tokens and
// internal/atomicfile.
package manifests
