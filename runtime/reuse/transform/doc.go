// Package transform makes the items of a manifest from a user's own documents:
// for each document and transform one item, whose donors and recipient share
// the document in another way.
//
// The transforms are those of the metric contract. Their wording is this
// project's. Each is deterministic: the same documents and options give the
// same bytes. Documents are read twice, by their places in the file, so that
// memory holds a few dozen bytes for each and not their texts.
//
// It imports runtime/reuse/manifest.
package transform
