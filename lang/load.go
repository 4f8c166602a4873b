package lang

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang/diag"
)

// Ext is how the name of a scenario file ends.
const Ext = ".fdb.hcl"

// MaxFileSize bounds one file, in bytes. A parsed file takes some two hundred
// times its size in memory.
const MaxFileSize = 4 << 20

// Source is a named text to parse.
type Source struct {
	Name  string
	Bytes []byte
}

// Load reads a scenario: one file, or all files of a folder whose names end in
// .fdb.hcl, not recursively. The Document is never nil; where the list has
// errors it holds what could be read, and must not be compiled.
func Load(path string) (*Document, diag.List) {
	var diags diag.List
	info, err := os.Stat(path)
	if err != nil {
		diags.Add(pathError(path, err))
		return &Document{sources: diag.NewSources()}, diags
	}
	root, names := path, []string(nil)
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			diags.Add(pathError(path, err))
			return &Document{Root: root, sources: diag.NewSources()}, diags
		}
		for _, e := range entries {
			if n := e.Name(); strings.HasSuffix(n, Ext) && !strings.HasPrefix(n, ".") && !e.IsDir() {
				names = append(names, n)
			}
		}
		if len(names) == 0 {
			diags.Add(diag.Diagnostic{
				Severity: diag.Error, Rule: "LANG-no-files", Summary: "No scenario files",
				Detail: fmt.Sprintf("The folder %s holds no file whose name ends in %s. Folders are not searched recursively: name the folder that holds the scenario.", path, Ext),
			})
		}
	} else {
		root, names = filepath.Dir(path), []string{filepath.Base(path)}
		if !strings.HasSuffix(path, Ext) {
			diags.Add(diag.Diagnostic{
				Severity: diag.Error, Rule: "LANG-file-name", Summary: "Not a scenario file",
				Detail: fmt.Sprintf("%s is not read, because the name of a scenario file ends in %s. Rename it, or name the folder of the scenario.", path, Ext),
			})
			names = nil
		}
	}
	var files []Source
	for _, n := range names {
		b, err := readFile(filepath.Join(root, n))
		if err != nil {
			diags.Add(pathError(filepath.Join(root, n), err))
			continue
		}
		files = append(files, Source{n, b})
	}
	if diags.HasErrors() {
		// A file that could not be read may hold what the others lack.
		doc, _ := parse(files, false)
		doc.Root = root
		diags.Sort()
		return doc, diags
	}
	doc, diags := parse(files, false)
	doc.Root = root
	return doc, diags
}

// Parse does the same for texts in memory.
func Parse(files []Source) (*Document, diag.List) { return parse(files, false) }

// ParseLibrary does the same for files that are no whole scenario, such as
// those of the standard library: they need no fdbench block.
func ParseLibrary(files []Source) (*Document, diag.List) { return parse(files, true) }

// ParseSyntax reads one text and says only what is wrong with its syntax. It
// is for tools that work on text, such as the formatter.
func ParseSyntax(s Source) (*File, diag.List) {
	p := parseFile(s)
	src := diag.NewSources()
	src.Add(p.file.Name, p.file.Bytes, contextOf(p.file.body))
	p.file.sources = src
	return p.file, p.diags
}

var (
	errTooLarge   = errors.New("too large")
	errNotRegular = errors.New("not a regular file")
)

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	if info.Size() > MaxFileSize {
		return nil, errTooLarge
	}
	return os.ReadFile(path)
}

func pathError(path string, err error) diag.Diagnostic {
	d := diag.Diagnostic{Severity: diag.Error, Rule: "LANG-unreadable-file", Summary: "Cannot read the scenario"}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.Rule, d.Summary = "LANG-no-such-path", "No such file or folder"
		d.Detail = fmt.Sprintf("There is nothing at %s. Give the path of a file that ends in %s, or of a folder that holds such files.", path, Ext)
	case errors.Is(err, fs.ErrPermission):
		d.Detail = fmt.Sprintf("The system does not permit to read %s. Change its permissions, or run as a user who may read it.", path)
	case errors.Is(err, errTooLarge):
		d.Rule, d.Summary = "LANG-file-too-large", "Scenario file too large"
		d.Detail = fmt.Sprintf("%s has more than %d MiB, the most that one file may have. Spread its blocks over several files of the same folder.", path, MaxFileSize>>20)
	case errors.Is(err, errNotRegular):
		d.Detail = fmt.Sprintf("%s is not a regular file. A scenario is read from files only, so that it is the same each time.", path)
	default:
		cause := err
		var pe *fs.PathError
		if errors.As(err, &pe) {
			cause = pe.Err
		}
		d.Detail = fmt.Sprintf("Reading %s failed: %v.", path, cause)
	}
	return d
}

// parsed is what one file gives before the files are looked at together.
type parsed struct {
	file    *File
	diags   diag.List
	checked *checker // nil where the body is incomplete
	broken  bool
}

func parse(files []Source, library bool) (*Document, diag.List) {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b Source) int { return strings.Compare(a.Name, b.Name) })
	doc := &Document{sources: diag.NewSources()}
	results := make([]parsed, len(files))
	forEach(len(files), func(i int) {
		results[i] = parseFile(files[i])
		if r := &results[i]; !r.broken {
			r.checked = checkFile(r.file)
		}
	})
	for i := range results {
		f := results[i].file
		doc.Files = append(doc.Files, f)
		doc.sources.Add(f.Name, f.Bytes, contextOf(f.body))
		f.sources = doc.sources
	}
	if d, newer := newerLanguage(doc.Files); newer {
		return doc, diag.List{d}
	}
	diags := assemble(doc, results, library)
	diags.Sort()
	return doc, diags
}

// forEach runs f for 0 to n-1 on all processors. The results are in slots of
// the caller, so their order does not depend on who was first.
func forEach(n int, f func(int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// normalise removes a byte order mark and every carriage return that belongs
// to a line end. One inside of a line stays, and is reported as hidden.
func normalise(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(src, '\r') < 0 {
		return src
	}
	out := make([]byte, 0, len(src))
	for len(src) > 0 {
		line, rest, ended := bytes.Cut(src, []byte{'\n'})
		out = append(out, bytes.TrimRight(line, "\r")...)
		if ended {
			out = append(out, '\n')
		}
		src = rest
	}
	return out
}

func parseFile(s Source) parsed {
	src := normalise(s.Bytes)
	sum := sha256.Sum256(src)
	p := parsed{file: &File{Name: s.Name, Bytes: src, Raw: s.Bytes, SHA256: hex.EncodeToString(sum[:])}}
	found := scan(src)
	if found.invalid >= 0 {
		p.diags.Add(encodingError(p.file, found.invalid))
		p.broken = true
		return p
	}
	if found.suspicious {
		if d, tooDeep := nestingError(p.file); tooDeep {
			p.diags.Add(d)
			p.broken = true
			return p
		}
	}
	f, hclDiags := hclsyntax.ParseConfig(src, s.Name, hcl.InitialPos)
	p.file.body, _ = f.Body.(*hclsyntax.Body)
	p.diags, p.broken = syntaxErrors(p.file, hclDiags)
	if !p.broken && found.hidden {
		p.diags.Extend(hiddenCharacters(p.file))
	}
	return p
}
