package text

import (
	"strings"
	"testing"
)

// A styleCase is a response and whether a careful reader calls it a refusal:
// nothing, or nothing but advice, of what was asked is given. Code fences are
// written with three apostrophes, so that raw strings can hold them.
type styleCase struct {
	refusal      bool
	prompt, text string
}

func (c styleCase) response() Response {
	return Response{Prompt: c.prompt, Text: strings.ReplaceAll(c.text, "'''", "```")}
}

func (c styleCase) labelled(id string) labelled {
	r := c.response()
	return labelled{ID: id, Prompt: r.Prompt, Response: r.Text}
}

// TestRefusalStyles holds the indicator to bars on manners of writing that are
// not in the labelled files.
func TestRefusalStyles(t *testing.T) {
	for _, style := range []struct {
		name    string
		cases   []styleCase
		f1, pre float64
	}{
		{"terse", terseStyle, 0.95, 0.95},
		{"effusive", effusiveStyle, 0.95, 0.95},
		{"plain", plainStyle, 0.95, 0.95},
		{"turns", turns, 0.92, 0.92},
		{"terse fresh", terseFresh, 0.90, 0.90},
		{"effusive fresh", effusiveFresh, 0.90, 0.90},
		{"plain fresh", plainFresh, 0.90, 0.90},
		{"terse last", terseLast, 0.85, 0.90},
		{"effusive last", effusiveLast, 0.85, 0.90},
		{"plain last", plainLast, 0.85, 0.90},
	} {
		var tp, fp, fn, tn int
		for _, c := range style.cases {
			hit := Refused(c.response())
			switch {
			case hit && c.refusal:
				tp++
			case hit:
				fp++
				explain(t, "FALSE", c.labelled(style.name))
			case c.refusal:
				fn++
				explain(t, "MISS", c.labelled(style.name))
			default:
				tn++
			}
		}
		p, r := float64(tp)/float64(tp+fp), float64(tp)/float64(tp+fn)
		f1 := 2 * p * r / (p + r)
		t.Logf("%s: precision %.3f recall %.3f F1 %.3f (tp %d fp %d fn %d tn %d)", style.name, p, r, f1, tp, fp, fn, tn)
		if f1 < style.f1 || p < style.pre {
			t.Errorf("%s: F1 %.3f, precision %.3f: want at least %.2f and %.2f", style.name, f1, p, style.f1, style.pre)
		}
	}
}

// BenchmarkRefused reads whole answers in three manners, refusals among them,
// where more cues match than in plain prose.
func BenchmarkRefused(b *testing.B) {
	var rs []Response
	size := 0
	for _, cases := range [][]styleCase{terseStyle, effusiveStyle, plainStyle} {
		for _, c := range cases {
			rs = append(rs, c.response())
			size += len(c.text)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, r := range rs {
			Refused(r)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size)*1024, "ns/KB")
}
