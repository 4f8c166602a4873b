package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPagesAreCurrent(t *testing.T) {
	stale, err := generate("..", true)
	if err != nil {
		t.Fatal(err)
	}
	if len(stale) > 0 {
		t.Errorf("spec is out of date: %v; run \"make generate\"", stale)
	}
}

func TestGenerateWritesWhatDiffers(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "language.md"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if stale, err := generate(dir, true); err != nil || len(stale) != len(files()) {
		t.Errorf("check found %v, %v; want all of %d pages", stale, err, len(files()))
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "language.md")); string(got) != "old" {
		t.Error("check wrote a page")
	}
	if _, err := generate(dir, false); err != nil {
		t.Fatal(err)
	}
	if stale, err := generate(dir, true); err != nil || len(stale) != 0 {
		t.Errorf("after writing, %v is still out of date (%v)", stale, err)
	}
}
