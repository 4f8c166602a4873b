package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Read hands fn every entry in turn, after it has checked the entry's own hash
// and its link to the one before. It holds one line at a time.
//
// It returns a *[ChainError] for the first line that does not fit, [ErrTorn]
// after the last whole entry where an incomplete line follows, [ErrEmpty]
// where there is no whole entry at all, and what fn or r returns as an error.
// That entries are missing at the end does not show here, but a journal that
// came to its end closes with an entry of kind close.
func Read(r io.Reader, fn func(Entry) error) error {
	var c chain
	_, err := scan(r, &c, func(e Entry, _ int64) error { return fn(e) })
	return err
}

// scan is Read with the state of the chain; fn also gets the offset at which
// the entry ends. It returns the offset behind the last whole entry.
func scan(r io.Reader, c *chain, fn func(e Entry, end int64) error) (int64, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	var (
		long   []byte // a line that did not fit into br's buffer
		offset int64
	)
	for line := 1; ; line++ {
		text, err := readLine(br, &long)
		if errors.Is(err, errLong) {
			return offset, &ChainError{line, fmt.Sprintf("it is longer than %d bytes", MaxLine)}
		}
		if err == io.EOF {
			switch {
			case c.n == 0:
				return offset, ErrEmpty
			case len(text) == 0:
				return offset, nil
			case c.closed:
				return offset, &ChainError{line, "bytes follow the entry that closed the journal"}
			default:
				return offset, ErrTorn
			}
		}
		if err != nil {
			return offset, err
		}
		e, reason := parseLine(text[:len(text)-1])
		if reason == "" {
			reason = c.next(e)
		}
		if reason != "" {
			return offset, &ChainError{line, reason}
		}
		offset += int64(len(text))
		e.Line = line
		if err := fn(e, offset); err != nil {
			return offset, err
		}
	}
}

var errLong = errors.New("line too long")

// readLine returns the next line with its line feed, or io.EOF with what is
// left. The bytes are valid until the next call.
func readLine(br *bufio.Reader, long *[]byte) ([]byte, error) {
	text, err := br.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return text, err
	}
	*long = (*long)[:0]
	for err == bufio.ErrBufferFull {
		if len(*long)+len(text) > MaxLine {
			return nil, errLong
		}
		*long = append(*long, text...)
		text, err = br.ReadSlice('\n')
	}
	*long = append(*long, text...)
	return *long, err
}
