package openai

import (
	"bytes"
	"context"
	"io"
	"net/http"
)

// maxLine is the longest line of an answer, in bytes.
const maxLine = 16 << 20

// LineReader takes in the lines of an answer in another protocol.
type LineReader interface {
	// Line takes a line without its end, and tells whether it carried content
	// that is not empty and whether it was the last of the answer.
	Line(line []byte) (content, done bool)
	// End tells that the answer is over and returns what was read of it. A
	// stream that ended before its last event has complete false.
	End() (a Answer, complete bool)
}

// Exchange sends a body to a URL of the deployment, which speaks another
// protocol than the one of this package, and has every line of an answer with
// status 200 read as it comes. Stamps, outcomes, time limits and the care for
// the key are those of Do.
func (c *Client) Exchange(ctx context.Context, url string, header http.Header, body []byte, lines LineReader) Record {
	rec := Record{Stamps: Stamps{Scheduled: c.Now(), Sent: -1, Headers: -1, FirstEvent: -1, FirstContent: -1, LastContent: -1, End: -1}}
	err := c.post(ctx, url, header, body, true, &rec, func(cancel context.CancelCauseFunc, resp *http.Response) error {
		if resp.StatusCode != http.StatusOK {
			return c.refusal(resp, &rec)
		}
		return c.lines(cancel, resp, &rec, lines)
	})
	c.conclude(ctx, &rec, err)
	return rec
}

// refusal reads what a deployment says with another status.
func (c *Client) refusal(resp *http.Response, rec *Record) error {
	b, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	rec.Bytes, rec.Stamps.End = int64(len(b)), c.Now()
	if err != nil {
		return err
	}
	var r Reader
	r.Body(b)
	rec.Answer = r.Answer()
	return nil
}

func (c *Client) lines(cancel context.CancelCauseFunc, resp *http.Response, rec *Record, lines LineReader) error {
	stop := c.watchGap(cancel)
	defer stop(true)
	finish := func(err error) error {
		a, complete := lines.End()
		if rec.Answer = a; err == nil && !complete && a.Failure == nil {
			return errEnded
		}
		return err
	}
	var rest []byte
	buf := make([]byte, 32<<10)
	for {
		n, err := resp.Body.Read(buf)
		at := c.Now()
		stop(false)
		if rec.Bytes += int64(n); rec.Bytes > c.s.MaxBody {
			return finish(errTooLong)
		}
		rest = append(rest, buf[:n]...)
		if err == io.EOF && len(rest) > 0 {
			rest = append(rest, '\n')
		}
		for {
			line, after, ok := bytes.Cut(rest, []byte("\n"))
			if !ok {
				break
			}
			rest = after
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			if rec.Stamps.FirstEvent < 0 {
				rec.Stamps.FirstEvent = at
			}
			content, done := lines.Line(line)
			if content {
				if rec.Stamps.FirstContent < 0 {
					rec.Stamps.FirstContent = at
				}
				rec.Stamps.LastContent = at
			}
			if done {
				rec.Stamps.End = at
				c.drain(resp.Body)
				return finish(nil)
			}
		}
		if len(rest) > maxLine {
			return finish(errTooLong)
		}
		if err == nil {
			continue
		}
		rec.Stamps.End = at
		if err == io.EOF {
			err = nil
		}
		return finish(err)
	}
}
