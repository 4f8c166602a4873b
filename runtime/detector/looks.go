package detector

// Looks count how often a detector was asked for its state. They are not safe
// for concurrent use.
type Looks struct {
	Done   int64 // with an answer
	Failed int64
	Last   int64 // instant of the last one with an answer, -1 before
	Gap    int64 // longest time between two with an answer

	recent int64 // longest since Missed
	late   int64 // longest since Bound
	failed int64 // at Missed
}

// NewLooks are none.
func NewLooks() Looks { return Looks{Last: -1} }

// Answer takes in one with an answer.
func (l *Looks) Answer(at int64) {
	l.Done++
	if l.Last >= 0 {
		gap := at - l.Last
		l.Gap, l.recent, l.late = max(l.Gap, gap), max(l.recent, gap), max(l.late, gap)
	}
	l.Last = at
}

// Fail takes in one without.
func (l *Looks) Fail() { l.Failed++ }

// Bound is by how much what happened since it was last called may have been seen
// late: the interval, or the longest time without an answer where that is longer.
func (l *Looks) Bound(now, interval int64) int64 {
	bound := max(interval, l.late)
	l.late = 0
	if l.Last >= 0 {
		bound = max(bound, now-l.Last)
	}
	return bound
}

// Missed are those without an answer since it was last called, and the longest
// time without one where that is more than twice the interval, in which a look
// may be late without having been left out; else 0. A time that lasts still
// counts up to now, and as a whole once it has ended.
func (l *Looks) Missed(now, interval int64) (unanswered, gap int64) {
	unanswered, gap = l.Failed-l.failed, l.recent
	l.failed, l.recent = l.Failed, 0
	if l.Last >= 0 {
		gap = max(gap, now-l.Last)
	}
	if gap <= 2*interval {
		gap = 0
	}
	return unanswered, gap
}
