package conformance

import (
	"iter"
	"maps"
	"path"
	"strings"
	"testing"
)

// spared is a pattern of mutants, "KIND PATH HOW" of a journal and "PATH HOW",
// with "BASE: " before it, of a result, where a star stands for any text without a slash, with the reason why nothing has to find them.
type spared struct{ pattern, because string }

// The reasons.
const (
	observed   = "an observation that nothing else on record repeats: only the chain of hashes keeps it"
	freeText   = "words for a reader, from which nothing is derived"
	ofOthers   = "asked of trials with another purpose only"
	noFault    = "a sham trial applies nothing, so nothing of it is verified or removed"
	receiver   = "the declared event clock is the receiver's, and these are stamps of another host; on one clock they are held against it (FD-5.1-4)"
	smaller    = "the largest bound of all measurements counts, and this is not it"
	outside    = "outside of the methodology"
	permitted  = "the mean may be reported, and need not be (FD-5.1-16)"
	byTheRun   = "decided from the journal, which verify measures again"
	undeclared = "a series need not measure it, and a result does not say what its plan asked for; verify measures the journal again"
)

// Of these journals the mutants may pass: the member is an observation, or
// nobody has to read it there.
var sparedOfJournals = []spared{
	{"baseline indicators[0].windows[0][0] *", observed},
	{"quiet last[0].windows[0][0] changed", observed},
	{"baseline requests changed", observed},
	{"clock/* at_ns *", observed},
	{"clock/* bound_ns changed", smaller},
	{"clock/* delay_ns changed", smaller},
	{"clock/* offset_ns changed", smaller},
	{"clock/* method changed", freeText},
	{"close reason changed", freeText},
	{"commit raw*", "no figure rests on raw stamps; verify holds the files against what the journal says of them"},
	{"commit at_ns changed", observed},
	{"false_detection active_ns changed", observed},
	{"false_detection events[0].at changed", observed},
	{"false_detection events[0].emitted_at *", receiver},
	{"false_detection events[0].starts_at *", receiver},
	{"false_detection traffic.dropped changed", observed},
	{"false_detection traffic.late_* changed", observed},
	{"false_detection traffic.unmatched *", observed},
	{"open hosts.* changed", observed},
	{"open onset.resolution_ns changed", observed},
	{"open targets shortened", observed},
	{"open targets[0].allowed changed", "it says more than is so: an address that needed no permission is reported as permitted"},
	{"open targets[0].name *", freeText},
	{"quiet from_ns changed", observed},
	{"readback trial changed", freeText},
	{"segment name *", freeText},
	{"trial/discarded combination *", ofOthers},
	{"trial/masking combination *", ofOthers},
	{"trial/search combination *", ofOthers},
	{"trial/sham combination *", ofOthers},
	{"trial/discarded search *", ofOthers},
	{"trial/masking search *", ofOthers},
	{"trial/sham search *", ofOthers},
	{"trial/trials search *", ofOthers},
	{"trial/discarded evaluation *", ofOthers},
	{"trial/masking evaluation *", ofOthers},
	{"trial/sham evaluation *", ofOthers},
	{"trial/trials evaluation *", ofOthers},
	{"trial/* early changed", observed},
	{"trial/* after_event changed", observed},
	{"trial/* late changed", observed},
	{"trial/* not_attributed changed", observed},
	{"trial/* readbacks changed", observed},
	{"trial/* traffic.dropped changed", observed},
	{"trial/* traffic.failures*", observed},
	{"trial/* traffic.late_* changed", observed},
	{"trial/* traffic.unmatched *", observed},
	{"trial/discarded traffic *", "lateness is asked of trials that are kept"},
	{"trial/* first_affected_ns changed", observed},
	{"trial/* onset_phase_ns changed", "it follows from the onset, and nothing rests on it"},
	{"trial/* event.emitted_at *", receiver},
	{"trial/* event.starts_at *", receiver},
	{"trial/* offered_windows.fewest changed", observed},
	{"trial/* offered_windows.most changed", observed},
	{"trial/* verification.to_ns changed", "a window longer by a nanosecond is no shorter than planned"},
	{"trial/* verification.observed_*", "asked of masking trials only"},
	{"trial/* verification.sum_observation changed", observed},
	{"trial/sham plateau_ns changed", noFault},
	{"trial/sham removal_confirmed_ns changed", noFault},
	{"trial/sham trial *", freeText},
	{"trial/sham verification.*", noFault},
}

// Of these results a report is made although something is missing.
var sparedOfResults = []spared{
	{"supplementary.*", outside},
	{"latency[0].mean_s *", permitted},
	{"baseline shortened", byTheRun},
	{"baseline[0].sd *", byTheRun},
	{"baseline[0].windows_mean *", byTheRun},
	{"readback*", byTheRun},
	{"traffic*", byTheRun},
	{"false_detection[0].traffic*", byTheRun},
	{"reception *", byTheRun},
	{"targets shortened", byTheRun},
	{"masking *", undeclared},
	{"one host: masking *", undeclared},
	{"conformance.deviations*", undeclared},
}

// sparedBy is the pattern that spares a mutant, or "".
func sparedBy(list []spared, name string) string {
	escaped := strings.NewReplacer("[", `\[`, "]", `\]`)
	for _, s := range list {
		if ok, err := path.Match(escaped.Replace(s.pattern), name); err == nil && ok {
			return s.pattern
		}
	}
	return ""
}

// unused complains about patterns that spare nothing: what they excuse was
// mended.
func unused(t *testing.T, list []spared, used map[string]bool) {
	t.Helper()
	for _, s := range list {
		if s.because == "" {
			t.Errorf("%q is spared for no reason", s.pattern)
		}
		if !used[s.pattern] {
			t.Errorf("%q spares nothing: take it out", s.pattern)
		}
	}
}

func keysOf(m map[string]fate) iter.Seq[string] { return maps.Keys(m) }

func TestSparedBy(t *testing.T) {
	list := []spared{{"trial early changed", observed}, {"baseline indicators[0].windows* changed", observed}}
	for name, want := range map[string]string{
		"trial early changed":                          "trial early changed",
		"trial early null":                             "",
		"baseline indicators[0].windows[0][1] changed": "baseline indicators[0].windows* changed",
		"baseline indicators[1].windows[0][1] changed": "",
	} {
		if got := sparedBy(list, name); got != want {
			t.Errorf("%q is spared by %q, want %q", name, got, want)
		}
	}
}
