package manifests

import (
	"fmt"
	"io"
	"os"

	"github.com/fdbench/fdbench/runtime/reuse/audit"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// Report is what a manifest holds. Of one with broken lines it is what the
// other lines hold, as far as they were read, without digest and audit.
type Report struct {
	File string `json:"file"`
	*manifest.Summary
	Tokenizer Tokenizer   `json:"tokenizer"`
	BlockSize int         `json:"block_size"`
	Counts                // over all items
	By        []Transform `json:"by_transform"` // in the order of Summary.Transforms
	Mode      string      `json:"audit_mode"`
	Audit     *Audit      `json:"audit"` // null for a manifest that is refused
	// Broken are the lines that cannot be used, at most as many as were asked
	// for; More tells that the file was not read to its end for them.
	Broken []Broken `json:"broken"`
	More   bool     `json:"broken_more"`
}

// Tokenizer is what tokens are counted by.
type Tokenizer struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Counts are sums over items. Blocks are full blocks of recipients (KV-1-1).
type Counts struct {
	RecipientTokens int64 `json:"recipient_tokens"`
	DonorTokens     int64 `json:"donor_tokens"`
	TotalBlocks     int64 `json:"total_blocks"`
}

// Transform are the counts of one transform.
type Transform struct {
	Name string `json:"transform"`
	Counts
}

// Audit is a collision audit.
type Audit = audit.Report

// Broken is a line that cannot be used.
type Broken struct {
	Line   int64  `json:"line"`
	Key    string `json:"key"`
	Reason string `json:"reason"`
}

// Options say how a manifest is inspected.
type Options struct {
	Tokenizer tokens.Tokenizer
	BlockSize int    // tokens, at least 1
	Mode      string // of the audit
	Limit     int    // of broken lines, at least 1
	// Progress, where it is not nil, hears how far each phase has come, in
	// bytes.
	Progress func(phase string, done, of int64)
}

// ControlsError is a manifest with negative controls that are none (KV-7-1).
type ControlsError struct {
	File  string
	First manifest.Controls
}

func (e *ControlsError) Error() string {
	s := "s are"
	if e.First.N == 1 {
		s = " is"
	}
	return fmt.Sprintf("%s, line %d: %d negative control%s made from the recipient's own document, the first of item %q. A control pairs unrelated contexts (KV-7-1): take its donor from another document",
		e.File, e.First.Line, e.First.N, s, e.First.Item)
}

// Inspect reads a manifest file to its end, counts its tokens and audits it.
// Broken lines are in the report and no error.
func Inspect(file string, o Options) (*Report, error) {
	r := &Report{File: file, Tokenizer: Tokenizer{o.Tokenizer.Name(), o.Tokenizer.Version()}, BlockSize: o.BlockSize, Mode: o.Mode, Broken: []Broken{}}
	open := func(phase string) (*os.File, io.Reader, error) {
		f, err := os.Open(file)
		if err != nil {
			return nil, nil, err
		}
		info, err := f.Stat()
		switch {
		case err != nil:
		case info.IsDir():
			err = fmt.Errorf("%s is a folder. Name one manifest in it, with a JSON object on each line", file)
		case !info.Mode().IsRegular():
			err = fmt.Errorf("%s is no regular file. A manifest is read more than once, so write it into a file first", file)
		}
		if err != nil {
			f.Close()
			return nil, nil, err
		}
		if o.Progress == nil {
			return f, f, nil
		}
		return f, &counted{r: f, tell: func(done int64) { o.Progress(phase, done, info.Size()) }}, nil
	}
	f, in, err := open("counting tokens")
	if err != nil {
		return nil, err
	}
	err = r.count(in, o)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil || len(r.Broken) > 0 {
		return r, err
	}
	pass := 0
	r.Audit, err = audit.Detail(o.Mode, o.Tokenizer, o.BlockSize, func() (*manifest.Reader, io.Closer, error) {
		pass++
		f, in, err := open(fmt.Sprintf("audit, pass %d", pass))
		if err != nil {
			return nil, nil, err
		}
		return manifest.NewReader(in), f, nil
	})
	return r, err
}

// count reads the manifest once.
func (r *Report) count(in io.Reader, o Options) error {
	by := map[string]*Counts{}
	var ids []uint32
	tokens := func(text string) int64 {
		ids = o.Tokenizer.Append(ids[:0], text)
		return int64(len(ids))
	}
	s, broken, err := manifest.CheckAll(in, o.Limit, func(it *manifest.Item, _ *manifest.Reader) error {
		c := by[it.Transform]
		if c == nil {
			c = new(Counts)
			by[it.Transform] = c
		}
		n := tokens(it.Recipient)
		c.RecipientTokens += n
		c.TotalBlocks += n / int64(o.BlockSize)
		for _, d := range it.Donors {
			c.DonorTokens += tokens(d.Text)
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Summary = s
	r.By = make([]Transform, 0, len(by))
	for _, t := range s.Transforms {
		c := *by[t.Name]
		r.By = append(r.By, Transform{t.Name, c})
		r.RecipientTokens += c.RecipientTokens
		r.DonorTokens += c.DonorTokens
		r.TotalBlocks += c.TotalBlocks
	}
	for _, b := range broken {
		r.Broken = append(r.Broken, Broken{b.Line, b.Key, b.Reason})
	}
	r.More = len(broken) >= o.Limit
	return nil
}

// Refused is why a manifest without broken lines is not acceptable: it has no
// item, or controls that are none.
func (r *Report) Refused() error {
	switch {
	case r.Items == 0:
		return fmt.Errorf("%s has no items: each line has to be a JSON object with a \"recipient_prompt\"", r.File)
	case r.OwnSource.N > 0:
		return &ControlsError{r.File, r.OwnSource}
	}
	return nil
}

// counted tells how much was read, every megabyte.
type counted struct {
	r          io.Reader
	done, told int64
	tell       func(done int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.done += int64(n); c.done-c.told >= 1<<20 {
		c.told = c.done
		c.tell(c.done)
	}
	return n, err
}
