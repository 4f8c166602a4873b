// Package manifest reads and writes the manifests of the metric contract: JSON
// lines, each with the donors and the recipient of one item.
//
// The reader is tolerant where nothing is lost by it: blank lines, a byte order
// mark, carriage returns and absent optional members are all right, and members
// that it does not know are counted (Reader.Warnings). It is strict where
// leaving something out would change a figure: a missing prompt, a member of
// another type, a second item of the same name and an item of another version
// of the format are a LineError. Both read and write one item at a time; of an
// item that has been read only 24 bytes stay, to find its name again.
//
// The identity of a manifest is the SHA-256 of its bytes, so Append writes the
// canonical form that the format prescribes: sorted keys, one space after each
// comma and colon, characters outside of ASCII as they are.
//
// It imports the standard library.
package manifest
