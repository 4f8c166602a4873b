package blocks

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPlans(t *testing.T) {
	const file = `{"item_id": "b", "block_size": 4, "planner": "p", "similarity": 0.5, "actions": [{"op": "copy_from_donor", "target_start": 4, "len": 8, "donor_id": "d", "donor_start": 2}, {"op": "recompute", "target_start": 0, "len": 4}]}

{"item_id": "a", "actions": [{"action": "copy_from_donor", "targetPos": 0, "donorPos": 3, "donorId": "d"}, {"action": "copy_from_donor", "targetPos": 1, "donorPos": null}, {"action": "recompute", "targetPos": 2}, {"action": "copy_from_donor", "targetPos": 3, "donorPos": -1}]}
{"item_id": "c", "planner": "p", "actions": []}`
	for _, text := range []string{file, strings.ReplaceAll(file, "\n", "\r\n"), "\ufeff" + file + "\n\n"} {
		p, err := OpenPlans(strings.NewReader(text), 4)
		if err != nil {
			t.Fatal(err)
		}
		if p.Planner() != "p" || p.Items() != 3 {
			t.Errorf("planner %q, %d items", p.Planner(), p.Items())
		}
		for _, c := range []struct {
			id   string
			line int64
			want []Action
		}{
			{"a", 3, []Action{{Copy, 0, 1, 3, "d"}, {Copy, 1, 1, NoStart, ""}, {Recompute, 2, 1, NoStart, ""}, {Copy, 3, 1, -1 << 63, ""}}},
			{"b", 1, []Action{{Copy, 4, 8, 2, "d"}, {Recompute, 0, 4, NoStart, ""}}},
		} {
			ref, ok := p.Find(c.id)
			if !ok || ref.line != c.line {
				t.Fatalf("%s: %v, %t", c.id, ref, ok)
			}
			got, err := p.Read(nil, ref)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, %v, want %v", c.id, got, err, c.want)
			}
		}
		if _, ok := p.Find("x"); ok {
			t.Error("an item without a plan has one")
		}
		var unused *PlanError
		if err := p.Unused(); !errors.As(err, &unused) || unused.Line != 4 || !strings.Contains(unused.Reason, `"c"`) {
			t.Errorf("unused: %v", err)
		}
		p.Find("c")
		if err := p.Unused(); err != nil {
			t.Errorf("unused: %v", err)
		}
	}
}

