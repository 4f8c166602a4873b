package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
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
		{fmt.Errorf("cannot listen at a:80: %w", os.NewSyscallError("bind", syscall.EADDRINUSE)), "cannot listen at a:80: bind: address already in use. End the program that listens there, which may be an earlier run, or choose another port"},
		{fmt.Errorf("cannot listen at a:80: %w", os.NewSyscallError("bind", syscall.EADDRNOTAVAIL)), "cannot listen at a:80: bind: cannot assign requested address. This host has no such address: name one of its own"},
		{fmt.Errorf("cannot listen at a:80: %w", os.NewSyscallError("bind", syscall.EACCES)), "cannot listen at a:80: bind: permission denied. Choose a port above 1023"},
		{fmt.Errorf("cannot listen at a:80: %w. Stop it", os.NewSyscallError("bind", syscall.EADDRINUSE)), "cannot listen at a:80: bind: address already in use. Stop it"},
		{at("a/b", syscall.EIO), "a/b: input/output error"},
	} {
		if got := remedy(tt.err); got != tt.want {
			t.Errorf("remedy(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}

// fullDevice takes nothing.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// A verb whose output nobody got has not done its work, and says so once.
func TestLostOutput(t *testing.T) {
	for line, want := range map[string]int{
		"lint testdata/base":            exitFailed,
		"lint --format json nowhere":    exitFailed,
		"plan testdata/base":            exitFailed,
		"plan --json testdata/base":     exitFailed,
		"explain FD-5.1-8":              exitFailed,
		"stdlib show refusal_rate":      exitFailed,
		"version":                       exitFailed,
		"fmt --check testdata/base":     exitDone, // there is nothing to say
		"compare --study x nowhere now": exitUsage,
	} {
		var stderr strings.Builder
		code := dispatch(context.Background(), strings.Fields(line), terminal.Plain(strings.NewReader(""), fullDevice{}, &stderr, nil))
		if said := strings.Count(stderr.String(), "no space left on device"); code != want || want == exitFailed && said != 1 {
			t.Errorf("%s ended with %d, want %d, and said it %d times:\n%s", line, code, want, said, stderr.String())
		}
	}
}
