package text

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

var verbosityScorer = Scorer{
	ID: "verbosity/1", Kind: "mean", Unit: "words",
	Doc: "The number of words: runs of letters and digits between white space; one per character in scripts that are written without spaces.",
	New: fixedScorer("verbosity/1", func(r Response) int32 { return int32(min(countWords(r.Text), math.MaxInt32)) }),
}

var emptyScorer = Scorer{
	ID: "empty/1", Kind: "rate", Unit: "1",
	Doc: "1 where nothing is left of the response without white space, invisible characters, quotation marks and empty code fences.",
	New: fixedScorer("empty/1", func(r Response) int32 { return rate(isEmpty(r.Text)) }),
}

func isEmpty(s string) bool {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == '`' || r == '"' || r == '\'' || unicode.IsSpace(r):
		case r == 0x200b || r == 0x200c || r == 0x200d || r == 0x2060 || r == 0xfeff || r < 0x20:
		default:
			return false
		}
	}
	return true
}

var truncationScorer = Scorer{
	ID: "truncation/1", Kind: "rate", Unit: "1",
	Doc: "1 where the response stops in mid-thought: an open code fence or bracket, a dangling comma or function word, or prose whose last sentence has no end. A short answer without a full stop, a list whose items have none and verse are not truncated.",
	New: fixedScorer("truncation/1", func(r Response) int32 { return rate(isTruncated(r.Text)) }),
}

// dangling are words that no English sentence or list item ends with.
var dangling = setOf("the a an of to and or but with for in on at by from that which is are was were your my our their its as than if because " +
	"into such this these can will would could should may might must has have had be not very more most when where while while also " +
	"his her between through during each every")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

func isTruncated(s string) bool {
	s = strings.TrimRight(s, " \n\t\r")
	if isEmpty(s) {
		return false
	}
	if openFence(s) {
		return true
	}
	if strings.HasSuffix(s, "```") {
		return false
	}
	head := strings.TrimLeft(s, " \n\t\r")
	if (head[0] == '{' || head[0] == '[' && len(head) > 1 && strings.IndexByte("{[\"0123456789", head[1]) >= 0) && unbalanced(head) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(s)
	switch {
	case strings.ContainsRune(",;:-–—(\\/=+&", last) || last == '[' || last == '{' || last == '<':
		// "-" may close a rule or a signature line.
		return !strings.HasSuffix(s, "--")
	case strings.ContainsRune(".!?…。！？)]}>|*_`\"'”’»%°$€#~", last):
		return strings.ContainsRune("*_\"'”’»", last) && unfinished(strings.TrimRight(s, "*_\"'”’»"))
	case !unicode.IsLetter(last) && !unicode.IsDigit(last):
		return false
	}
	return unfinished(s)
}

// unfinished judges a text that ends in a letter or digit.
func unfinished(s string) bool {
	line := s[strings.LastIndexByte(s, '\n')+1:]
	word := strings.ToLower(line[strings.LastIndexAny(line, " \t")+1:])
	if dangling[word] && strings.ContainsAny(line, " ") {
		return true
	}
	if strings.Count(line, "(") > strings.Count(line, ")") {
		return true
	}
	if r, _ := utf8.DecodeLastRuneInString(s); strings.ContainsRune(".!?…。！？)]}", r) || unspaced(r) && !strings.ContainsAny(s, "。！？") {
		return false
	}
	if strings.HasPrefix(word, "#") || isSignature(s, line) {
		return false
	}
	if strings.Contains(word, "://") || strings.HasPrefix(strings.TrimSpace(line), "#") || strings.Contains(line, "|") {
		return false
	}
	// How do the other lines end? Lists, verse, tables and code do without
	// full stops; prose does not.
	ended, open := 0, 0
	rest := s[:len(s)-len(line)]
	for rest != "" {
		var l string
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			l, rest = rest[:i], rest[i+1:]
		} else {
			l, rest = rest, ""
		}
		l = strings.TrimRight(l, " \t\r*_\"'”")
		if l == "" {
			continue
		}
		switch r, _ := utf8.DecodeLastRuneInString(l); {
		case strings.ContainsRune(".!?…。！？", r):
			ended++
		case r != ':':
			open++
		}
	}
	inside := strings.Count(line, ". ") + strings.Count(line, "? ") + strings.Count(line, "! ")
	if isItem(line) {
		// The number of a list item is no sentence.
		if body := strings.TrimLeft(line, " \t#*-+•0123456789"); strings.HasPrefix(body, ". ") {
			inside--
		}
		if inside <= 0 {
			return ended > open
		}
	}
	if ended+open == 0 && inside <= 0 {
		// One line without any sentence in it: a name, a label, a title, a
		// short answer. From some length on it is a sentence without end.
		return countWords(line) > 14
	}
	return inside > 0 || ended > open
}

// isSignature tells whether the last line of s is a name under a letter, the
// source of a quotation, or another short line that stands by itself.
func isSignature(s, line string) bool {
	if len(line) == len(s) {
		return false
	}
	for _, dash := range []string{" - ", " – ", " — "} {
		if at := strings.LastIndex(line, dash); at >= 0 && countWords(line[at:]) <= 4 {
			return true
		}
	}
	return !isItem(line) && countWords(line) <= 5
}

// openFence tells whether a code fence was opened and not closed.
func openFence(s string) bool {
	n := 0
	for at := fenceAt(s, 0); at >= 0; at = fenceAt(s, at+3) {
		n++
	}
	return n%2 == 1
}

// unbalanced tells whether brackets outside strings stay open.
func unbalanced(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			end := stringEnd(s, i)
			if end >= len(s) && s[len(s)-1] != '"' {
				return true
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
	}
	return depth > 0
}
