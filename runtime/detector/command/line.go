package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// MaxLine is the length of a line in bytes.
const MaxLine = 1 << 20

var errLong = fmt.Errorf("a line has more than %d bytes", MaxLine)

// lines reads lines of bounded length.
type lines struct{ r *bufio.Reader }

func newLines(r io.Reader) *lines { return &lines{bufio.NewReaderSize(r, 64<<10)} }

// next is the next line without its end and the space around it. A line that is
// too long is skipped, with errLong. The last line may lack its end.
func (l *lines) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(part) == 0 && len(line) == 0 && !long:
			return nil, err
		case long:
			return nil, errLong
		}
		return bytes.TrimSpace(line), nil
	}
}

// parse reads one line. received is the instant at which it arrived.
func parse(line []byte, c driver.Clock, received int64) (*detector.Signal, error) {
	var w struct {
		Type      string            `json:"type"`
		Component string            `json:"component"`
		Status    string            `json:"status"`
		Labels    map[string]string `json:"labels"`
		Value     any               `json:"value"`
		Reason    string            `json:"reason"`
		StartsAt  any               `json:"starts_at"`
		EmittedAt any               `json:"emitted_at"`
		Repeat    bool              `json:"repeat"`
		NoData    bool              `json:"no_data"`
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(&w); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if d.More() {
		return nil, errors.New("a line holds more than one object")
	}
	if w.Status != payload.Firing && w.Status != payload.Resolved {
		return nil, fmt.Errorf("the status is %q, not firing or resolved", w.Status)
	}
	s := &detector.Signal{Type: w.Type, Component: w.Component, Status: w.Status, Labels: w.Labels, Reason: w.Reason, Repeat: w.Repeat, NoData: w.NoData,
		StartsAt: received, EmittedAt: received}
	if s.Type == "" {
		s.Type = "alert"
	}
	if s.Component == "" {
		s.Component = Component
	}
	switch v := w.Value.(type) {
	case nil:
	case string:
		s.Value = v
	case json.Number:
		s.Value = v.String()
	default:
		return nil, errors.New("value is neither a text nor a number")
	}
	for _, i := range []struct {
		name string
		from any
		to   *int64
	}{{"emitted_at", w.EmittedAt, &s.EmittedAt}, {"starts_at", w.StartsAt, &s.StartsAt}} {
		t, err := payload.Instant(i.from)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", i.name, err)
		}
		if !t.IsZero() {
			*i.to = c.At(t)
		}
	}
	return s, nil
}

// tail keeps the end of what is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

const tailSize = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p[max(0, len(p)-tailSize):]...)
	if over := len(t.b) - tailSize; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

// last is the last line that is not empty, shortened.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.b))
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return strings.ToValidUTF8(text[:min(len(text), 200)], "")
}
