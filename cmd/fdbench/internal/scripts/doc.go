// Package scripts writes what is made from the grammar of the command line:
// completion scripts and the reference page, so that neither can drift from
// what the program takes.
//
// It imports kong for its model.
package scripts
