// Package suggest finds the name that an author most likely meant, and joins the
// names that there are for a sentence. It imports the standard library only.
package suggest

// Nearest returns the candidate that is nearest to what was written, and ""
// where none is near. The Damerau-Levenshtein distance may be a third of the
// length of what was written, and at least 1. The smallest distance wins, and
// among equals the earliest candidate, so the order of candidates matters.
func Nearest(written string, candidates []string) string {
	name := []rune(written)
	best, limit := "", max(1, len(name)/3)+1
	for _, c := range candidates {
		if d := distance(name, []rune(c), limit); d < limit {
			best, limit = c, d
		}
	}
	return best
}

// distance counts insertions, deletions, substitutions and transpositions of
// neighbours that turn a into b. It gives up at limit.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}

// Only is Nearest where no other candidate is as near, and "" otherwise. It is
// for repairs that are made without asking.
func Only(written string, candidates []string) string {
	best := Nearest(written, candidates)
	if best == "" {
		return ""
	}
	name := []rune(written)
	limit := max(1, len(name)/3) + 1
	d := distance(name, []rune(best), limit)
	for _, c := range candidates {
		if c != best && distance(name, []rune(c), limit) <= d {
			return ""
		}
	}
	return best
}
