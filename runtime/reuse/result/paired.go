package result

import "math"

// paired compares the arms (KV-8-1 to KV-8-6).
func (s *scan) paired() *Paired {
	l := s.p.Declaration.Live
	x := &Paired{Total: int64(len(s.pairs))}
	var blended, controls, hitOnly []sample
	var cold, warm []float64
	var hits, judged, blendable int64
	for _, p := range s.pairs {
		if !p.checked() {
			x.Unchecked++
		}
		switch {
		case p.state == contaminated:
			x.Contaminated++
			continue
		case p.state == errored:
			x.Errored++
			continue
		case !p.used:
			x.Untimed++
			continue
		}
		x.Used++
		cold, warm = append(cold, float64(p.cold.ttft.n)/1e6), append(warm, float64(p.warm.ttft.n)/1e6)
		v := sample{p.speedup(), p.source}
		if p.control {
			x.Controls++
			controls = append(controls, v)
			continue
		}
		blendable++
		blended = append(blended, v)
		hit, known := p.hit(l.Signal, l.HitThreshold, len(s.evidence) > 0)
		if !known {
			continue
		}
		judged++
		if hit {
			hits++
			hitOnly = append(hitOnly, v)
		}
	}
	x.Percentiles = x.Used
	x.ColdP50, x.ColdP95 = percentile(cold, 50), percentile(cold, 95)
	x.WarmP50, x.WarmP95 = percentile(warm, 50), percentile(warm, 95)
	if judged > 0 {
		x.Hits = new(hits)
	}
	x.HitRate = new(rate(hits, judged, judged, blendable))
	x.Blended = s.interval(blended, "blended_ttft_speedup_mean", meanOf)
	x.BlendedMedian = s.interval(blended, "blended_ttft_speedup_median", medianOf)
	x.HitOnly = s.interval(hitOnly, "hit_only_ttft_speedup_mean", meanOf)
	x.Control = s.interval(controls, "negative_control_ttft_speedup_mean", meanOf)
	if x.Control != nil {
		x.ControlDeviation = new(math.Abs(x.Control.Value - 1))
	}
	return x
}

// engineTimes are times to the first token as the engine itself reports them,
// without the queue.
func (s *scan) engineTimes(x *Supplementary) {
	var ratios []sample
	var cold, warm []float64
	for _, p := range s.pairs {
		if p.state != clean {
			continue
		}
		if a, b := p.cold.engine, p.warm.engine; !p.control && a != nil && b != nil && *a > 0 && *b > 0 {
			ratios = append(ratios, sample{*a / *b, p.source})
		}
		if p.cold.queue != nil && p.warm.queue != nil {
			cold, warm = append(cold, *p.cold.queue), append(warm, *p.warm.queue)
		}
	}
	x.EnginePairs = int64(len(ratios))
	x.QueueCold, x.QueueWarm = percentile(cold, 50), percentile(warm, 50)
	x.EngineTTFT = s.interval(ratios, "engine_ttft_speedup_median", medianOf)
}

// quality holds outputs against answers, and warm ones against cold ones.
func (s *scan) quality() *Quality {
	d := &s.p.Declaration
	x := &Quality{Threshold: d.Quality}
	var score, f1, rouge float64
	var pass, coldPass, coldN, cleanN int64
	var agreements []sample
	for _, p := range s.pairs {
		if p.state != clean {
			continue
		}
		cleanN++
		for _, a := range []*arm{&p.cold, &p.warm} {
			if a.empty {
				x.Empty++
			}
			if a.truncated {
				x.Truncated++
			}
		}
		if q := p.warm.quality; q != nil {
			x.Measured++
			score, f1, rouge = score+q.Score, f1+q.F1, rouge+q.RougeL
			if q.Pass {
				pass++
			}
		}
		if q := p.cold.quality; q != nil {
			coldN++
			if q.Pass {
				coldPass++
			}
		}
		if p.agreement != nil {
			agreements = append(agreements, sample{*p.agreement, p.source})
		}
	}
	if x.Measured > 0 {
		n := float64(x.Measured)
		x.Score, x.F1, x.RougeL = new(score/n), new(f1/n), new(rouge/n)
	}
	x.PassRate, x.ColdPass = new(rate(pass, x.Measured, x.Measured, cleanN)), new(rate(coldPass, coldN, coldN, cleanN))
	x.Pairs = int64(len(agreements))
	x.Mean = s.interval(agreements, "warm_vs_cold_output_rouge_l_mean", meanOf)
	if c := d.Calibration; c != nil {
		x.Floor = &Floor{File: c.File, SHA256: c.SHA256, Protocol: c.Protocol, Pairs: c.Pairs, Mean: c.Mean, Low: c.Low, High: c.High}
		if x.Mean != nil {
			x.Drop = new(c.Mean.Sub(number(x.Mean.Value)).Float64())
			x.Excess = new(number(x.Mean.Value).Sub(c.High).Float64())
		}
	}
	return x
}
