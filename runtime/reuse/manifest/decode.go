package manifest

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// decoder reads one line into an item.
type decoder struct {
	scanner
	item Item
	// key is the member that an error is about, "" for the line as a whole.
	key  string
	warn func(where, key, reason string)
}

// fail is an error about a member.
func (d *decoder) fail(key, format string, args ...any) error {
	d.key = key
	return fmt.Errorf(format, args...)
}

// decode reads an item. What is wrong is told about the member d.key.
func (d *decoder) decode() error {
	if d.peek() != '{' {
		return d.fail("", `the line is not a JSON object; each line holds one item, such as {"item_id": "...", "recipient_prompt": "..."}`)
	}
	seen := map[string]bool{}
	if err := d.object(func(key string) error { return d.member(seen, key) }); err != nil {
		return d.syntax(err)
	}
	if d.peek() != 0 || d.i < len(d.b) {
		return d.syntax(d.at("%s after the object", d.found()))
	}
	it := &d.item
	if it.Version != "" && it.Version != Version {
		return d.fail("benchmark_version", "the item is of version %q; only %q can be read here", it.Version, Version)
	}
	for _, m := range []struct {
		key, value string
		what       string
		empty      bool // is a value
	}{
		{"item_id", it.ItemID, "it names the item", false},
		{"dataset", it.Dataset, "it names where the documents come from", true},
		{"source_id", it.SourceID, "it names the document that the recipient comes from", false},
		{"transform", it.Transform, "figures are grouped by it", false},
		{"recipient_prompt", it.Recipient, "it is what is measured", false},
	} {
		if !seen[m.key] {
			return d.fail(m.key, "%q is missing; %s", m.key, m.what)
		}
		if m.value == "" && !m.empty {
			return d.fail(m.key, "%q is empty; %s", m.key, m.what)
		}
	}
	return nil
}

// syntax says where the JSON is broken, unless an error about a member is on
// its way.
func (d *decoder) syntax(err error) error {
	if _, broken := err.(*memberError); broken {
		return err
	}
	d.key = ""
	return fmt.Errorf("the line is not valid JSON, %w", err)
}

// memberError is a member with a value that cannot be.
type memberError struct{ reason string }

func (e *memberError) Error() string { return e.reason }

// wrong is a memberError about the member key of what where names.
func (d *decoder) wrong(where, key, format string, args ...any) error {
	d.key = key
	return &memberError{where + fmt.Sprintf(format, args...)}
}

// once refuses a key that an object has twice.
func (d *decoder) once(seen map[string]bool, where, key string) error {
	if seen[key] {
		return d.twice(where, key)
	}
	seen[key] = true
	return nil
}

func (d *decoder) twice(where, key string) error {
	return d.wrong(where, key, "%q is there twice, and which one is meant cannot be known", key)
}

func (d *decoder) member(seen map[string]bool, key string) error {
	it := &d.item
	if err := d.once(seen, "", key); err != nil {
		return err
	}
	switch key {
	case "item_id":
		return d.textOf("", key, &it.ItemID)
	case "dataset":
		return d.textOf("", key, &it.Dataset)
	case "source_id":
		return d.textOf("", key, &it.SourceID)
	case "transform":
		return d.textOf("", key, &it.Transform)
	case "recipient_prompt":
		return d.textOf("", key, &it.Recipient)
	}
	switch key {
	case "donor_prompts", "input", "answers", "negative_control", "metadata", "benchmark_version":
		// null is how some writers say that an optional member is absent.
		if d.null() {
			return nil
		}
	default:
		d.warn("item", key, "unknown")
		_, err := d.value(0)
		return err
	}
	switch key {
	case "input":
		return d.textOf("", key, &it.Input)
	case "benchmark_version":
		if err := d.textOf("", key, &it.Version); err != nil {
			return err
		}
		if it.Version == "" {
			return d.wrong("", key, "%q is empty; write %q, or leave it out", key, Version)
		}
		return nil
	case "negative_control":
		return d.boolOf(key, &it.Control)
	case "metadata":
		m, err := d.metadata("")
		it.Metadata = m
		return err
	case "answers":
		if d.peek() != '[' {
			return d.wrong("", key, "%q has to be a list of strings, and %s", key, d.kind())
		}
		return d.array(func() error {
			var a string
			err := d.textOf("", key, &a)
			it.Answers = append(it.Answers, a)
			return err
		})
	}
	return d.donors()
}

