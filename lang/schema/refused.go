package schema

import "strings"

// Refused lists arguments and blocks that people write and that a requirement
// of the methodology forbids, so that the answer is the requirement and not
// "no such argument".
type Refused struct {
	// Names are matched without regard to case.
	Names []string
	// Requirement is the id of the row that forbids them.
	Requirement string
	// Why says why, and what to write instead; full sentences.
	Why string
}

// RefusedName returns what forbids an argument or a nested block of that name,
// or nil.
func (b *Block) RefusedName(name string) *Refused {
	for i := range b.Refused {
		for _, n := range b.Refused[i].Names {
			if strings.EqualFold(n, name) {
				return &b.Refused[i]
			}
		}
	}
	return nil
}

var environmentRefused = []Refused{
	{[]string{"inject_from", "injectors", "apparatuses"}, "FD-3.1-1", "An environment has one injection apparatus, so that every latency belongs to one. Write apparatus = apparatus.NAME, and another environment for another one."},
	{[]string{"position", "relative_position"}, "FD-3.1-6", "The position follows from the order of the path and is not declared beside it, where the two could differ. Write path, inject_at and observe_at."},
	{[]string{"production", "live_traffic", "shadow", "canary", "prod", "real_traffic", "mirror", "mirrored", "shadow_traffic", "traffic_share"}, "FD-1.1-3", "Benchmarking is confined to a test environment, and a share of real traffic is none. Take the argument out, and measure a deployment that serves nobody."},
	{[]string{"allow_public", "allow_target", "allow_targets", "insecure_targets"}, "FD-7-1", "A scenario cannot permit a target outside of the test network: whoever runs it does that, and the report says so. Take the argument out."},
}

var cachingRefused = []Refused{
	{[]string{"enabled", "ttl", "hit_rate", "warm", "warm_up", "max_age", "expiry", "expires", "prewarm"}, "FD-3.3-7", "A cached answer was given before the fault began. Write approach = \"disabled\", or approach = \"no_hit_population\" with a population whose prompts never come twice."},
}

var clocksRefused = []Refused{
	{[]string{"offset", "max_offset", "maximum_offset", "skew", "error", "drift", "bias", "difference"}, "FD-3.5-2", "The offset between the clocks is measured before, between and after the trials, and nobody can know it before. Write arrangement = \"probed\"; the report gives what was found."},
}

var apparatusRefused = []Refused{
	{[]string{"header", "headers", "annotate", "annotation", "notify", "webhook", "marker", "tag", "trace_attribute", "annotations", "notify_detector", "inform", "callback", "hook"}, "FD-3.4-4", "A detector that is told of a fault measures the message. The apparatus speaks to the detector only through the behaviour of the deployment: take the argument out."},
	{[]string{"onset", "onset_from", "onset_source", "onset_time", "onset_at"}, "FD-3.4-2", "The apparatus stamps Fault Onset by itself when it makes the fault effective. An onset that comes from the detector makes every latency zero: take the argument out."},
	{[]string{"resolution", "precision", "onset_resolution", "timestamp_precision", "round_to"}, "FD-3.4-1", "Fault Onset is kept in whole nanoseconds, and the resolution of the clock is measured, so neither is declared. Take the argument out."},
	{[]string{"permanent", "irreversible", "remove", "revert", "keep_applied"}, "FD-3.4-3", "The apparatus removes every fault that it applied and confirms it; whether it does cannot be chosen. Take the argument out."},
	{[]string{"achieved", "assume_achieved", "skip_verification"}, "FD-3.4-6", "The achieved magnitude is measured at the injection point in every trial, and never taken from the intended one. Write verify = \"paired\" or \"observed\"."},
}

// elsewhereRefused is for an apparatus that sets a mechanism of the
// deployment: its calls have headers, and it is told how to remove.
var elsewhereRefused = []Refused{
	{[]string{"header", "annotate", "annotation", "notify", "webhook", "marker", "tag", "trace_attribute"}, "FD-3.4-4", apparatusRefused[0].Why},
	apparatusRefused[1], apparatusRefused[2],
	{[]string{"permanent", "irreversible", "keep_applied", "skip_check"}, "FD-3.4-3", apparatusRefused[3].Why},
	{[]string{"achieved", "assume_achieved", "skip_verification", "verify", "sampling"}, "FD-3.4-6", "The deployment itself decides which responses are affected, and the achieved magnitude is measured at the injection point in every trial. Take the argument out."},
}

