package suggest

import "strings"

// And joins words for a sentence: "a, b and c".
func And(words []string) string { return join(words, " and ") }

// Or joins words for a sentence: "a, b or c".
func Or(words []string) string { return join(words, " or ") }

func join(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + last + words[n]
}
