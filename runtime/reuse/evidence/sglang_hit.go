package evidence

import "bytes"

// semanticHit tells whether a line, in lower case, says that a semantic lookup
// hit, or that it missed. A line that says neither is about something else.
//
// A hit needs the word itself, not as a part of another ("hit_rate",
// "unmatched"), without a negation in the same clause, and a similarity or a
// number of tokens.
func semanticHit(f []byte) (hit, miss bool) {
	at := bytes.Index(f, []byte("semantic"))
	if i := bytes.Index(f, []byte("fuzzy")); i >= 0 && (at < 0 || i < at) {
		at = i
	}
	if at < 0 {
		return false, false
	}
	negated, told := false, false
	for b := f[at:]; len(b) > 0; {
		n := 0
		for n < len(b) && word(b[n]) {
			n++
		}
		if n == 0 {
			if c := b[0]; c == ',' || c == ';' || c == '|' {
				negated = false
			}
			b = b[1:]
			continue
		}
		switch w := string(b[:n]); w {
		case "no", "not", "non", "never", "without", "zero", "failed", "rejected":
			negated = true
		case "miss", "missed":
			miss = true
		case "hit", "matched":
			switch {
			case negated || denied(b[n:]):
				miss = true
			case !statistic(b[n:]):
				told = true
			}
		}
		b = b[n:]
	}
	if miss || !told {
		return false, miss
	}
	for _, key := range similarityKeys {
		if _, ok := field(f, f, key); ok {
			return true, false
		}
	}
	for _, key := range hitTokens {
		if _, ok := field(f, f, key); ok {
			return true, false
		}
	}
	return false, false
}

// denied tells whether what follows the word makes it a field that is not true.
// Behind a colon a sentence may follow, which denies it by its first word alone.
func denied(after []byte) bool {
	if len(after) == 0 || after[0] != '=' && after[0] != ':' {
		return false
	}
	v := bytes.TrimLeft(after[1:], " ")
	n := 0
	for n < len(v) && word(v[n]) {
		n++
	}
	switch string(v[:n]) {
	case "true", "yes", "1":
		return false
	case "false", "no", "none", "0":
		return true
	}
	return after[0] == '='
}

// statistic tells whether what follows the word makes it the name of a figure
// over many lookups.
func statistic(after []byte) bool {
	after = bytes.TrimLeft(after, " -")
	n := 0
	for n < len(after) && word(after[n]) {
		n++
	}
	switch string(after[:n]) {
	case "rate", "rates", "ratio", "ratios", "count", "counts", "counter", "threshold", "probability", "percentage", "total":
		return true
	}
	return false
}

// looseHit is the contract's own reading of the same: words in an order, with
// anything between, in or out of other words.
func looseHit(f []byte) bool {
	f, ok := after(f, "semantic", "fuzzy")
	if !ok {
		return false
	}
	if f, ok = after(f, "hit", "matched"); !ok {
		return false
	}
	if f, ok = numbered(f, true, "similarity=", "score="); !ok {
		return false
	}
	_, ok = numbered(f, false, "tokens=")
	return ok
}

// numbered returns what stands behind the first of the keys that has a number
// behind it, or a point where one may be; every "=" is looked at once.
func numbered(b []byte, point bool, keys ...string) ([]byte, bool) {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '=')
		if i < 0 {
			return nil, false
		}
		at += i + 1
		if at == len(b) || (b[at] < '0' || b[at] > '9') && (b[at] != '.' || !point) {
			continue
		}
		for _, k := range keys {
			if bytes.HasSuffix(b[:at], []byte(k)) {
				return b[at:], true
			}
		}
	}
}

// after returns what stands behind the first of two texts in b.
func after(b []byte, texts ...string) ([]byte, bool) {
	end := -1
	for _, t := range texts {
		if i := bytes.Index(b, []byte(t)); i >= 0 && (end < 0 || i+len(t) < end) {
			end = i + len(t)
		}
	}
	if end < 0 {
		return nil, false
	}
	return b[end:], true
}
