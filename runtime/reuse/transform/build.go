package transform

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// Selections of the document that a negative control's donor is about.
const (
	// CrossDomain takes the next document of another domain, and after the last
	// document goes on with the first.
	CrossDomain = "cross_domain"
	// Adjacent takes the next document, whatever it is about. Neighbours are
	// often alike, and a control that is like its recipient says little.
	Adjacent = "adjacent"
)

// Options say what is made from the documents.
type Options struct {
	Dataset     string   // of documents that name none
	Transforms  []string // empty for all; items come in the order of Names in any case
	MaxSegments int      // at least 2; 0 for DefaultSegments
	MinSegment  int      // characters, at least 1; 0 for DefaultSegment
	Selection   string   // CrossDomain, Adjacent; "" for CrossDomain
}

// What is taken where Options say nothing.
const (
	DefaultSegments = 4
	DefaultSegment  = 400
	DefaultDataset  = "documents"
)

// OptionError is an option that cannot be, or that the documents do not admit.
type OptionError struct {
	Option string // transforms, max_segments, min_segment, selection
	Reason string // with what to do about it
}

func (e *OptionError) Error() string { return e.Reason }

// Builder makes the items of a manifest, in the order of the documents and for
// each in the order of Names.
type Builder struct {
	index   *index
	options Options

	at      int // the document whose items are next
	pending []*manifest.Item
	other   int // the document of the last negative control; -1 at first
	donor   *document
	skipped int64
}

// New reads the documents through, which is the first of two times. The error
// is a DocumentError, an OptionError, or what reading failed with.
func New(documents io.ReaderAt, o Options) (*Builder, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	x, err := read(documents)
	if err != nil {
		return nil, err
	}
	if len(x.places) == 0 {
		return nil, &DocumentError{1, `there are no documents; each line holds one, such as {"id": "...", "text": "...", "question": "...", "domain": "..."}`}
	}
	if err := x.admit(o); err != nil {
		return nil, err
	}
	return &Builder{index: x, options: o, other: -1}, nil
}

// fill puts in what is left out and refuses what cannot be.
func (o *Options) fill() error {
	if o.Dataset == "" {
		o.Dataset = DefaultDataset
	}
	if o.MaxSegments == 0 {
		o.MaxSegments = DefaultSegments
	}
	if o.MinSegment == 0 {
		o.MinSegment = DefaultSegment
	}
	if o.Selection == "" {
		o.Selection = CrossDomain
	}
	known := Names()
	if len(o.Transforms) == 0 {
		o.Transforms = known
	}
	for i, t := range o.Transforms {
		if !slices.Contains(known, t) {
			return &OptionError{"transforms", fmt.Sprintf("there is no transform %q; there are %s", t, strings.Join(known, ", "))}
		}
		if slices.Contains(o.Transforms[:i], t) {
			return &OptionError{"transforms", fmt.Sprintf("the transform %q is named twice", t)}
		}
	}
	switch {
	case o.MaxSegments < 2:
		return &OptionError{"max_segments", fmt.Sprintf("a document is cut into 2 segments at least, and %d are asked for", o.MaxSegments)}
	case o.MinSegment < 1:
		return &OptionError{"min_segment", fmt.Sprintf("a segment has 1 character at least, and %d are asked for", o.MinSegment)}
	case o.Selection != CrossDomain && o.Selection != Adjacent:
		return &OptionError{"selection", fmt.Sprintf("there is no selection %q; there are %s and %s", o.Selection, CrossDomain, Adjacent)}
	}
	return nil
}

func (o *Options) wants(transform string) bool { return slices.Contains(o.Transforms, transform) }

// admit refuses negative controls that would be none (KV-7-1).
func (x *index) admit(o Options) error {
	if !o.wants(NegativeControl) {
		return nil
	}
	if len(x.places) < 2 {
		return &OptionError{"selection", "a negative control pairs two unrelated documents, and there is only one; add documents, or leave negative_control out of the transforms"}
	}
	if o.Selection != CrossDomain {
		return nil
	}
	for _, p := range x.places {
		if p.domain < 0 {
			return &OptionError{"selection", fmt.Sprintf("line %d: the document has no domain, so that cross_domain cannot tell what is unrelated to it; give each document a \"domain\", or choose the selection \"adjacent\", whose controls are weaker", p.line)}
		}
	}
	if x.domains < 2 {
		return &OptionError{"selection", "all documents are of one domain, so that cross_domain finds nothing that is unrelated; add documents of another domain, or choose the selection \"adjacent\", whose controls are weaker"}
	}
	return nil
}

// Documents is how many documents there are.
func (b *Builder) Documents() int { return len(b.index.places) }

// DocumentsSHA256 is the digest of the document file, as "sha256:" and
// hexadecimal digits.
func (b *Builder) DocumentsSHA256() string { return b.index.sha256 }

// Warnings are the members of documents that are not known, and were left out.
func (b *Builder) Warnings() []manifest.Warning { return b.index.warnings.List() }

// Skipped counts the items that were not made so far since their document has
// only one segment: rag_reorder has nothing to reorder there, and
// multi_donor_composite nothing to compose.
func (b *Builder) Skipped() int64 { return b.skipped }

