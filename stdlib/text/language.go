package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

var languageParams = []Param{
	{Name: "expect", Type: "string", Default: "prompt", Doc: `The language that a response should be in: "prompt" for that of the prompt, or one of: ` + strings.Join(languageCodes(), ", ") + "."},
	{Name: "fallback", Type: "string", Default: "en", Doc: "The language to expect where the prompt does not show one."},
}

var wrongLanguageScorer = Scorer{
	ID: "wrong_language/1", Kind: "rate", Unit: "1",
	Doc:    "1 where the response is in another language or script than expected, or breaks into another script in several places. Code, quotations and parentheses do not count, and a prompt that asks for a translation or names a language scores 0. Languages of one script are told apart by their function words.",
	Params: languageParams,
	New: func(params map[string]string) (ScoreFunc, error) {
		v, err := readParams("wrong_language/1", languageParams, params)
		if err != nil {
			return nil, err
		}
		fallback, err := v.oneOf("fallback", languageCodes()...)
		if err != nil {
			return nil, err
		}
		expect, err := v.oneOf("expect", append([]string{"prompt"}, languageCodes()...)...)
		if err != nil {
			return nil, err
		}
		return func(r Response) int32 { return rate(wrongLanguage(r, expect, fallback)) }, nil
	},
}

// A script is a writing system as far as it tells languages apart.
type script uint8

const (
	noScript script = iota
	latin
	cyrillic
	greek
	han // with kana and hangul: see asian
	kana
	hangul
	arabic
	hebrew
	thai
	indic
	otherScript
	scripts
)

func scriptOf(r rune) script {
	switch {
	case r < 0x250:
		return latin
	case r < 0x2b0 || r >= 0x1e00 && r < 0x1f00:
		return latin
	case r >= 0x370 && r < 0x400 || r >= 0x1f00 && r < 0x2000:
		return greek
	case r >= 0x400 && r < 0x530:
		return cyrillic
	case r >= 0x590 && r < 0x600:
		return hebrew
	case r >= 0x600 && r < 0x780:
		return arabic
	case r >= 0x900 && r < 0xe00:
		return indic
	case r >= 0xe00 && r < 0xe80:
		return thai
	case r >= 0x3040 && r < 0x3100:
		return kana
	case r >= 0x3400 && r < 0xa000 || r >= 0xf900 && r < 0xfb00 || r >= 0x20000 && r < 0x40000:
		return han
	case r >= 0xac00 && r < 0xd7b0 || r >= 0x1100 && r < 0x1200:
		return hangul
	}
	return otherScript
}

// A language is told by its script and, within the Latin script, by the words
// that hold its sentences together.
type language struct {
	code   string
	name   string // in English, as prompts name it
	script script
	words  string // frequent words; empty where the script tells enough
}

var languages = []language{
	{"en", "english", latin, "the and of to is that it for was with as you are be this have from or by not but what all were when we can your which their if will each about how them then she many some these would other into has more two like him see could people than been who its now did get may a an on at how do i me my why where should does tell give best way use using such also so no"},
	{"de", "german", latin, "der die und den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wenn können ihre ich kann wir"},
	{"fr", "french", latin, "de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont avec ou son cette aux mais comme on tout nous sa fait été aussi leur bien peut ces y deux elle vous je même sans votre être c'est d'un d'une qu'il"},
	{"es", "spanish", latin, "de la que el en y los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué han puede tiene cada usted"},
	{"it", "italian", latin, "di che e la il un a per è in una sono mi si lo ma ti con non le della cosa del da al dei i gli come più anche nel alla ha questo se io ci quando nella delle stato essere hanno loro tutto tra molto può dal sua suo perché ogni ancora"},
	{"pt", "portuguese", latin, "de que o a e do da em um para é não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem você pode são"},
	{"nl", "dutch", latin, "de het een van en in is dat op te zijn met voor niet aan er om ook als dan maar bij nog uit naar heeft door over ze hij wordt deze of tot je mijn geen worden wel hebben kan al meer was dit zo worden u uw wij veel moet"},
	{"pl", "polish", latin, "i w na z do się nie to że jest o po jak od za przez dla ale tak przy co są może tego tym które który oraz ich już czy być jego tylko był można tej bardzo"},
	{"sv", "swedish", latin, "och att det i en som på är av för med till den har de inte om ett han men var jag sig från vi så kan när år under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara"},
	{"ru", "russian", cyrillic, ""}, {"el", "greek", greek, ""}, {"zh", "chinese", han, ""}, {"ja", "japanese", kana, ""},
	{"ko", "korean", hangul, ""}, {"ar", "arabic", arabic, ""}, {"he", "hebrew", hebrew, ""}, {"th", "thai", thai, ""}, {"hi", "hindi", indic, ""},
}

func languageCodes() []string {
	var out []string
	for _, l := range languages {
		out = append(out, l.code)
	}
	return out
}

// functionWords maps a word to the set of languages, as bits over languages,
// in which it is frequent.
var functionWords = func() map[string]uint16 {
	m := map[string]uint16{}
	for i, l := range languages {
		for _, w := range strings.Fields(l.words) {
			m[w] |= 1 << i
		}
	}
	return m
}()

// namesLanguage are the words in a prompt that make another language welcome.
var namesLanguage = func() map[string]bool {
	m := setOf("translate translation translated translating language languages latin turkish ukrainian vietnamese indonesian " +
		"swahili persian farsi urdu bengali tamil finnish danish norwegian czech hungarian romanian esperanto mandarin " +
		"cantonese kanji hiragana cyrillic sanskrit hebrew yiddish bilingual multilingual deutsch español français " +
		"hindi punjabi gaelic irish welsh filipino tagalog klingon pinyin")
	for _, l := range languages {
		m[l.name] = true
	}
	return m
}()

