package lease

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzWatch reads any input and any record: a watchdog ends with its input, and
// leaves alone what it cannot read.
func FuzzWatch(f *testing.F) {
	f.Add("arm x 5\nrenew\ngroup 0\nclear\n", `{}`)
	f.Add("arm", "")
	f.Add("arm x -1\narm x 99999999999999999999\n\x00", `{"format":"fdbench.fault/1","id":"x","baseline":"b","apparatus":{"kind":"other"}}`)
	path := filepath.Join(f.TempDir(), RecordName)
	f.Fuzz(func(t *testing.T, beats, record string) {
		if strings.Contains(beats, wordGroup) || strings.Contains(record, "http") || strings.Contains(record, "command") {
			return // a process of somebody else's could be meant
		}
		if err := os.WriteFile(path, []byte(record), 0o644); err != nil {
			t.Fatal(err)
		}
		var answers bytes.Buffer
		if err := Watch(context.Background(), path, strings.NewReader(beats), &answers, nil); err == nil {
			t.Error("a fault that cannot be removed is no error")
		}
		if b, _ := os.ReadFile(path); string(b) != record {
			t.Errorf("the record was changed to %q", b)
		}
		if !strings.HasPrefix(answers.String(), wordReady+"\n") {
			t.Errorf("%q", answers.String())
		}
	})
}

// TestWatchEndsWithContext removes the fault when the watchdog itself is told
// to end.
func TestWatchEndsWithContext(t *testing.T) {
	s := newToy(t)
	x, err := New(ctx, s.plan(time.Hour), Options{Record: filepath.Join(t.TempDir(), RecordName)})
	if err != nil {
		t.Fatal(err)
	}
	r := x.record(nil)
	r.ID = "one"
	if r.Baseline, err = x.Configuration(ctx); err != nil {
		t.Fatal(err)
	}
	s.with(func() { s.config = "1.5" })
	if err := r.write(x.o.Record); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(ctx)
	beats, harness := io.Pipe()
	defer harness.Close()
	heard, answers := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Watch(ended, x.o.Record, beats, answers, nil) }()
	line := make([]byte, 64)
	n, _ := heard.Read(line)
	if string(line[:n]) != "ready\n" {
		t.Errorf("%q", line[:n])
	}
	go io.WriteString(harness, "arm two 5\narm one 3600000000000\n")
	n, _ = heard.Read(line)
	if !strings.Contains(string(line[:n]), "another application") {
		t.Errorf("%q", line[:n])
	}
	n, _ = heard.Read(line)
	if string(line[:n]) != "armed one\n" {
		t.Errorf("%q", line[:n])
	}
	cancel()
	if err := <-done; err != nil || s.now() != "normal" || exists(x.o.Record) {
		t.Errorf("%v, %q", err, s.now())
	}
}