var detectorRefused = []Refused{
	{[]string{"reload", "hot_reload", "tune", "auto_tune", "retune", "override", "overrides", "adjust", "calibrate", "recalibrate", "tuning"}, "FD-3.2-1", "The configuration is frozen before the first trial and sealed in the plan, so nothing changes it afterwards. Write the configuration that is to be measured; another one is another series."},
}

var detectorIndicatorRefused = []Refused{
	{[]string{"sampled", "sample"}, "FD-3.2-6", "Whether an indicator is sampled follows from its rate. Write the share of responses that the detector looks at: sampling = 0.1."},
}

var signalRefused = []Refused{
	{[]string{"any", "types", "components", "choose", "signals", "either", "any_of", "one_of", "alternatives"}, "FD-4.1-1", "One signal is declared before the first trial, so that none can be picked when the results are known. Write one type, one component and one attribution; another signal is another series."},
}

var seriesRefused = []Refused{
	{[]string{"pass", "fail", "slo", "target", "pass_if", "fail_if", "requires", "sla", "slos", "slas", "objective", "objectives", "goal", "acceptance", "accept", "accept_if", "gate", "verdict", "grade", "expect", "must_detect", "must_detect_within", "max_latency", "min_coverage", "limit", "limits"}, "FD-1.1-1", "A series describes a detector and does not judge it. Keep a limit of your own outside, and hold the result against it: fdbench report DIR --format json gives every number. The target of a search stands in its threshold block."},
	{[]string{"environments", "detectors", "merge"}, "FD-1.2-1", "A result belongs to one detector in one environment. Write environment and detector, each with one reference, and a series for each further pair."},
	{[]string{"overlap", "concurrent", "parallel", "simultaneous"}, "FD-4.4-1", "One fault is applied at a time: with two at work nobody knows which one was detected. Take the argument out; every fault block has trials of its own."},
	{[]string{"injection_points", "observation_points"}, "FD-3.1-6", "A series has one Fault Injection Point and one Observation Point, those of its environment, since results of different points are not compared. Write another environment and another series."},
}

var loadRefused = []Refused{
	{[]string{"concurrency", "users", "clients", "vus", "closed_loop", "think_time", "virtual_users", "workers", "threads", "parallelism"}, "FD-3.1-2", "A closed loop sends fewer requests when answers get slower, and then the load is a result. Requests are offered at declared rates: points = \"1..100 req/s in 4 log steps\"."},
	{[]string{"ramp", "stages", "step", "burst", "spike", "ramp_up", "ramp_down", "bursts", "spikes", "wave", "diurnal", "schedule"}, "FD-3.3-1", "The offered load is constant within a trial, since a load that moves changes the evidence that the detector gets in a second. Write the rates as points; each has trials of its own."},
	{[]string{"pool", "pooled", "average", "pooling", "aggregate", "combine"}, "FD-3.3-3", "Results are reported against offered load, and never pooled over several. Take the argument out."},
}

var baselineRefused = []Refused{
	{[]string{"import", "from", "reuse", "file", "mean", "sd", "imported", "from_run", "stored", "assume", "assumed", "reference", "stddev", "std"}, "FD-1.2-2", "The baseline is a property of the environment and is measured in every run; one from elsewhere turns the differences of two environments into magnitudes. Write interval = \"30 windows\"."},
	{[]string{"loads", "at", "at_load", "skip", "once", "after"}, "FD-4.2-1", "A Baseline Interval is run at each load point before the first fault trial, and none is left out. Write interval only."},
}

var quietRefused = []Refused{
	{[]string{"skip", "none", "disabled", "off"}, "FD-4.3-2", "A quiet period comes between any two trials. Write at_least and at_most."},
	{[]string{"sleep", "fixed", "duration", "pause", "wait", "delay", "cooldown", "cool_down"}, "FD-4.3-3", "A fixed pause may end while the indicators are still off. The quiet period is a gate: write at_least and at_most, between which it opens when they are back."},
	{[]string{"ignore_alerts", "ignore_active"}, "FD-4.3-4", "A trial begins with no active alert, or it does not measure detection from rest. Take the argument out, and allow a longer at_most."},
}

