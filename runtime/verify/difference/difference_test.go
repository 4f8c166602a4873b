package difference

import (
	"bytes"
	"testing"
)

func TestDifference(t *testing.T) {
	for _, x := range []struct{ have, want, path, detail string }{
		{`{"a":1}`, `{"a":1}`, "", ""},
		{`{"a":1}`, `{"a":2}`, "a", "1 stands where the plan and the journal give 2"},
		{`{"a":{"b":[1,{"c":null}]}}`, `{"a":{"b":[1,{"c":0}]}}`, "a.b[1].c", "null stands where the plan and the journal give 0"},
		{`{"a":1,"b":2}`, `{"a":1}`, "", `"b" stands where the plan and the journal give a }`},
		{`{"a":1}`, `{"a":1,"b":2}`, "b", `a } stands where the plan and the journal give "b"`},
		{`[1,2]`, `[1]`, "[1]", "2 stands where the plan and the journal give a ]"},
		{`{"a":[],"b":{}}`, `{"a":[],"b":{"c":1}}`, "b.c", `a } stands where the plan and the journal give "c"`},
		{`{"a": 1}`, `{"a":1}`, "", "its layout was changed, and no value in it"},
		{``, `{"a":1}`, "", "the file ends here; a { belongs here"},
		{`{"a":"x`, `{"a":"xy"}`, "a", `the file ends here, in the middle of a value; "xy" belongs here`},
		{`{"a":1`, `{"a":185}`, "a", "the file ends here, in the middle of a value; 185 belongs here"},
		{`{"a":1}`, `{"a":185}`, "a", "1 stands where the plan and the journal give 185"},
		{`{"a":1.0}`, `{"a":1}`, "a", "1.0 stands where the plan and the journal give 1"},
	} {
		path, detail := First([]byte(x.have), []byte(x.want))
		if path != x.path || detail != x.detail {
			t.Errorf("%s against %s: got %q, %q, want %q, %q", x.have, x.want, path, detail, x.path, x.detail)
		}
	}
}

// FuzzDifference compares any bytes with any JSON: it must not panic, and only
// equal bytes have no difference.
func FuzzDifference(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":null}],"c":"x"}`), []byte(`{"a":[1,{"b":1}],"c":"x"}`))
	f.Add([]byte(`]`), []byte(`{}`))
	f.Add([]byte(`{}{}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, have, want []byte) {
		_, detail := First(have, want)
		if (detail == "") != bytes.Equal(have, want) {
			t.Errorf("%q against %q: %q", have, want, detail)
		}
	})
}
