// Command fdbench benchmarks detectors of output behaviour faults in LLM
// serving deployments: it compiles a scenario into a plan, executes the plan
// and nothing else, and reports what was measured.
//
// Each verb is one small file: what it takes on the command line and what it
// calls. The work is done by the packages of compiler and runtime; views,
// terminals and the handling of locks and folders lie in internal.
package main
