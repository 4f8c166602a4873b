// Package execute carries out the plan of a reuse block in a folder: the rows
// of the manifest first, then the pairs of a live run, then what engines' logs
// and counters say. What was committed is kept; a run that was cut short goes
// on from there and comes to the same end.
//
//	plan.json      the plan
//	journal.jsonl  what was measured
//	result.json, report.md, *.csv   what follows from both
//
// It imports compiler/plan, stdlib/tokens, runtime/{folder,journal,openai},
// and the packages of runtime/reuse. The clock is read for live runs only.
package execute
