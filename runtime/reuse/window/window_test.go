package window

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

const exposition = `# HELP vllm:external_prefix_cache_queries_total tokens
# TYPE vllm:external_prefix_cache_queries_total counter
vllm:external_prefix_cache_queries_total{engine="0",model_name="a \"b\" {c}, \\"} 1024.0
vllm:external_prefix_cache_queries_total{engine="1",model_name="a"} 1e3 1700000000000
vllm:external_prefix_cache_queries_created{engine="0"} 1.7e+09
vllm:external_prefix_cache_hits{engine="0"} 0
vllm:prompt_tokens_by_source_total{source="local_compute",engine="0"} 77
vllm:prompt_tokens_by_source_total{engine="0", source="external_kv_transfer",} 5 # {trace="x"} 1
vllm:prompt_tokens_by_source_total { source = "external_kv_transfer" , engine = "1" } 6
process_start_time_seconds NaN
histogram_bucket{le="+Inf"} +Inf
`

func TestParse(t *testing.T) {
	got, err := Parse(strings.NewReader(exposition))
	want := []record.Counter{{Name: ExternalHits, Value: 0}, {Name: ExternalQueries, Value: 2024}, {Name: Transferred, Value: 11}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	// An absent counter is unknown, and not 0.
	if got, err := Parse(strings.NewReader("up 1\n")); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	// Both names of one counter are one counter, in either order.
	for _, text := range []string{Hits + " 7\n" + Hits + "_total 7\n", Hits + "_total 7\n" + Hits + " 7\n"} {
		if got, err := Parse(strings.NewReader(text)); err != nil || len(got) != 1 || got[0].Value != 7 {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, line := range map[string]int{
		"<html>":                     1,
		"up 1\n{\"error\": \"x\"}\n": 2,
		"up":                         1,
		"up one":                     1,
		"up 1 2 3":                   1,
		"up 1 now":                   1,
		"up{a=\"b\" 1":               1,
		"up{a=b} 1":                  1,
		"up{a=\"b} 1":                1,
		"up{a=\"b\\":                 1,
		"up{=\"b\"} 1":               1,
		"up{a=\"b\"c=\"d\"} 1":       1,
		"up-time 1":                  1,
		Hits + " NaN\n":              1,
		Hits + " -1\n":               1,
		Hits + " +Inf\n":             1,
		Hits + " 12":                 1, // of 1234, perhaps
		"up 1\n" + Hits + " 1\nup 1": 3,
		Hits + "{e=\"0\"} 1e308\n" + Hits + "{e=\"1\"} 1e308\n": 2,
		"a 1\n\n# x\n" + Hits + "{}":                            4,
	} {
		_, err := Parse(strings.NewReader(text))
		var e *LineError
		if !errors.As(err, &e) || e.Line != line {
			t.Errorf("%q: %v, want line %d", text, err, line)
		}
	}
	var e *LineError
	if _, err := Parse(strings.NewReader("up 1\n# " + strings.Repeat("x", MaxLine))); !errors.As(err, &e) || e.Line != 2 {
		t.Error(err)
	}
	broken := errors.New("broken")
	if _, err := Parse(iotest.ErrReader(broken)); err != broken {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(exposition))
	f.Add([]byte(Hits + "{a=\"b\\n\"} 1 2 # {} 3\n"))
	f.Add([]byte("up{a=\"b\\"))
	names := []string{ExternalHits, ExternalQueries, Hits, Queries, Transferred}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := Parse(bytes.NewReader(b))
		if err != nil {
			return
		}
		for _, c := range got {
			if !slices.Contains(names, c.Name) || !(c.Value >= 0 && c.Value <= math.MaxFloat64) {
				t.Errorf("%+v", c)
			}
		}
		// What every line says counts once for each time that it is there.
		twice, err := Parse(bytes.NewReader(append(append(slices.Clone(b), '\n'), b...)))
		if err != nil {
			for _, c := range got { // twice as much may be too much
				if c.Value > math.MaxFloat64/2 {
					return
				}
			}
			t.Fatal(err)
		}
		for i, c := range got {
			if v := twice[i].Value; v != c.Value*2 && math.Abs(v-2*c.Value) > 1e-9*v {
				t.Errorf("%s: %v, and %v for twice the text", c.Name, c.Value, v)
			}
		}
	})
}
