// Package table lays out the tables of reports, in Markdown and in columns for
// a terminal.
//
// It imports the standard library only.
package table
