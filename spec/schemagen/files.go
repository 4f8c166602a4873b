package schemagen

import (
	"maps"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// commented are the packages whose comments describe what a schema holds.
var commented = []string{"compiler/plan", "runtime/journal", "runtime/measure", "runtime/detector", "runtime/compare",
	"runtime/reuse/record", "runtime/reuse/result"}

// Files returns the schemas by file name. root is the folder of the module,
// whose sources hold the descriptions.
func Files(root string) (map[string][]byte, error) {
	docs := map[string]string{}
	for _, dir := range commented {
		d, err := ReadDocs(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil {
			return nil, err
		}
		maps.Copy(docs, d)
	}
	// Lists of a plan are null where a scenario leaves them out; a result has
	// empty lists, but for the parts that it takes over from the plan.
	ofPlan := func(t reflect.Type) bool { return strings.HasSuffix(t.PkgPath(), "compiler/plan") }
	enums := reuseEnums()
	maps.Copy(enums, seriesEnums)
	g := &Generator{Docs: docs, Enums: enums, Null: ofPlan}
	lenient := &Generator{Docs: docs, Enums: enums, Null: func(reflect.Type) bool { return true }}
	return map[string][]byte{
		"plan.schema.json":         g.Schema(plan.Plan{}, "urn:fdbench:schema:plan:1", "A series, compiled ("+plan.Format+")"),
		"result.schema.json":       g.Schema(measure.Result{}, "urn:fdbench:schema:result:1", "What a run measured ("+measure.Format+")"),
		"reuse-plan.schema.json":   g.Schema(plan.Reuse{}, "urn:fdbench:schema:reuse-plan:1", "A reuse block, compiled ("+plan.ReuseFormat+")"),
		"reuse-result.schema.json": g.Schema(result.Result{}, "urn:fdbench:schema:reuse-result:1", "What a run of a reuse block came to ("+result.Format+")"),
		"comparison.schema.json":   g.Schema(compare.Comparison{}, "urn:fdbench:schema:comparison:1", "Two results side by side ("+compare.Format+")"),
		"journal.schema.json":      lenient.journal(),
	}, nil
}

var seriesEnums = map[string][]string{
	"compare.Comparison.Format": {compare.Format},
	"compare.Refusal.Reason": {compare.ReasonMethodology, compare.ReasonExploratory, compare.ReasonIncomplete, compare.ReasonNonconformant,
		compare.ReasonReduced, compare.ReasonTime, compare.ReasonEnvironment, compare.ReasonKeyMissing, compare.ReasonKeyDiffers,
		compare.ReasonSeries, compare.ReasonNoChange},
	"compare.Key.Name":            compare.Factors,
	"plan.Plan.Format":            {plan.Format},
	"journal.Open.Format":         {journal.Format},
	"journal.Open.Time":           {"virtual", "real", "offline"}, // offline: of a reuse block without a live part
	"journal.Close.Status":        {"complete", "incomplete"},
	"journal.Readback.Moment":     {journal.ReadAtBegin, journal.ReadBeforeTrial, journal.ReadAfterTrial},
	"journal.ClockRecord.Moment":  {"before", "between", "after"},
	"journal.TrialRecord.Purpose": {journal.PurposeTrials, journal.PurposeSham, journal.PurposeSearch, journal.PurposeMasking},
	"journal.SearchStep.Role":     {"lower", "upper", "midpoint"},
	"journal.SearchStep.Status":   {"", measure.SearchFound, measure.SearchBelowFloor, measure.SearchAboveBound, measure.SearchIncomplete},
	"measure.Result.Format":       {measure.Format},
	"measure.Conformance.Status":  {measure.StatusConformant, measure.StatusErrorBound, measure.StatusReduced, measure.StatusNonconform, measure.StatusSimulated},
	"measure.Threshold.Status":    {measure.SearchFound, measure.SearchBelowFloor, measure.SearchAboveBound, measure.SearchIncomplete},
	"measure.Masking.Status":      {"value", "not_applicable", "incomplete"},
	"measure.Baseline.Point":      {"injection", "observation"},
}

// records are the kinds of a journal's entries with what they hold.
var records = []struct {
	kind string
	data any
}{
	{journal.KindOpen, journal.Open{}},
	{journal.KindSegment, journal.Segment{}},
	{journal.KindBaseline, journal.BaselineRecord{}},
	{journal.KindQuiet, journal.QuietRecord{}},
	{journal.KindApply, journal.ApplyRecord{}},
	{journal.KindTrial, journal.TrialRecord{}},
	{journal.KindSearchStep, journal.SearchStep{}},
	{journal.KindFalseDetection, journal.FalseDetectionRecord{}},
	{journal.KindClock, journal.ClockRecord{}},
	{journal.KindReadback, journal.Readback{}},
	{journal.KindViolation, journal.Violation{}},
	{record.KindItem, record.Item{}},
	{record.KindReset, record.Reset{}},
	{record.KindArm, record.Arm{}},
	{record.KindCounters, record.Counters{}},
	{record.KindEvidence, record.Evidence{}},
	{record.KindJoined, record.Joined{}},
	{record.KindAudit, record.Audit{}},
	{journal.KindResume, journal.Resumed{}},
	{journal.KindCommit, journal.Commit{}},
	{journal.KindClose, journal.Close{}},
}

// journal is the schema of one line.
func (g *Generator) journal() []byte {
	g.reset()
	sum := object{{"type", "string"}, {"pattern", "^[0-9a-f]{64}$"}}
	var kinds []object
	for _, r := range records {
		kinds = append(kinds, object{
			{"type", "object"},
			{"properties", object{
				{"n", object{{"type", "integer"}, {"minimum", 0}}},
				{"prev", sum},
				{"kind", object{{"const", r.kind}}},
				{"data", g.typ(reflect.TypeOf(r.data))},
				{"hash", sum},
			}},
			{"required", []string{"n", "prev", "kind", "data", "hash"}},
			{"additionalProperties", false},
		})
	}
	return encode(object{{"$schema", Draft}, {"$id", "urn:fdbench:schema:journal:1"}, {"title", "A line of a journal (" + journal.Format + ")"},
		{"description", "hash is the SHA-256 of the line's bytes before its own key; prev is the hash of the line before, and of the plan's digest in the first."},
		{"oneOf", kinds}, {"$defs", object(g.defs)}})
}