func (d *decoder) donors() error {
	const key = "donor_prompts"
	if d.peek() != '[' {
		return d.wrong("", key, "%q has to be a list of objects, and %s", key, d.kind())
	}
	names := map[string]bool{}
	return d.array(func() error {
		donor, err := d.donor("donor " + strconv.Itoa(len(d.item.Donors)+1) + ": ")
		if err != nil {
			return err
		}
		if names[donor.DonorID] {
			return d.wrong("", key, "two donors have the donor_id %q, and a plan could not tell them apart", donor.DonorID)
		}
		names[donor.DonorID] = true
		d.item.Donors = append(d.item.Donors, donor)
		return nil
	})
}

// donor reads one donor. where begins its errors.
func (d *decoder) donor(where string) (Donor, error) {
	var out Donor
	if d.peek() != '{' {
		return out, d.wrong(where, "donor_prompts", "it has to be an object, and %s", d.kind())
	}
	seen := map[string]bool{}
	err := d.object(func(key string) error {
		if err := d.once(seen, where, key); err != nil {
			return err
		}
		switch key {
		case "donor_id":
			return d.textOf(where, key, &out.DonorID)
		case "text":
			return d.textOf(where, key, &out.Text)
		case "label":
			return d.textOf(where, key, &out.Label)
		case "metadata":
			if d.null() {
				return nil
			}
			m, err := d.metadata(where)
			out.Metadata = m
			return err
		}
		d.warn("donor", key, "unknown")
		_, err := d.value(0)
		return err
	})
	switch {
	case err != nil:
		return out, err
	case out.DonorID == "":
		return out, d.wrong(where, "donor_id", `"donor_id" is missing or empty; plans name donors by it`)
	case out.Text == "":
		return out, d.wrong(where, "text", `"text" is missing or empty; without it the donor has nothing to reuse`)
	case !seen["label"]:
		d.warn("donor", "label", "missing")
	}
	return out, nil
}

func (d *decoder) metadata(where string) (map[string]json.RawMessage, error) {
	if d.peek() != '{' {
		return nil, d.wrong(where, "metadata", `"metadata" has to be an object, and %s`, d.kind())
	}
	out := map[string]json.RawMessage{}
	err := d.object(func(key string) error {
		if _, twice := out[key]; twice {
			return d.wrong(where, "metadata", `"metadata" has %q twice, and which one is meant cannot be known`, key)
		}
		v, err := d.value(0)
		out[key] = append(json.RawMessage(nil), v...)
		return err
	})
	return out, err
}

// null takes a null, where there is one.
func (d *decoder) null() bool { return d.peek() == 'n' && d.word("null") == nil }

func (d *decoder) textOf(where, key string, to *string) error {
	if d.peek() != '"' {
		return d.wrong(where, key, "%q has to be a string, and %s", key, d.kind())
	}
	var err error
	*to, err = d.text()
	return err
}

func (d *decoder) boolOf(key string, to *bool) error {
	switch d.peek() {
	case 't':
		*to = true
		return d.word("true")
	case 'f':
		*to = false
		return d.word("false")
	}
	return d.wrong("", key, "%q has to be true or false, and %s", key, d.kind())
}

// kind describes the value at the scanner's place.
func (d *decoder) kind() string {
	switch c := d.peek(); {
	case c == '"':
		return "there is a string"
	case c == '{':
		return "there is an object"
	case c == '[':
		return "there is a list"
	case c == 't' || c == 'f':
		return "there is a truth value"
	case c == 'n':
		return "there is null"
	case c == '-' || '0' <= c && c <= '9':
		return "there is a number"
	}
	return d.found()
}
