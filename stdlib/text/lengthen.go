package text

import (
	"strings"
	"unicode"
)

var verboseTransform = Transform{
	ID:  "verbose/1",
	Doc: "Lengthens the response to about factor times its words, as a changed style instruction does: an introduction, asides and restatements between its own sentences, and a summary. Code is left alone; in JSON the texts grow and the structure stays.",
	Params: []Param{
		{Name: "factor", Type: "number", Default: "2", Doc: "Words of the affected response over words of the response, from 1.1 to 5."},
	},
	New: func(params map[string]string) (TransformFunc, error) {
		factor, err := lengthFactor("verbose/1", "2", 1.1, 5, params)
		if err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string {
			want := int(float64(countWords(r.Text))*(factor-1) + 0.5)
			d := throw("verbose/1", seed)
			if before, body, after, ok := splitJSON(r.Text); ok {
				return before + growJSON(body, max(want, 3), topicOf(r.Prompt, "the request"), d) + after
			}
			return lengthen(r, max(want, 3), d)
		}, nil
	},

	HoldBack:  gateBytes,
	StreamDoc: "Asides and restatements follow the sentences as they end, as many as the words so far allow, and the rest and the summary come at the end. There is no introduction, since whether the response is long enough for one is not known. In JSON the first string and those of two words and more grow. It waits for the first character that tells JSON from prose, up to 64 bytes, and then for nothing.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		factor, err := lengthFactor("verbose/1", "2", 1.1, 5, params)
		if err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) Streamer {
			return run(newGrower(r.Prompt, factor, throw("verbose/1", seed)))
		}, nil
	},
}

func lengthFactor(owner, byDefault string, low, high float64, params map[string]string) (float64, error) {
	v, err := readParams(owner, []Param{{Name: "factor", Type: "number", Default: byDefault}}, params)
	if err != nil {
		return 0, err
	}
	return v.number("factor", low, high)
}

// asides are sentences that may follow any sentence. "%" stands for what the
// prompt is about.
var asides = []string{
	"It helps to keep the wider picture of % in mind here.", "There is more to this point than first meets the eye, so let us stay with it for a moment.",
	"Put differently, the details matter, and they tend to build on one another.", "This is worth spelling out, because it is often passed over.",
	"Many people find that this part becomes clearer with a little patience.", "As so often with %, the context decides how much weight this deserves.",
	"To be thorough, it should be said that circumstances vary, and what holds in one case may need a small adjustment in another.",
	"Taking the time to think this through usually pays off later.", "With that in mind, we can look at the matter from another side as well.",
	"This may sound obvious, yet it is the foundation for what comes next.", "In practice, the difference shows up gradually rather than all at once.",
	"It may be useful to write this down and to come back to it later.", "A good way to think about it is to imagine explaining it to a friend.",
	"Of course, there are exceptions, but they do not change the overall direction.", "All of this ties back to the original question about %.",
	"Seen in this light, the individual pieces fit together rather naturally.", "One could say a great deal more about this, but the essential idea is already there.",
	"For the sake of completeness, I will also mention the background briefly.", "This step is easy to underestimate, and it rewards some care.",
	"Experience shows that small improvements add up here.", "It is also a matter of preference, and reasonable people weigh it differently.",
	"Before moving on, it is worth pausing to check that everything so far is clear.", "Broadly speaking, the same reasoning applies to related situations.",
	"That said, there is no need to rush; a steady pace works well.", "Looking at it more closely, several factors play together at this point.",
	"I mention this because it is the kind of detail that makes a difference in the end.", "Even a rough understanding of this will go a long way.",
	"If you have come across % before, some of this will sound familiar.", "There is a certain logic to it once the first pieces are in place.",
	"Everything considered, this is a sensible place to begin.",
}

var introductions = []string{
	"Thank you for your question about %; it is a rewarding topic, and I will go through it step by step.",
	"This is a great question, and there are several things worth saying about %.",
	"Let me begin with a few general remarks about % before turning to the details.",
	"In order to give you a complete picture of %, I will take some time to explain the background as well.",
}

var closings = []string{
	"In summary, these are the main points about %, and together they should give you a solid overview.",
	"I hope this detailed explanation is useful, and that it answers your question about % in full.",
	"To sum up, each of these points contributes its share, and none of them should be looked at in isolation.",
}

