// Command generate writes the pages of spec that are made from the code: the
// reference of the language, its machine form, its rules, the requirements, and
// how ambiguities are read. With -check it writes nothing and fails where a page is out of date.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/spec/conformance"
	"github.com/fdbench/fdbench/spec/pages"
)

// files are the pages by name.
func files() map[string][]byte {
	return map[string][]byte{
		"language.md":       schema.Reference(),
		"language.json":     schema.JSON(),
		"language-rules.md": pages.LanguagePage(),
		"requirements.md":   pages.Requirements(),
		"reuse.md":          pages.ReuseRequirements(),
		"readings.md":       conformance.ReadingsPage(),
	}
}

func main() {
	check := flag.Bool("check", false, "write nothing; fail where a page is out of date")
	dir := flag.String("dir", "spec", "where the pages lie")
	flag.Parse()
	stale, err := generate(*dir, *check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
	for _, name := range stale {
		fmt.Println(filepath.Join(*dir, name))
	}
	if *check && len(stale) > 0 {
		os.Exit(1)
	}
}

// generate lists the pages that differ from what the code says, and writes
// them unless it only checks.
func generate(dir string, check bool) (stale []string, err error) {
	for name, want := range files() {
		path := filepath.Join(dir, name)
		if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, want) {
			continue
		}
		stale = append(stale, name)
		if !check {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				return nil, err
			}
		}
	}
	return stale, nil
}
