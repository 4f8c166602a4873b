package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// TestEventsInterrupted: standard input that says nothing does not hold the
// program when it is interrupted.
func TestEventsInterrupted(t *testing.T) {
	cmd := exec.Command(program(t), "events", "--engine", "vllm", "-")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// What goes through the pipe beyond its size has been read: the program is
	// listening to signals by then.
	if _, err := in.Write(bytes.Repeat([]byte("nothing\n"), 100_000)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		var e *exec.ExitError
		if !errors.As(err, &e) || e.ExitCode() != exitInterrupted || out.Len() > 0 {
			t.Errorf("%v\n%s%s", err, errs.String(), out.String())
		}
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		t.Error("it waits for more")
	}
}

// TestEventsForeign: a file that cannot be read as text is named, and no figures
// are printed.
func TestEventsForeign(t *testing.T) {
	dir := t.TempDir()
	text, packed, wide := filepath.Join(dir, "a.log"), filepath.Join(dir, "b.zst"), filepath.Join(dir, "c.log")
	for name, b := range map[string]string{text: "a\n", packed: "\x28\xb5\x2f\xfd\x04\x00", wide: "\xff\xfea\x00\n\x00"} {
		if err := os.WriteFile(name, []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, what := range map[string]string{packed: "compressed with zstd", wide: "written in UTF-16"} {
		for _, more := range [][]string{{name}, {text, name, "--json"}, {name, text, "--requests"}} {
			var out, errs bytes.Buffer
			cmd := exec.Command(program(t), append([]string{"events", "--engine", "vllm"}, more...)...)
			cmd.Stdout, cmd.Stderr = &out, &errs
			var e *exec.ExitError
			if err := cmd.Run(); !errors.As(err, &e) || e.ExitCode() != exitFailed || out.Len() > 0 || strings.Count(errs.String(), name) != 1 || !strings.Contains(errs.String(), name+": the log is "+what) {
				t.Errorf("%v: %v\n%s%s", more, err, errs.String(), out.String())
			}
		}
	}
}

// TestChain: the parts of a log are read with one end of a line between them,
// however the reading is cut.
func TestChain(t *testing.T) {
	dir := t.TempDir()
	var names []string
	want := ""
	for i, b := range []string{"one\ntwo", "", "three\n", "four"} {
		name := filepath.Join(dir, string(rune('a'+i)))
		if err := os.WriteFile(name, []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
		names, want = append(names, name), want+b+"\n"
	}
	for name, cut := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "halves": iotest.HalfReader} {
		p := &parts{ctx: t.Context(), names: names}
		r, err := p.joined()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(cut(r))
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	p := &parts{ctx: t.Context(), names: append(names, filepath.Join(dir, "none"))}
	r, _ := p.joined()
	if _, err := io.ReadAll(r); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
