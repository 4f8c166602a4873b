// Package conformance joins the rules of every package that enforces a
// requirement and holds them against the table of package spec: no row without
// a rule at each of its moments, no rule without a row, none without an
// example that breaks it and one that keeps it. Its tests run every example.
//
// It imports spec, lang/schema and the packages that register rules:
// compiler/rule, runtime/measure, runtime/report, runtime/compare, and
// runtime/reuse/{result,report}.
package conformance
