package tokens

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// white is \s, which package regexp reads as ASCII only.
const white = `\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}`

// patterns are those of the encodings, without the last two alternatives:
// package regexp has no look-ahead.
var patterns = map[string]*regexp.Regexp{
	"r50k_base":   regexp.MustCompile(`^(?:'s|'t|'re|'ve|'m|'ll|'d| ?\pL+| ?\pN+| ?[^` + white + `\pL\pN]+)`),
	"p50k_base":   regexp.MustCompile(`^(?:'s|'t|'re|'ve|'m|'ll|'d| ?\pL+| ?\pN+| ?[^` + white + `\pL\pN]+)`),
	"cl100k_base": regexp.MustCompile(`^(?:(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\pL\pN]?\pL+|\pN{1,3}| ?[^` + white + `\pL\pN]+[\r\n]*|[` + white + `]*[\r\n]+)`),
	"o200k_base": regexp.MustCompile(`^(?:[^\r\n\pL\pN]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\pM]*[\p{Ll}\p{Lm}\p{Lo}\pM]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\pL\pN]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\pM]+[\p{Ll}\p{Lm}\p{Lo}\pM]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\pN{1,3}| ?[^` + white + `\pL\pN]+[\r\n/]*|[` + white + `]*[\r\n]+)`),
}

// piece is the first piece of a text by its pattern.
func piece(name, text string) int {
	if at := patterns[name].FindStringIndex(text); at != nil {
		return at[1]
	}
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) })
	if end < 0 {
		return len(text)
	}
	if _, last := utf8.DecodeLastRuneInString(text[:end]); last < end {
		return end - last // \s+(?!\S)
	}
	return end
}

// slowMerge is the definition: merge the pair of the lowest id, the leftmost of
// several, until there is none.
func slowMerge(v *vocabulary, piece string) []uint32 {
	if id, ok := v.ids[piece]; ok {
		return []uint32{id}
	}
	parts := make([]string, len(piece))
	for i := range parts {
		parts[i] = piece[i : i+1]
	}
	for {
		best, at := uint32(noPair), -1
		for i := 0; i+1 < len(parts); i++ {
			if id, ok := v.ids[parts[i]+parts[i+1]]; ok && id < best {
				best, at = id, i
			}
		}
		if at < 0 {
			break
		}
		parts[at] += parts[at+1]
		parts = slices.Delete(parts, at+1, at+2)
	}
	var ids []uint32
	for _, p := range parts {
		ids = append(ids, v.ids[p])
	}
	return ids
}

func checkBPE(t *testing.T, b *bpe, text string) {
	t.Helper()
	valid := string([]rune(text))
	var want []uint32
	for s := valid; s != ""; {
		n := piece(b.name, s)
		if got := b.cut(s); got != n {
			t.Fatalf("%s, %q: the first piece is %q, want %q", b.name, s, s[:got], s[:n])
		}
		want = append(want, slowMerge(b.vocab(), s[:n])...)
		s = s[n:]
	}
	if got := b.Append(nil, text); !slices.Equal(got, want) {
		t.Fatalf("%s, %q: %d, want %d", b.name, text, got, want)
	}
}

func encodings() (list []*bpe) {
	for _, t := range all {
		if b, ok := t.(*bpe); ok {
			list = append(list, b)
		}
	}
	return list
}

// TestBPEAgainstPatterns joins characters of every class at random, which meets
// each alternative and each way in which a repetition gives back.
func TestBPEAgainstPatterns(t *testing.T) {
	atoms := strings.Split("a|b|B|Z|ß|Ǆ|ǅ|ʰ|漢|字|é|e\u0301|\u0301|1|23|½|Ⅷ| |  |\t|\n|\r\n|\r|\u0085|\u00a0|\u3000|\u2028|'|'s|'S|'ſ|'ll|'Re|'vE|'d|!|?!|/|//|.|_|-|\u200b|\U0001F600|\x00|\xff|the| the|ing|Hello|<|endoftext|>", "|")
	r := rand.New(rand.NewPCG(11, 12))
	for range 6000 {
		var text strings.Builder
		alphabet := 1 + r.IntN(len(atoms))
		from := r.IntN(len(atoms))
		for range r.IntN(14) {
			text.WriteString(atoms[(from+r.IntN(alphabet))%len(atoms)])
		}
		for _, b := range encodings() {
			checkBPE(t, b, text.String())
		}
	}
}

// TestBPEClasses holds the class of every character against the pattern's.
func TestBPEClasses(t *testing.T) {
	for bit, pattern := range map[uint8]string{letter: `\pL`, number: `\pN`, blank: `[` + white + `]`, sign: `[^` + white + `\pL\pN]`,
		upper: `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\pM]`, lower: `[\p{Ll}\p{Lm}\p{Lo}\pM]`, lineEnd: `[\r\n]`, slash: `/`} {
		in := regexp.MustCompile(`^` + pattern + `$`)
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if !utf8.ValidRune(r) || r > 0x3FFFF && r%997 != 0 {
				continue
			}
			if bits, _ := look(string(r), 0); (bits&bit != 0) != in.MatchString(string(r)) {
				t.Errorf("%U in %s: %t", r, pattern, bits&bit != 0)
			}
		}
	}
}

// TestBPELong compares merges of long pieces with those of the definition.
func TestBPELong(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, letters := range []string{"a", "ab", "abcdefgh", "aeiourstln"} {
		s := make([]byte, 1500)
		for i := range s {
			s[i] = letters[r.IntN(len(letters))]
		}
		for _, b := range encodings() {
			checkBPE(t, b, string(s))
		}
	}
}

// TestBPETime tells that no text takes quadratic time: one run of one class,
// and what a pattern could go through again and again.
func TestBPETime(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for _, b := range encodings() {
		b.Append(nil, "x")
		for _, unit := range []string{"a", "A", "aA", "漢A", "漢", " ", "\n", "\n ", "\n  \n", "!?", "1", "'", "'s", "\u0301", "\xff"} {
			small, large := strings.Repeat(unit, 15_000/len(unit)), strings.Repeat(unit, 150_000/len(unit))
			once := func(text string) time.Duration {
				start := time.Now()
				b.Append(nil, text)
				return time.Since(start)
			}
			// Other programs on the machine make any one measurement long.
			var x, y time.Duration
			for range 8 {
				if x, y = once(small), once(large); y < 50*x+5*time.Millisecond {
					break
				}
			}
			if y >= 50*x+5*time.Millisecond {
				t.Errorf("%s, %q: %v for ten times the text that took %v", b.name, unit, y, x)
			}
		}
	}
}

func FuzzBPE(f *testing.F) {
	for _, s := range []string{"", "Hello, world!", "a \n \n b", "don'T I'LL 'ſ", "\xff\x00", "Ünï漢A\u0301a", "x\r\n\r\n  y", "1234567 / //\n", "\u0301'sB\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		for _, b := range encodings() {
			checkBPE(t, b, text)
		}
	})
}
