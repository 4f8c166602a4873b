package procedure

import (
	"context"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/world"
)

// span is a stretch of time without its beginning.
type span struct{ from, to int64 }

// watch waits for the end of an observation. In real time the detector is asked
// for its state meanwhile: one that cannot tell it, since it is down or cannot
// be reached, could not have raised a false detection either. What lies between
// two answers, with a question between them that got none, is dark.
func (s *stage) watch(ctx context.Context, rec *journal.FalseDetectionRecord) (dark []span, err error) {
	if !s.r.real() {
		return nil, s.world.Advance(ctx, rec.To, nil)
	}
	told, unknown := rec.From, false
	for now := rec.From; now < rec.To; now = s.world.Now() {
		next := min(rec.To, now+max(s.world.Cycle(), int64(s.point.Window)/20, s.took))
		if err := s.world.Advance(ctx, next, nil); err != nil {
			return nil, err
		}
		asked := s.world.Now()
		_, why, err := s.state(ctx)
		if err != nil {
			return nil, err
		}
		if why != nil {
			rec.Unknown, unknown = why.Error(), true
			continue
		}
		if unknown {
			dark = append(dark, span{told, asked})
		}
		told, unknown = asked, false
	}
	if unknown {
		dark = append(dark, span{told, rec.To})
	}
	return dark, nil
}

// blind says how much of an observation does not count (FD-5.4-2, FD-5.4-4):
// what was dark, and every window in which not one request was answered, for
// then there was nothing that a detector could have spoken falsely of. Time of
// both kinds is subtracted once.
func (s *stage) blind(rec *journal.FalseDetectionRecord, dark []span) {
	var silent []span
	if a, ok := s.world.(world.Answering); ok {
		width := int64(s.point.Window)
		counts := a.Answered()
		rec.Answered = &journal.AnsweredWindows{Width: width, N: int64(len(counts))}
		for i, n := range counts {
			if n == 0 {
				from := rec.From + int64(i)*width
				silent = append(silent, span{from, from + width})
				rec.Answered.Silent++
			}
		}
	}
	rec.Blind = together(dark, silent)
}

// together is how long the spans of two lists are where each moment counts once.
// Either list is in order and has no two spans that overlap.
func together(a, b []span) int64 {
	var sum, end int64
	end = -1 << 62
	for len(a)+len(b) > 0 {
		list := &a
		if len(a) == 0 || len(b) > 0 && b[0].from < a[0].from {
			list = &b
		}
		next := (*list)[0]
		*list = (*list)[1:]
		if next.to > end {
			sum += next.to - max(next.from, end)
			end = next.to
		}
	}
	return sum
}
