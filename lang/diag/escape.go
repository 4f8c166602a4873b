package diag

import (
	"fmt"
	"unicode/utf8"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"golang.org/x/text/width"
)

// Hidden tells whether a terminal or an editor would not show r as what it is:
// control characters (but not tab and newline), the marks that reorder or hide
// text, and the byte order mark.
func Hidden(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c, r == 0x180e, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb:
		return true
	case r >= 0x200b && r <= 0x200c, r >= 0x200e && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	}
	return false
}

// appendShown appends text as a terminal may safely print it and returns how
// many cells it takes. Hidden characters become <U+202E>; a tab becomes four
// spaces, since its width would depend on where the line begins.
func appendShown(dst []byte, text []byte) ([]byte, int) {
	cells := 0
	for len(text) > 0 {
		if c := text[0]; c >= 0x20 && c < 0x7f && (len(text) == 1 || text[1] < 0x80) {
			dst = append(dst, c)
			text = text[1:]
			cells++
			continue
		}
		n, _, _ := textseg.ScanGraphemeClusters(text, true)
		cluster := text[:max(n, 1)]
		text = text[len(cluster):]
		widest := 0
		for len(cluster) > 0 {
			r, size := utf8.DecodeRune(cluster)
			switch {
			case r == '\t':
				dst = append(dst, "    "...)
				widest += 4
			case r == '\n':
				dst = append(dst, '\n')
			case Hidden(r) || r == utf8.RuneError && size == 1:
				before := len(dst)
				if r == utf8.RuneError {
					r = rune(cluster[0])
				}
				dst = fmt.Appendf(dst, "<U+%04X>", r)
				widest += len(dst) - before
			default:
				dst = append(dst, cluster[:size]...)
				widest = max(widest, runeCells(r))
			}
			cluster = cluster[size:]
		}
		cells += widest
	}
	return dst, cells
}

func runeCells(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func shown(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 && s[i] != '\n' || s[i] >= 0x7f {
			b, _ := appendShown(nil, []byte(s))
			return string(b)
		}
	}
	return s
}
