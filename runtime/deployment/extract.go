package deployment

import (
	"strings"
	"unicode"
)

// extract is the sentence of a prompt that answers its question best: the
// first of those with most words of four letters and more in common with it.
// The question is the last sentence that ends with a question mark, or the
// last one. Where no sentence has a word of it, the longest is taken.
func extract(prompt string) string {
	list := sentences(prompt)
	if len(list) == 0 {
		return ""
	}
	question := len(list) - 1
	for i, s := range list {
		if strings.HasSuffix(s, "?") {
			question = i
		}
	}
	asked := map[string]bool{}
	for _, w := range longWords(list[question]) {
		asked[w] = true
	}
	best, most, longest := -1, 0, -1
	for i, s := range list {
		if i == question {
			continue
		}
		shared := map[string]bool{}
		for _, w := range longWords(s) {
			if asked[w] {
				shared[w] = true
			}
		}
		if len(shared) > most {
			best, most = i, len(shared)
		}
		if longest < 0 || len(s) > len(list[longest]) {
			longest = i
		}
	}
	switch {
	case best >= 0:
		return list[best]
	case longest >= 0:
		return list[longest]
	}
	return list[question]
}

// sentences end with a full stop, an exclamation mark or a question mark before
// a space, or with the line.
func sentences(text string) []string {
	var out []string
	begin := 0
	cut := func(end int) {
		if s := strings.TrimSpace(text[begin:end]); s != "" {
			out = append(out, s)
		}
		begin = end
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			cut(i)
		case (text[i] == '.' || text[i] == '!' || text[i] == '?') && i+1 < len(text) && text[i+1] == ' ':
			cut(i + 1)
		}
	}
	cut(len(text))
	return out
}

func longWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	out := words[:0]
	for _, w := range words {
		if len(w) >= 4 {
			out = append(out, w)
		}
	}
	return out
}
