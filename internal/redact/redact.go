// Package redact takes secrets out of texts that others wrote, before they go
// into an error, a report or a journal.
//
// It imports internal/plainjson and the standard library only.
package redact

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/internal/plainjson"
)

// Shortest is the length in bytes from which on a text is taken for a secret:
// shorter ones would blot out ordinary words.
const Shortest = 4

// Text replaces secrets by mark, in each form in which a server repeats what it
// was sent: as it is, escaped for JSON, and escaped for a URL. Longer forms go
// first, so that no rest of one stays. A text is to be shortened afterwards: of
// a secret that was cut in two, neither half is found.
func Text(text, mark string, secrets ...string) string {
	var forms []string
	for _, s := range secrets {
		if len(s) >= Shortest {
			forms = append(forms, s, quoted(s), plainJSON(s), inner(strconv.QuoteToASCII(s)), url.QueryEscape(s), url.PathEscape(s))
		}
	}
	slices.SortFunc(forms, func(a, b string) int {
		if d := len(b) - len(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, f := range slices.Compact(forms) {
		text = strings.ReplaceAll(text, f, mark)
	}
	return text
}

// quoted is a text inside a JSON string that may stand in HTML.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return inner(string(b))
}

// plainJSON is a text inside any other JSON string.
func plainJSON(s string) string {
	b, err := plainjson.Line(s)
	if err != nil {
		return s
	}
	return inner(string(b))
}

func inner(s string) string { return s[1 : len(s)-1] }
