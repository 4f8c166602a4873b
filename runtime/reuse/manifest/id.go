package manifest

import (
	"crypto/sha256"
	"encoding/hex"
)

// StableID is a name made from parts: the first 16 hexadecimal digits of the
// SHA-256 over the parts, joined by U+001F. An item is named by its dataset,
// source and transform; a donor by its item and its place.
func StableID(parts ...string) string {
	h := sha256.New()
	for i, p := range parts {
		if i > 0 {
			h.Write([]byte{0x1f})
		}
		h.Write([]byte(p))
	}
	var sum [sha256.Size]byte
	return hex.EncodeToString(h.Sum(sum[:0])[:8])
}
