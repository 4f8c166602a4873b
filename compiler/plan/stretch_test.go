package plan

import (
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func TestStretches(t *testing.T) {
	const m, s = exact.Minute, exact.Second
	for _, c := range []struct {
		window, least, period exact.Duration
		windows               int
		stretch               exact.Duration
		n                     int
		length                exact.Duration
	}{
		{m, 0, 0, 4, 10 * m, 0, 0},
		{m, 0, 1, 4, 10 * m, 1, m},
		{m, 0, 10 * m, 4, 10 * m, 1, 10 * m},
		{m, 0, 10*m + 1, 4, 10 * m, 2, 11 * m},
		{7 * m, 0, 60 * m, 0, 14 * m, 5, 63 * m},                 // whole windows
		{3 * m, 0, 60 * m, 4, 15 * m, 4, 60 * m},                 // the gate's windows take longer than ten minutes
		{m, 20*m + s, 60 * m, 4, 22 * m, 3, 60 * m},              // the gate does
		{250 * exact.Millisecond, 0, 2 * s, 1, 10 * m, 1, 2 * s}, // shorter than one
	} {
		p := &Plan{}
		p.Declaration.Load.Points = []LoadPoint{{Window: c.window}}
		p.Declaration.Quiet = Quiet{AtLeast: c.least, Windows: c.windows}
		n, length := p.Stretches(0, c.period)
		if got := p.Stretch(0); got != c.stretch || n != c.n || length != c.length {
			t.Errorf("%+v: %d stretches of %s, %s together", c, n, got, length)
		}
		// One after the other they come to the same.
		var sum exact.Duration
		for left := c.period; left > 0; n-- {
			one := p.NextStretch(0, left)
			left -= one
			sum += one
		}
		if n != 0 || sum != length {
			t.Errorf("%+v: %d stretches are left, %s together", c, n, sum)
		}
	}
}
