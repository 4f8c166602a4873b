package predicate

import (
	"strings"
	"testing"
)

// hostile are conditions that must not compile, with the part that the error
// has to point at ("" is the whole text).
var hostile = []struct{ src, at string }{
	{`now() > now()`, "now()"},
	{`date("2024-01-01").Year() > 1`, ""},
	{`duration("1h") > duration("2h")`, `duration("1h")`},
	{`let x = 1; x == 1`, ""},
	{`1 == 1; true`, ""},
	{`filter(1..1000, # > 3) == []`, ""},
	{`count(1..300, count(1..300, count(1..300, true) > 0) > 0) > 0`, ""},
	{`all(1..10, {# > 0})`, ""},
	{`any(split(signal.reason, ","), # == "x")`, ""},
	{`reduce(1..9, #acc + #, 0) > 1`, ""},
	{`signal.status | lower() == "x"`, ""},
	{`1..3 == 1..3`, "1..3"},
	{`signal.type`, "signal.type"},
	{`"true"`, `"true"`},
	{`1`, "1"},
	{`signal`, "signal"},
	{`signal == signal`, "signal"},
	{`signal.labels == signal.labels`, "signal.labels == signal.labels"},
	{`signal.nope == "x"`, "nope"},
	{`sgnal.type == "x"`, "sgnal"},
	{`status == "firing"`, "status"},
	{`signal.type == 1`, "signal.type == 1"},
	{`0.1 == 0.1`, "0.1 == 0.1"},
	{`signal.value > "0.1"`, `signal.value > "0.1"`},
	{`signal.type == nil`, "nil"},
	{`signal?.type == "x"`, ""},
	{`signal.type ?? "x" == "x"`, ""},
	{`signal.repeat ? true : false`, ""},
	{`if signal.repeat { true } else { false }`, ""},
	{`signal.type[0:1] == "a"`, ""},
	{`{"a": 1} == {"a": 1}`, ""},
	{`[1, "a"] == [1, "a"]`, ""},
	{`signal.type in [1, "a"]`, "1"},
	{`signal.type in []`, "[]"},
	{`signal.type in [signal.status]`, "signal.status"},
	{`signal.type in "alert"`, ""},
	{`signal.labels[signal.type] == "x"`, "signal.type"},
	{`signal["type"]["x"] == "y"`, `"x"`},
	{`signal.type + "x" == "y"`, `signal.type + "x"`},
	{`1 + 1 == 2`, "1 + 1"},
	{`-1 < 0`, "-1"},
	{`7 % 0 == 1`, "7 % 0"},
	{`2 ** 1000 > 1`, "2 ** 1000"},
	{`signal.reason matches signal.type`, "signal.type"},
	{`signal.reason matches "("`, `"("`},
	{`signal.reason matches "(?=x)"`, `"(?=x)"`},
	{`signal.reason matches "(a{1000}){1000}"`, `"(a{1000}){1000}"`},
	{`signal.reason matches "[\\pL\\pN]{1000}"`, `"[\\pL\\pN]{1000}"`},
	{`signal.reason matches "((a{100}){10}b{10}){5}"`, ""},
	{`len("a", "b") == 1`, ""},
	{`len(signal.repeat) == 1`, "signal.repeat"},
	{`len(1) == 1`, "1"},
	{`upper(signal) == "X"`, "signal"},
	{`trim(signal.type, "x") == "y"`, ""},
	{`repeat("x", 1000000) == "x"`, ""},
	{`toJSON(signal) == ""`, ""},
	{`get(signal, "type") == "x"`, ""},
	{`env("HOME") == "x"`, ""},
	{`$env.signal.type == "x"`, "$env"},
	{`signal.type.String() == "x"`, ""},
	{`signal.Labels() == "x"`, ""},
	{`not signal.type == "x"`, "not signal.type"},
	{`signal.repeat and signal.type`, "signal.type"},
	{`signal.type = "x"`, "="},
	{`signal.type == "x`, ""},
	{`signal.type == `, ""},
	{``, ""},
	{"  \n", ""},
	{`(((`, ""},
	{"\x00", ""},
	{"signal.type == \"\xff\"", ""},
	{`b"abc" == b"abc"`, ""},
	{strings.Repeat("(", 500) + "true" + strings.Repeat(")", 500), ""},
	{strings.Repeat("!", 1000) + "true", ""},
	{strings.Repeat("not ", 400) + "true", ""},
	{strings.Repeat("true and ", 220) + "true", ""},
	{"true" + strings.Repeat(" ", 3000), ""},
	{strings.Repeat("true ? ", 100) + "true" + strings.Repeat(" : true", 100), ""},
	{`response.words > 3`, "response"},
}

func TestHostileConditionsAreRefused(t *testing.T) {
	if len(hostile) < 40 {
		t.Fatalf("only %d hostile conditions", len(hostile))
	}
	for _, h := range hostile {
		_, err := CompileAttribution(h.src)
		if err == nil {
			t.Errorf("%.60q compiles", h.src)
			continue
		}
		if err.Offset < 0 || err.End < err.Offset || err.End > len(h.src) || (err.End == err.Offset && h.src != "") {
			t.Errorf("%.60q: range %d..%d of %d bytes", h.src, err.Offset, err.End, len(h.src))
			continue
		}
		if got := h.src[err.Offset:err.End]; h.at != "" && got != h.at {
			t.Errorf("%.60q points at %q, want %q (%s)", h.src, got, h.at, err)
		}
		if err.Message == "" || err.Remedy == "" || !strings.HasSuffix(err.Message, ".") {
			t.Errorf("%.60q: message %q, remedy %q", h.src, err.Message, err.Remedy)
		}
		t.Logf("%.50q -> %q: %s", h.src, h.src[err.Offset:err.End], err)
	}
}
