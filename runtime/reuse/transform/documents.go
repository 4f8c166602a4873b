package transform

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
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
}

// An index knows where each document lies.
type index struct {
	r       io.ReaderAt
	places  []place
	domains int
	sha256  string
}

// read reads a document file through. Documents that name no dataset are of the
// one given.
func read(r io.ReaderAt) (*index, error) {
	x := &index{r: r}
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
			d, why := decode(line)
			if why != "" {
				return nil, &DocumentError{n, why}
			}
			sum := sha256.Sum256([]byte(d.ID))
			id := [16]byte(sum[:16])
			if first, twice := ids[id]; twice {
				return nil, &DocumentError{n, fmt.Sprintf("the id %q was used in line %d already; give each document its own", d.ID, first)}
			}
			ids[id] = n
			p := place{offset: offset, length: int32(len(buf)), domain: -1, line: n}
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
	if len(line) == 0 {
		return nil, errChanged
	}
	d, why := decode(line)
	if why != "" {
		return nil, errChanged
	}
	return d, nil
}

var errChanged = errors.New("the documents changed while they were read; try again when nothing writes to the file")

// decode reads one document, or says why it cannot be used.
func decode(line []byte) (d *document, why string) {
	if !utf8.Valid(line) {
		return nil, "the line is not valid UTF-8; save the file as UTF-8"
	}
	if line[0] != '{' {
		return nil, `the line is not a JSON object; write one document a line, such as {"id": "...", "text": "..."}`
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Sprintf("the line is not valid JSON, at byte %d: %s", syntax.Offset, syntax.Error())
		}
		return nil, "the line is not valid JSON: " + err.Error()
	}
	d = new(document)
	for _, m := range []struct {
		key string
		to  *string
	}{{"id", &d.ID}, {"text", &d.Text}, {"question", &d.Question}, {"domain", &d.Domain}, {"dataset", &d.Dataset}} {
		raw, ok := members[m.key]
		required := m.key == "id" || m.key == "text"
		if !ok || string(raw) == "null" {
			if required {
				return nil, fmt.Sprintf("%q is missing; each document needs an id and a text", m.key)
			}
			continue
		}
		if raw[0] != '"' {
			return nil, fmt.Sprintf("%q has to be a string", m.key)
		}
		if err := json.Unmarshal(raw, m.to); err != nil {
			return nil, fmt.Sprintf("%q has to be a string: %s", m.key, err)
		}
		if required && strings.TrimSpace(*m.to) == "" {
			return nil, fmt.Sprintf("%q is empty; each document needs an id and a text", m.key)
		}
	}
	if raw, ok := members["answers"]; ok {
		var answers []*string
		if err := json.Unmarshal(raw, &answers); err != nil {
			return nil, `"answers" has to be a list of strings`
		}
		for _, a := range answers {
			if a == nil {
				return nil, `"answers" has to be a list of strings`
			}
			d.Answers = append(d.Answers, *a)
		}
	}
	// A text is the same whatever line ends its file was written with.
	d.Text = strings.TrimSpace(strings.ReplaceAll(d.Text, "\r\n", "\n"))
	return d, ""
}
