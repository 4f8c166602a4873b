package plan

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func sample() *Plan {
	threshold := exact.MustParse("0.08")
	step := Profile{Name: "step", Shape: "step"}
	p := &Plan{
		Series: "refusals",
		Inputs: Inputs{
			Language:  1,
			Files:     []InputFile{{"a.fdb.hcl", "sha256:00", "scenario"}, {"r.jsonl", "sha256:11", "responses"}},
			Variables: map[string]string{"limit": `"0.08"`},
			Stdlib:    "sha256:22",
		},
		Declaration: Declaration{
			Environment: Environment{Name: "lab", Kind: "simulated", Path: []string{"engine", "gateway"}, Guardrails: []Guardrail{}},
			Serving:     Serving{Name: "m", Kind: "recorded", Configuration: "{}", Behaviours: []Behaviour{}},
			Indicators:  []Indicator{{Name: "refusal_rate", Kind: "rate", Unit: "1", Params: map[string]string{}}},
			Detector: Detector{
				Name: "watch", Kind: "threshold",
				Indicators: []DetectorIndicator{{Label: "refusals", Indicator: "refusal_rate", Window: Window{Duration: exact.Minute}, Sampling: exact.Int(1)}},
				Alerts:     []Alert{{Name: "High", Comparator: "above", Threshold: &threshold}},
			},
			Signal:       Signal{Name: "page", Attribution: `signal.status == "firing"`},
			Load:         Load{Points: []LoadPoint{{Rate: exact.Int(10), Window: exact.Minute}}, Arrivals: "constant"},
			Trials:       Trials{Count: 20, Attempts: 30},
			Deviations:   []Deviation{},
			Attestations: []Attestation{},
			Reductions:   []Reduction{},
		},
		Combinations: Combinations{
			Trials:   []Combination{{Fault: "f", Class: "refusal", Magnitude: exact.MustParse("0.1"), Profile: step, Fraction: exact.Frac(10, 98), Trials: 20, Attempts: 30, Discard: "0.01"}},
			Searches: []Search{},
		},
		Phases:     []Phase{{"baseline", 0}, {"trials", 0}},
		Estimators: Estimators{Quantile: "hyndman-fan-2"},
		Rules:      []RuleOutcome{{"FD-5.1-8", "met", ""}},
		Budget:     Budget{Best: exact.Hour, LoadBudget: []LoadBudget{{0, 1, 2, 3}}},
	}
	Seal(p)
	return p
}

func TestEncodeDecode(t *testing.T) {
	p := sample()
	b := Encode(p)
	for name, in := range map[string][]byte{"as written": b, "with a line end": append(bytes.Clone(b), '\n'), "with CRLF": append(bytes.Clone(b), '\r', '\n')} {
		q, err := Decode(in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(Encode(q), b) {
			t.Errorf("%s: other bytes after a round trip", name)
		}
		if q.Combinations.Trials[0].Fraction.Cmp(exact.Frac(5, 49)) != 0 || *q.Declaration.Detector.Alerts[0].Threshold != *p.Declaration.Detector.Alerts[0].Threshold && q.Declaration.Detector.Alerts[0].Threshold.Cmp(exact.MustParse("0.08")) != 0 {
			t.Errorf("%s: numbers changed", name)
		}
	}
}

// Every changed character is found, and the section is named.
func TestDecodeFindsEveryChange(t *testing.T) {
	b := Encode(sample())
	for i := range b {
		for _, c := range []byte{'0', 'x', '"', ' '} {
			if b[i] == c {
				continue
			}
			bad := bytes.Clone(b)
			bad[i] = c
			if _, err := Decode(bad); err == nil {
				t.Fatalf("byte %d changed from %q to %q and nothing noticed: ...%s...", i, b[i], c, bad[max(0, i-20):min(len(bad), i+20)])
			}
		}
	}
	for cut := range len(b) {
		if _, err := Decode(b[:cut]); err == nil {
			t.Fatalf("cut at byte %d and nothing noticed", cut)
		}
	}
}

func TestDecodeNamesTheSection(t *testing.T) {
	b := string(Encode(sample()))
	tests := []struct{ old, new, section string }{
		{`"count":20`, `"count":10`, "declaration"},
		{`"magnitude":"0.1"`, `"magnitude":"0.2"`, "combinations"},
		{`{"kind":"trials","load":0}`, `{"kind":"trials","load":1}`, "phases"},
		{`hyndman-fan-2`, `hyndman-fan-7`, "estimators"},
		{`"status":"met"`, `"status":"run"`, "rules"},
		{`"best":"3600"`, `"best":"360"`, "budget"},
		{`sha256:11`, `sha256:12`, "inputs"},
		{`"count":20`, `"count":20,"extra":1`, "declaration"},
		{`"count":20`, `"count":2O`, "declaration"}, // broken JSON
		{`"series":"refusals"`, `"series":"refusal"`, ""},
	}
	for _, test := range tests {
		if !strings.Contains(b, test.old) {
			t.Fatalf("the sample has no %s", test.old)
		}
		_, err := Decode([]byte(strings.Replace(b, test.old, test.new, 1)))
		var edited *EditedError
		if !errors.As(err, &edited) || edited.Section != test.section {
			t.Errorf("%s to %s: %v; want section %q", test.old, test.new, err, test.section)
		}
	}
	if _, err := Decode([]byte(`{"format":"other/1"}`)); err == nil || errors.As(err, new(*EditedError)) {
		t.Errorf("another format: %v", err)
	}
}

func TestSectionsMakeTheDigest(t *testing.T) {
	a, b := sample(), sample()
	b.Budget.Best++
	Seal(b)
	if a.Digests.Budget == b.Digests.Budget || a.Digest == b.Digest {
		t.Error("a changed budget left a digest as it was")
	}
	if a.Digests.Declaration != b.Digests.Declaration {
		t.Error("a changed budget changed the declaration's digest")
	}
	c := sample()
	c.Series = "other"
	Seal(c)
	if c.Digest == a.Digest {
		t.Error("the name of the series is not in the digest")
	}
}

func BenchmarkSeal(b *testing.B) {
	p := sample()
	for range 1000 {
		p.Combinations.Trials = append(p.Combinations.Trials, p.Combinations.Trials[0])
	}
	for b.Loop() {
		Seal(p)
	}
}

func TestShort(t *testing.T) {
	for digest, want := range map[string]string{"": "", "sha256:0123456789ab": "sha256:0123456789ab", Digest("x"): Digest("x")[:19] + "…"} {
		if got := Short(digest); got != want {
			t.Errorf("%s is %s, not %s", digest, got, want)
		}
	}
}
