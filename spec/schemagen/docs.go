package schemagen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
)

// ReadDocs reads the comments on the types of a package folder and on their
// fields. The comment of a field stands above it or behind it.
func ReadDocs(dir string) (map[string]string, error) {
	docs := map[string]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &fs.PathError{Op: "read", Path: dir, Err: fs.ErrNotExist}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				t := s.(*ast.TypeSpec)
				owner := f.Name.Name + "." + t.Name.Name
				put(docs, owner, t.Doc, g.Doc)
				if st, ok := t.Type.(*ast.StructType); ok {
					for _, field := range st.Fields.List {
						for _, n := range field.Names {
							put(docs, owner+"."+n.Name, field.Doc, field.Comment)
						}
					}
				}
			}
		}
	}
	return docs, nil
}

func put(docs map[string]string, name string, groups ...*ast.CommentGroup) {
	for _, g := range groups {
		if text := strings.Join(strings.Fields(g.Text()), " "); text != "" {
			docs[name] = text
			return
		}
	}
}
