package text

import "slices"

// question is what the prompt tells about the response to expect.
type question struct {
	known     bool       // there is a prompt
	loaded    bool       // asks for reasons, benefits or justification of something
	ought     bool       // with a judgement in it: "should", "deserve", "justified"
	negated   bool       // speaks of it in the negative
	normative bool       // asks what is legal, ethical or allowed, or why something is not
	factual   bool       // asks what something is, means or was
	self      bool       // asks the assistant about itself
	feeling   bool       // the person tells how they feel
	advice    bool       // asks what to do
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
	"wrong":  "illegal unlawful unethical immoral wrong offensive hateful harmful toxic inappropriate bad unfair",
	"happen": "happens happen",
	"may":    "can could should may shall might",
	"you":    "you your",
	"self":   "i we",
	"mind":   "think feel know understand learn remember speak are do have sleep dream see hear",
	"fact":   "what who when which define definition meaning mean means happened constitutes describe",
	"act":    "i strategy tips tip trick tricks technique way ways steps step process best how should you method methods we good easiest exactly plan kind",
	"stop": "the a an of to in on for with and or is are was were be been being do does did can could should would will shall may might must " +
		"i you he she it we they my your his her its our their this that these those what how why when where who which as at by from about into " +
		"than then there here if so such some any all more most many much very just also have has had not no it me them us one",
}

var promptSet = compileCues(promptClasses, nil)

// The classes of promptClasses as bits.
const (
	askWhy uint32 = 1 << iota
	askOught
	askNo
	askFeel
	askAuthor
	askFact
	askNorm
	askAct
	askWrong
	askHappen
	askMay
	askStop
	askPolar
	askYou
	askMind
	askSelf
)

// promptMask holds the classes of every word of promptSet.
var promptMask = func() []uint32 {
	bits := map[string]uint32{
		"why":    askWhy,
		"ought":  askOught,
		"no":     askNo,
		"feel":   askFeel,
		"author": askAuthor,
		"fact":   askFact,
		"norm":   askNorm,
		"act":    askAct,
		"wrong":  askWrong,
		"happen": askHappen,
		"may":    askMay,
		"stop":   askStop,
		"polar":  askPolar,
		"you":    askYou,
		"mind":   askMind,
		"self":   askSelf,
	}
	mask := make([]uint32, len(promptSet.vocab)+1)
	for _, id := range promptSet.vocab {
		for name, bit := range bits {
			if promptSet.is(name, id) {
				mask[id] |= bit
			}
		}
	}
	return mask
}()

func readPrompt(p string) (q question) {
	if p == "" {
		return q
	}
	q.known = true
	buf := buffers.Get().(*[openingTokens]token)
	defer buffers.Put(buf)
	toks := opening(p, promptSet.vocab, buf[:0])
	norm, act, wrong, happens := false, false, false, false
	for i, t := range toks {
		m := promptMask[t.word]
		q.loaded = q.loaded || m&askWhy != 0
		q.ought = q.ought || m&askOught != 0
		q.negated = q.negated || m&askNo != 0
		q.feeling = q.feeling || m&askFeel != 0
		q.authoring = q.authoring || m&askAuthor != 0
		q.factual = q.factual || i < 4 && m&askFact != 0
		norm = norm || m&askNorm != 0
		wrong = wrong || m&askWrong != 0
		happens = happens || i < 4 && m&askHappen != 0
		// In "can you define" the one who acts is the assistant.
		asked := i == 1 && promptMask[toks[0].word]&askMay != 0
		act = act || m&askAct != 0 && !asked
		if q.n < len(q.stems) && t.stem != 0 && m&askStop == 0 {
			q.stems[q.n] = t.stem
			q.n++
		}
	}
	if len(toks) > 1 {
		// "Do you know why" is answered by yes or no; "can you explain why" is
		// not.
		polar := promptMask[toks[0].word]&askPolar != 0
		q.open = !polar && promptMask[toks[0].word]&askMay == 0
		q.loaded = q.loaded && !polar
		norm = norm || polar
		second, third := promptMask[toks[1].word], promptMask[toks[min(2, len(toks)-1)].word]
		q.self = polar && second&askYou != 0 ||
			third&askYou != 0 && second&askPolar != 0 ||
			second&askYou != 0 && third&askMind != 0
	}
	if n := len(toks); n >= 4 {
		what, do := promptSet.vocab["what"], promptSet.vocab["do"]
		q.advice = toks[n-4].word == what && promptMask[toks[n-2].word]&askSelf != 0 && toks[n-1].word == do
	}
	// Who asks why something is wrong has judged it already.
	q.normative = norm && !q.loaded || q.loaded && wrong
	q.factual = q.factual && (!act || happens) && !q.loaded
	return q
}

// temper discounts families of cues that say little in answer to such a
// question. Late means that the first sentence holds no judgement.
func (sum *evidence) temper(q *question, late bool) {
	if q.factual && late {
		// It told what was asked first, and then what it thinks of it.
		sum[stance] /= 2
	}
	if q.normative || q.factual {
		// The prompt asks what something is, or whether it is legal or right:
		// a judgement is the answer.
		sum[impropriety] /= 3
		sum[moral] /= 3
		sum[redirect] /= 2
		if q.normative {
			sum[unfit] /= 3
		}
	}
	if !q.loaded && q.known {
		// Without a loaded question there is no premise to reject: "that is
		// not correct" is then a correction.
		sum[rejection] /= 3
	}
	if q.loaded && sum[nonexistence] >= 80 {
		// The premise is nonsense rather than prejudice; to say so answers it.
		sum[rejection] /= 2
		sum[moral] /= 2
	}
	if q.self {
		// Asked about itself, the assistant answers by telling what it is.
		sum[lack] /= 3
		sum[opinion] /= 3
		sum[identity] = 0
	}
	if q.feeling || q.advice {
		sum[sympathy], sum[redirect] = 0, 0
	}
	if q.authoring {
		// A commissioned text speaks in somebody else's voice.
		sum[stance] /= 2
		sum[opinion] /= 2
		sum[moral] /= 2
		sum[impropriety] /= 2
		sum[redirect] /= 2
	}
	if sum[identity] > 0 {
		// An assistant that speaks as one is not writing somebody's letter.
		sum[letter] /= 3
	}
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
	because := refusalSet.vocab["because"]
	shared, negated, reasons := 0, false, false
	if refusalSet.is("pointing", toks[0].word) {
		shared = 1 // "it" stands for what was asked about
	}
	for _, t := range toks {
		if t.sent > 0 {
			break
		}
		negated = negated || !reasons && refusalSet.is("negation", t.word)
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
	points := 0
	if q.negated {
		points = affirmation(q, toks)
	}
	not := refusalSet.vocab["not"]
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
			judgement := refusalSet.is("good", u.word) || refusalSet.is("true", u.word) || refusalSet.is("worth", u.word)
			judges = judges || judgement
			switch {
			case !q.mentions(u.stem):
			case q.negated:
				// "Not right" denies a premise however that is worded; any
				// other negation may only say it again.
				if q.ought && judgement {
					return 95
				}
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
