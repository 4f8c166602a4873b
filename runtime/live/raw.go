package live

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/world"
)

// RawDir is the folder of the raw stamps in the folder of a run.
const RawDir = "requests"

// DefaultRows bounds the rows that are kept of one segment.
const DefaultRows = 2_000_000

// Row is one request in a file of raw stamps. Instants are nanoseconds since
// the segment's world was opened, as in the journal; -1 where a thing did not
// happen. A request that began before its segment has instants below 0.
type Row struct {
	N         uint64         `json:"n"`   // of the prompt
	Key       string         `json:"key"` // of what was asked
	Stamps    openai.Stamps  `json:"stamps_ns"`
	Outcome   openai.Outcome `json:"outcome"`
	Status    int            `json:"status"`
	Cached    *int64         `json:"cached_tokens,omitempty"`
	Observed  []int32        `json:"observed,omitempty"` // scores of the plan's indicators
	Injection *RowInjection  `json:"injection,omitempty"`
}

// RowInjection is the same request as the injection apparatus saw it.
type RowInjection struct {
	Start  int64   `json:"start"`
	End    int64   `json:"end"`
	Status int     `json:"status"`
	Picked bool    `json:"picked"`
	Failed bool    `json:"failed,omitempty"`
	Before []int32 `json:"before,omitempty"`
	After  []int32 `json:"after,omitempty"`
}

// raw writes the rows of one segment. The file has its name only once it is
// complete.
type raw struct {
	dir, name string
	file      *os.File
	buf       *bufio.Writer
	zip       *gzip.Writer
	enc       *json.Encoder
	sum       hash.Hash
	rows      int64
	most      int64
	left      int64
	err       error
}

// newRaw begins the file of a segment in the folder of a run.
func newRaw(dir, segment string, most int64) (*raw, error) {
	if most == 0 {
		most = DefaultRows
	}
	folder := filepath.Join(dir, RawDir)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	name := strings.NewReplacer(", ", "-", " ", "-").Replace(segment) + ".jsonl.gz"
	f, err := os.CreateTemp(folder, rawTemporary)
	if err != nil {
		return nil, err
	}
	r := &raw{dir: dir, name: RawDir + "/" + name, file: f, sum: sha256.New(), most: most}
	r.buf = bufio.NewWriterSize(io.MultiWriter(f, r.sum), 64<<10)
	r.zip = gzip.NewWriter(r.buf)
	r.enc = json.NewEncoder(r.zip)
	return r, nil
}

// rawTemporary is what a file is called until it is complete.
const rawTemporary = ".tmp-*"

// sweepRaw removes what a killed run left half written.
func sweepRaw(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, RawDir, rawTemporary))
	for _, path := range left {
		os.Remove(path)
	}
}

func (r *raw) add(row *Row) {
	switch {
	case r.err != nil:
	case r.rows >= r.most:
		r.left++
	default:
		if r.err = r.enc.Encode(row); r.err == nil {
			r.rows++
		}
	}
}

// keep completes the file.
func (r *raw) keep() (*world.File, error) {
	err := errors.Join(r.err, r.zip.Close(), r.buf.Flush(), r.file.Sync(), r.file.Chmod(0o644), r.file.Close())
	if err == nil {
		err = os.Rename(r.file.Name(), filepath.Join(r.dir, filepath.FromSlash(r.name)))
	}
	if err != nil {
		os.Remove(r.file.Name())
		return nil, fmt.Errorf("raw stamps %s: %w", r.name, err)
	}
	return &world.File{Name: r.name, SHA256: "sha256:" + hex.EncodeToString(r.sum.Sum(nil)), Rows: r.rows, Left: r.left}, nil
}

// drop removes the file of a segment that was not completed.
func (r *raw) drop() {
	r.file.Close()
	os.Remove(r.file.Name())
}

// row is a flight as its file has it.
func (f *flight) row(zero int64) *Row {
	row := &Row{N: f.n, Key: f.key, Outcome: openai.Cancelled}
	s := openai.Stamps{Scheduled: f.scheduled - zero, Sent: -1, Headers: -1, FirstEvent: -1, FirstContent: -1, LastContent: -1, End: -1}
	if d := f.done; d != nil {
		move := func(to *int64, at int64) {
			if at >= 0 {
				*to = at + d.shift - zero
			}
		}
		r := &d.record.Stamps
		move(&s.Sent, r.Sent)
		move(&s.Headers, r.Headers)
		move(&s.FirstEvent, r.FirstEvent)
		move(&s.FirstContent, r.FirstContent)
		move(&s.LastContent, r.LastContent)
		move(&s.End, r.End)
		row.Outcome, row.Status, row.Observed = d.record.Outcome, d.record.Status, d.scores
		if u := d.record.Answer.Usage; u != nil {
			row.Cached = u.CachedTokens
		}
	}
	row.Stamps = s
	if p := f.passed; p != nil {
		row.Injection = &RowInjection{Start: p.Start - zero, End: p.End - zero, Status: p.Status, Picked: p.Picked, Failed: p.Failed, Before: p.before, After: p.after}
	}
	return row
}
