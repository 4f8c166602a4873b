package floor

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/lang/exact"
)

// Format names the encoding of an artifact.
const Format = "fdbench.noise-floor/1"

// Artifact is what a calibration measured. Scores are ROUGE-L between the
// outputs of two cold runs of one prompt, in [0, 1].
type Artifact struct {
	Format       string             `json:"format"`
	Protocol     plan.FloorProtocol `json:"protocol"`
	Pairs        int64              `json:"n_pairs"` // that the scores are of, at least 1
	Mean         exact.Number       `json:"rouge_l_mean"`
	P05          exact.Number       `json:"rouge_l_p05"`
	P50          exact.Number       `json:"rouge_l_p50"`
	Interval     Interval           `json:"rouge_l_ci"`
	Contaminated int64              `json:"pairs_contaminated"` // left out: a run had cached tokens
	Errored      int64              `json:"pairs_errored"`      // left out: a request failed
	Empty        int64              `json:"empty_outputs"`      // outputs without a word, of two a pair; they are scored
	CreatedAt    string             `json:"created_at_utc"`     // RFC 3339, in UTC
	Bands        []Band             `json:"by_length"`          // shortest first
}

// Interval is the 95 % interval of the mean (package paired).
type Interval struct {
	Low      exact.Number `json:"low"`
	High     exact.Number `json:"high"`
	Clusters int64        `json:"clusters"` // documents that were resampled
}

// Band are the pairs whose prompts have a like length.
type Band struct {
	Band string       `json:"band"`
	N    int64        `json:"n"`
	Mean exact.Number `json:"mean"`
}

// Encode returns the artifact as indented JSON with one line end after it. The
// same artifact has the same bytes. An artifact that Read would refuse is an
// error.
func Encode(a *Artifact) ([]byte, error) {
	b := *a
	b.Format = Format
	if b.Bands == nil {
		b.Bands = []Band{}
	}
	if e := check(&b); e != nil {
		return nil, e
	}
	text, err := plainjson.Indent(&b)
	if err != nil {
		return nil, fmt.Errorf("encode the noise floor: %w", err)
	}
	return text, nil
}

// Floor is the artifact as a plan takes it over. The file and the digest are
// left to the caller.
func (a *Artifact) Floor() *plan.ReuseFloor {
	return &plan.ReuseFloor{
		Protocol: a.Protocol, Pairs: a.Pairs, Mean: a.Mean, P05: a.P05, P50: a.P50, Low: a.Interval.Low, High: a.Interval.High,
	}
}

// Mismatch lists what differs between the protocol of a noise floor and that of
// a live block with its manifest, each as "max_tokens: the noise floor has 64,
// the run has 16". It is nil where nothing does. A live block that names no model
// is of the one that its endpoint has, which a run is held against.
func Mismatch(p plan.FloorProtocol, live *plan.ReuseLive, manifestSHA string) []string {
	var out []string
	differ := func(member, floor, run string) {
		if floor != run {
			out = append(out, fmt.Sprintf("%s: the noise floor has %s, the run has %s", member, floor, run))
		}
	}
	text := func(s string) string {
		if s == "" {
			return "none"
		}
		return fmt.Sprintf("%q", s)
	}
	if live.Model != "" {
		differ("model", text(p.Model), text(live.Model))
	}
	differ("engine", text(p.Engine), text(live.Engine))
	differ("engine_version", text(p.EngineVersion), text(live.EngineVersion))
	differ("max_tokens", fmt.Sprint(p.MaxTokens), fmt.Sprint(live.MaxTokens))
	differ("temperature", p.Temperature.String(), live.Temperature.String())
	differ("concurrency", fmt.Sprint(p.Concurrency), fmt.Sprint(live.Concurrency))
	differ("manifest_sha256", text(p.ManifestSHA256), text(manifestSHA))
	return out
}
