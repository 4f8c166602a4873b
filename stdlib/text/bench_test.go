package text

import (
	"strings"
	"testing"
)

var benchText = strings.ReplaceAll(strings.Join(asides, " "), "%", "the pump")[:1024]

func BenchmarkScorers(b *testing.B) {
	for _, s := range Scorers() {
		f, err := s.New(requiredParams(s.ID))
		if err != nil {
			b.Fatal(err)
		}
		r := Response{"How does the water get to the roof of the house?", benchText}
		b.Run(s.ID, func(b *testing.B) {
			b.SetBytes(int64(len(r.Text)))
			b.ReportAllocs()
			for b.Loop() {
				f(r)
			}
		})
	}
}

func BenchmarkTransforms(b *testing.B) {
	for _, t := range Transforms() {
		f, err := t.New(requiredParams(t.ID))
		if err != nil {
			b.Fatal(err)
		}
		r := Response{"How does the water get to the roof of the house?", benchText}
		b.Run(t.ID, func(b *testing.B) {
			b.SetBytes(int64(len(r.Text)))
			for i := 0; b.Loop(); i++ {
				f(r, uint64(i))
			}
		})
	}
}

// requiredParams gives the parameters without a default.
func requiredParams(id string) map[string]string {
	if strings.HasPrefix(id, "schema_violation/") {
		return map[string]string{"schema": `{"type":"object","required":["answer"],"properties":{"answer":{"type":"string"}}}`}
	}
	return nil
}

// BenchmarkStreams measures one piece of a response.
func BenchmarkStreams(b *testing.B) {
	pieces := tokens(benchText)
	json := tokens(`{"answer": "` + strings.ReplaceAll(benchText, `"`, "'") + `", "tags": ["water", "roof"]}`)
	for _, t := range Transforms() {
		begin, err := t.Stream(requiredParams(t.ID))
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct {
			name   string
			pieces []string
		}{{"prose", pieces}, {"json", json}} {
			b.Run(t.ID+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				r := Response{Prompt: "How does the water get to the roof of the house?"}
				s := begin(r, 0)
				for i, k := 0, 0; b.Loop(); i++ {
					if k == len(c.pieces) {
						s.End()
						s, k = begin(r, uint64(i)), 0
					}
					s.Feed(c.pieces[k])
					k++
				}
			})
		}
	}
}
