package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestRemedy(t *testing.T) {
	at := func(path string, err error) error { return &fs.PathError{Op: "open", Path: path, Err: err} }
	for _, tt := range []struct {
		err  error
		want string
	}{
		{errors.New("it is so"), "it is so"},
		{at("a/b", syscall.ENOENT), "a/b: no such file or directory. Check the path"},
		{errors.Join(at("a/b", syscall.ENOENT)), "a/b: no such file or directory. Check the path"},
		{fmt.Errorf("the journal: %w", at("a/b", syscall.EACCES)), "the journal: a/b: permission denied. Change the permissions, or choose another place"},
		{fmt.Errorf("%w; run it again", at("a/b", syscall.ENOSPC)), "a/b: no space left on device; run it again"},
		{at("a/b", syscall.ENOSPC), "a/b: no space left on device. Make room, and run the same command again"},
		{at("a/.tmp-plan.json-123", syscall.EROFS), "a: read-only file system. Choose a place that can be written to"},
		{at("a", syscall.EISDIR), "a: it is a folder. Name a file in it"},
		{&os.LinkError{Op: "rename", Old: "x", New: "y", Err: syscall.EISDIR}, "y: it is a folder. Name a file in it"},
		{at("a/b", syscall.ENOTDIR), "a/b: not a directory. A part of the path is a file where a folder has to be: choose another place"},
		{at("a/b", syscall.EIO), "a/b: input/output error"},
	} {
		if got := remedy(tt.err); got != tt.want {
			t.Errorf("remedy(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}
