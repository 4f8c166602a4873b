package manifests

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/fdbench/fdbench/internal/atomicfile"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/transform"
)

// Built is a manifest that was made from documents.
type Built struct {
	Documents       string `json:"documents"`
	DocumentsSHA256 string `json:"documents_sha256"`
	DocumentCount   int    `json:"document_count"`
	File            string `json:"file"` // "-" for standard output
	*manifest.Summary
	Skipped int64              `json:"skipped"`           // items of documents that have one segment only
	Unknown []manifest.Warning `json:"document_warnings"` // members of documents that were left out
}

// FileError is a document file, or options for it, that cannot be used.
type FileError struct {
	File string
	Err  error
}

func (e *FileError) Error() string {
	var line *transform.DocumentError
	if errors.As(e.Err, &line) {
		return e.File + ", " + e.Err.Error()
	}
	return e.File + ": " + e.Err.Error()
}

func (e *FileError) Unwrap() error { return e.Err }

// Build makes a manifest from a file of documents, whole or not at all. The
// file "-" writes to standard output, which is out. progress, where it is not
// nil, hears how many bytes were written.
func Build(documents, file string, o transform.Options, out io.Writer, progress func(done int64)) (*Built, error) {
	in, err := os.Open(documents)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file. Documents are read twice, so write them into a file first", documents)
	}
	if there, err := os.Stat(file); err == nil && os.SameFile(info, there) {
		return nil, fmt.Errorf("%s holds the documents, and the manifest would replace them. Choose another --out", file)
	}
	b := &Built{Documents: documents, File: file}
	write := func(w io.Writer) error {
		if progress != nil {
			w = &countedWriter{w: w, tell: progress}
		}
		s, builder, err := transform.Build(w, in, o)
		if err != nil {
			return &FileError{documents, err}
		}
		b.Summary, b.Skipped, b.Unknown = s, builder.Skipped(), builder.Warnings()
		b.DocumentsSHA256, b.DocumentCount = builder.DocumentsSHA256(), builder.Documents()
		return nil
	}
	if file == "-" {
		w := bufio.NewWriter(out)
		if err := write(w); err != nil {
			return nil, err
		}
		return b, w.Flush()
	}
	return b, atomicfile.Stream(file, write)
}

// countedWriter tells how much was written, every megabyte.
type countedWriter struct {
	w          io.Writer
	done, told int64
	tell       func(done int64)
}

func (c *countedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.done += int64(n); c.done-c.told >= 1<<20 {
		c.told = c.done
		c.tell(c.done)
	}
	return n, err
}
