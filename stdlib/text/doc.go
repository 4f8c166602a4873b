// Package text computes indicators from response text and turns responses into
// what a faulty deployment would have answered.
//
// A Scorer looks at one response and nothing else; a Transform is its
// counterpart for one fault class: applied to a response it makes that class's
// indicator hit. Both are pure, so that a simulated deployment may compute
// every score and every transformed twin once and draw from the results, and
// both are named with a version ("refusal/1") that is part of a plan's digest:
// a change that alters any score or any byte takes a new version.
//
// Every Transform has a streaming form as well, a Streamer, for faults in
// responses that come piece by piece: a change at the pace of the original,
// made without knowing how the response goes on. The class's scorer judges its
// results as it judges the twins; beyond that the two need not be alike. A cut
// is the clearest case: a twin stops at a share of a length that a stream does
// not know.
//
// The definitions are the project's own. The terminology companion that the
// methodology refers to is not public, so nothing here claims to be "as
// defined by" it.
//
// The package imports the standard library, runtime/random and a JSON Schema
// validator. It reads no file, no clock and no environment.
package text
