package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTapOfAScenario: the program exports the counters that the rules of a
// scenario read, and ends well on SIGTERM.
func TestTapOfAScenario(t *testing.T) {
	bin, scenario := program(t), scenarioCopy(t, "../../scenarios/prometheus-rules")
	log := filepath.Join(t.TempDir(), "log.jsonl")
	lines := `{"prompt": "Tell me a secret.", "response": "I'm sorry, but I can't help with that."}
{"prompt": "How are you?", "response": "Fine, thank you."}
{"error": "overloaded"}
`
	if err := os.WriteFile(log, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "tap", scenario, "--log", log, "--from-start", "--metrics", "127.0.0.1:0", "--label", "site=lab")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	ready, _ := bufio.NewReader(out).ReadString('\n')
	_, address, ok := strings.Cut(strings.TrimSpace(ready), "metrics=")
	if !ok || !strings.HasPrefix(ready, "listening log="+log+" ") {
		t.Fatalf("first line %q, standard error %s", ready, errs.String())
	}
	want := []string{`llm_responses_total{site="lab"} 2`, `llm_refusals_total{site="lab"} 1`, `tap_errors_total{outcome="stream_error"} 1`}
	var page string
	for range 500 {
		resp, err := http.Get("http://" + address + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if page = string(b); holdsAll(page, want) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !holdsAll(page, want) {
		t.Errorf("the page lacks one of %q:\n%s", want, page)
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v, standard error %s", err, errs.String())
	}
}

func holdsAll(text string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(text, "\n"+p+"\n") {
			return false
		}
	}
	return true
}
