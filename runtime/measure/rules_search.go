package measure

import "github.com/fdbench/fdbench/spec"

// searchRules are those of section 5.3. The search is derived again from the
// plan, the baseline and the counts of its trials.
func searchRules() []spec.Rule {
	const (
		upper    = `search_step {"role": "upper"}`
		lower    = `search_step {"role": "lower"}`
		midpoint = `search_step {"role": "midpoint"}`
		// Behind a window of 75 refusals these have a standard deviation of
		// exactly 0.04, and twice that is the lower bound.
		fourPercent = "[3,600],[3,600],[3,600],[3,600],[3,600],[39,600],[3,600],[3,600],[15,600]]"
	)
	return []spec.Rule{
		rule("FD-5.3-3", spec.Marks, "the first step of a search is at the declared upper bound and rests on trials",
			breaks("an upper bound that was not declared", upper, `put magnitude "0.5"`).edge(),
			keeps("the declared upper bound", upper, `put magnitude "0.4"`).edge()),
		rule("FD-5.3-4", spec.Marks, "the second step of a search is at the declared lower bound or the floor and rests on trials",
			breaks("a lower bound assumed to be 0", lower, `put magnitude "0"`),
			breaks("another lower bound than declared", lower, `put magnitude "0.0801"`).on(BaseDeclared).edge(),
			keeps("the declared lower bound", lower, `put magnitude "0.08"`).on(BaseDeclared).edge()),
		rule("FD-5.3-5", spec.Marks, "a lower bound below two standard deviations of the baseline ends the search",
			breaks("a search that went on below the floor", "plan", `put combinations.searches.0.lower "0.001"`).on(BaseDeclared),
			breaks("from just below two standard deviations", "baseline", "put indicators.1.windows [[76,600],"+fourPercent).on(BaseDeclared).edge(),
			breaks("a threshold of a search whose floor had met the target", lower, `put status "found"`).on(BaseFloor).edge(),
			keeps("a search that ended at its floor, with as many detections as the target asks for", "plan",
				`put combinations.searches.0.target "4/20"`, `put combinations.searches.0.target_text "4/20"`).on(BaseFloor).edge(),
			keeps("from exactly two standard deviations", "baseline", "put indicators.1.windows [[75,600],"+fourPercent).on(BaseDeclared).edge()),
		rule("FD-5.3-6", spec.Marks, "the trials that each step was decided on are counted, and are those of section 5.1",
			breaks("a step that counts nineteen of its twenty trials", midpoint, "put trials 19").edge(),
			breaks("a step that counts one detection less", midpoint, `shift {"detected": -1}`),
			keeps("a step that counts its twenty trials", midpoint, "put trials 20").edge()),
		rule("FD-5.3-7", spec.Marks, "each step is at the midpoint of its bounds and moves the bound that its coverage says",
			breaks("a midpoint of choice", midpoint, `put magnitude "0.2401"`).on(BaseDeclared).edge(),
			breaks("a bound of choice", midpoint, `put upper "0.3"`),
			keeps("half way between 0.08 and 0.4", midpoint, `put magnitude "0.24"`).on(BaseDeclared).edge()),
		rule("FD-5.3-8", spec.Marks, "a search ends when its bounds are closer than the resolution, and not before",
			breaks("an end at an interval equal to the resolution", "plan", `put combinations.searches.0.resolution "0.01"`).on(BaseDeclared).edge(),
			breaks("a search without its end", `search_step {"status": "found"}`, "drop"),
			breaks("no resolution", "plan", `put combinations.searches.0.resolution "0"`).on(BaseDeclared),
			keeps("an end at an interval just below the resolution", "plan", `put combinations.searches.0.resolution "0.0100001"`).on(BaseDeclared).edge()),
	}
}
