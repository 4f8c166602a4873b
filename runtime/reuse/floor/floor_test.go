package floor

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/spec/refdata"
)

var protocol = plan.FloorProtocol{
	Model: "small-instruct", Engine: "vllm", EngineVersion: "0.29.0", MaxTokens: 64,
	Temperature: exact.MustParse("0"), Concurrency: 1, ManifestSHA256: "sha256:" + strings.Repeat("ab", 32),
}

func example(t testing.TB) *Artifact {
	t.Helper()
	pairs := []Pair{
		{1, "doc-1", 500, 0}, {0.9, "doc-1", 1024, 0}, {1, "doc-2", 1025, 0}, {0.5, "doc-3", 3000, 1}, {1, "doc-4", 5000, 2},
	}
	a, err := Make(protocol, pairs, LeftOut{Contaminated: 1, Errored: 2}, time.Date(2026, 8, 1, 14, 0, 0, 0, time.FixedZone("x", 7200)), "seed")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestMake(t *testing.T) {
	a := example(t)
	if a.Pairs != 5 || a.Mean.String() != "0.88" || a.P50.String() != "1" || a.P05.String() != "0.58" || a.Empty != 3 || a.Contaminated != 1 || a.Errored != 2 {
		t.Errorf("%+v", a)
	}
	if a.CreatedAt != "2026-08-01T12:00:00Z" || a.Interval.Clusters != 4 {
		t.Errorf("%+v", a)
	}
	if a.Interval.Low.Cmp(a.Mean) >= 0 || a.Interval.High.Cmp(a.Mean) <= 0 || a.Interval.High.Cmp(exact.Int(1)) > 0 {
		t.Errorf("the interval is %s to %s", a.Interval.Low, a.Interval.High)
	}
	want := []Band{{"up to 1k", 2, exact.MustParse("0.95")}, {"up to 2k", 1, exact.Int(1)}, {"up to 4k", 1, exact.MustParse("0.5")}, {"up to 8k", 1, exact.Int(1)}}
	if !slices.EqualFunc(a.Bands, want, func(a, b Band) bool { return a.Band == b.Band && a.N == b.N && a.Mean.Cmp(b.Mean) == 0 }) {
		t.Errorf("bands %v", a.Bands)
	}
	for name, pairs := range map[string][]Pair{
		"nothing":       nil,
		"above 1":       {{RougeL: 1.1}},
		"not a number":  {{RougeL: math.NaN()}},
		"below 0":       {{RougeL: -0.1}},
		"empty outputs": {{RougeL: 1, Empty: 3}},
		"tokens":        {{RougeL: 1, Tokens: -1}},
	} {
		if _, err := Make(protocol, pairs, LeftOut{}, time.Unix(0, 0), ""); err == nil {
			t.Errorf("%s makes a noise floor", name)
		}
	}
}

func TestReadsBack(t *testing.T) {
	a := example(t)
	b, err := Encode(a)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Encode(again)
	if err != nil || !bytes.Equal(b, c) {
		t.Errorf("%v\n%s\n%s", err, b, c)
	}
	f, err := Read(b)
	if err != nil {
		t.Fatal(err)
	}
	if f.File != "" || !digest.MatchString(f.SHA256) || f.Pairs != 5 || f.Mean.String() != "0.88" || f.High.Cmp(a.Interval.High) != 0 || f.Low.Cmp(a.Interval.Low) != 0 {
		t.Errorf("%+v", f)
	}
	if diff := cmp.Diff(protocol, f.Protocol, cmp.Comparer(func(a, b exact.Number) bool { return a.Cmp(b) == 0 })); diff != "" {
		t.Error(diff)
	}
	if got := Mismatch(f.Protocol, live(), protocol.ManifestSHA256); got != nil {
		t.Errorf("mismatch %v", got)
	}
}

func live() *plan.ReuseLive {
	return &plan.ReuseLive{Model: "small-instruct", Engine: "vllm", EngineVersion: "0.29.0", MaxTokens: 64, Temperature: exact.MustParse("0.0"), Concurrency: 1}
}

func TestMismatchNamesEveryMember(t *testing.T) {
	for member, change := range map[string]func(*plan.ReuseLive){
		"model":          func(l *plan.ReuseLive) { l.Model = "other" },
		"engine":         func(l *plan.ReuseLive) { l.Engine = "sglang" },
		"engine_version": func(l *plan.ReuseLive) { l.EngineVersion = "" },
		"max_tokens":     func(l *plan.ReuseLive) { l.MaxTokens = 65 },
		"temperature":    func(l *plan.ReuseLive) { l.Temperature = exact.MustParse("0.01") },
		"concurrency":    func(l *plan.ReuseLive) { l.Concurrency = 2 },
	} {
		l := live()
		change(l)
		got := Mismatch(protocol, l, protocol.ManifestSHA256)
		if len(got) != 1 || !strings.HasPrefix(got[0], member+": the noise floor has ") {
			t.Errorf("%s: %v", member, got)
		}
	}
	got := Mismatch(protocol, &plan.ReuseLive{}, "")
	if len(got) != 5 || got[len(got)-1] != `manifest_sha256: the noise floor has "`+protocol.ManifestSHA256+`", the run has none` {
		t.Errorf("%q", got) // a temperature of 0 is equal, and the model is known when the endpoint was asked
	}
}

// broken are changes of an artifact that is right, with the member that the
// error names, and a part of what it says.
var broken = []struct{ old, new, member, says string }{
	{`"n_pairs": 5`, `"n_pairs": "5"`, "n_pairs", "whole number"},
	{`"n_pairs": 5`, `"n_pairs": 5.0`, "n_pairs", "whole number"},
	{`"n_pairs": 5`, `"n_pairs": -5`, "n_pairs", "whole number"},
	{`"n_pairs": 5`, `"n_pairs": 0`, "n_pairs", "without a pair"},
	{`"n_pairs": 5`, `"n_pairs": 6`, "by_length", "together"},
	{`"n_pairs": 5`, `"n_pair": 5`, "n_pair", `"n_pairs"`},
	{`"n_pairs": 5,`, ``, "n_pairs", "lacks"},
	{`"n_pairs": 5`, `"n_pairs": 5, "n_pairs": 5`, "", "twice"},
	{`"rouge_l_mean": "0.88"`, `"rouge_l_mean": 0.88`, "rouge_l_mean", "in quotes"},
	{`"rouge_l_mean": "0.88"`, `"rouge_l_mean": "1.01"`, "rouge_l_mean", "from 0 to 1"},
	{`"rouge_l_mean": "0.88"`, `"rouge_l_mean": "x"`, "rouge_l_mean", "in quotes"},
	{`"rouge_l_p50": "1"`, `"rouge_l_p50": "0.5"`, "rouge_l_p50", "median"},
	{`"rouge_l_p05": "0.58"`, `"rouge_l_p05": "-0.01"`, "rouge_l_p05", "from 0 to 1"},
	{`"rouge_l_p05": "0.58"`, `"rouge_l_p05": "1.01"`, "rouge_l_p05", "from 0 to 1"},
	{`"low": "`, `"low": "-`, "rouge_l_ci.low", "from 0 to 1"},
	{`"high": "`, `"high": "0.1e-9`, "rouge_l_ci.high", "lower end"},
	{`"n": 2`, `"n": 0`, "by_length", "has 0 pairs of 5"},
	{`"n": 2`, `"n": 6`, "by_length", "has 6 pairs of 5"},
	{`"mean": "0.95"`, `"mean": "1.95"`, "by_length", "mean of the band"},
	{`"clusters": 4`, `"clusters": 0`, "rouge_l_ci.clusters", "document"},
	{`"clusters": 4`, `"clusters": 6`, "rouge_l_ci.clusters", "document"},
	{`"empty_outputs": 3`, `"empty_outputs": 11`, "empty_outputs", "two outputs"},
	{`"created_at_utc": "2026-08-01T12:00:00Z"`, `"created_at_utc": "2026-08-01T12:00:00+00:00"`, "created_at_utc", "reads like"},
	{`"created_at_utc": "2026-08-01T12:00:00Z"`, `"created_at_utc": "yesterday"`, "created_at_utc", "reads like"},
	{`fdbench.noise-floor/1`, `fdbench.noise-floor/2`, "format", "fdbench.noise-floor/1"},
	{`"engine": "vllm"`, `"engine": "VLLM"`, "protocol.engine", "none of"},
	{`"model": "small-instruct"`, `"model": ""`, "protocol.model", "no model"},
	{`"max_tokens": 64`, `"max_tokens": 0`, "protocol.max_tokens", "one token"},
	{`"max_tokens": 64`, `"max_new_tokens": 64`, "protocol.max_new_tokens", "no member"},
	{`"temperature": "0"`, `"temperature": "-1"`, "protocol.temperature", "at least 0"},
	{`"concurrency": 1`, `"concurrency": 0`, "protocol.concurrency", "At least one"},
	{`"sha256:abab`, `"sha256:ABAB`, "protocol.manifest_sha256", "lower case"},
	{`"up to 1k"`, `"up to 2k"`, "by_length", "twice"},
	{`"by_length": [`, `"by_length": {"a": [`, "", "JSON"},
	{`"rouge_l_ci": {`, `"rouge_l_ci": [], "x": {`, "x", "no member"},
	{"{\n", "[\n", "", "JSON"},
	{"{\n", "", "", "behind the end"},
}

func TestMistakesHaveAPlace(t *testing.T) {
	good, err := Encode(example(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range broken {
		if !strings.Contains(string(good), x.old) {
			t.Errorf("%q is not in the example", x.old)
			continue
		}
		_, err := Read([]byte(strings.Replace(string(good), x.old, x.new, 1)))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s is read: %v", x.new, err)
			continue
		}
		if e.Member != x.member || !strings.Contains(e.Error(), x.says) || e.Line < 1 || e.Column < 1 || e.Remedy == "" {
			t.Errorf("%s: %+v, want %q in %q", x.new, *e, x.says, x.member)
		}
	}
	_, err = Read([]byte(strings.Replace(string(good), `"max_tokens": 64`, `"max_tokens": 6.4`, 1)))
	var e *Error
	if !errors.As(err, &e) || e.Line != 7 || e.Column != 19 {
		t.Errorf("%+v", e)
	}
	for name, b := range map[string][]byte{"nothing": nil, "a list": []byte("[]"), "more": append(bytes.Clone(good), "{}"...), "bytes": []byte("{\"format\": \"\xff\"}"), "large": bytes.Repeat([]byte(" "), maxBytes+1), "deep": []byte(strings.Repeat(`{"a":`, 100))} {
		if _, err := Read(b); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// TestManyMembers reads the largest file that is taken, full of members.
func TestManyMembers(t *testing.T) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; b.Len() < maxBytes-20; i++ {
		fmt.Fprintf(&b, "\"%x\":0,", i)
	}
	b.WriteString(`"0":0}`)
	start := time.Now()
	_, err := Read(b.Bytes())
	if err == nil || !strings.Contains(err.Error(), `"0" stands twice`) {
		t.Errorf("%v", err)
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("that took %v", took)
	}
}

func TestNestedTooDeep(t *testing.T) {
	for n, says := range map[int]string{maxDepth - 1: "no member", maxDepth: "nested too deep", 10_000: "nested too deep"} {
		b := []byte(`{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}")
		if _, err := Read(b); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%d lists: %v, want %q", n, err, says)
		}
	}
}

func TestNamesAsTheyAre(t *testing.T) {
	a := example(t)
	a.Protocol.Model = "org/<small>&漢\u2028"
	b, err := Encode(a)
	if err != nil || !bytes.Contains(b, []byte("org/<small>&漢")) {
		t.Fatalf("%v\n%s", err, b)
	}
	if f, err := Read(b); err != nil || f.Protocol.Model != a.Protocol.Model {
		t.Errorf("%v, %+v", err, f)
	}
}

func TestEncodeRefusesWhatReadWould(t *testing.T) {
	a := example(t)
	a.Protocol.Concurrency = 0
	if _, err := Encode(a); err == nil {
		t.Error("an artifact without concurrency is written")
	}
}

// TestAnotherProjectsArtifact wants the published artifact to be known for what
// it is, and to be refused for what it does not tell.
func TestAnotherProjectsArtifact(t *testing.T) {
	b, err := os.ReadFile(refdata.Path(t, "data/reuse/artifacts-calib-qwen25-7b-a10g-2026-07-28.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Read(b)
	var e *Error
	if !errors.As(err, &e) || e.Member != "calibration_version" || e.Line != 2 {
		t.Fatalf("%+v", err)
	}
	for _, part := range []string{"sembench.calibration.v1", "max_tokens", "temperature", "concurrency", "manifest", "fdbench calibrate"} {
		if !strings.Contains(e.Error(), part) {
			t.Errorf("%s does not say %q", e, part)
		}
	}
}

func FuzzRead(f *testing.F) {
	good, err := Encode(example(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	for _, x := range broken {
		f.Add([]byte(strings.Replace(string(good), x.old, x.new, 1)))
	}
	f.Add([]byte(`{"calibration_version": 1}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := Decode(b)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Message == "" || e.Remedy == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		c, err := Encode(a)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := Decode(c)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if d, err := Encode(again); err != nil || !bytes.Equal(c, d) {
			t.Fatalf("%v: %s, %s", err, c, d)
		}
	})
}
