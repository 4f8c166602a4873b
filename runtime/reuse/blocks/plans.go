package blocks

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
)

// MaxPlanLine bounds a line of a plan file, in bytes.
const MaxPlanLine = 256 << 20

// PlanError is a line of a plan file that cannot be used.
type PlanError struct {
	Line   int64 // from 1
	Reason string
}

func (e *PlanError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// Plans is a file with the plans of a real planner, one JSON object a line and
// at most one an item:
//
//	{"item_id": "a", "block_size": 16, "planner": "name", "actions": [...]}
//
// An action covers a span,
//
//	{"op": "copy_from_donor", "target_start": 0, "len": 32, "donor_id": "d", "donor_start": 16}
//
// or one slot, which is one token,
//
//	{"action": "copy_from_donor", "targetPos": 0, "donorPos": 16, "donorId": "d"}
//
// and op or action may be recompute. block_size and planner may be left out;
// a block_size must be the scenario's, and a planner the same in every line.
// Further members of a line are the planner's own and say nothing here.
//
// The lines may come in any order: for each one its place in the file is kept,
// in some 70 bytes. Everything but Read is for one goroutine.
type Plans struct {
	in      io.ReaderAt
	size    int
	entries map[[16]byte]*planned
	planner string
	named   int64 // the first line that names the planner
	sha256  string
	seed    maphash.Seed
}

type planned struct {
	PlanRef
	used bool
}

// PlanRef is where the plan of an item is.
type PlanRef struct {
	line, offset int64
	n            int32  // bytes
	sum          uint32 // of them: what is read later is what SHA256 is of
}

// OpenPlans reads a plan file once and checks every line of it. size is the
// block size of the scenario. The error is a PlanError, or what reading failed
// with.
func OpenPlans(in io.ReaderAt, size int) (*Plans, error) {
	p := &Plans{in: in, size: size, entries: map[[16]byte]*planned{}, seed: maphash.MakeSeed()}
	h := sha256.New()
	r := bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(in, 0, math.MaxInt64), h), 1<<16)
	ref := PlanRef{}
	var buf []byte
	for {
		ref.line++
		ref.offset += int64(ref.n)
		var err error
		buf, err = readLine(r, buf[:0])
		if err != nil && err != io.EOF {
			if err == errLong {
				return nil, &PlanError{ref.line, fmt.Sprintf("the line is longer than %d MiB", MaxPlanLine>>20)}
			}
			return nil, err
		}
		ref.n, ref.sum = int32(len(buf)), p.sum(buf)
		if len(bytes.TrimSpace(bytes.TrimPrefix(buf, mark))) > 0 {
			if err := p.add(buf, ref); err != nil {
				return nil, &PlanError{ref.line, err.Error()}
			}
		}
		if err == io.EOF {
			p.sha256 = "sha256:" + hex.EncodeToString(h.Sum(nil))
			return p, nil
		}
		if cap(buf) > 4<<20 {
			buf = nil
		}
	}
}

var errLong = errors.New("line too long")

// readLine appends a line with its end to dst.
func readLine(r *bufio.Reader, dst []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		dst = append(dst, part...)
		if len(dst) > MaxPlanLine {
			return dst, errLong
		}
		if err != bufio.ErrBufferFull {
			return dst, err
		}
	}
}

func name(itemID string) [16]byte {
	sum := sha256.Sum256([]byte(itemID))
	return [16]byte(sum[:16])
}

func (p *Plans) add(line []byte, ref PlanRef) error {
	l, err := p.decode(line)
	if err != nil {
		return err
	}
	if l.Planner != nil && *l.Planner != p.planner {
		if p.named > 0 {
			return fmt.Errorf("the planner is %q, and in line %d it is %q; a file holds the plans of one planner", *l.Planner, p.named, p.planner)
		}
		p.planner = *l.Planner
	}
	if l.Planner != nil && p.named == 0 {
		p.named = ref.line
	}
	id := name(*l.ItemID)
	if first := p.entries[id]; first != nil {
		return fmt.Errorf("the item %q has a plan in line %d already; keep one of them", *l.ItemID, first.line)
	}
	p.entries[id] = &planned{PlanRef: ref}
	return nil
}

// Planner is the name that the lines give; "" where none does.
func (p *Plans) Planner() string { return p.planner }

// Items is how many items have a plan.
func (p *Plans) Items() int64 { return int64(len(p.entries)) }

// SHA256 is the digest of the file's bytes, "sha256:...".
func (p *Plans) SHA256() string { return p.sha256 }

// Find returns where the plan of an item is, and whether there is one.
func (p *Plans) Find(itemID string) (PlanRef, bool) {
	e := p.entries[name(itemID)]
	if e == nil {
		return PlanRef{}, false
	}
	e.used = true
	return e.PlanRef, true
}

// Unused returns a PlanError for the first line whose item nobody looked for,
// and nil where there is none. Behind the last item of a manifest that is a
// plan for an item that the manifest does not have.
func (p *Plans) Unused() error {
	var first *planned
	n := 0
	for _, e := range p.entries {
		if e.used {
			continue
		}
		if n++; first == nil || e.line < first.line {
			first = e
		}
	}
	if n == 0 {
		return nil
	}
	l, err := p.read(first.PlanRef)
	if err != nil {
		return err
	}
	more := ""
	if n > 1 {
		more = fmt.Sprintf(" (and %d more)", n-1)
	}
	return &PlanError{first.line, fmt.Sprintf("the manifest has no item %q%s; plans and manifest have to be of one making", *l.ItemID, more)}
}

