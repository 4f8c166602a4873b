// Package mechanism says what it takes to make a fault happen somewhere else:
// in a serving deployment that swaps an adapter, patches its configuration or
// rolls a version out. The drivers http and command are mechanisms; package
// lease makes an apparatus of one.
//
// It imports internal/redact, runtime/live/driver, for the type Problem, and
// runtime/world.
package mechanism
