// Package difference finds the place at which a result that lies in a folder is
// not the one that its journal gives.
//
// It imports the standard library only.
package difference
