package source

import (
	"fmt"
	"io"
	"os"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/transform"
)

// DigestError is a file that is not what the plan was made from.
type DigestError struct {
	File      string
	Documents bool   // the file holds documents, and not a manifest
	Got, Want string // "sha256:..."
}

func (e *DigestError) Error() string {
	what := "manifest"
	if e.Documents {
		what = "documents"
	}
	return fmt.Sprintf("%s: the %s are not those that the plan was made from (SHA-256 %s; the plan has %s). Put the file back, or make a new plan", e.File, what, e.Got, e.Want)
}

// BuildError is a manifest that this program makes otherwise of the same
// documents than the one that made the plan.
type BuildError struct {
	File      string // of the documents
	Got, Want string
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("%s: the manifest that is made from these documents has SHA-256 %s, and the plan has %s, although the documents are the same. This is another version of fdbench; make a new plan with it", e.File, e.Got, e.Want)
}

// Open opens the manifest of a plan. folder is the scenario's, and no file
// outside of it is opened. The reader's Next gives a DigestError or a BuildError
// in the place of io.EOF where the bytes were not those of the plan; what it
// gave before is then not to be used. Closing early is allowed.
func Open(m *plan.ReuseManifest, folder string) (*manifest.Reader, io.Closer, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	if m.Documents == nil {
		f, err := root.Open(m.File)
		if err != nil {
			return nil, nil, err
		}
		r := &checked{r: manifest.NewDigest(f), want: m.SHA256, wrong: func(got string) error {
			return &DigestError{File: m.File, Got: got, Want: m.SHA256}
		}}
		return manifest.NewReader(r), f, nil
	}
	f, err := root.Open(m.Documents.File)
	if err != nil {
		return nil, nil, err
	}
	b, err := Builder(m.Documents, f)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	r := &checked{r: manifest.NewDigest(transform.NewReader(b)), want: m.SHA256, wrong: func(got string) error {
		return &BuildError{m.Documents.File, got, m.SHA256}
	}}
	return manifest.NewReader(r), f, nil
}

// Builder makes the items of documents as a plan wants them. Documents other
// than the plan's are a DigestError; a plan without their digest, as the
// compiler has it at first, admits any.
func Builder(d *plan.ReuseDocuments, documents io.ReaderAt) (*transform.Builder, error) {
	b, err := transform.New(documents, transform.Options{
		Dataset:     d.Dataset,
		Transforms:  d.Transforms,
		MaxSegments: d.MaxSegments,
		MinSegment:  d.MinSegment,
		Selection:   d.Selection,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.File, err)
	}
	if got := b.DocumentsSHA256(); d.SHA256 != "" && got != d.SHA256 {
		return nil, &DigestError{d.File, true, got, d.SHA256}
	}
	return b, nil
}

// checked gives an error in the place of io.EOF where the bytes have another
// digest.
type checked struct {
	r     *manifest.Digest
	want  string
	wrong func(got string) error
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err == io.EOF {
		if got := c.r.Sum(); got != c.want {
			err = c.wrong(got)
		}
	}
	return n, err
}
