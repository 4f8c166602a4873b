package floor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/suggest"
)

// Error is a mistake in an artifact.
type Error struct {
	Line, Column int    // from 1; 0 where the place is not in a file
	Member       string // "protocol.max_tokens"; "" for the whole file
	Message      string // what is wrong, a sentence
	Remedy       string // what to do, a sentence
}

// Error implements error.
func (e *Error) Error() string {
	s := e.Message
	if e.Line > 0 {
		s = fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, s)
	}
	if e.Remedy != "" {
		s += " " + e.Remedy
	}
	return s
}

const again = "Measure it anew with fdbench calibrate."

// Read reads an artifact as a plan takes it over, with the digest of its bytes.
// Every member has to be there, none may be unknown or stand twice, and the
// figures have to agree with one another. An error is an *Error.
func Read(b []byte) (*plan.ReuseFloor, error) {
	a, err := Decode(b)
	if err != nil {
		return nil, err
	}
	f := a.Floor()
	sum := sha256.Sum256(b)
	f.SHA256 = "sha256:" + hex.EncodeToString(sum[:])
	return f, nil
}

// Decode is Read for the artifact itself.
func Decode(b []byte) (*Artifact, error) {
	root, err := parse(b)
	if err != nil {
		return nil, err
	}
	d := &decoder{src: b}
	if root.member("calibration_version") != nil {
		return nil, d.foreign(root)
	}
	a := d.artifact(root)
	if d.err != nil {
		return nil, d.err
	}
	if e := check(a); e != nil {
		at := root
		for name := range strings.SplitSeq(e.Member, ".") {
			if v := at.member(name); v != nil {
				at = v
			}
		}
		e.Line, e.Column = place(b, at.offset)
		return nil, e
	}
	return a, nil
}

// foreign refuses an artifact of another project that says too little.
func (d *decoder) foreign(root *value) *Error {
	v := root.member("calibration_version")
	line, column := place(d.src, v.offset)
	name := "another project"
	if v.kind == '"' {
		name = v.text
	}
	return &Error{line, column, "calibration_version", fmt.Sprintf("This is an artifact of %s. It does not tell max_tokens, temperature, concurrency and the manifest's digest, so that nobody can show that a run has the same protocol.", name), again}
}

// decoder takes members out of objects and keeps the first error.
type decoder struct {
	src []byte
	err *Error
}

func (d *decoder) fail(at int, member, message, remedy string) {
	if d.err == nil {
		line, column := place(d.src, at)
		d.err = &Error{line, column, member, message, remedy}
	}
}

// object checks that v is an object with exactly the members.
func (d *decoder) object(v *value, path string, members ...string) bool {
	if v == nil || d.err != nil {
		return false
	}
	if v.kind != '{' {
		d.fail(v.offset, path, fmt.Sprintf("%s is an object.", subject(path)), again)
		return false
	}
	for _, m := range v.members {
		if !slices.Contains(members, m.name) {
			remedy := fmt.Sprintf("The members are %s.", strings.Join(members, ", "))
			if near := suggest.Nearest(m.name, members); near != "" {
				remedy = fmt.Sprintf("Did you mean %q?", near)
			}
			d.fail(m.offset, join(path, m.name), fmt.Sprintf("%s has no member %q.", subject(path), m.name), remedy)
			return false
		}
	}
	for _, name := range members {
		if v.member(name) == nil {
			d.fail(v.offset, join(path, name), fmt.Sprintf("%s lacks the member %q.", subject(path), name), again)
			return false
		}
	}
	return true
}

