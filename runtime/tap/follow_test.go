package tap

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/runtime/openai"
)

func logLine(text string) string { return fmt.Sprintf("{\"response\": %q}\n", text) }

func appendTo(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// following starts a tap on a log and gives functions that wait for a count of
// responses and of bad lines.
func following(t *testing.T, o Options) (e *Exporter, counted func(total, bad int64)) {
	o.Poll = 2 * time.Millisecond
	e = begin(t, o)
	return e, func(total, bad int64) {
		t.Helper()
		until(t, fmt.Sprintf("%d responses and %d bad lines", total, bad), func() bool {
			s := e.Snapshot()
			return s.Series[0].Total == total && s.BadLines == bad
		})
	}
}

func TestFollow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	appendTo(t, file, logLine("No")+`{"resp`)
	e, counted := following(t, Options{Log: file})
	time.Sleep(20 * time.Millisecond)
	// What was there does not count, nor does the rest of a line that began
	// before.
	appendTo(t, file, "onse\": \"No\"}\n"+logLine("Yes yes"))
	counted(1, 0)
	// A line that comes in pieces counts once.
	line := logLine("No no no")
	for _, b := range []string{line[:3], line[3:10], line[10:]} {
		appendTo(t, file, b)
		time.Sleep(5 * time.Millisecond)
	}
	counted(2, 0)

	// Rotation: the writer goes on in the old file for a moment, and its last
	// line has no end.
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	appendTo(t, file+".1", logLine("No"))
	counted(3, 0)
	appendTo(t, file, logLine("Yes"))
	appendTo(t, file+".1", strings.TrimSuffix(logLine("No"), "\n"))
	counted(5, 0)

	// A second rotation, and lines that hold nothing.
	if err := os.Rename(file, file+".2"); err != nil {
		t.Fatal(err)
	}
	appendTo(t, file, "\n  \nnonsense\n"+logLine("Yes"))
	counted(6, 1)

	// The file is cut, inside of a line.
	appendTo(t, file, `{"response": "N`)
	time.Sleep(20 * time.Millisecond)
	if err := os.Truncate(file, 0); err != nil {
		t.Fatal(err)
	}
	until(t, "a cut file", func() bool { return e.Snapshot().BadLines == 2 })
	appendTo(t, file, logLine("Yes"))
	counted(7, 2)
	if s := e.Snapshot(); s.Series[0].Sums[0] != 3 {
		t.Errorf("%+v", s)
	}
}

func TestFollowFromStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	appendTo(t, file, logLine("No")+logLine("Yes"))
	_, counted := following(t, Options{Log: file, FromStart: true})
	counted(2, 0)
}

func TestFollowWaitsForTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	var said warnings
	_, counted := following(t, Options{Log: file, Warn: said.add})
	until(t, "a warning", func() bool { return said.has("waiting for it") })
	appendTo(t, file, logLine("No"))
	counted(1, 0)
}

// TestCloseReadsOn: what is in the log when the tap ends counts.
func TestCloseReadsOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	appendTo(t, file, "")
	e, counted := following(t, Options{Log: file})
	appendTo(t, file, logLine("No"))
	counted(1, 0)
	appendTo(t, file, strings.Repeat(logLine("No"), 1000)+strings.TrimSuffix(logLine("No"), "\n"))
	e.Close()
	if s := e.Snapshot(); s.Series[0].Total != 1002 {
		t.Errorf("%+v", s)
	}
}

func TestFolderIsNoLog(t *testing.T) {
	e, err := New(t.Context(), Options{Indicators: []Indicator{no("no_rate")}, Log: t.TempDir(), Metrics: loopback})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Errorf("error %v", err)
	}
}

func TestStandardInput(t *testing.T) {
	r, w := io.Pipe()
	var said warnings
	e, counted := following(t, Options{In: r, Warn: said.add})
	io.WriteString(w, logLine("No")+`{"error": {"message": "x"}}`+"\n")
	counted(1, 0)
	io.WriteString(w, strings.TrimSuffix(logLine("Yes"), "\n"))
	w.Close()
	counted(2, 0)
	until(t, "a warning", func() bool { return said.has("has ended") })
	if s := e.Snapshot(); s.Errors[openai.StreamError] != 1 {
		t.Errorf("%+v", s)
	}
}

