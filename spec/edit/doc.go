// Package edit changes a valid document in one place, so that an example or a
// test says in two lines what is wrong with it:
//
//	trial {"purpose": "trials", "detected": true}
//	  set {"event": null}
//
// The first line picks items by their kind and by the members that they have;
// the indented lines say what becomes of them. An item is a journal's entry, or
// an element of a result's list.
//
// It imports the standard library only.
package edit