// Read appends the actions of a plan to dst. It is safe for concurrent use.
func (p *Plans) Read(dst []Action, ref PlanRef) ([]Action, error) {
	l, err := p.read(ref)
	if err != nil {
		return dst, err
	}
	for i := range l.Actions {
		dst = append(dst, l.Actions[i].action())
	}
	return dst, nil
}

func (p *Plans) read(ref PlanRef) (*planLine, error) {
	b := make([]byte, ref.n)
	if n, err := p.in.ReadAt(b, ref.offset); n < len(b) {
		return nil, fmt.Errorf("line %d: %w", ref.line, err)
	}
	if p.sum(b) != ref.sum {
		return nil, &PlanError{ref.line, "the line is another one than when the file was opened; leave the file alone while it is measured, and begin again"}
	}
	l, err := p.decode(b)
	if err != nil {
		return nil, &PlanError{ref.line, err.Error()}
	}
	return l, nil
}

func (p *Plans) sum(line []byte) uint32 { return uint32(maphash.Bytes(p.seed, line)) }

// mark is the byte order mark that some editors begin a file with.
var mark = []byte("\xef\xbb\xbf")

type planLine struct {
	ItemID    *string     `json:"item_id"`
	BlockSize *int64      `json:"block_size"`
	Planner   *string     `json:"planner"`
	Actions   []rawAction `json:"actions"`
}

type rawAction struct {
	Op          *string `json:"op"`
	TargetStart *int64  `json:"target_start"`
	Len         *int64  `json:"len"`
	DonorStart  *int64  `json:"donor_start"`
	DonorID     *string `json:"donor_id"`

	Action    *string `json:"action"`
	TargetPos *int64  `json:"targetPos"`
	DonorPos  *int64  `json:"donorPos"`
	SlotDonor *string `json:"donorId"`
}

func (p *Plans) decode(line []byte) (*planLine, error) {
	l := new(planLine)
	if err := json.Unmarshal(bytes.TrimPrefix(line, mark), l); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			if kind.Field == "" {
				return nil, fmt.Errorf("a plan is an object, and this is another value (%s)", kind.Value)
			}
			return nil, fmt.Errorf("%s: %s does not fit, %s is asked for", kind.Field, kind.Value, asked(kind.Type.String()))
		}
		return nil, fmt.Errorf("this is no JSON: %w", err)
	}
	switch {
	case l.ItemID == nil || *l.ItemID == "":
		return nil, errors.New("item_id is missing; a plan names its item by it")
	case l.Actions == nil:
		return nil, errors.New("actions is missing; a plan that copies nothing has an empty list")
	case l.BlockSize != nil && *l.BlockSize != int64(p.size):
		return nil, fmt.Errorf("the plan is for blocks of %d tokens, and the scenario's are of %d; plan again with that size", *l.BlockSize, p.size)
	}
	for i := range l.Actions {
		if err := l.Actions[i].check(); err != nil {
			return nil, fmt.Errorf("actions[%d]: %w", i, err)
		}
	}
	return l, nil
}

func asked(goType string) string {
	switch goType {
	case "int64":
		return "a whole number"
	case "string":
		return "a text"
	case "blocks.rawAction":
		return "an object"
	}
	return "a list"
}

func (a *rawAction) slot() bool { return a.Op == nil }

func (a *rawAction) check() error {
	span := a.TargetStart != nil || a.Len != nil || a.DonorStart != nil || a.DonorID != nil
	slot := a.TargetPos != nil || a.DonorPos != nil || a.SlotDonor != nil
	switch {
	case a.Op == nil && a.Action == nil:
		return errors.New("neither op nor action is there")
	case a.Op != nil && (a.Action != nil || slot), a.Op == nil && span:
		return errors.New("this is half a span and half a slot; write op, target_start, len, donor_id and donor_start, or action, targetPos, donorId and donorPos")
	case a.Op != nil && a.TargetStart == nil:
		return errors.New("target_start is missing")
	case a.Op != nil && a.Len == nil:
		return errors.New("len is missing")
	case a.Op == nil && a.TargetPos == nil:
		return errors.New("targetPos is missing")
	}
	return nil
}

func (a *rawAction) action() Action {
	op, target, donor, start, n := a.Op, a.TargetStart, a.DonorID, a.DonorStart, int64(1)
	if a.slot() {
		op, target, donor, start = a.Action, a.TargetPos, a.SlotDonor, a.DonorPos
	} else {
		n = *a.Len
	}
	out := Action{Op: *op, TargetStart: *target, Len: n, DonorStart: NoStart}
	if donor != nil {
		out.DonorID = *donor
	}
	if start != nil {
		if out.DonorStart = *start; out.DonorStart < 0 {
			out.DonorStart = math.MinInt64 // a place that no donor has, which NoStart is not
		}
	}
	return out
}
