package manifest

import "encoding/json"

// Version is the benchmark_version of the items that are written here.
const Version = "sembench.manifest.v1"

// Item is one line of a manifest: donors whose KV may be reused, and the
// recipient that is measured.
type Item struct {
	ItemID    string // names the item; unique in a manifest
	Dataset   string
	SourceID  string // the document that the recipient comes from
	Transform string
	Donors    []Donor
	Recipient string // the measured prompt
	Input     string // the question alone; "" where there is none
	Answers   []string
	Control   bool // negative control: the donor is unrelated by construction
	// Metadata is further information, as written.
	Metadata map[string]json.RawMessage
	Version  string // "" where the line has none
	Line     int64  // from 1
}

// Donor is a prompt that is sent before the recipient of its item.
type Donor struct {
	DonorID  string
	Text     string
	Label    string
	Metadata map[string]json.RawMessage
}
