// Package confine keeps requests and faults inside a test environment
// (FD-1.1-3, FD-7-1): it knows which addresses are such a one, resolves a name
// once, and dials nothing but what it checked.
//
// A name that is checked and then resolved a second time can lead elsewhere
// the second time, so a Target holds the address that was checked, and its
// dialer goes there whatever the name says by then.
//
// It imports the standard library only.
package confine
