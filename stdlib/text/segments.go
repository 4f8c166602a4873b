package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A segment is a stretch of prose or a fenced block of code, fence included.
// The segments of a text, joined, are the text.
type segment struct {
	text string
	code bool
}

func segments(s string) []segment {
	var out []segment
	for len(s) > 0 {
		open := fenceAt(s, 0)
		if open < 0 {
			return append(out, segment{text: s})
		}
		if open > 0 {
			out = append(out, segment{text: s[:open]})
		}
		end := len(s)
		if line := strings.IndexByte(s[open:], '\n'); line >= 0 {
			if shut := fenceAt(s, open+line+1); shut >= 0 {
				end = shut + 3
				if nl := strings.IndexByte(s[end:], '\n'); nl >= 0 && strings.TrimSpace(s[end:end+nl]) == "" {
					end += nl + 1
				}
			}
		}
		out = append(out, segment{text: s[open:end], code: true})
		s = s[end:]
	}
	return out
}

// fenceAt returns the first index, from on, of a code fence at the beginning
// of a line, or -1.
func fenceAt(s string, from int) int {
	for from <= len(s) {
		i := strings.Index(s[from:], "```")
		if i < 0 {
			return -1
		}
		i += from
		line := strings.LastIndexByte(s[:i], '\n') + 1
		if strings.TrimSpace(s[line:i]) == "" {
			return i
		}
		from = i + 3
	}
	return -1
}

// sentences cuts prose after each sentence, with the white space that follows.
// Line breaks end sentences too. Joined, the parts are s.
func sentences(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		end := false
		switch s[i] {
		case '\n':
			end = true
		case '.', '!', '?':
			j := i + 1
			for j < len(s) && strings.IndexByte("\"')*_]", s[j]) >= 0 {
				j++
			}
			end = j < len(s) && s[j] == ' ' && !abbreviation(s[start:i])
			if end {
				i = j
			}
		}
		if !end {
			continue
		}
		for i+1 < len(s) && (s[i+1] == ' ' || s[i+1] == '\n' || s[i+1] == '\t') {
			i++
		}
		out = append(out, s[start:i+1])
		start = i + 1
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// abbreviation tells whether a full stop after s ends no sentence: a list
// number, an initial or a common abbreviation.
func abbreviation(s string) bool {
	w := s[strings.LastIndexAny(s, " \n\t")+1:]
	switch w {
	case "e.g", "i.e", "Dr", "Mr", "Mrs", "Ms", "St", "vs", "etc", "No", "approx":
		return true
	}
	if len(w) == 1 {
		return true
	}
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return false
		}
	}
	return len(w) > 0 && len(w) < 3
}

// bodyOf parts a sentence from the white space after it.
func bodyOf(s string) (body, space string) {
	body = strings.TrimRight(s, " \n\t\r")
	return body, s[len(body):]
}

// countWords counts runs of letters and digits between white space. A text in
// a script that is written without spaces counts one word a character.
func countWords(s string) int {
	n := 0
	inside := false
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
				inside = false
			case !inside && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'):
				inside = true
				n++
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case unspaced(r):
			n++
			inside = false
		case unicode.IsSpace(r):
			inside = false
		case !inside && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			inside = true
			n++
		}
	}
	return n
}

// unspaced tells whether r belongs to a script that is written without spaces
// between words.
func unspaced(r rune) bool {
	return r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0x20000 && r <= 0x3ffff
}

// topicOf is a short noun-like phrase of the prompt, for text that ought to
// speak of the same thing; without one it is fallback.
func topicOf(prompt, fallback string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	words := strings.FieldsFunc(line, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-'
	})
	best, run := []string(nil), []string(nil)
	for _, w := range append(words, "the") {
		low := strings.ToLower(w)
		id := promptSet.vocab[low]
		plain := id != 0 && (promptSet.is("stop", id) || promptSet.is("act", id) || promptSet.is("author", id) || promptSet.is("fact", id))
		if plain || len(w) < 3 {
			if len(run) >= len(best) && len(run) > 0 {
				best = run
			}
			run = nil
			continue
		}
		if len(run) < 3 {
			run = append(run, low)
		}
	}
	if len(best) == 0 {
		return fallback
	}
	return strings.Join(best, " ")
}