// Next returns the next item, and io.EOF behind the last.
func (b *Builder) Next() (*manifest.Item, error) {
	for len(b.pending) == 0 {
		if b.at == len(b.index.places) {
			return nil, io.EOF
		}
		if err := b.make(); err != nil {
			return nil, err
		}
		b.at++
	}
	it := b.pending[0]
	b.pending = b.pending[1:]
	return it, nil
}

// make makes the items of one document.
func (b *Builder) make() error {
	d, err := b.index.document(b.at)
	if err != nil {
		return err
	}
	if d.Dataset == "" {
		d.Dataset = b.options.Dataset
	}
	var segments []string
	if b.options.wants(RAGReorder) || b.options.wants(MultiDonor) {
		segments = Segments(d.Text, b.options.MaxSegments, b.options.MinSegment)
	}
	for _, name := range Names() {
		switch {
		case !b.options.wants(name):
			continue
		case (name == RAGReorder || name == MultiDonor) && len(segments) < 2:
			b.skipped++
			continue
		}
		it := item(d, name)
		if name == NegativeControl {
			if err := b.control(d, it); err != nil {
				return err
			}
		} else {
			fill(d, it, segments)
		}
		b.pending = append(b.pending, it)
	}
	return nil
}

// item is an item without donors and recipient.
func item(d *document, transform string) *manifest.Item {
	it := &manifest.Item{
		ItemID:    manifest.StableID(d.Dataset, d.ID, transform),
		Dataset:   d.Dataset,
		SourceID:  d.ID,
		Transform: transform,
		Input:     d.Question,
		Answers:   d.Answers,
		Control:   transform == NegativeControl,
		Metadata:  map[string]json.RawMessage{},
		Version:   manifest.Version,
	}
	if d.Domain != "" {
		it.Metadata["domain"] = text(d.Domain)
	}
	return it
}

// fill sets the donors and the recipient of all transforms but the negative
// control.
func fill(d *document, it *manifest.Item, segments []string) {
	it.Metadata["expected_exact"] = truth(it.Transform == ExactRepeat)
	donor, label := base(d), "base_prompt"
	switch it.Transform {
	case ExactRepeat:
		it.Recipient = base(d)
	case InstructionVariant:
		it.Recipient = instructionVariant(d)
	case SameEvidenceNewTask:
		it.Recipient = sameEvidenceNewTask(d)
	case LeadingEvidence:
		donor, label = leadingDonor(d), "leading_evidence_donor"
		it.Recipient = leadingRecipient(d)
	case RAGReorder:
		it.Metadata["segment_count"] = number(len(segments))
		it.Recipient = ragReorder(d, segments)
	case FuzzyEdit:
		it.Recipient = fuzzyEdit(d)
	case MultiDonor:
		it.Metadata["segment_count"] = number(len(segments))
		it.Recipient = multiDonor(d, segments)
		for i, s := range segments {
			it.Donors = append(it.Donors, manifest.Donor{
				DonorID:  manifest.StableID(it.ItemID, "segment", strconv.Itoa(i)),
				Text:     segmentDonor(s, i),
				Label:    "segment_donor",
				Metadata: map[string]json.RawMessage{"segment_index": number(i)},
			})
		}
		return
	}
	it.Donors = []manifest.Donor{{DonorID: manifest.StableID(it.ItemID, "donor"), Text: donor, Label: label}}
}

// control makes a negative control: the base prompt of another document, and a
// recipient that repeats nothing of it (KV-7-1).
func (b *Builder) control(d *document, it *manifest.Item) error {
	at := b.unrelated()
	if at != b.other {
		donor, err := b.index.document(at)
		if err != nil {
			return err
		}
		b.other, b.donor = at, donor
	}
	if b.donor.Text == d.Text {
		places := b.index.places
		return &DocumentError{places[b.at].line, fmt.Sprintf("the document has the same text as the one of line %d, which its negative control is paired with, and a control pairs unrelated texts (KV-7-1); take one of them out, or leave negative_control out of the transforms", places[at].line)}
	}
	source := text(b.donor.ID)
	it.Metadata["expected_semantic"] = truth(false)
	it.Metadata["negative_source_id"] = source
	it.Recipient = instructionVariant(d)
	it.Donors = []manifest.Donor{{
		DonorID:  manifest.StableID(it.ItemID, "donor"),
		Text:     base(b.donor),
		Label:    "unrelated_base_prompt",
		Metadata: map[string]json.RawMessage{"negative_source_id": source},
	}}
	return nil
}

// unrelated is the document that the control of the current one is paired
// with.
func (b *Builder) unrelated() int {
	places := b.index.places
	n := len(places)
	next := (b.at + 1) % n
	if b.options.Selection == Adjacent {
		return next
	}
	// From the predecessor up to the document that it was paired with, round the
	// end of the file, all are of one domain: this one too, unless it is the
	// document itself.
	if b.other >= 0 && b.other != b.at {
		return b.other
	}
	for places[next].domain == places[b.at].domain {
		next = (next + 1) % n
	}
	return next
}

func text(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		panic("transform: " + err.Error()) // no string fails
	}
	return b
}

func truth(v bool) json.RawMessage { return json.RawMessage(strconv.FormatBool(v)) }

func number(v int) json.RawMessage { return json.RawMessage(strconv.Itoa(v)) }
