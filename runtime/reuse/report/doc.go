// Package report writes the reports of a reuse block's result: in Markdown, in
// columns for a terminal, as JSON and as tables of comma-separated values. It
// makes none of a result that leaves out, or says wrongly, what the metric
// contract wants said (KV rows at stage report).
//
// Every report begins with what its figures may be called. A rate stands with
// its numerator, its denominator and how many requests were measured; the
// headline with its interval and the number of pairs; the speed-up of hits
// only beside the hit rate; and placements in a table of their own.
//
// It imports lang/{exact,gate}, runtime/reuse/{record,result},
// runtime/report/{figure,omission,prose,table} and spec.
package report
