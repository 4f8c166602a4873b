// Package folder is the folder that a run leaves behind, whichever of the two
// methodologies it follows: the names of its files, whose run it holds, and how
// files get into it.
//
// It imports compiler/plan and internal/atomicfile only.
package folder
