package blocks

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// Donor is a prompt whose KV may be reused, as tokens. Its blocks are cut from
// its own first token on; a trailing partial block is in no index (KV-1-2).
type Donor struct {
	ID     string // as the manifest has it; plans name donors by it
	Tokens []uint32
}

// Hash is the contract's content hash of a block (KV-2-1): the first 32 hex
// digits of the SHA-256 over its ids, packed as little-endian uint32. That of
// no tokens is "".
func Hash(block []uint32) string {
	if len(block) == 0 {
		return ""
	}
	sum := sha256.Sum256(pack(nil, block))
	return hex.EncodeToString(sum[:16])
}

func pack(dst []byte, block []uint32) []byte {
	for _, id := range block {
		dst = binary.LittleEndian.AppendUint32(dst, id)
	}
	return dst
}

// spread is a short hash that only chooses places in tables. Whether two
// blocks are equal is always decided by their tokens.
func spread(block []uint32) uint64 {
	h := uint64(len(block))
	for _, id := range block {
		hi, lo := bits.Mul64(h^uint64(id)^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
		h = hi ^ lo
	}
	return h
}

// key is Hash as two words.
type key [2]uint64

// next returns the key of a block that comes after another key; that of a
// block alone comes after no key.
func (c *packer) key(after *key, block []uint32) key {
	c.buf = c.buf[:0]
	if after != nil {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, after[0])
		c.buf = binary.LittleEndian.AppendUint64(c.buf, after[1])
	}
	c.buf = pack(c.buf, block)
	sum := sha256.Sum256(c.buf)
	k := key{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
	if k == (key{}) {
		k[1] = 1 // the zero key marks an empty place
	}
	return k
}

type packer struct{ buf []byte }

// keySet is a set of keys of 16 bytes each, at most three quarters full.
type keySet struct {
	slots []key
	n     int
}

func (s *keySet) add(k key) {
	if 4*(s.n+1) > 3*len(s.slots) {
		old := s.slots
		s.slots = make([]key, max(64, 2*len(old)))
		for _, k := range old {
			if k != (key{}) {
				*s.place(k) = k
			}
		}
	}
	if p := s.place(k); *p != k {
		*p = k
		s.n++
	}
}

func (s *keySet) has(k key) bool { return s.n > 0 && *s.place(k) == k }

// place returns where a key is or would be.
func (s *keySet) place(k key) *key {
	mask := uint64(len(s.slots) - 1)
	for i := k[0] & mask; ; i = (i + 1) & mask {
		if p := &s.slots[i]; *p == k || *p == (key{}) {
			return p
		}
	}
}
