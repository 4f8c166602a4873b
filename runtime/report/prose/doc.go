// Package prose writes the sentences of reports: without characters that would
// steer a terminal, wrapped to its width, in colour where it has any.
//
// It imports the standard library and fatih/color only.
package prose
