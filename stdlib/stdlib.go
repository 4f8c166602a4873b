package stdlib

import (
	"embed"
	"fmt"
	"strings"
)

// File is one file of the library.
type File struct {
	Name string // "indicators.fdb.hcl"
	Data []byte // line ends are "\n"
}

//go:embed indicators.fdb.hcl fault_classes.fdb.hcl profiles.fdb.hcl populations.fdb.hcl gates.fdb.hcl
var embedded embed.FS

var files = func() []File {
	var out []File
	for _, name := range []string{"indicators.fdb.hcl", "fault_classes.fdb.hcl", "profiles.fdb.hcl", "populations.fdb.hcl", "gates.fdb.hcl"} {
		data, err := embedded.ReadFile(name)
		if err != nil {
			panic("stdlib: " + err.Error())
		}
		// A checkout may have turned line ends; digests must not notice.
		out = append(out, File{name, []byte(strings.ReplaceAll(string(data), "\r\n", "\n"))})
	}
	return out
}()

// Files returns the files of the library in a fixed order. The caller must not
// change the data.
func Files() []File { return append([]File(nil), files...) }

// Entry names one block of the library.
type Entry struct {
	Kind string // "indicator", "fault_class", "profile", "population" or "gate"
	Name string
	File string
	Line int // where the block begins, from 1

	// Description is the block's own, or "" where it has none.
	Description string

	source string
}

// entries are the blocks in the order of the files.
var entries = func() []Entry {
	var out []Entry
	for _, f := range files {
		out = append(out, blocks(f)...)
	}
	return out
}()

// Entries returns every block in the order of the files.
func Entries() []Entry { return append([]Entry(nil), entries...) }

// Lookup returns the source of the block of that kind and name, without
// anything around it, and the file that it stands in.
func Lookup(kind, name string) (source []byte, file string, ok bool) {
	for _, e := range entries {
		if e.Kind == kind && e.Name == name {
			return []byte(e.source), e.File, true
		}
	}
	return nil, "", false
}

// blocks finds the blocks of a library file. The files are the project's own
// and laid out by its formatter: a block begins in the first column and ends
// with a bracket in the first column. Anything else is a programmer's error.
func blocks(f File) []Entry {
	var out []Entry
	lines := strings.Split(string(f.Data), "\n")
	for i := 0; i < len(lines); i++ {
		if lines[i] == "" || strings.HasPrefix(lines[i], "#") {
			continue
		}
		fields := strings.SplitN(lines[i], `"`, 3)
		if len(fields) != 3 || fields[2] != " {" {
			panic(fmt.Sprintf("stdlib: %s:%d: not the head of a block: %s", f.Name, i+1, lines[i]))
		}
		e := Entry{Kind: strings.TrimSpace(fields[0]), Name: fields[1], File: f.Name, Line: i + 1}
		end := i
		for lines[end] != "}" {
			if v, ok := strings.CutPrefix(strings.TrimSpace(lines[end]), "description"); ok && e.Description == "" {
				v = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(v), "="))
				e.Description = strings.Trim(v, `"`)
			}
			if end++; end == len(lines) {
				panic(fmt.Sprintf("stdlib: %s:%d: the block does not end", f.Name, i+1))
			}
		}
		e.source = strings.Join(lines[i:end+1], "\n") + "\n"
		out = append(out, e)
		i = end
	}
	return out
}
