package reason

import (
	"strings"
	"unicode"
)

// MinLetters is how many letters a reason has at least. It keeps "x" and "-"
// out; whether a reason is a good one, a reviewer decides.
const MinLetters = 3

// Given tells whether a text is a reason: it has at least MinLetters letters,
// and is no placeholder.
func Given(text string) bool {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n >= MinLetters && !Placeholder(text)
}

// Placeholder tells whether a text only keeps a place for one: it has no letter
// and no digit, repeats one character, says by its first word that it is to be
// written later, or has no word that says anything.
func Placeholder(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
	if len(words) == 0 || unwritten[words[0]] {
		return true
	}
	switch strings.Join(words, " ") {
	case "n a", "not applicable", "not available", "not needed", "to be done", "to be defined", "to be determined",
		"to be written", "lorem ipsum", "no reason", "reason", "because", "just because", "why", "why not":
		return true
	}
	for _, w := range words {
		if !says(w) {
			continue
		}
		return false
	}
	return true
}

// unwritten are the marks of a text that is still to come, whatever follows.
var unwritten = map[string]bool{"todo": true, "tbd": true, "tba": true, "tbc": true, "fixme": true, "placeholder": true}

// nothing are words that answer no question by themselves.
var nothing = map[string]bool{
	"na": true, "none": true, "nil": true, "null": true, "nothing": true, "nobody": true, "unknown": true,
	"yes": true, "no": true, "ok": true, "okay": true, "true": true, "false": true, "fine": true,
	"later": true, "test": true, "asdf": true, "foo": true, "bar": true, "baz": true, "wip": true, "misc": true, "whatever": true,
}

// says tells whether a word may mean something by itself. A name of one or two
// letters may, and "xxx" may not.
func says(word string) bool {
	if nothing[word] {
		return false
	}
	first, same := rune(0), true
	for i, r := range word {
		if i == 0 {
			first = r
		}
		same = same && r == first
	}
	return !same || len([]rune(word)) == 1 && unicode.IsLetter(first)
}