func TestParseLine(t *testing.T) {
	for _, c := range []struct {
		line string
		want row
		bad  string
	}{
		{`{"response":"a"}`, row{Response: "a"}, ""},
		{"\xef\xbb\xbf" + ` {"id":7,"prompt":"p","response":"","model":"m","finish_reason":"stop","x":[1]}` + "\r", row{ID: "7", Prompt: "p", Model: "m", FinishReason: "stop"}, ""},
		{`{"error":{"code":1}}`, row{Failed: true}, ""},
		{`{"error":"x","response":null}`, row{Failed: true}, ""},
		{`{"error":null,"response":"a"}`, row{Response: "a"}, ""},
		{`{"error":"","response":"a"}`, row{Response: "a"}, ""},
		{`{"response":"a","finish_reason":"error"}`, row{Response: "a", FinishReason: "error", Failed: true}, ""},
		{`{"response":"a","finish_reason":null,"prompt":null}`, row{Response: "a"}, ""},
		{`{"text":"a"}`, row{}, `"response" is missing`},
		{`{"response":null}`, row{}, `"response" is no text`},
		{`{"response":"a","prompt":["p"]}`, row{}, `"prompt" is no text`},
		{`{"response":"a","id":{}}`, row{}, `"id" is no text`},
		{`{"response":"a"`, row{}, "not valid JSON"},
		{`["a"]`, row{}, "not a JSON object"},
		{"{\"response\":\"\xff\"}", row{}, "UTF-8"},
	} {
		got, err := parseLine([]byte(c.line))
		if c.bad != "" {
			if err == nil || !strings.Contains(err.Error(), c.bad) {
				t.Errorf("%s: error %v, want %q", c.line, err, c.bad)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.line, got, err, c.want)
		}
	}
}

func TestLongLines(t *testing.T) {
	var l lines
	var got []string
	long := 0
	yield, tooLong := func(b []byte) { got = append(got, string(b)) }, func() { long++ }
	l.feed([]byte("a\n"), yield, tooLong)
	for range 17 {
		l.feed(bytes.Repeat([]byte("x"), 1<<20), yield, tooLong)
	}
	l.feed([]byte("x\nb\n"), yield, tooLong)
	if len(l.part) > 0 || long != 1 || !cmp.Equal(got, []string{"a", "b"}) {
		t.Errorf("%d long, lines %q", long, got)
	}
}

// FuzzLines: however a log is cut into pieces, its lines are the same, and none
// is lost.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\nb"), 1)
	f.Add([]byte(logLine("x")+"\r\n{"), 3)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		var got [][]byte
		yield := func(b []byte) { got = append(got, bytes.Clone(b)) }
		long := func() { t.Error("too long") }
		var l lines
		n = max(1, n%16)
		for i := 0; i < len(data); i += n {
			l.feed(data[i:min(i+n, len(data))], yield, long)
		}
		l.end(yield, long)
		want := bytes.Split(data, []byte{'\n'})
		if last := len(want) - 1; len(want[last]) == 0 {
			want = want[:last]
		}
		if len(got) != len(want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		for i := range got {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("line %d is %q, want %q", i, got[i], want[i])
			}
			if r, err := parseLine(got[i]); err == nil && r.Response == "" && !r.Failed && !bytes.Contains(got[i], []byte(`response`)) && !bytes.Contains(got[i], []byte(`\u`)) {
				t.Errorf("line %q was taken without a response", got[i])
			}
		}
	})
}

// FuzzRead: whatever passes is judged and leaves no room taken.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"prompt":["p"],"stream":true}`), []byte(event("No")+stop+done), "text/event-stream", "", true)
	f.Add([]byte(`{"messages":[{"role":"user","content":[{"type":"text","text":"p"}]}]}`), []byte(answer("No")), "application/json", "gzip", false)
	f.Add([]byte(``), []byte(zipped(answer("No"))), "", "deflate, gzip", true)
	f.Fuzz(func(t *testing.T, request, response []byte, media, encoding string, whole bool) {
		j := &job{status: 200, header: map[string][]string{"Content-Type": {media}, "Content-Encoding": {encoding}}}
		j.request.data, j.response.data = request, response
		if whole {
			j.response.end = io.EOF
		}
		r, unread := j.read()
		if unread == "" && r.outcome == "" {
			t.Error("no outcome")
		}
		if r.outcome == openai.OK && len(response) == 0 {
			t.Error("nothing counts as a response")
		}
	})
}

// TestWarnings: a kind is said once in a while, with how often it was not.
func TestWarnings(t *testing.T) {
	var said warnings
	now := time.Unix(0, 0)
	w := warner{to: said.add, now: func() time.Time { return now }}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { w.say("a", "x") })
	}
	group.Wait()
	w.say("b", "y")
	now = now.Add(quietFor)
	w.say("a", "x")
	want := []string{"x", "y", "x (and 3 times since this was said last)"}
	if d := cmp.Diff(want, said.said); d != "" {
		t.Errorf("said (-want +got):\n%s", d)
	}
}
