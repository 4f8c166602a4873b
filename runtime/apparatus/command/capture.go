package command

import (
	"io"
	"os"
	"sync"
	"time"
)

// captured is the bounded output of a program. It is a pipe of its own, since
// waiting for a program is not to mean waiting for all who inherited its
// output.
type captured struct {
	r, w *os.File
	mu   sync.Mutex
	b    []byte
	most int
	tail bool // keep the end, not the beginning
	done chan struct{}
}

func capture(to *io.Writer, most int, tail bool) (*captured, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &captured{r: r, w: w, most: most, tail: tail, done: make(chan struct{})}
	*to = w
	go c.read()
	return c, nil
}

func (c *captured) read() {
	defer close(c.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := c.r.Read(buf)
		c.mu.Lock()
		if c.b = append(c.b, buf[:n]...); len(c.b) > c.most {
			if c.tail {
				c.b = append(c.b[:0], c.b[len(c.b)-c.most:]...)
			} else {
				c.b = c.b[:c.most]
			}
		}
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// started lets go of the end that the program has.
func (c *captured) started() { c.w.Close() }

// end returns the output when all have closed it, or after the time.
func (c *captured) end(after time.Duration) []byte {
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
	}
	c.drop()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.b
}

// drop ends the reading.
func (c *captured) drop() {
	c.w.Close()
	c.r.Close()
	<-c.done
}