var restatements = []string{"In other words: ", "To say it once more: ", "To put it another way: ", "Or, stated again: "}

// lengthen adds about want words between the sentences of prose.
func lengthen(r Response, want int, d dice) string {
	topic := topicOf(r.Prompt, "the subject")
	say := func(s string) string { return strings.ReplaceAll(s, "%", topic) }
	intro, closing := say(d.pick(introductions)), say(d.pick(closings))

	// Where may something be added: after sentences that end like one.
	type slot struct{ segment, sentence int }
	segs := segments(r.Text)
	parts := make([][]string, len(segs))
	var slots []slot
	for i, seg := range segs {
		if seg.code {
			continue
		}
		parts[i] = sentences(seg.text)
		for k, s := range parts[i] {
			body, _ := bodyOf(s)
			if body != "" && strings.ContainsRune(".!?", rune(body[len(body)-1])) && !strings.HasPrefix(body, "|") && countWords(body) >= 3 {
				slots = append(slots, slot{i, k})
			}
		}
	}

	useIntro, useClosing := false, false
	if n := countWords(intro); want >= n {
		useIntro, want = true, want-n
	}
	if n := countWords(closing); want >= n*2 {
		useClosing, want = true, want-n
	}
	order := d.order(len(asides))
	next := 0
	extra := map[slot]string{}
	var tail []string
	for want > 2 {
		for _, at := range d.order(len(slots)) {
			if want <= 2 {
				break
			}
			sl := slots[at]
			var add string
			if next < len(order) {
				add = say(asides[order[next]])
				next++
			} else {
				body, _ := bodyOf(parts[sl.segment][sl.sentence])
				add = d.pick(restatements) + strings.TrimLeft(body, "#*- 0123456789.")
			}
			extra[sl] += " " + add
			want -= countWords(add)
		}
		if len(slots) > 0 && next < len(order) {
			continue
		}
		if next < len(order) {
			add := say(asides[order[next]])
			next++
			tail = append(tail, add)
			want -= countWords(add)
			continue
		}
		if len(slots) == 0 {
			break
		}
	}

	var b strings.Builder
	if useIntro {
		b.WriteString(intro + "\n\n")
	}
	for i, seg := range segs {
		if seg.code {
			b.WriteString(seg.text)
			continue
		}
		for k, s := range parts[i] {
			body, space := bodyOf(s)
			b.WriteString(body + extra[slot{i, k}] + space)
		}
	}
	if len(tail) > 0 {
		b.WriteString("\n\n" + strings.Join(tail, " "))
	}
	if useClosing {
		b.WriteString("\n\n" + closing)
	}
	return b.String()
}

// growJSON adds about want words to the string values of a JSON text, to those
// of several words where there are any. Without strings nothing can grow.
func growJSON(body string, want int, topic string, d dice) string {
	values := stringValues(body)
	order := d.order(len(asides))
	adds := map[int][]string{}
	var wordy []int
	for i, v := range values {
		if countWords(body[v.from:v.to]) >= 2 {
			wordy = append(wordy, i)
		}
	}
	if len(wordy) == 0 && len(values) > 0 {
		wordy = append(wordy, d.below(len(values)))
	}
	if len(wordy) == 0 {
		return body
	}
	for k := 0; want > 0; k++ {
		add := strings.ReplaceAll(asides[order[k%len(order)]], "%", topic)
		at := wordy[k%len(wordy)]
		adds[at] = append(adds[at], add)
		want -= countWords(add)
	}
	var b strings.Builder
	from := 0
	for i, v := range values {
		if len(adds[i]) == 0 {
			continue
		}
		b.WriteString(body[from : v.to-1])
		more := quoteJSON(" " + strings.Join(adds[i], " "))
		b.WriteString(more[1:])
		from = v.to
	}
	b.WriteString(body[from:])
	return b.String()
}

