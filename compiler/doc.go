// Package compiler turns a scenario into plans: it evaluates the document,
// resolves references, expands the matrix of each series, reads the manifest of
// each reuse block, applies the rules of the methodology and of the metric
// contract, forecasts what the series will cost, and seals the result. A series
// or a reuse block that breaks a MUST gets diagnostics and no plan.
//
// A compilation is a pure function of the scenario's files, the variables and
// the standard library. It reads files of the scenario's folder and nothing
// else: no clock, no network, no environment.
//
// It may import internal/plainjson, lang/*, spec, stdlib/*, runtime/stats, for
// reading rule files runtime/detector/promrules, for checking addresses and
// mappings of payloads runtime/confine and runtime/detector/webhook/payload, and
// for reading what a reuse block names runtime/reuse/{manifest,transform,source,
// floor}; no other part of the runtime.
package compiler
