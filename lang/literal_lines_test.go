package lang

import "testing"

func TestLines(t *testing.T) {
	const src = `fdbench { language = 1 }

# A profile.
profile "p" {
  shape       = "step"
  description = "Ä." # why
}

profile "q" { shape = "step" }

locals {
  a = [
    1,
  ]
  b = 2
}

profile "r" {
  shape = "step"
}`
	doc, diags := Parse([]Source{{"a.fdb.hcl", []byte(src)}})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	profiles, locals := doc.All("profile"), doc.All("locals")[0]
	attrs := []struct {
		attr *Attr
		want string
		ok   bool
	}{
		{profiles[0].Attr("shape"), "  shape       = \"step\"\n", true},
		{profiles[0].Attr("description"), "", false}, // the comment would go with it
		{profiles[1].Attr("shape"), "", false},       // the braces stand beside it
		{locals.Attr("a"), "  a = [\n    1,\n  ]\n", true},
		{nil, "", false},
	}
	for i, c := range attrs {
		r, ok := c.attr.Lines()
		if ok != c.ok || ok && src[r.Start.Byte:r.End.Byte] != c.want {
			t.Errorf("argument %d: %v %q", i, ok, src[r.Start.Byte:max(r.End.Byte, r.Start.Byte)])
		}
	}
	blocks := []struct {
		block *Block
		want  string
	}{
		{profiles[0], "profile \"p\" {\n  shape       = \"step\"\n  description = \"Ä.\" # why\n}\n"},
		{profiles[1], "\nprofile \"q\" { shape = \"step\" }\n"},
		{profiles[2], "\nprofile \"r\" {\n  shape = \"step\"\n}"},
	}
	for i, c := range blocks {
		r, ok := c.block.Lines()
		if !ok || src[r.Start.Byte:r.End.Byte] != c.want {
			t.Errorf("block %d: %v %q", i, ok, src[r.Start.Byte:max(r.End.Byte, r.Start.Byte)])
		}
		if r.Start.Column != 1 || r.Filename != "a.fdb.hcl" {
			t.Errorf("block %d begins at %v", i, r)
		}
	}
	if _, ok := (*Block)(nil).Lines(); ok {
		t.Error("no block has lines")
	}
}
