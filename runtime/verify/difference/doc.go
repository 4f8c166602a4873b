// Package difference finds where the folder of a run is not what its plan and
// its journal give: the file, and the place in it. What each methodology checks
// with it is in runtime/verify and runtime/reuse/verify.
//
// It imports runtime/{folder,journal} and runtime/report/omission.
package difference
