package evidence

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/spec/refdata"
)

// expected are the members of the reference's file, for logs of engines.
type expected struct {
	Engine            string           `json:"engine"`
	Donors            *int64           `json:"donor_registrations"`
	Hits              *int64           `json:"semantic_hits"`
	HitsWhole         *int64           `json:"semantic_hits_reference"`
	HitsCorrect       *int64           `json:"semantic_hits_correct"`
	Loads             *int64           `json:"load_advertisements"`
	Started           *int64           `json:"materializing_seen"`
	Events            *int64           `json:"materialization_events"`
	Tokens            *int64           `json:"materialized_tokens"`
	Units             *int64           `json:"materialized_units"`
	Rope              *int64           `json:"rope_corrections"`
	Boundaries        *int64           `json:"engine_boundaries"`
	Errors            *int64           `json:"errors"`
	Warnings          *int64           `json:"runtime_warnings"`
	Reasons           map[string]int64 `json:"rejection_reasons"`
	Reuse             *bool            `json:"materialized_semantic_kv_reuse"`
	ReuseWhole        *bool            `json:"materialized_semantic_kv_reuse_reference"`
	ReusePerRequest   *bool            `json:"materialized_semantic_kv_reuse_per_request_join"`
	RealizedNotSummed *int64           `json:"realized_line_tokens_not_added"`
}

// The logs of the reference are read as it says, in both readings.
func TestReference(t *testing.T) {
	b, err := os.ReadFile(refdata.Path(t, "data/reuse/logs/expected-events.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]expected
	if err := json.Unmarshal(b, &files); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if want.Engine == "" {
			continue // TestReferenceAudit
		}
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(refdata.Path(t, "data/reuse/logs/"+name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			e, joined, err := Read(want.Engine, f, Options{})
			if err != nil || joined != nil {
				t.Fatalf("joined %v, error %v", joined, err)
			}
			checked := 0
			number := func(what string, want *int64, got int64) {
				t.Helper()
				if want != nil {
					checked++
					if got != *want {
						t.Errorf("%s: %d, want %d", what, got, *want)
					}
				}
			}
			truth := func(what string, want *bool, got bool) {
				t.Helper()
				if want != nil {
					checked++
					if got != *want {
						t.Errorf("%s: %v, want %v", what, got, *want)
					}
				}
			}
			number("donors", want.Donors, e.DonorRegistrations)
			number("hits", want.Hits, e.SemanticHits)
			number("hits", want.HitsCorrect, e.SemanticHits)
			number("hits of the whole log", want.HitsWhole, e.SemanticHitsWhole)
			if want.HitsWhole == nil {
				number("hits of the whole log", want.Hits, e.SemanticHitsWhole)
			}
			number("loads", want.Loads, e.LoadAdvertisements)
			number("started", want.Started, e.Started)
			number("events", want.Events, e.Materializations)
			number("tokens", want.Tokens, e.MaterializedTokens)
			number("events of the whole log", want.Events, e.EventsWhole)
			number("tokens of the whole log", want.Tokens, e.TokensWhole)
			number("units", want.Units, e.MaterializedUnits)
			number("rope corrections", want.Rope, e.RopeCorrections)
			number("boundaries", want.Boundaries, e.EngineBoundaries)
			number("errors", want.Errors, e.Errors)
			number("errors of the whole log", want.Errors, e.ErrorsWhole)
			number("warnings", want.Warnings, e.Warnings)
			truth("reuse", want.Reuse, e.MaterializedReuse > 0)
			truth("reuse of the whole log", want.Reuse, e.WholeLog)
			truth("reuse of the whole log", want.ReuseWhole, e.WholeLog)
			truth("reuse by request", want.ReusePerRequest, e.MaterializedReuse > 0)
			got := map[string]int64{}
			for _, r := range e.Rejections {
				got[r.Reason] = r.N
			}
			for reason, n := range want.Reasons {
				number(reason, &n, got[reason])
			}
			if len(got) != len(want.Reasons) {
				t.Errorf("reasons %v, want %v", got, want.Reasons)
			}
			if checked < 6 || e.Malformed != 0 || len(e.Unknown) != 0 {
				t.Errorf("%d figures checked; malformed %d, unknown %v", checked, e.Malformed, e.Unknown)
			}
		})
	}
}

func TestReferenceAudit(t *testing.T) {
	f, err := os.Open(refdata.Path(t, "data/reuse/logs/connector-audit.sample.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	own := map[string]Request{
		"run-warm-000003-recipient-aa11": {"item-3", record.Warm},
		"run-warm-000004-recipient-cc33": {"item-4", record.Warm},
	}
	e, joined, err := Read(Audit, f, Options{Log: "audit", Requests: func(id string) (Request, bool) { r, ok := own[id]; return r, ok }})
	if err != nil {
		t.Fatal(err)
	}
	c := e.Connector
	if e.Lines != 8 || e.Malformed != 1 || e.Requests != 2 || c.RequestEvents != 5 || c.OtherVersions != 1 || c.EngineEvents != 1 || c.Evicted != 5 {
		t.Errorf("%+v %+v", e, *c)
	}
	if (c.Reused != record.Share{Numerator: 1, Denominator: 1}) || (c.Tokens != record.Share{Numerator: 1008, Denominator: 1024}) ||
		(c.Aligned != record.Share{Numerator: 1, Denominator: 2}) || c.Allocated != 1024 {
		t.Errorf("%+v", *c)
	}
	want := []record.Joined{
		{Log: "audit", RequestID: "chatcmpl-run-warm-000003-recipient-aa11", ItemID: "item-3", Arm: record.Warm, Hits: 1, Advertised: 1024, Materialized: 1, Tokens: 1008},
		{Log: "audit", RequestID: "chatcmpl-run-warm-000004-recipient-cc33", ItemID: "item-4", Arm: record.Warm},
	}
	if len(joined) != 2 || joined[0] != want[0] || joined[1] != want[1] {
		t.Errorf("joined %+v", joined)
	}
}
