package transform

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
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// MaxLine bounds the line of a document, in bytes.
const MaxLine = 64 << 20

// document is one line of a document file.
type document struct {
	ID       string
	Text     string
	Question string
	Answers  []string
	Domain   string
	Dataset  string
}

// DocumentError is a document that cannot be used.
type DocumentError struct {
	Line   int64 // from 1
	Reason string
}

func (e *DocumentError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// place is where a document lies in its file.
type place struct {
	offset int64
	length int32 // of the line, in bytes
	domain int32 // by the order in which domains come; -1 for none
	line   int64
	hash   uint64 // of the line
}

// An index knows where each document lies.
type index struct {
	r        io.ReaderAt
	seed     maphash.Seed
	places   []place
	domains  int
	sha256   string
	warnings manifest.Warnings
}

// read reads a document file through. Documents that name no dataset are of the
// one given.
func read(r io.ReaderAt) (*index, error) {
	x := &index{r: r, seed: maphash.MakeSeed()}
	ids := map[[16]byte]int64{}
	domains := map[string]int32{}
	h := sha256.New()
	in := bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(r, 0, 1<<62), h), 1<<16)
	var buf []byte
	var offset int64
	for n := int64(1); ; n++ {
		buf = buf[:0]
		var err error
		for {
			var part []byte
			part, err = in.ReadSlice('\n')
			buf = append(buf, part...)
			if len(buf) > MaxLine {
				return nil, &DocumentError{n, fmt.Sprintf("the line is longer than %d MiB; split the document", MaxLine>>20)}
			}
			if err != bufio.ErrBufferFull {
				break
			}
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		line := trim(buf, offset)
		if len(line) > 0 {
			d, err := decode(line, func(key string) { x.warnings.Add("document", key, "unknown", n) })
			if err != nil {
				return nil, &DocumentError{n, err.Error()}
			}
			sum := sha256.Sum256([]byte(d.ID))
			id := [16]byte(sum[:16])
			if first, twice := ids[id]; twice {
				return nil, &DocumentError{n, fmt.Sprintf("the id %q was used in line %d already; give each document its own", d.ID, first)}
			}
			ids[id] = n
			p := place{offset: offset, length: int32(len(buf)), domain: -1, line: n, hash: maphash.Bytes(x.seed, line)}
			if d.Domain != "" {
				k, known := domains[d.Domain]
				if !known {
					k = int32(len(domains))
					domains[d.Domain] = k
				}
				p.domain = k
			}
			x.places = append(x.places, p)
		}
		offset += int64(len(buf))
		if err == io.EOF {
			break
		}
	}
	x.domains = len(domains)
	x.sha256 = "sha256:" + hex.EncodeToString(h.Sum(nil))
	return x, nil
}

// trim is a line without its end, white space around it and a byte order mark
// at the beginning of the file.
func trim(line []byte, offset int64) []byte {
	if offset == 0 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return bytes.TrimSpace(line)
}

// document reads the i-th document once more.
func (x *index) document(i int) (*document, error) {
	p := x.places[i]
	buf := make([]byte, p.length)
	if _, err := x.r.ReadAt(buf, p.offset); err != nil && err != io.EOF {
		return nil, err
	}
	line := trim(buf, p.offset)
	if maphash.Bytes(x.seed, line) != p.hash {
		return nil, errChanged
	}
	return decode(line, func(string) {})
}

var errChanged = errors.New("the documents changed while they were read; try again when nothing writes to the file")

// Keys are those that a document may have.
func Keys() []string {
	return []string{"id", "text", "question", "answers", "domain", "dataset"}
}

// decode reads one document. A key that is none of a document's goes to unknown.
func decode(line []byte, unknown func(key string)) (*document, error) {
	if line[0] != '{' && utf8.Valid(line) {
		return nil, errors.New(`the line is not a JSON object; write one document a line, such as {"id": "...", "text": "..."}`)
	}
	keys, values, err := manifest.Members(line)
	if err != nil {
		return nil, err
	}
	d := new(document)
	texts := map[string]*string{"id": &d.ID, "text": &d.Text, "question": &d.Question, "domain": &d.Domain, "dataset": &d.Dataset}
	for _, key := range keys {
		raw := values[key]
		if key == "answers" {
			var answers []*string
			if json.Unmarshal(raw, &answers) != nil || slices.Contains(answers, nil) {
				return nil, errors.New(`"answers" has to be a list of strings`)
			}
			for _, a := range answers {
				d.Answers = append(d.Answers, lineEnds(*a))
			}
			continue
		}
		to := texts[key]
		if to == nil {
			unknown(key)
			continue
		}
		// null is how some writers say that a member is absent.
		if string(raw) != "null" && json.Unmarshal(raw, to) != nil {
			return nil, fmt.Errorf("%q has to be a string", key)
		}
	}
	for _, key := range []string{"id", "text"} {
		if raw, there := values[key]; !there || string(raw) == "null" {
			return nil, fmt.Errorf("%q is missing; each document needs an id and a text", key)
		}
		if strings.TrimSpace(*texts[key]) == "" {
			return nil, fmt.Errorf("%q is empty; each document needs an id and a text", key)
		}
	}
	d.Text = strings.TrimSpace(lineEnds(d.Text))
	d.Question = strings.TrimSpace(lineEnds(d.Question))
	d.Domain = strings.TrimSpace(d.Domain)
	return d, nil
}

// lineEnds makes a text the same whatever line ends its file was written with.
func lineEnds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