// profile is what a text shows of its language.
type profile struct {
	letters [scripts]int
	total   int // letters
	words   int // words of the Latin script
	hits    [16]int
	breaks  int // runs of two letters or more of a script foreign to the first
	welcome bool
}

// languageBytes bound what is read of one text.
const languageBytes = 8192

func profileOf(s string, own script) profile {
	var p profile
	if len(s) > languageBytes {
		s = s[:languageBytes]
	}
	var word [24]byte
	n, long := 0, false
	run, runScript := 0, noScript
	flush := func() {
		if n > 0 && !long {
			p.words++
			w := word[:n]
			if set := functionWords[string(w)]; set != 0 {
				for i := 0; set != 0; i, set = i+1, set>>1 {
					if set&1 != 0 {
						p.hits[i]++
					}
				}
			}
			if n > 3 && namesLanguage[string(w)] {
				p.welcome = true
			}
		} else if n > 0 {
			p.words++
		}
		n, long = 0, false
	}
	depth, code := 0, false
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			if run >= 2 && depth == 0 {
				p.breaks++
			}
			run = 0
			letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
			switch {
			case c == '`':
				flush()
				code = !code
				if strings.HasPrefix(s[i:], "``") {
					i += 2
				}
			case code:
			case letter || c == '\'' && n > 0:
				if letter {
					p.letters[latin]++
					p.total++
				}
				if n < len(word) {
					if c >= 'A' && c <= 'Z' {
						c += 'a' - 'A'
					}
					word[n] = c
					n++
				} else {
					long = true
				}
			default:
				flush()
				if c == '(' {
					depth++
				} else if c == ')' && depth > 0 || c == '\n' {
					depth = 0
				}
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if code {
			continue
		}
		if !unicode.IsLetter(r) {
			if r == '’' && n > 0 && n < len(word) {
				word[n] = '\''
				n++
			} else if !unicode.Is(unicode.Mn, r) {
				flush()
			}
			continue
		}
		sc := scriptOf(r)
		p.total++
		p.letters[sc]++
		if sc == latin {
			if n+size <= len(word) {
				n += utf8.EncodeRune(word[n:], unicode.ToLower(r))
			} else {
				long = true
			}
			continue
		}
		flush()
		if sc != own && depth == 0 {
			if sc != runScript && run > 0 && !asian(sc, runScript) {
				run = 0
			}
			run++
			runScript = sc
		}
	}
	flush()
	if run >= 2 && depth == 0 {
		p.breaks++
	}
	return p
}

// asian tells whether two scripts stand together in ordinary writing.
func asian(a, b script) bool {
	east := func(s script) bool { return s == han || s == kana || s == hangul }
	return east(a) && east(b)
}

// dominant is the script of most letters.
func (p profile) dominant() script {
	best := noScript
	for s := latin; s < scripts; s++ {
		if p.letters[s] > p.letters[best] {
			best = s
		}
	}
	if best == han && p.letters[kana]*10 >= p.letters[han] {
		return kana
	}
	return best
}

// guess returns the index of the language that p shows, or -1 where it shows
// none clearly.
func (p profile) guess(minWords int) int {
	d := p.dominant()
	if d == noScript {
		return -1
	}
	if d != latin {
		for i, l := range languages {
			if l.script == d {
				return i
			}
		}
		return -1
	}
	best, second := -1, 0
	for i, l := range languages {
		if l.script != latin {
			continue
		}
		switch {
		case best < 0 || p.hits[i] > p.hits[best]:
			if best >= 0 {
				second = p.hits[best]
			}
			best = i
		case p.hits[i] > second:
			second = p.hits[i]
		}
	}
	if p.words < minWords || p.hits[best] < 3 || p.hits[best]*10 < p.words || p.hits[best]*3 < second*4 {
		return -1
	}
	return best
}

func wrongLanguage(r Response, expect, fallback string) bool {
	own := -1
	prompt := profileOf(r.Prompt, latin)
	if prompt.welcome {
		return false
	}
	if expect == "prompt" {
		own = prompt.guess(3)
		expect = fallback
	}
	if own < 0 {
		for i, l := range languages {
			if l.code == expect {
				own = i
			}
		}
	}
	lang := languages[own]
	text := r.Text
	if body, ok := unfence(strings.TrimSpace(text)); ok && validJSON(body) {
		// JSON in a fence is no code; its strings are for readers.
		text = body
	}
	p := profileOf(text, lang.script)
	if p.total < 2 {
		return false
	}
	// What the prompt brought in may be spoken of.
	var foreign int
	for s := latin; s < scripts; s++ {
		if s == lang.script || asian(s, lang.script) || prompt.letters[s]*20 > prompt.total {
			continue
		}
		if s == latin {
			// Latin names and terms stand in texts of every script.
			if p.letters[s]*10 > p.total*9 && p.words >= 4 {
				return true
			}
			continue
		}
		foreign += p.letters[s]
	}
	if foreign*6 > p.total || foreign > 0 && p.breaks >= 3 && foreign >= 6 {
		return true
	}
	if lang.script != latin {
		return false
	}
	got := p.guess(6)
	return got >= 0 && got != own && languages[got].script == latin && p.hits[got] >= 2*p.hits[own] && p.hits[got] >= 4
}
