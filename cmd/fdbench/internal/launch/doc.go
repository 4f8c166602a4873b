// Package launch prepares runs: it finds out what a path on the command line
// stands for, finds and keeps the lock of the scenario, starts the execution of
// each series in its folder, and repeats a run to prove it.
//
// It imports compiler, compiler/{plan,dataset}, lang, runtime/{execute,folder,
// journal,measure}, runtime/report/omission, runtime/verify/difference and
// runtime/reuse/{blocks,execute,manifest,offline,result,source}.
package launch