func TestPlansRefused(t *testing.T) {
	const ok = `{"item_id": "a", "block_size": 4, "planner": "p", "actions": []}` + "\n"
	const tail = `; write op, target_start, len, donor_id and donor_start, or action, targetPos, donorId and donorPos`
	for _, c := range []struct{ text, want string }{
		{ok + `{"item_id": "a", "actions": []}`, `line 2: the item "a" has a plan in line 1 already; keep one of them`},
		{ok + `{"item_id": "b", "planner": "q", "actions": []}`, `line 2: the planner is "q", and in line 1 it is "p"; a file holds the plans of one planner`},
		{`{"item_id": "b", "block_size": 16, "actions": []}`, `line 1: the plan is for blocks of 16 tokens, and the scenario's are of 4; plan again with that size`},
		{`{"actions": []}`, `line 1: item_id is missing; a plan names its item by it`},
		{`{"item_id": ""}`, `line 1: item_id is missing; a plan names its item by it`},
		{"\n" + `{"item_id": "b"}`, `line 2: actions is missing; a plan that copies nothing has an empty list`},
		{`{"item_id": "b", "actions": null}`, `line 1: actions is missing; a plan that copies nothing has an empty list`},
		{`[]`, `line 1: a plan is an object, and this is another value (array)`},
		{`{"item_id": 7, "actions": []}`, `line 1: item_id: number does not fit, a text is asked for`},
		{`{"item_id": "b", "actions": {}}`, `line 1: actions: object does not fit, a list is asked for`},
		{`{"item_id": "b", "actions": [3]}`, `line 1: actions: number does not fit, an object is asked for`},
		{`{"item_id": "b", "actions": [{"op": "copy_from_donor", "target_start": 1.5, "len": 1}]}`, `line 1: actions.target_start: number 1.5 does not fit, a whole number is asked for`},
		{`{"item_id": "b", "actions": [{"op": "copy_from_donor", "target_start": 99999999999999999999, "len": 1}]}`, `line 1: actions.target_start: number 99999999999999999999 does not fit, a whole number is asked for`},
		{`{"item_id": "b", "actions": [{"op": "copy_from_donor", "len": 1}]}`, `line 1: actions[0]: target_start is missing`},
		{`{"item_id": "b", "actions": [{"op": "copy_from_donor", "target_start": 1}]}`, `line 1: actions[0]: len is missing`},
		{`{"item_id": "b", "actions": [{"action": "recompute"}]}`, `line 1: actions[0]: targetPos is missing`},
		{`{"item_id": "b", "actions": [{"target_start": 1, "len": 2}]}`, `line 1: actions[0]: neither op nor action is there`},
		{`{"item_id": "b", "actions": [{"op": "recompute", "target_start": 1, "len": 2, "donorPos": 3}]}`, `line 1: actions[0]: this is half a span and half a slot` + tail},
		{`{"item_id": "b", "actions": [{"action": "recompute", "targetPos": 1, "len": 2}]}`, `line 1: actions[0]: this is half a span and half a slot` + tail},
		{`{"item_id": "b"`, `line 1: this is no JSON: unexpected end of JSON input`},
	} {
		var got *PlanError
		if _, err := OpenPlans(strings.NewReader(c.text), 4); !errors.As(err, &got) || err.Error() != c.want {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestPlansChangedFile tells what happens to a file that is written to while it
// is in use.
func TestPlansChangedFile(t *testing.T) {
	b := []byte(`{"item_id": "a", "actions": []}` + "\n")
	p, err := OpenPlans(readerAt(func(to []byte, at int64) (int, error) { return bytes.NewReader(b).ReadAt(to, at) }), 4)
	if err != nil {
		t.Fatal(err)
	}
	ref, _ := p.Find("a")
	if _, err := p.Read(nil, ref); err != nil {
		t.Fatal(err)
	}
	// The new line is as good as the old one, and still not what was opened.
	for _, line := range []string{`xxxxxxx_id": "a", "actions": []}`, `{"item_id": "b", "actions": []}`, `{"item_id": "a", "actions": [ ]`} {
		copy(b, line)
		var got *PlanError
		if _, err := p.Read(nil, ref); !errors.As(err, &got) || got.Line != 1 || !strings.Contains(got.Reason, "another one than when the file was opened") {
			t.Errorf("%s: error %v", line, err)
		}
	}
	b = b[:5]
	if _, err := p.Read(nil, ref); err == nil {
		t.Error("a line of a file that became shorter is read")
	}
}

type readerAt func(to []byte, at int64) (int, error)

func (f readerAt) ReadAt(to []byte, at int64) (int, error) { return f(to, at) }

func TestNoPlans(t *testing.T) {
	for _, text := range []string{"", "\n\r\n", "\ufeff", "\ufeff\n"} {
		if p, err := OpenPlans(strings.NewReader(text), 4); err != nil || p.Items() != 0 || p.Unused() != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzPlans(f *testing.F) {
	f.Add(`{"item_id": "b", "block_size": 4, "actions": [{"op": "copy_from_donor", "target_start": 0, "len": 4, "donor_id": "d", "donor_start": 0}]}`)
	f.Add(`{"item_id": "a", "actions": [{"action": "copy_from_donor", "targetPos": 0, "donorPos": -9223372036854775808, "donorId": "d"}]}` + "\n\n{}")
	f.Add(`{"item_id": "a", "actions": [{"op": "recompute", "target_start": -9223372036854775808, "len": 9223372036854775807}]}`)
	recipient := []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9}
	donors := []Donor{{"d", []uint32{1, 2, 3, 4}}, {"e", []uint32{5, 6, 7, 8, 9, 10}}}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := OpenPlans(strings.NewReader(text), 4)
		if err != nil {
			if fmt.Sprint(err) == "" {
				t.Error("an error without a word")
			}
			return
		}
		var c Cover
		for _, e := range p.entries {
			actions, err := p.Read(nil, e.PlanRef)
			if err != nil {
				t.Fatalf("%q: read at first, then refused: %v", text, err)
			}
			for _, ds := range [][]Donor{donors, donors[:1], nil} {
				v := c.Measure(4, recipient, ds, actions)
				if v.Candidate > 2 || v.Eligible > v.Candidate || v.Copied > int64(len(recipient)) {
					t.Fatalf("%q: %+v", text, v)
				}
			}
		}
	})
}
