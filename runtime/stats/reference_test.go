package stats

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/spec/refdata"
)

// obj is a JSON object of a reference case. Numbers keep their digits.
type obj map[string]any

func (o obj) float(t *testing.T, key string) float64 {
	t.Helper()
	return toFloat(t, o[key])
}

func (o obj) int(t *testing.T, key string) int {
	t.Helper()
	n, err := o[key].(json.Number).Int64()
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	return int(n)
}

func (o obj) exact(t *testing.T, key string) exact.Number {
	t.Helper()
	return toExact(t, o[key])
}

func (o obj) exacts(t *testing.T, key string) []exact.Number {
	t.Helper()
	var out []exact.Number
	for _, v := range o[key].([]any) {
		out = append(out, toExact(t, v))
	}
	return out
}

func (o obj) floats(t *testing.T, key string) []float64 {
	t.Helper()
	var out []float64
	for _, v := range o[key].([]any) {
		out = append(out, toFloat(t, v))
	}
	return out
}

// duration reads a number of units.
func (o obj) duration(t *testing.T, key string, unit exact.Duration) exact.Duration {
	t.Helper()
	return toDuration(t, o.exact(t, key), unit)
}

func toDuration(t *testing.T, n exact.Number, unit exact.Duration) exact.Duration {
	t.Helper()
	d, ok := unit.Mul(n)
	if !ok {
		t.Fatalf("%v does not fit", n)
	}
	return d
}

func toFloat(t *testing.T, v any) float64 {
	t.Helper()
	f, err := v.(json.Number).Float64()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func toExact(t *testing.T, v any) exact.Number {
	t.Helper()
	text, isText := v.(string)
	if !isText {
		text = v.(json.Number).String()
	}
	n, err := exact.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// refCase is one case of the reference file. Every expected value that is
// compared is ticked off, so that a case cannot pass with values unread.
type refCase struct {
	ID, Group string
	Input     obj
	Expected  obj
	AbsTol    float64 `json:"abs_tol"`
}

func (c *refCase) near(t *testing.T, key string, got float64) {
	t.Helper()
	v, ok := c.Expected[key]
	if !ok {
		t.Fatalf("no expected value %q", key)
	}
	delete(c.Expected, key)
	if want := toFloat(t, v); !(math.Abs(got-want) <= c.AbsTol) {
		t.Errorf("%s = %.15g, want %.15g within %g", key, got, want, c.AbsTol)
	}
}

func (c *refCase) equal(t *testing.T, key string, got any) {
	t.Helper()
	v, ok := c.Expected[key]
	if !ok {
		t.Fatalf("no expected value %q", key)
	}
	delete(c.Expected, key)
	switch want := v.(type) {
	case nil, bool:
		if got != want {
			t.Errorf("%s = %v, want %v", key, got, want)
		}
	default:
		if n, ok := got.(exact.Number); !ok || n.Cmp(toExact(t, want)) != 0 {
			t.Errorf("%s = %v, want %v", key, got, want)
		}
	}
}

func integer[T ~int | ~int64](n T) exact.Number { return exact.Int(int64(n)) }

// rank is nil for an absent limit, as the reference writes it.
func rank(n int) any {
	if n == 0 {
		return nil
	}
	return integer(n)
}

func TestStatsReference(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/stats-reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Count  int
		Groups []string
		Cases  []*refCase
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != file.Count {
		t.Errorf("%d cases, the file says %d", len(file.Cases), file.Count)
	}
	for _, g := range file.Groups {
		if referenceChecks[g] == nil {
			t.Errorf("group %q is not checked", g)
		}
	}
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			check := referenceChecks[c.Group]
			if check == nil {
				t.Fatalf("unknown group %q", c.Group)
			}
			check(t, c)
			for key := range c.Expected {
				if key != "note" && key != "report" {
					t.Errorf("expected value %q was not compared", key)
				}
			}
		})
	}
}
