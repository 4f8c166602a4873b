package detector

import "testing"

func TestLooks(t *testing.T) {
	const interval = 10
	l := NewLooks()
	missed := func(now, unanswered, gap int64) {
		t.Helper()
		if u, g := l.Missed(now, interval); u != unanswered || g != gap {
			t.Errorf("at %d: %d unanswered and a gap of %d, want %d and %d", now, u, g, unanswered, gap)
		}
	}
	missed(1000, 0, 0) // never asked
	l.Fail()
	missed(1000, 1, 0)
	l.Answer(1000)
	l.Answer(1020)
	missed(1030, 0, 0) // twice the interval is no gap
	l.Answer(1041)
	missed(1045, 0, 21)
	missed(1050, 0, 0) // told once
	l.Fail()
	l.Fail()
	missed(1100, 2, 59) // it lasts still
	l.Answer(1200)
	missed(1201, 0, 159)
	bound := func(now, want int64) {
		t.Helper()
		if b := l.Bound(now, interval); b != want {
			t.Errorf("at %d: a bound of %d, want %d", now, b, want)
		}
	}
	bound(1201, 159)
	bound(1202, interval) // what came before does not count again
	l.Fail()
	bound(1230, 30) // it lasts still
	l.Answer(1250)
	l.Answer(1260)
	bound(1261, 50)
	if l.Done != 6 || l.Failed != 4 || l.Last != 1260 || l.Gap != 159 {
		t.Errorf("%+v", l)
	}
}
