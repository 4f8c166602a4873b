package plan

import "testing"

// TestDigestsFollowWhatTheyName changes one declared value at a time and wants
// exactly the digests to change that name it.
func TestDigestsFollowWhatTheyName(t *testing.T) {
	base := func() *Plan {
		p := &Plan{Inputs: Inputs{Files: []InputFile{{"a.jsonl", "sha256:1", "responses"}, {"main.fdb.hcl", "sha256:2", "scenario"},
			{"prompts.jsonl", "sha256:3", "population"}}}}
		p.Declaration.Environment = Environment{Name: "lab", Path: []string{"engine", "gateway"}, Guardrails: []Guardrail{{Place: "gateway"}}}
		return p
	}
	for _, c := range []struct {
		name                                string
		change                              func(*Plan)
		environment, deployment, population bool
	}{
		{"nothing", func(*Plan) {}, false, false, false},
		{"the description", func(p *Plan) { p.Declaration.Environment.Description = "a rack" }, false, false, false},
		{"the scenario's text", func(p *Plan) { p.Inputs.Files[1].SHA256 = "sha256:9" }, false, false, false},
		{"the detector", func(p *Plan) { p.Declaration.Detector.Kind = "ewma" }, false, false, false},
		{"the environment's name", func(p *Plan) { p.Declaration.Environment.Name = "other" }, true, false, false},
		{"the model", func(p *Plan) { p.Declaration.Serving.Model = "m" }, true, true, false},
		{"the responses", func(p *Plan) { p.Inputs.Files[0].SHA256 = "sha256:9" }, true, true, false},
		{"a guardrail", func(p *Plan) { p.Declaration.Environment.Guardrails[0].Acts = true }, true, true, false},
		{"the apparatus", func(p *Plan) { p.Declaration.Apparatus.Sampling = "quota" }, true, false, false},
		{"the salt", func(p *Plan) { p.Declaration.Population.Salt = "nonce" }, false, false, true},
		{"the prompts", func(p *Plan) { p.Inputs.Files[2].SHA256 = "sha256:9" }, false, false, true},
	} {
		was, p := base(), base()
		c.change(p)
		if got := EnvironmentDigest(was) != EnvironmentDigest(p); got != c.environment {
			t.Errorf("%s: the environment's digest changed: %t", c.name, got)
		}
		if got := DeploymentDigest(was) != DeploymentDigest(p); got != c.deployment {
			t.Errorf("%s: the deployment's digest changed: %t", c.name, got)
		}
		if got := PopulationDigest(was) != PopulationDigest(p); got != c.population {
			t.Errorf("%s: the population's digest changed: %t", c.name, got)
		}
	}
}

func TestMethod(t *testing.T) {
	for _, c := range []struct {
		indicator Indicator
		want      string
	}{
		{Indicator{Name: "r", Scorer: "refusal/1"}, "refusal/1"},
		{Indicator{Name: "r", Predicate: "len(text) > 10"}, "predicate len(text) > 10"},
		{Indicator{Name: "r", Scorer: "words/1", Params: map[string]string{"b": "2", "a": "1"}}, "words/1, a = 1, b = 2"},
		{Indicator{Name: "r"}, "declared law of r"},
	} {
		if got := c.indicator.Method(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.indicator, got, c.want)
		}
	}
}
