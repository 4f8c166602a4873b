// Package omission says why no report is made of a result: what it would leave
// out, or say wrongly, of what a requirement wants reported. The reports of both
// methodologies refuse with it.
//
// It imports spec only.
package omission