var terseTransform = Transform{
	ID:  "terse/1",
	Doc: "Shortens the response to about factor times its words: whole sentences and list items are left out, from the end and from the middle, and what stays ends properly. In JSON the texts of two words and more are cut and the structure stays.",
	Params: []Param{
		{Name: "factor", Type: "number", Default: "0.5", Doc: "Words of the affected response over words of the response, from 0.05 to 0.95."},
	},
	New: func(params map[string]string) (TransformFunc, error) {
		factor, err := lengthFactor("terse/1", "0.5", 0.05, 0.95, params)
		if err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string {
			words := countWords(r.Text)
			keep := int(float64(words)*factor + 0.5)
			if _, _, _, ok := splitJSON(r.Text); ok {
				return shrinkJSON(r.Text, factor)
			}
			if words < 2 {
				return r.Text
			}
			return shorten(r.Text, max(keep, 1), throw("terse/1", seed))
		}, nil
	},

	HoldBack:  terseHold,
	StreamDoc: "Of the first sentence as many words are sent as the response so far allows, so that one that stays alone is cut to its share; what waits of it is at most 512 bytes. Each later sentence, list item and block of code is sent or left out as it comes, by how many words there should be by then, and waits for nothing but the white space and punctuation at its end; the last one left out is remembered, up to 512 bytes, in case the response ends there with room for it. In JSON the words of a string wait in the same way.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		factor, err := lengthFactor("terse/1", "0.5", 0.05, 0.95, params)
		if err != nil {
			return nil, err
		}
		return func(_ Response, seed uint64) Streamer { return run(newShortener(factor, throw("terse/1", seed))) }, nil
	},
}

// shorten keeps about keep words of prose. Of several sentences it keeps the
// first and a random choice of the others, in order.
func shorten(s string, keep int, d dice) string {
	type piece struct {
		text string
		code bool
		n    int
		kept bool
	}
	var pieces []piece
	for _, seg := range segments(s) {
		if seg.code {
			pieces = append(pieces, piece{text: seg.text, code: true, n: countWords(seg.text)})
			continue
		}
		for _, t := range sentences(seg.text) {
			pieces = append(pieces, piece{text: t, n: countWords(t)})
		}
	}
	left := keep
	for i := range pieces {
		if pieces[i].n > 0 {
			if pieces[i].n <= keep+keep/2 {
				pieces[i].kept = true
				left -= pieces[i].n
			}
			break
		}
	}
	for _, i := range d.order(len(pieces)) {
		if p := &pieces[i]; !p.kept && p.n > 0 && p.n <= left {
			p.kept = true
			left -= p.n
		}
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.kept {
			b.WriteString(p.text)
		}
	}
	out := strings.TrimSpace(b.String())
	if n := countWords(out); n == 0 || n*2 < keep {
		// One sentence makes most of it: cut that one.
		out = firstWords(strings.TrimSpace(s), keep)
	}
	return endProperly(out)
}

// firstWords is the beginning of s with n words, or with one character more
// than n where the script has no spaces.
func firstWords(s string, n int) string {
	inside := false
	for i, r := range s {
		switch {
		case unspaced(r):
			n--
			inside = false
		case unicode.IsSpace(r):
			if n <= 0 {
				return s[:i]
			}
			inside = false
		case !inside && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			n--
			inside = true
		}
		if n < 0 {
			return strings.TrimRight(s[:i], " \n\t\"'([{*_`#")
		}
	}
	return s
}

// endProperly makes a shortened text end like a finished one.
func endProperly(s string) string {
	if openFence(s) {
		s += "\n```"
	}
	for isTruncated(s) {
		trimmed := strings.TrimRight(s, ",;:-–—(\\/=+&[{< \n")
		if trimmed != s {
			s = trimmed
			continue
		}
		word := s[strings.LastIndexAny(s, " \n")+1:]
		if dangling[strings.ToLower(word)] && len(word) < len(s) {
			s = strings.TrimRight(s[:len(s)-len(word)], " \n")
			continue
		}
		return s + "."
	}
	return s
}

// shrinkJSON cuts the string values of a JSON text that hold two words or
// more.
func shrinkJSON(s string, factor float64) string {
	before, body, after, _ := splitJSON(s)
	var b strings.Builder
	from := 0
	for _, v := range stringValues(body) {
		text := unquoteJSON(body[v.from:v.to])
		n := countWords(text)
		if n < 2 {
			continue
		}
		b.WriteString(body[from:v.from])
		b.WriteString(quoteJSON(strings.TrimRight(firstWords(text, max(1, int(float64(n)*factor))), ",;: ")))
		from = v.to
	}
	b.WriteString(body[from:])
	return before + b.String() + after
}
