package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/calibrate"
)

// TestCalibrateInterrupted sends SIGINT while an answer is awaited: the program
// says that it wrote nothing, and the noise floor that was there stays.
func TestCalibrateInterrupted(t *testing.T) {
	bin, dir := program(t), t.TempDir()
	asked, stopped := make(chan bool, 1), make(chan bool)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		switch {
		case r.Method == http.MethodGet:
			io.WriteString(w, `{"data":[{"id":"m"}]}`)
		case r.URL.Path == "/reset":
		case bytes.Contains(b, []byte("the mill")):
			asked <- true
			<-stopped
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3}}`+"\n\ndata: [DONE]\n\n")
		}
	}))
	defer s.Close()
	defer close(stopped)
	files := map[string]string{
		"m.jsonl":     `{"item_id": "one", "dataset": "d", "source_id": "s", "transform": "exact_repeat", "donor_prompts": [], "recipient_prompt": "the mill"}` + "\n",
		"r.fdb.hcl":   "fdbench { language = 1 }\n\nreuse \"rag\" {\n  manifest = \"m.jsonl\"\n\n  live \"openai\" {\n    base_url = \"" + s.URL + "\"\n    model    = \"m\"\n    reset    = \"" + s.URL + "/reset\"\n  }\n}\n",
		"floor.json":  "before",
		"unrelated.x": "",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(bin, "calibrate", filepath.Join(dir, "r.fdb.hcl"), "--out", filepath.Join(dir, "floor.json"))
	var errs, out bytes.Buffer
	cmd.Stderr, cmd.Stdout = &errs, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-asked:
	case err := <-ended:
		t.Fatalf("it ended before it was interrupted: %v\n%s", err, errs.String())
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var e *exec.ExitError
	if err := <-ended; !errors.As(err, &e) || e.ExitCode() != exitInterrupted || !strings.Contains(errs.String(), "interrupted; no noise floor was written") || out.Len() > 0 {
		t.Errorf("%v\n%s%s", err, errs.String(), out.String())
	}
	entries, err := os.ReadDir(dir)
	if b, rerr := os.ReadFile(filepath.Join(dir, "floor.json")); err != nil || rerr != nil || string(b) != "before" || len(entries) != len(files) {
		t.Errorf("%v %v %q %v", err, rerr, b, entries)
	}
}

func TestCalibrateErrors(t *testing.T) {
	for _, x := range []struct {
		err  error
		code int
	}{
		{&calibrate.StoppedError{Result: new(calibrate.Result), Problem: errors.New("nothing answers")}, exitIncomplete},
		{&calibrate.UnusableError{Result: new(calibrate.Result)}, exitIncomplete},
		{&calibrate.ResetError{Name: "rag"}, exitRefused},
	} {
		var e *exitError
		if err := calibrateError(t.Context(), x.err); !errors.As(err, &e) || e.code != x.code {
			t.Errorf("%v: %v", x.err, err)
		}
	}
}