var trialsRefused = []Refused{
	{[]string{"timeout_from", "adaptive_timeout", "auto_timeout", "timeout_factor", "dynamic_timeout"}, "FD-5.1-9", "The timeout is declared before the series. One that comes from observed latencies is chosen for them: write timeout = \"20 windows\" or more."},
	{[]string{"stop_when", "stop_if", "early_stop", "until", "precision", "stop_early", "stop_on", "stop_after", "sequential", "confidence"}, "FD-5.1-7", "All trials are run, whatever the first ones show: a series that stops when it looks good is chosen for its results. Write count."},
	{[]string{"impute", "undetected_as", "fill", "imputed", "missing_as", "substitute", "undetected_latency"}, "FD-5.1-17", "No latency is made up for an undetected trial. The report counts it in the coverage: take the argument out."},
	{[]string{"tolerance", "magnitude_tolerance", "keep_discarded", "max_error", "magnitude_error", "no_discard"}, "FD-3.4-7", "A trial whose achieved magnitude is off by more than ten percent is discarded, and the ten percent are not for choosing. Write a longer verification, or more attempts."},
	{[]string{"exclude", "only", "except"}, "FD-1.2-7", "Every combination of class, magnitude, profile and load has its trials. Leave a magnitude or profile out of its fault block, or ask for a reduced series."},
}

var faultRefused = []Refused{
	{[]string{"population", "prompts"}, "FD-3.3-2", "All trials of a series draw from one population, since other prompts have another baseline. Name it in the series; another population is another series."},
	{[]string{"loads", "load", "at_loads", "exclude", "only"}, "FD-1.2-7", "Every class, magnitude and profile is measured at every load of the series. Take the argument out, or write another series for other loads."},
	{[]string{"relative", "factor", "percent", "relative_magnitudes", "multiplier", "percentage"}, "FD-4.2-6", "A magnitude is an absolute change of the indicator from its baseline mean, in the indicator's unit. Write magnitudes = [0.05] for five more responses in a hundred."},
	{[]string{"together_with", "with", "overlap"}, "FD-4.4-1", "One fault is applied at a time: with two at work nobody knows which one was detected. Write a fault block for each."},
}

var thresholdRefused = []Refused{
	{[]string{"method", "grid", "steps", "magnitudes", "points", "algorithm", "strategy", "sweep", "linear", "candidates", "search"}, "FD-5.3-1", "A threshold is found by binary search, and another search gives another number under the same name. Write lower, upper and resolution; for the curve over fixed magnitudes write a fault block."},
	{[]string{"population", "prompts"}, "FD-3.3-2", "All trials of a series draw from one population, since other prompts have another baseline. Name it in the series; another population is another series."},
	{[]string{"trials", "count"}, "FD-5.3-6", "Each magnitude of the search runs the trials of the series, with their count, timeout and quiet periods. Write them in the trials block."},
	{[]string{"loads", "load", "at_loads"}, "FD-1.2-7", "The search is run at every load of the series. Take the argument out, or write another series for other loads."},
}

var falseDetectionRefused = []Refused{
	{[]string{"loads", "load", "at_load", "only"}, "FD-5.4-3", "The observation is repeated at each load of the series, since a false alarm rate at one says nothing of another. Write at_least only."},
	{[]string{"at_most", "period", "limit", "cap", "duration", "fixed"}, "FD-5.4-4", "The observation lasts at least as long as faults were applied at that load, so its end cannot be declared. Write at_least; it grows by itself."},
}

var maskingRefused = []Refused{
	{[]string{"method", "observed_method", "injected_method", "methods"}, "FD-5.5-3", "The indicator is measured at both points with the method of its own block, since two methods differ without any masking. Take the argument out."},
}

var reducedRefused = []Refused{
	{[]string{"reductions", "what", "reduces", "trials", "loads"}, "FD-1.2-9", "What is reduced is worked out from the series and cannot be declared, so that the list is complete. Write the smaller numbers where they belong, and reason here."},
	{[]string{"report_as", "status", "conformant", "title", "called"}, "FD-1.2-10", "A reduced series is never reported as a result under the methodology. Take the argument out."},
}