func subject(path string) string {
	if path == "" {
		return "A noise floor"
	}
	return fmt.Sprintf("%q", path)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (d *decoder) text(of *value, path, name string) string {
	v := of.member(name)
	if v.kind != '"' {
		d.fail(v.offset, join(path, name), fmt.Sprintf("%q is a text.", join(path, name)), "Put it in quotes.")
	}
	return v.text
}

func (d *decoder) count(of *value, path, name string) int64 {
	v := of.member(name)
	n, err := strconv.ParseInt(v.text, 10, 64)
	if v.kind != '0' || err != nil || n < 0 {
		d.fail(v.offset, join(path, name), fmt.Sprintf("%q is a whole number of at least 0.", join(path, name)), "Write it without quotes and without a decimal point.")
	}
	return n
}

// number reads an exact decimal, which stands in quotes so that no reader
// rounds it.
func (d *decoder) number(of *value, path, name string) exact.Number {
	v := of.member(name)
	n, err := exact.Parse(v.text)
	if v.kind != '"' || err != nil {
		d.fail(v.offset, join(path, name), fmt.Sprintf("%q is a decimal number in quotes.", join(path, name)), `Write it as in "0.985".`)
	}
	return n
}

func (d *decoder) artifact(root *value) *Artifact {
	if !d.object(root, "", "format", "protocol", "n_pairs", "rouge_l_mean", "rouge_l_p05", "rouge_l_p50", "rouge_l_ci", "pairs_contaminated", "pairs_errored", "empty_outputs", "created_at_utc", "by_length") {
		return nil
	}
	p, ci, bands := root.member("protocol"), root.member("rouge_l_ci"), root.member("by_length")
	if !d.object(p, "protocol", "model", "engine", "engine_version", "max_tokens", "temperature", "concurrency", "manifest_sha256") ||
		!d.object(ci, "rouge_l_ci", "low", "high", "clusters") {
		return nil
	}
	a := &Artifact{
		Format: d.text(root, "", "format"),
		Protocol: plan.FloorProtocol{
			Model: d.text(p, "protocol", "model"), Engine: d.text(p, "protocol", "engine"), EngineVersion: d.text(p, "protocol", "engine_version"),
			MaxTokens: int(d.count(p, "protocol", "max_tokens")), Temperature: d.number(p, "protocol", "temperature"),
			Concurrency: int(d.count(p, "protocol", "concurrency")), ManifestSHA256: d.text(p, "protocol", "manifest_sha256"),
		},
		Pairs: d.count(root, "", "n_pairs"),
		Mean:  d.number(root, "", "rouge_l_mean"), P05: d.number(root, "", "rouge_l_p05"), P50: d.number(root, "", "rouge_l_p50"),
		Interval:     Interval{d.number(ci, "rouge_l_ci", "low"), d.number(ci, "rouge_l_ci", "high"), d.count(ci, "rouge_l_ci", "clusters")},
		Contaminated: d.count(root, "", "pairs_contaminated"), Errored: d.count(root, "", "pairs_errored"), Empty: d.count(root, "", "empty_outputs"),
		CreatedAt: d.text(root, "", "created_at_utc"), Bands: []Band{},
	}
	if bands.kind != '[' {
		d.fail(bands.offset, "by_length", `"by_length" is a list.`, again)
	}
	for i, v := range bands.items {
		path := fmt.Sprintf("by_length[%d]", i)
		if d.object(v, path, "band", "n", "mean") {
			a.Bands = append(a.Bands, Band{d.text(v, path, "band"), d.count(v, path, "n"), d.number(v, path, "mean")})
		}
	}
	return a
}

var (
	digest  = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	engines = []string{"vllm", "sglang", "trtllm", "other"}
)

// check tells what contradicts itself in an artifact. The place is left open.
func check(a *Artifact) *Error {
	p, one := a.Protocol, exact.Int(1)
	share := func(n exact.Number) bool { return n.Sign() >= 0 && n.Cmp(one) <= 0 }
	wrong := func(member, message string) *Error {
		return &Error{Member: member, Message: message, Remedy: again}
	}
	_, err := time.Parse(time.RFC3339, a.CreatedAt)
	switch {
	case a.Format != Format:
		return &Error{Member: "format", Message: fmt.Sprintf("The format is %q, and this version reads %q.", a.Format, Format), Remedy: again}
	case p.Model == "":
		return wrong("protocol.model", "The protocol names no model.")
	case !slices.Contains(engines, p.Engine):
		return wrong("protocol.engine", fmt.Sprintf("The engine %q is none of %s.", p.Engine, strings.Join(engines, ", ")))
	case p.MaxTokens < 1:
		return wrong("protocol.max_tokens", "An answer has at least one token.")
	case p.Temperature.Sign() < 0:
		return wrong("protocol.temperature", "A temperature is at least 0.")
	case p.Concurrency < 1:
		return wrong("protocol.concurrency", "At least one pair runs at a time.")
	case !digest.MatchString(p.ManifestSHA256):
		return wrong("protocol.manifest_sha256", `A digest is "sha256:" and 64 hexadecimal digits in lower case.`)
	case a.Pairs < 1:
		return wrong("n_pairs", "A noise floor without a pair says nothing.")
	case !share(a.Mean):
		return wrong("rouge_l_mean", "A score is from 0 to 1.")
	case !share(a.P05):
		return wrong("rouge_l_p05", "A score is from 0 to 1.")
	case !share(a.P50) || a.P50.Cmp(a.P05) < 0:
		return wrong("rouge_l_p50", "The median is from the 5th percentile to 1.")
	case !share(a.Interval.Low):
		return wrong("rouge_l_ci.low", "A score is from 0 to 1.")
	case !share(a.Interval.High) || a.Interval.High.Cmp(a.Interval.Low) < 0:
		return wrong("rouge_l_ci.high", "The upper end of the interval is from its lower end to 1.")
	case a.Interval.Clusters < 1 || a.Interval.Clusters > a.Pairs:
		return wrong("rouge_l_ci.clusters", "There is at least one document, and no more than pairs.")
	case a.Empty > 2*a.Pairs:
		return wrong("empty_outputs", "A pair has two outputs, so no more than that can be empty.")
	case err != nil || !strings.HasSuffix(a.CreatedAt, "Z"):
		return wrong("created_at_utc", `The time reads like "2026-08-01T12:00:00Z".`)
	}
	return checkBands(a, share, wrong)
}

// checkBands wants the bands to be those of the pairs.
func checkBands(a *Artifact, share func(exact.Number) bool, wrong func(member, message string) *Error) *Error {
	var n int64
	seen := map[string]bool{}
	for _, b := range a.Bands {
		switch {
		case b.Band == "" || seen[b.Band]:
			return wrong("by_length", fmt.Sprintf("The band %q has no name, or stands twice.", b.Band))
		case b.N < 1 || b.N > a.Pairs:
			return wrong("by_length", fmt.Sprintf("The band %q has %d pairs of %d.", b.Band, b.N, a.Pairs))
		case !share(b.Mean):
			return wrong("by_length", fmt.Sprintf("The mean of the band %q is not from 0 to 1.", b.Band))
		}
		seen[b.Band] = true
		n += b.N
	}
	if len(a.Bands) > 0 && n != a.Pairs {
		return wrong("by_length", fmt.Sprintf("The bands have %d pairs together, and the artifact %d.", n, a.Pairs))
	}
	return nil
}
