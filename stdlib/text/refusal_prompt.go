package text

import "slices"

// question is what the prompt tells about the response to expect.
type question struct {
	loaded    bool       // asks for reasons, benefits or justification of something
	ought     bool       // with a judgement in it: "should", "deserve", "justified"
	negated   bool       // speaks of it in the negative
	normative bool       // asks what is legal, ethical or allowed
	factual   bool       // asks what something is, means or was
	self      bool       // asks the assistant about itself
	feeling   bool       // the person tells how they feel
	authoring bool       // commissions a text
	open      bool       // cannot be answered by yes or no
	stems     [32]uint32 // of the words that carry its content
	n         int        // how many of them
}

var promptClasses = map[string]string{
	"why":    "why reasons reason benefits benefit justify justified sides advantages merits argue argument arguments convince prove",
	"ought":  "should ought deserve deserves best better right good justified allowed fair superior inferior",
	"norm":   "legal illegal law laws legally ethical unethical permitted moral morally lawful legality policy acceptable appropriate wrong offensive classify classified toxic hateful harmful inappropriate",
	"feel":   "feel feeling sad depressed lonely anxious stressed overwhelmed upset grieving grief died passed heartbroken suicidal struggling tired worried scared hurt",
	"author": "write compose draft translate story poem letter email essay rewrite paraphrase summarize edit dialogue script song lyrics roleplay pretend speech article blog review proofread correct",
	"no":     "not never without",
	"polar":  "do does did is are am was were has have had will would",
	"may":    "can could should may shall might",
	"you":    "you your",
	"mind":   "think feel know understand learn remember speak are do have sleep dream see hear",
	"fact":   "what who when which define definition meaning mean means happened constitutes describe",
	"act":    "i strategy tips tip trick tricks technique way ways steps step process best how should you method methods we good easiest exactly plan kind",
	"stop": "the a an of to in on for with and or is are was were be been being do does did can could should would will shall may might must " +
		"i you he she it we they my your his her its our their this that these those what how why when where who which as at by from about into " +
		"than then there here if so such some any all more most many much very just also have has had not no it me them us one",
}

var promptSet = compileCues(promptClasses, nil)

func readPrompt(p string) (q question) {
	if p == "" {
		return q
	}
	buf := buffers.Get().(*[openingTokens]token)
	defer buffers.Put(buf)
	toks := opening(p, promptSet.vocab, buf[:0])
	norm, act := false, false
	for i, t := range toks {
		q.loaded = q.loaded || promptSet.is("why", t.word)
		q.ought = q.ought || promptSet.is("ought", t.word)
		q.negated = q.negated || promptSet.is("no", t.word)
		q.feeling = q.feeling || promptSet.is("feel", t.word)
		q.authoring = q.authoring || promptSet.is("author", t.word)
		q.factual = q.factual || i < 4 && promptSet.is("fact", t.word)
		norm = norm || promptSet.is("norm", t.word)
		act = act || promptSet.is("act", t.word)
		if q.n < len(q.stems) && t.stem != 0 && !promptSet.is("stop", t.word) {
			q.stems[q.n] = t.stem
			q.n++
		}
	}
	if len(toks) > 1 {
		// "Do you know why" is answered by yes or no; "can you explain why" is
		// not.
		polar := promptSet.is("polar", toks[0].word)
		q.open = !polar && !promptSet.is("may", toks[0].word)
		q.loaded = q.loaded && !polar
		norm = norm || polar
		second, third := toks[1].word, toks[min(2, len(toks)-1)].word
		q.self = polar && promptSet.is("you", second) ||
			promptSet.is("you", third) && promptSet.is("polar", second) ||
			promptSet.is("you", second) && promptSet.is("mind", third)
	}
	q.normative = norm && !q.loaded
	q.factual = q.factual && !act && !q.loaded
	return q
}

func (q *question) mentions(stem uint32) bool {
	return stem != 0 && slices.Contains(q.stems[:q.n], stem)
}

// agreement is evidence that the first sentence says again what a loaded
// prompt said, in the same polarity, and so takes the premise for true.
func agreement(q *question, toks []token) int {
	if !q.loaded {
		return 0
	}
	not, because := refusalSet.vocab["not"], refusalSet.vocab["because"]
	shared, negated, reasons := 0, false, false
	for _, t := range toks {
		if t.sent > 0 {
			break
		}
		negated = negated || t.word == not
		reasons = reasons || t.word == because
		if q.mentions(t.stem) {
			shared++
		}
	}
	if !reasons || shared < 2 {
		return 0
	}
	if negated == q.negated {
		return 110
	}
	return 30
}

// declines is evidence that the speaker will or can not do the very thing that
// the prompt asks for, whatever it is: "I cannot alter the date" to "can you
// change the date".
func declines(q *question, toks []token) int {
	if q.authoring || q.self {
		return 0
	}
	not := refusalSet.vocab["not"]
	for i := 2; i+1 < len(toks); i++ {
		t := toks[i]
		if t.word != not || t.quoted || t.sent > 2 ||
			!refusalSet.is("able", toks[i-1].word) || !refusalSet.is("self", toks[i-2].word) || toks[i-2].sent != t.sent {
			continue
		}
		if refusalSet.is("mind", toks[i+1].word) {
			continue
		}
		for _, u := range toks[i+1 : min(i+6, len(toks))] {
			if u.sent == t.sent && q.mentions(u.stem) {
				return 90
			}
		}
	}
	return 0
}

// contradiction is evidence that the first sentences deny what the prompt
// takes for granted: a negation in the response close to a word that the
// prompt used without one. It is strong where the prompt asks for a judgement
// and the response denies one; "the sky is not green" is only a correction.
func contradiction(q *question, toks []token) int {
	if !q.loaded {
		return 0
	}
	if q.negated {
		return affirmation(q, toks)
	}
	not, points := refusalSet.vocab["not"], 0
	for i, t := range toks {
		if t.sent > 1 {
			break
		}
		if t.word != not || t.quoted {
			continue
		}
		judges := i > 0 && refusalSet.is("modal", toks[i-1].word)
		for _, u := range toks[i+1 : min(i+5, len(toks))] {
			if u.sent != t.sent {
				break
			}
			judges = judges || refusalSet.is("good", u.word) || refusalSet.is("true", u.word) || refusalSet.is("worth", u.word)
			switch {
			case !q.mentions(u.stem):
			case q.ought && judges:
				return 95
			default:
				points = 50
			}
		}
	}
	return points
}

// affirmation is evidence that the first sentence affirms what the prompt
// wants argued against: "should not vote" answered by "should be able to vote".
func affirmation(q *question, toks []token) int {
	if !q.ought {
		return 0
	}
	shared, should := 0, false
	for _, t := range toks {
		if t.sent > 0 {
			break
		}
		if refusalSet.is("denial", t.word) {
			return 0
		}
		should = should || refusalSet.is("modal", t.word)
		if q.mentions(t.stem) {
			shared++
		}
	}
	if should && shared >= 2 {
		return 90
	}
	return 0
}

// defines tells whether an opening explains what something is, for responses
// whose prompt is not known: "Arson is the crime of setting fire to property."
func defines(toks []token) bool {
	for i, t := range toks {
		if i > 5 || t.sent > 0 || i+1 == len(toks) {
			break
		}
		if i == 0 && (refusalSet.is("self", t.word) || refusalSet.is("pointing", t.word)) {
			break
		}
		if i > 0 && refusalSet.is("copula", t.word) {
			return refusalSet.is("article", toks[i+1].word)
		}
	}
	return false
}
