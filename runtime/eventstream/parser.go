package eventstream

import (
	"bytes"
	"fmt"
)

// MaxEvent is the longest event that a Parser takes, in bytes.
const MaxEvent = 16 << 20

// Event is one block of a stream.
type Event struct {
	// Type is the value of the last "event" field, "" for "message".
	Type string
	// Data is the value of all "data" fields, joined by LF.
	Data []byte
	// HasData tells an event from a block without data, such as a comment
	// that keeps a connection alive, which the standard does not dispatch.
	HasData bool
	// Raw are the bytes of the block with its line ends. Joined, the Raw of
	// all events are the stream, byte for byte.
	Raw []byte
	// Unterminated tells that the stream ended before the blank line.
	Unterminated bool
}

// Parser cuts a stream into events. The zero value is ready.
type Parser struct {
	raw     []byte // what was fed and not yet dropped
	base    int    // where the block that is not complete begins in raw
	line    int    // where the current line begins in raw
	scanned int    // up to where raw was searched for a line end
	begun   bool   // a first byte was seen: no mark can follow
	lf      bool   // a CR ended the last line: an LF that follows belongs to it

	event Event
	data  bytes.Buffer
	any   bool // the block has a line that is not blank
}

// Feed takes the next bytes and calls yield for every block that they
// complete, in order. The event and its slices are valid during the call only.
// It returns yield's first error, or one for an event longer than MaxEvent;
// the parser cannot be used after an error.
func (p *Parser) Feed(chunk []byte, yield func(*Event) error) error {
	p.raw = append(p.raw, chunk...)
	for p.scanned < len(p.raw) {
		if p.lf {
			p.lf = false
			if p.raw[p.scanned] == '\n' {
				p.scanned++
				p.line = p.scanned
				continue
			}
		}
		i := bytes.IndexAny(p.raw[p.scanned:], "\r\n")
		if i < 0 {
			p.scanned = len(p.raw)
			break
		}
		end := p.scanned + i
		p.scanned = end + 1
		p.lf = p.raw[end] == '\r'
		if err := p.take(p.raw[p.line:end], yield); err != nil {
			return err
		}
	}
	if p.base > 0 {
		p.raw = append(p.raw[:0], p.raw[p.base:]...)
		p.line -= p.base
		p.scanned -= p.base
		p.base = 0
	}
	if len(p.raw) > MaxEvent {
		return fmt.Errorf("an event of the stream is longer than %d bytes", MaxEvent)
	}
	return nil
}

// End tells that the stream is over. A block that was not complete is handed
// over as it is.
func (p *Parser) End(yield func(*Event) error) error {
	if p.line < len(p.raw) {
		p.field(p.raw[p.line:])
	}
	if len(p.raw) == p.base {
		return nil
	}
	p.event.Unterminated = p.any
	return p.dispatch(len(p.raw), yield)
}

// take handles one complete line; scanned is already behind its end.
func (p *Parser) take(line []byte, yield func(*Event) error) error {
	p.line = p.scanned
	if !p.begun {
		p.begun = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	if len(line) > 0 {
		p.field(line)
		return nil
	}
	if p.lf && p.scanned < len(p.raw) && p.raw[p.scanned] == '\n' {
		// The rest of a CRLF that is here already belongs to this block.
		p.scanned++
		p.lf = false
	}
	return p.dispatch(p.scanned, yield)
}

func (p *Parser) field(line []byte) {
	if !p.begun {
		p.begun = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	p.any = true
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if p.event.HasData {
			p.data.WriteByte('\n')
		}
		p.event.HasData = true
		p.data.Write(value)
	case "event":
		p.event.Type = string(value)
	}
}

func (p *Parser) dispatch(end int, yield func(*Event) error) error {
	e := p.event
	e.Raw, e.Data = p.raw[p.base:end], p.data.Bytes()
	err := yield(&e)
	p.base, p.line, p.scanned = end, end, end
	p.event, p.any = Event{}, false
	p.data.Reset()
	return err
}
