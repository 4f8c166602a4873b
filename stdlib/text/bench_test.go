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
