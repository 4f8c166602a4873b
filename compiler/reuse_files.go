package compiler

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/source"
	"github.com/fdbench/fdbench/runtime/reuse/transform"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// stream is a file that is read from one end to the other, whatever its size.
type stream interface {
	io.Reader
	io.ReaderAt
	io.Closer
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// openFile opens a file of the scenario's folder. Manifests and logs are as
// long as they are, so nothing holds them in memory.
func (c *compilation) openFile(name string) (stream, error) {
	if c.doc.Root == "" {
		if b, ok := c.options.Files[name]; ok {
			return inMemory{bytes.NewReader(b)}, nil
		}
		return nil, fs.ErrNotExist
	}
	root, err := os.OpenRoot(c.doc.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, cmp.Or(err, errors.New("it is not a regular file"))
	}
	return f, nil
}

// open opens a file that an argument names, and reports it where that failed.
func (r *reuse) open(d *decoder, arg, name string) stream {
	f, err := r.c.openFile(name)
	if err != nil {
		r.c.errorAt(d.at(arg), "LANG-file", "Cannot read a file", r.c.fileError(&inputFile{name: name, err: err}))
		d.fail(arg)
		return nil
	}
	return f
}

// digest is the SHA-256 of the bytes of a file, which becomes an input of the
// plan. It is "" where the file could not be read, which has been reported.
func (r *reuse) digest(d *decoder, arg, name, role string) string {
	f := r.open(d, arg, name)
	if f == nil {
		return ""
	}
	defer f.Close()
	sum := manifest.NewDigest(f)
	if _, err := io.Copy(io.Discard, sum); err != nil {
		r.c.errorAt(d.at(arg), "LANG-file", "Cannot read a file", r.c.fileError(&inputFile{name: name, err: err}))
		d.fail(arg)
		return ""
	}
	r.input(name, sum.Sum(), role)
	return sum.Sum()
}

// readManifest reads the manifest, or what is made of the documents, from one
// end to the other.
func (r *reuse) readManifest() {
	d, b := r.d, r.block.One("documents")
	switch {
	case b != nil && d.given("manifest"):
		r.conflict(d, "manifest", "Two manifests", "The items come from a manifest or are made of documents. Keep one of them.")
		r.fail(rule.Manifest)
	case b != nil:
		r.sub(b, rule.Manifest, r.readDocuments)
	case d.given("manifest"):
		if r.readFile(); !d.usable("manifest") {
			r.fail(rule.Manifest)
		}
	default:
		r.c.errorAt(r.block.DefRange, "LANG-missing-argument", "Missing required argument", "A reuse block needs items: write manifest = \"manifest.jsonl\", or a documents block of which the manifest is made.")
		r.fail(rule.Manifest)
	}
}

func (r *reuse) readFile() {
	d, m := r.d, &r.plan.Declaration.Manifest
	if m.File = r.c.fileName(d, "manifest"); !d.usable("manifest") {
		return
	}
	f := r.open(d, "manifest", m.File)
	if f == nil {
		return
	}
	defer f.Close()
	s, broken, err := manifest.CheckAll(f, shown, nil)
	switch {
	case err != nil:
		r.c.errorAt(d.at("manifest"), "LANG-file", "Cannot read a file", r.c.fileError(&inputFile{name: m.File, err: err}))
		d.fail("manifest")
	case len(broken) > 0:
		r.c.errorAt(d.at("manifest"), "LANG-manifest", "Manifest that cannot be used", brokenLines(m.File, broken))
		d.fail("manifest")
	case s.Items == 0:
		r.c.errorAt(d.at("manifest"), "LANG-manifest", "Empty manifest", fmt.Sprintf("%s has no item. It needs one JSON object a line, as fdbench manifest build writes it.", m.File))
		d.fail("manifest")
	default:
		m.SHA256, m.Items, m.Controls, r.summary = s.SHA256, s.Items, s.Controls, s
		r.input(m.File, s.SHA256, "manifest")
		r.unknownKeys(d.at("manifest"), m.File, s.Warnings)
	}
}

// unknownKeys warns of what was left out of a manifest or of documents. It may
// be a misspelt key, without which something else is measured: answers that are
// none, or a control that is none.
func (r *reuse) unknownKeys(at hcl.Range, file string, list []manifest.Warning) {
	warn := func(format string, args ...any) {
		r.c.diags.Add(diag.Diagnostic{Severity: diag.Warning, Rule: "LANG-manifest-key", Summary: "Unknown key", Subject: &at, Detail: fmt.Sprintf(format, args...)})
	}
	list = slices.DeleteFunc(slices.Clone(list), func(w manifest.Warning) bool { return w.Reason != "unknown" })
	// Those beyond the number that is told apart have no key, and come last.
	slices.SortStableFunc(list, func(a, b manifest.Warning) int { return cmp.Compare(len(b.Key), 0) - cmp.Compare(len(a.Key), 0) })
	for _, w := range list[:min(len(list), shown)] {
		all := manifest.Keys(w.Where)
		if all == nil {
			all = transform.Keys()
		}
		remedy := fmt.Sprintf("There are: %s.", strings.Join(all, ", "))
		if n := suggest.Nearest(w.Key, all); n != "" {
			remedy = fmt.Sprintf("Did you mean %q?", n)
		} else if slices.Contains(all, "metadata") {
			remedy += " What is for you alone may stand in metadata."
		}
		times := "once"
		if w.N > 1 {
			times = fmt.Sprintf("%d times", w.N)
		}
		warn("%s, line %d: the key %q of %ss is not known and is left out (%s). %s", file, w.Line, w.Key, w.Where, times, remedy)
	}
	if len(list) > shown {
		n, line := int64(0), list[shown].Line
		for _, w := range list[shown:] {
			n, line = n+w.N, min(line, w.Line)
		}
		warn("%s, line %d: further keys are not known and are left out, the first of them here; they are there %d times in all.", file, line, n)
	}
}

// brokenLines lists the lines of a manifest that cannot be used.
func brokenLines(file string, broken []*manifest.LineError) string {
	if len(broken) == 1 {
		return fmt.Sprintf("%s, line %d: %s", file, broken[0].Line, sentence(broken[0].Reason))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s has lines that cannot be used:", file)
	for _, l := range broken {
		fmt.Fprintf(&b, "\n  line %d: %s", l.Line, sentence(l.Reason))
	}
	if len(broken) == shown {
		b.WriteString("\n  and no line behind them was looked at")
	}
	return b.String()
}

func (r *reuse) readDocuments(d *decoder) {
	m := &r.plan.Declaration.Manifest
	o := &plan.ReuseDocuments{
		File: r.c.fileName(d, "source"), Dataset: d.text("dataset"), Transforms: transform.Names(),
		MaxSegments: int(d.count("max_segments", 2)), MinSegment: int(d.count("min_segment", 1)), Selection: d.text("selection"),
	}
	if d.given("transforms") {
		o.Transforms = r.transforms(d)
	}
	if d.bad {
		return
	}
	f := r.open(d, "source", o.File)
	if f == nil {
		return
	}
	defer f.Close()
	build, err := source.Builder(o, f)
	if err == nil {
		o.SHA256 = build.DocumentsSHA256()
		r.summary, err = manifest.Check(transform.NewReader(build))
	}
	var option *transform.OptionError
	switch {
	case errors.As(err, &option):
		arg := option.Option
		if d.b.Schema.Attr(arg) == nil {
			arg = "source"
		}
		r.c.errorAt(d.at(arg), "LANG-manifest", "Documents of which no manifest can be made", sentence(option.Reason))
		d.fail(arg)
	case err != nil:
		r.c.errorAt(d.at("source"), "LANG-manifest", "Documents that cannot be used", sentence(err.Error()))
		d.fail("source")
	default:
		m.SHA256, m.Items, m.Controls, m.Documents = r.summary.SHA256, r.summary.Items, r.summary.Controls, o
		r.input(o.File, o.SHA256, "documents")
		r.unknownKeys(d.at("source"), o.File, build.Warnings())
	}
}

// transforms reads the names of transforms, and puts them into the order in
// which they are applied.
func (r *reuse) transforms(d *decoder) []string {
	known := transform.Names()
	list := d.texts("transforms")
	for i, name := range list {
		at := d.itemAt("transforms", i)
		switch {
		case !slices.Contains(known, name):
			r.c.errorAt(at, "LANG-range", "Unknown transform", unknownOf("transform", name, known))
			d.fail("transforms")
		case slices.Contains(list[:i], name):
			r.c.errorAt(at, "LANG-range", "Transform given twice", fmt.Sprintf("%q is there twice. Keep one.", name))
			d.fail("transforms")
		}
	}
	if len(list) == 0 && d.usable("transforms") {
		d.refuse("transforms", "No transform", "Name at least one, or leave the line out for all of them.")
	}
	return slices.DeleteFunc(known, func(name string) bool { return !slices.Contains(list, name) })
}

// addresses reads one address of a server or a list of them.
func (d *decoder) addresses(name string) []string {
	list := []string{}
	v, set := d.raw(name)
	if !set {
		return list
	}
	if v.Type() == cty.String {
		if a := d.targetOf(name, strings.TrimSpace(v.AsString())); a != "" {
			list = append(list, a)
		}
		return list
	}
	for i, text := range d.texts(name) {
		d.item = &member{name, i}
		a := d.targetOf(name, strings.TrimSpace(text))
		if a != "" && slices.Contains(list, a) {
			d.unusable(name, fmt.Sprintf("%q is there twice. Keep one.", text))
		}
		d.item = nil
		if a == "" {
			break
		}
		list = append(list, a)
	}
	return list
}
