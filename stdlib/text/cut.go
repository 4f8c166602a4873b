package text

import (
	"strings"
	"unicode/utf8"
)

var truncateTransform = Transform{
	ID:  "truncate/1",
	Doc: "Cuts the response off between 30 and 90 percent of its length, in the middle of a sentence, word, list, bracket or code block.",
	New: func(params map[string]string) (TransformFunc, error) {
		if _, err := readParams("truncate/1", nil, params); err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string { return truncate(r.Text, throw("truncate/1", seed)) }, nil
	},

	HoldBack:  truncateHold,
	StreamDoc: "Stops between the 4th and the 127th word, each doubling equally likely, and drops the rest, since how long the response will be is not known. It sends up to where the text would read as unfinished if it stopped there: what follows a full stop waits for the next word, and the first words of a paragraph or of a short answer for as many as it takes, up to 64 bytes. A response that ends before its place loses what waits.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		if _, err := readParams("truncate/1", nil, params); err != nil {
			return nil, err
		}
		return func(_ Response, seed uint64) Streamer {
			return run(&truncator{limit: throw("truncate/1", seed).logUniform(2, 7)})
		}, nil
	},
}

// cutReach bounds, in bytes, how far from its place a cut may move.
const cutReach = 600

// truncate takes the cut nearest to a random place at which the text reads as
// unfinished; a cut after a full stop would change nothing that text shows.
func truncate(s string, d dice) string {
	s = strings.TrimRight(s, " \n\t\r")
	if len(s) < 2 {
		return s
	}
	target := len(s) * d.between(30, 90) / 100
	if target = wholeRune(s, target); target == 0 {
		_, target = utf8.DecodeRuneInString(s)
	}
	low, high := target, target+1
	from, to := max(len(s)/10, target-cutReach), min(len(s), target+cutReach)
	for low > from || high < to {
		if low > from {
			if cut := s[:wholeRune(s, low)]; looksCut(cut) {
				return cut
			}
			low--
		}
		if high < to {
			if cut := s[:wholeRune(s, high)]; looksCut(cut) {
				return cut
			}
			high++
		}
	}
	return s[:target]
}

// looksCut leaves out cuts that end in white space: nobody sees them.
func looksCut(s string) bool {
	return s != "" && strings.IndexByte(" \n\t\r", s[len(s)-1]) < 0 && isTruncated(s)
}

var emptyTransform = Transform{
	ID:  "empty/1",
	Doc: "Replaces the response by nothing, or, less often, by white space or an empty code fence.",
	New: func(params map[string]string) (TransformFunc, error) {
		if _, err := readParams("empty/1", nil, params); err != nil {
			return nil, err
		}
		return func(_ Response, seed uint64) string { return nothing(throw("empty/1", seed)) }, nil
	},

	StreamDoc: "The same as on whole responses, at the first piece. It waits for nothing.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		if _, err := readParams("empty/1", nil, params); err != nil {
			return nil, err
		}
		return func(_ Response, seed uint64) Streamer { return &pacer{rest: nothing(throw("empty/1", seed))} }, nil
	},
}

func nothing(d dice) string {
	return d.pick([]string{"", "", "", "", "", " ", "\n", "\n\n", "```\n```", "\u200b"})
}

var repeatTransform = Transform{
	ID:  "repeat/1",
	Doc: "Lets the response run into a loop: after part of it, a sentence, a phrase or a word comes again and again until the length limit.",
	Params: []Param{
		{Name: "rounds", Type: "int", Default: "16", Doc: "How many times at least the loop goes round, from 8 to 500."},
	},
	New: func(params map[string]string) (TransformFunc, error) {
		rounds, err := repeatRounds(params)
		if err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string { return repeat(r.Text, rounds, throw("repeat/1", seed)) }, nil
	},

	StreamDoc: "Passes the response on up to a place between the 2nd and the 63rd word, each doubling equally likely; from there on a word of the loop takes the place of each word, and the end brings what is left of the rounds. It waits for nothing.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		rounds, err := repeatRounds(params)
		if err != nil {
			return nil, err
		}
		return func(_ Response, seed uint64) Streamer { return run(newRepeater(rounds, throw("repeat/1", seed))) }, nil
	},
}

func repeatRounds(params map[string]string) (int, error) {
	v, err := readParams("repeat/1", []Param{{Name: "rounds", Type: "int", Default: "16"}}, params)
	if err != nil {
		return 0, err
	}
	return v.int("rounds", 8, 500)
}

func repeat(s string, rounds int, d dice) string {
	fields := strings.Fields(s)
	if len(fields) == 0 {
		fields = []string{"the"}
	}
	// The text before the loop keeps its own layout; the loop is of words.
	end := len(s) * d.between(20, 80) / 100
	for end < len(s) && s[end] != ' ' && s[end] != '\n' {
		end++
	}
	head := strings.TrimRight(s[:wholeRune(s, end)], " \n\t\r")
	at := len(strings.Fields(head))
	n := min(loopLength(d), len(fields))
	at = min(max(at, n), len(fields))
	phrase := strings.Join(loopUnit(fields[at-n:at]), " ")
	rounds += d.below(rounds)
	return head + strings.Repeat(" "+phrase, rounds)
}

// loopLength is how many words go round.
func loopLength(d dice) int {
	switch d.below(3) {
	case 0:
		return d.between(1, 3)
	case 1:
		return d.between(3, 8)
	}
	return d.between(8, 20)
}

// loopUnit leaves out words that count as layout.
func loopUnit(fields []string) []string {
	unit := make([]string, 0, len(fields))
	for _, w := range fields {
		if strings.ContainsAny(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") {
			unit = append(unit, w)
		}
	}
	if len(unit) == 0 {
		return []string{"and"}
	}
	return unit
}
