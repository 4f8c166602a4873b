// Package launch prepares runs: it finds out what a path on the command line
// stands for, keeps the lock of the scenario, and starts the execution of each
// series in its folder.
//
// It imports compiler, compiler/{plan,dataset}, lang/diag and
// runtime/{execute,journal,measure}.
package launch
