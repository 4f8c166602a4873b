package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"testing/iotest"
)

// fuzz reads anything as a log: it fails at nothing but what is no text, says
// the same in whatever pieces the bytes come, and no reading counts more than
// there is.
func fuzz(f *testing.F, engine string) {
	f.Add([]byte(samples[engine]))
	for _, s := range samples {
		f.Add([]byte(s + "\n" + samples[engine]))
	}
	f.Add([]byte("\x000\x000"))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, _, err := Read(engine, bytes.NewReader(b), Options{})
		if foreign := new(FormatError); errors.As(err, &foreign) {
			if _, _, again := Read(engine, iotest.OneByteReader(bytes.NewReader(b)), Options{}); again == nil || again.Error() != err.Error() {
				t.Errorf("in one piece %v, in bytes %v", err, again)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		said := evidence(t, engine, bytes.NewReader(b))
		if again := evidence(t, engine, iotest.OneByteReader(bytes.NewReader(b))); said != again {
			t.Errorf("in one piece\n%s\nin bytes\n%s", said, again)
		}
		switch {
		case e.MaterializedReuse+e.HitsAlone > e.SemanticHits,
			e.MaterializedReuse+e.MaterializedAlone > e.Materializations,
			e.MaterializedReuse > e.Requests,
			e.BoundariesProven > e.EngineBoundaries,
			e.DiscoveryOnly > e.SemanticHits,
			e.Errors+e.Warnings > e.Lines,
			e.Bytes != int64(len(b)),
			e.MaterializedTokens < 0, e.MaterializedUnits < 0, e.AdvertisedTokens < 0:
			t.Errorf("%+v", e)
		}
		Statements(e)
	})
}

func FuzzVLLM(f *testing.F)    { fuzz(f, VLLM) }
func FuzzSGLang(f *testing.F)  { fuzz(f, SGLang) }
func FuzzTRTLLM(f *testing.F)  { fuzz(f, TRTLLM) }
func FuzzLMCache(f *testing.F) { fuzz(f, LMCache) }
func FuzzAudit(f *testing.F)   { fuzz(f, Audit) }

// The scanner takes for an object what encoding/json takes for one, and finds
// the same members.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1}`, ` {"a" : [1, {"b":"c\u00e9"}], "d":-0.5e+3 } `, `{"a":1,}`, `{"a":01}`, `{"a":"\x"}`, `{"a":1}{`, `{"a":.5}`, `{"a":1.}`, `{"a":-}`, "{\"a\":\"\n\"}", `{"\u0061":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Infinity")) || bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) > maxDepth {
			return
		}
		got := map[string]string{}
		ok := members(b, func(name, value []byte) { got[string(name)] = string(value) })
		trimmed := bytes.TrimLeft(b, " \t\r\n")
		if want := json.Valid(b) && trimmed[0] == '{'; ok != want {
			t.Fatalf("%q: an object: %v, want %v", b, ok, want)
		}
		if !ok {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		if len(got) < len(want) {
			t.Fatalf("%q: members %v, want %v", b, got, want)
		}
		for name, value := range want {
			if v, ok := got[name]; ok && v != string(bytes.TrimSpace(value)) {
				t.Errorf("%q: %s is %s, want %s", b, name, v, value)
			}
		}
	})
}
