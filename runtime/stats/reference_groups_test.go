package stats

import (
	"slices"
	"strconv"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// referenceChecks has the function that each group of the reference tests.
var referenceChecks = map[string]func(*testing.T, *refCase){
	"clopper_pearson": func(t *testing.T, c *refCase) {
		lo, hi := ClopperPearson(c.Input.int(t, "k"), c.Input.int(t, "n"), c.Input.float(t, "confidence"))
		c.near(t, "lower", lo)
		c.near(t, "upper", hi)
	},
	"clopper_pearson_lower": func(t *testing.T, c *refCase) {
		c.near(t, "lower", ClopperPearsonLower(c.Input.int(t, "k"), c.Input.int(t, "n"), c.Input.float(t, "confidence")))
	},
	"poisson_count_ci": func(t *testing.T, c *refCase) {
		lo, hi := Garwood(c.Input.int(t, "k"), c.Input.float(t, "confidence"))
		c.near(t, "lower", lo)
		c.near(t, "upper", hi)
	},
	"poisson_count_upper": func(t *testing.T, c *refCase) {
		c.near(t, "upper", PoissonUpper(c.Input.int(t, "k"), c.Input.float(t, "confidence")))
	},
	"poisson_rate_ci": func(t *testing.T, c *refCase) {
		rate, lo, hi := GarwoodRate(c.Input.int(t, "k"), c.Input.float(t, "period_hours"), c.Input.float(t, "confidence"))
		c.near(t, "rate_per_hour", rate)
		c.near(t, "lower", lo)
		c.near(t, "upper", hi)
	},
	"order_stat_ci_median": func(t *testing.T, c *refCase) { checkRanks(t, c, MedianRanks, exact.Frac(1, 2)) },
	"order_stat_ci_p95":    func(t *testing.T, c *refCase) { checkRanks(t, c, P95Ranks, exact.Frac(19, 20)) },
	"max_covers_p95": func(t *testing.T, c *refCase) {
		c.near(t, "prob", MaxCovers(c.Input.int(t, "n"), 0.95))
	},
	"median_ci_applied": func(t *testing.T, c *refCase) { checkApplied(t, c, MedianRanks) },
	"p95_ci_applied":    func(t *testing.T, c *refCase) { checkApplied(t, c, P95Ranks) },
	"quantile_estimators": func(t *testing.T, c *refCase) {
		data := c.Input.exacts(t, "data")
		for name, q := range map[string][2]int64{"median": {1, 2}, "p95": {95, 100}} {
			for _, typ := range []int{1, 2, 6, 7} {
				v, ok := QuantileOfType(data, typ, q[0], q[1])
				if !ok {
					t.Fatal("no quantile")
				}
				c.near(t, name+"_hf"+strconv.Itoa(typ), v.Float64())
			}
		}
	},
	"all_trials_quantile": func(t *testing.T, c *refCase) {
		var detected []int64
		for _, n := range c.Input.exacts(t, "detected") {
			d, _ := n.Int64()
			detected = append(detected, d)
		}
		q := c.Input.exact(t, "q").Rat()
		value, rank, ok := AllTrialsQuantile(detected, c.Input.int(t, "undetected"), q.Num().Int64(), q.Denom().Int64())
		c.equal(t, "rank_hf1", integer(rank))
		if !ok {
			c.equal(t, "value", nil)
			return
		}
		c.equal(t, "value", integer(value))
	},
	"baseline_window_stats": checkBaseline,
	"sd_ci_factors": func(t *testing.T, c *refCase) {
		lo, hi := SDFactors(c.Input.int(t, "n_windows"), c.Input.float(t, "confidence"))
		c.near(t, "lower_factor", lo)
		c.near(t, "upper_factor", hi)
	},
	"magnitude_ten_percent": func(t *testing.T, c *refCase) {
		intended, achieved := c.Input.exact(t, "intended"), c.Input.exact(t, "achieved")
		c.equal(t, "keep", KeepMagnitude(intended, achieved))
		c.near(t, "relative_error", achieved.Sub(intended).Abs().Div(intended.Abs()).Float64())
	},
	"discard_probability": func(t *testing.T, c *refCase) {
		n, p0, d := c.Input.int(t, "n_requests"), c.Input.float(t, "baseline"), c.Input.float(t, "magnitude")
		q := DiscardBernoulli(n, p0, d)
		c.near(t, "bernoulli", q)
		c.near(t, "quota", DiscardQuota(n, p0, d))
		c.near(t, "expected_attempts_per_kept_bernoulli", ExpectedAttempts(q))
	},
	"verification_requests": func(t *testing.T, c *refCase) {
		n := VerificationRequests(c.Input.float(t, "baseline"), c.Input.float(t, "magnitude"), c.Input.float(t, "z"))
		c.equal(t, "n", integer(n))
	},
	"search_steps": func(t *testing.T, c *refCase) {
		lower, upper, resolution := c.Input.exact(t, "lower"), c.Input.exact(t, "upper"), c.Input.exact(t, "resolution")
		e, ok := SearchEffortOf(lower, upper, resolution, c.Input.int(t, "trials_per_point"))
		if !ok || e.Bisections != SearchSteps(lower, upper, resolution) {
			t.Fatalf("effort %+v, %v", e, ok)
		}
		c.equal(t, "bisections", integer(e.Bisections))
		c.equal(t, "evaluations_incl_both_bounds", integer(e.Evaluations))
		c.equal(t, "trials_worst_case", integer(e.Trials))
		c.equal(t, "final_width", e.FinalWidth)
	},
	"search_point_oc": func(t *testing.T, c *refCase) {
		target, n := c.Input.exact(t, "target"), c.Input.int(t, "n")
		c.equal(t, "required_detections", integer(RequiredDetections(target, n)))
		for coverage, want := range c.Expected["pass_probability"].(map[string]any) {
			p, err := strconv.ParseFloat(coverage, 64)
			if err != nil {
				t.Fatal(err)
			}
			one := &refCase{Expected: obj{coverage: want}, AbsTol: c.AbsTol}
			one.near(t, coverage, SearchOC(target, n, p))
		}
		delete(c.Expected, "pass_probability")
	},
	"zero_miss_trials": func(t *testing.T, c *refCase) {
		c.equal(t, "n", integer(ZeroMiss(c.Input.float(t, "target"), c.Input.float(t, "confidence"))))
	},
	"quiet_window_mean": func(t *testing.T, c *refCase) {
		k := c.Input.int(t, "K")
		c.near(t, "p_pass_if_at_baseline", QuietPass(k, 0))
		c.near(t, "p_pass_if_residual_2sd", QuietPass(k, 2))
	},
	"effective_windows_ar1": func(t *testing.T, c *refCase) {
		asymptotic, mean := EffectiveWindows(c.Input.int(t, "K"), c.Input.float(t, "rho"))
		c.near(t, "k_eff_asymptotic", asymptotic)
		c.near(t, "k_eff_exact", mean)
	},
	"clock_offset_4ts": func(t *testing.T, c *refCase) {
		p := ClockProbe{
			Sent: int64(c.Input.int(t, "t0_ns")), Received: int64(c.Input.int(t, "t1_ns")),
			Replied: int64(c.Input.int(t, "t2_ns")), Returned: int64(c.Input.int(t, "t3_ns")),
		}
		c.equal(t, "offset_ns", integer(p.Offset()))
		c.equal(t, "delay_ns", integer(p.Delay()))
		c.equal(t, "max_abs_offset_ns", integer(p.MaxOffset()))
		c.equal(t, "error_bound_ns", integer(p.MaxOffset()-p.Offset()))
	},
	"clock_offset_bound": checkClockBound,
	"clock_one_percent": func(t *testing.T, c *refCase) {
		offset := c.Input.duration(t, "offset_ms", exact.Millisecond)
		latency := c.Input.duration(t, "min_latency_ms", exact.Millisecond)
		c.equal(t, "satisfied", ClockOK(offset, latency))
	},
	"boundary_masking": checkMasking,
	"fdr_required_period": func(t *testing.T, c *refCase) {
		var sum exact.Duration
		for _, s := range c.Input.exacts(t, "fault_spans_s") {
			sum += toDuration(t, s, exact.Second)
		}
		c.equal(t, "required_s", FalseDetectionPeriod(0, sum).Seconds())
	},
	"fisher_exact_two_sided": func(t *testing.T, c *refCase) {
		c.near(t, "p_value", FisherExact(c.Input.int(t, "detected_a"), c.Input.int(t, "missed_a"),
			c.Input.int(t, "detected_b"), c.Input.int(t, "missed_b")))
	},
	"poisson_ratio_exact": func(t *testing.T, c *refCase) {
		c.near(t, "p_value", PoissonRatio(c.Input.int(t, "k1"), c.Input.float(t, "t1"),
			c.Input.int(t, "k2"), c.Input.float(t, "t2")))
	},
	"mann_whitney_exact": func(t *testing.T, c *refCase) {
		r, ok := MannWhitneyExact(c.Input.floats(t, "x"), c.Input.floats(t, "y"))
		if !ok || !r.Exact {
			t.Fatalf("not exact: %+v", r)
		}
		c.near(t, "U_x", r.U)
		c.near(t, "p_two_sided", r.P)
		c.near(t, "hodges_lehmann_y_minus_x", r.Shift)
	},
	"trend_mann_kendall": func(t *testing.T, c *refCase) {
		if _, ok := c.Input["series"]; !ok {
			n := c.Input.int(t, "n")
			rising := make([]float64, n)
			for i := range rising {
				rising[i] = float64(i)
			}
			c.near(t, "var_S_no_ties", MannKendall(rising).VarS)
			return
		}
		r := MannKendall(c.Input.floats(t, "series"))
		c.equal(t, "S", integer(r.S))
		c.near(t, "var_S", r.VarS)
		c.near(t, "z", r.Z)
	},
	"chance_corrected_coverage": func(t *testing.T, c *refCase) {
		chance, corrected := ChanceCorrected(c.Input.int(t, "k"), c.Input.int(t, "n"),
			c.Input.float(t, "false_rate_per_hour"), c.Input.float(t, "timeout_s"))
		c.near(t, "chance_detection_probability", chance)
		c.near(t, "corrected", corrected)
	},
	"load_span": func(t *testing.T, c *refCase) {
		loads := c.Input.exacts(t, "load_points")
		span, ok := LoadSpan(loads)
		if !ok {
			t.Fatal("no span")
		}
		c.equal(t, "count", integer(len(loads)))
		c.equal(t, "ratio", span)
		c.equal(t, "satisfies_two_orders", SpansTwoDecades(loads))
	},
	"timing_minima": func(t *testing.T, c *refCase) {
		var windows []exact.Duration
		for _, w := range c.Input.exacts(t, "windows_s") {
			windows = append(windows, toDuration(t, w, exact.Second))
		}
		w := slices.Max(windows) // AMB-01
		c.equal(t, "baseline_min_s", MinBaseline(w).Seconds())
		c.equal(t, "timeout_min_s", MinTimeout(w).Seconds())
	},
	// The compiler works out budgets, and compares its own with the reference.
	"budget_worst_case": func(_ *testing.T, c *refCase) { clear(c.Expected) },
}

func checkRanks(t *testing.T, c *refCase, ranks func(int, float64) Ranks, p exact.Number) {
	if c.Input.exact(t, "p").Cmp(p) != 0 {
		t.Fatalf("p is %v", c.Input["p"])
	}
	r := ranks(c.Input.int(t, "n"), c.Input.float(t, "confidence"))
	c.equal(t, "lower_rank", rank(r.Lower))
	c.equal(t, "upper_rank", rank(r.Upper))
	c.near(t, "exact_coverage", r.Coverage)
}

func checkApplied(t *testing.T, c *refCase, ranks func(int, float64) Ranks) {
	data := c.Input.exacts(t, "data")
	iv := OfFunc(data, ranks(len(data), c.Input.float(t, "confidence")), exact.Number.Cmp)
	limit := func(key string, has bool, v exact.Number) {
		if has {
			c.equal(t, key, v)
		} else {
			c.equal(t, key, nil)
		}
	}
	limit("lower", iv.HasLower, iv.Lower)
	limit("upper", iv.HasUpper, iv.Upper)
	for i, want := range c.Expected["ranks"].([]any) {
		one := &refCase{Expected: obj{"rank": want}}
		one.equal(t, "rank", rank([]int{iv.Ranks.Lower, iv.Ranks.Upper}[i]))
	}
	delete(c.Expected, "ranks")
	c.near(t, "exact_coverage", iv.Ranks.Coverage)
}

func checkBaseline(t *testing.T, c *refCase) {
	var ws []Window
	for _, v := range c.Input["windows"].([]any) {
		if pair, ok := v.([]any); ok {
			sum, _ := toExact(t, pair[0]).Int64()
			n, _ := toExact(t, pair[1]).Int64()
			ws = append(ws, Window{sum, n})
			continue
		}
		value, _ := toExact(t, v).Int64()
		ws = append(ws, Window{value, 1})
	}
	b, ok := BaselineOf(ws)
	if !ok {
		t.Fatal("no baseline")
	}
	c.near(t, "sd_window_n_minus_1", b.SD(15).Float64())
	if _, rate := c.Expected["pooled_rate"]; !rate {
		c.near(t, "mean", b.Mean.Float64())
		return
	}
	c.near(t, "mean_of_window_rates", b.Mean.Float64())
	c.near(t, "pooled_rate", b.Pooled.Float64())
	c.near(t, "binomial_floor_sd", b.BinomialSD())
	c.near(t, "overdispersion_ratio", b.Overdispersion())
	c.near(t, "two_sd_floor", b.Floor(15).Float64())
}

func checkClockBound(t *testing.T, c *refCase) {
	bound := func(host string) exact.Duration {
		o := obj(c.Input[host].(map[string]any))
		return HostClockBound(o.duration(t, "local_offset_us", exact.Microsecond),
			o.duration(t, "root_dispersion_us", exact.Microsecond), o.duration(t, "root_delay_us", exact.Microsecond))
	}
	micros := func(d exact.Duration) float64 { return exact.Frac(int64(d), int64(exact.Microsecond)).Float64() }
	a, b := bound("host_a"), bound("host_b")
	c.near(t, "bound_a_us", micros(a))
	c.near(t, "bound_b_us", micros(b))
	c.near(t, "pair_bound_us", micros(a+b))
	limit := 100 * (a + b)
	if ClockOK(a+b, limit) || !ClockOK(a+b, limit+1) {
		t.Errorf("the limit is not %v, exclusive", limit)
	}
	c.near(t, "min_latency_for_1pct_us_exclusive", micros(limit))
}

func checkMasking(t *testing.T, c *refCase) {
	fip, op := c.Input.exacts(t, "magnitude_fip"), c.Input.exacts(t, "magnitude_op")
	var trials []exact.Number
	for i := range fip {
		trials = append(trials, Masking(fip[i], op[i]))
	}
	for i, want := range c.Expected["per_trial"].([]any) {
		one := &refCase{Expected: obj{"trial": want}}
		one.equal(t, "trial", trials[i])
	}
	delete(c.Expected, "per_trial")
	median := func(v []exact.Number) exact.Number {
		m, ok := QuantileNumbers(v, 1, 2)
		if !ok {
			t.Fatal("no median")
		}
		return m
	}
	c.equal(t, "median_hf2", median(trials))
	// The mistake that the reference warns of gives another number.
	c.equal(t, "ratio_of_medians_wrong", Masking(median(fip), median(op)))
}
