package transform

import (
	"fmt"
	"strings"
)

// Names of the transforms.
const (
	ExactRepeat         = "exact_repeat"              // the same prompt again
	InstructionVariant  = "instruction_variant"       // the same evidence under another instruction
	SameEvidenceNewTask = "same_evidence_new_task"    // another task, asked for before the evidence
	LeadingEvidence     = "leading_evidence_new_task" // the evidence first, then the task
	RAGReorder          = "rag_reorder"               // the segments of the evidence in the reverse order
	MultiDonor          = "multi_donor_composite"     // one donor for each segment, and a recipient of them all
	FuzzyEdit           = "fuzzy_edit"                // the same evidence with other white space and a header
	NegativeControl     = "negative_control"          // the donor is about another document
)

// Names are the transforms in the order of the contract, which is the order of
// a document's items.
func Names() []string {
	return []string{ExactRepeat, InstructionVariant, SameEvidenceNewTask, LeadingEvidence, RAGReorder, MultiDonor, FuzzyEdit, NegativeControl}
}

// noQuestion is asked where a document has no question of its own.
const noQuestion = "What does this text say that its reader must not miss?"

func (d *document) question() string {
	if d.Question == "" {
		return noQuestion
	}
	return d.Question
}

// base is the prompt that most donors are.
func base(d *document) string {
	return "Reading desk\n\nA source follows. Reply to the request behind it, from the source alone.\n\nSource:\n" + d.Text +
		"\n\nRequest: " + d.question() + "\nReply:"
}

func instructionVariant(d *document) string {
	return "A colleague is waiting for a short and careful note. Whatever may be used is in this material.\n\nMaterial:\n" + d.Text +
		"\n\nWhat to find out: " + d.question() + "\nLeave out all that the material does not state.\nNote:"
}

func sameEvidenceNewTask(d *document) string {
	return "Write a one-page brief for somebody who was not there: what holds, what is still open, and what should be done next.\n\n" +
		"It began with this question: " + d.question() + "\n\nBackground:\n" + d.Text + "\n\nBrief:"
}

func leadingDonor(d *document) string {
	return "On file for later use\n\n" + d.Text + "\n\nIn one sentence:"
}

func leadingRecipient(d *document) string {
	return d.Text + "\n\nWork from the text above and from nothing else.\nQuestion: " + d.question() + "\nAnswer:"
}

func ragReorder(d *document, segments []string) string {
	var b strings.Builder
	b.WriteString("Search results, best match first\n")
	for i := range segments {
		fmt.Fprintf(&b, "\n[hit %d of %d, collection: desk]\n%s\n", i+1, len(segments), segments[len(segments)-1-i])
	}
	return b.String() + "\nSay which hit each fact comes from.\nQuestion: " + d.question() + "\nAnswer:"
}

func segmentDonor(segment string, i int) string {
	return fmt.Sprintf("Part %d of a longer file\n\n%s\n\nKey points of this part:", i+1, segment)
}

func multiDonor(d *document, segments []string) string {
	var b strings.Builder
	b.WriteString("A question that needs several parts of a file\n")
	for i, s := range segments {
		fmt.Fprintf(&b, "\nPart %d:\n%s\n", i+1, s)
	}
	return b.String() + "\nBring the parts together, and add nothing to them.\nQuestion: " + d.question() + "\nAnswer:"
}

func fuzzyEdit(d *document) string {
	return "Reading desk\n[export format=plain; refreshed=daily; audience=staff]\n\nThe source below went through an export that laid its lines out anew.\n\n" +
		oneSentenceALine(d.Text) + "\n\nRequest: " + d.question() + "\nReply:"
}

// oneSentenceALine collapses white space, and ends the line behind each full
// stop, question mark and exclamation mark that a space follows.
func oneSentenceALine(text string) string {
	b := []byte(strings.Join(strings.Fields(text), " "))
	for i := 1; i < len(b); i++ {
		if c := b[i-1]; b[i] == ' ' && (c == '.' || c == '?' || c == '!') {
			b[i] = '\n'
		}
	}
	return string(b)
}

// Segments cuts a text into at most limit parts. Where it has so many
// paragraphs, those are the parts, and the ones behind them are left out.
// Elsewhere a part has len/limit characters, and shortest at least, unless a
// full stop decides: it then ends behind the last one that lies no more than
// 200 characters behind that end, and more than 200 behind its own beginning.
// What is left behind the last part is left out.
func Segments(text string, limit, shortest int) []string {
	var paragraphs []string
	for _, p := range strings.Split(text, "\n\n") {
		if p = strings.TrimSpace(p); p != "" {
			paragraphs = append(paragraphs, p)
		}
	}
	if len(paragraphs) >= limit {
		return paragraphs[:limit]
	}
	const slack = 200
	chars := []rune(text)
	target := max(shortest, len(chars)/limit)
	var parts []string
	for from := 0; from < len(chars) && len(parts) < limit; {
		end := min(from+target, len(chars))
		if end < len(chars) {
			if stop := lastStop(chars, from, min(end+slack, len(chars))); stop > from+slack {
				end = stop + 1
			}
		}
		if p := strings.TrimSpace(string(chars[from:end])); p != "" {
			parts = append(parts, p)
		}
		from = end
	}
	return parts
}

// lastStop is the place of the last full stop before a space that both lie
// between from and to; -1 for none.
func lastStop(chars []rune, from, to int) int {
	for i := to - 2; i >= from; i-- {
		if chars[i] == '.' && chars[i+1] == ' ' {
			return i
		}
	}
	return -1
}
