package arms

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// role of a request.
const recipient = "recipient"

func donor(i int) string { return fmt.Sprintf("donor-%d", i) }

// requestID names a request in the logs of engines and gateways:
// "fdbench-warm-000003-recipient-cafemabdomnopkfg". The digest covers the plan, the
// run and the item. It is of letters only: programs that join logs take a
// group of digits at the end of an id for a counter of the engine's own.
func (r *Runner) requestID(arm string, position int64, role, item string) string {
	h := sha256.New()
	for _, part := range []string{r.plan.Digest, r.o.Run, item, arm, role} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write([]byte(part))
	}
	return fmt.Sprintf("fdbench-%s-%06d-%s-%s", arm, position, role, letters(h.Sum(nil)[:8]))
}

// letters writes each half byte as a letter from a to p.
func letters(b []byte) string {
	out := make([]byte, 0, 2*len(b))
	for _, x := range b {
		out = append(out, 'a'+x>>4, 'a'+x&15)
	}
	return string(out)
}
