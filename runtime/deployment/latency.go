package deployment

import (
	"math"
	"time"

	"github.com/fdbench/fdbench/runtime/random"
)

// Latency is how long a deployment takes. The time to the first token is First
// plus Prefill for every token of the prompt that was not cached; every
// further token takes Token. Both are multiplied by one factor a request,
// log-normal around 1.
type Latency struct {
	First   time.Duration
	Prefill time.Duration
	Token   time.Duration
	Sigma   float64 // of the factor's logarithm; 0 for none
}

// factor is that of request n.
func (l Latency) factor(seed, n string) float64 {
	if l.Sigma <= 0 {
		return 1
	}
	s := random.New("deployment", "latency", seed, n)
	z := math.Sqrt(-2*math.Log(1-s.Float64())) * math.Cos(2*math.Pi*s.Float64())
	return math.Exp(l.Sigma * z)
}

// pace holds back what is given before its time.
type pace struct {
	l      Latency
	factor float64
	next   time.Time
}

func (l Latency) begin(now time.Time, factor float64, uncached int) *pace {
	first := time.Duration(factor * float64(l.First+time.Duration(uncached)*l.Prefill))
	return &pace{l, factor, now.Add(first)}
}

// wait sleeps until the next token may be given, and is false where done came
// first.
func (p *pace) wait(done <-chan struct{}) bool {
	d := time.Until(p.next)
	p.next = p.next.Add(time.Duration(p.factor * float64(p.l.Token)))
	if d <= 0 {
		select {
		case <-done:
			return false
		default:
			return true
		}
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return false
	case <-t.C:
		return true
	}
}
