package offline

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/spec/refdata"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// declaration is one with the tokenizer stable and nothing else but a size.
func declaration(size int) *plan.ReuseDeclaration {
	tok, err := tokens.Lookup("stable")
	if err != nil {
		panic(err)
	}
	return &plan.ReuseDeclaration{
		BlockSize: size,
		Tokenizer: plan.ReuseTokenizer{Name: tok.Name(), Version: tok.Version()},
		Scope:     ScopeItem,
	}
}

// rows measures a manifest.
func rows(t testing.TB, d *plan.ReuseDeclaration, folder string, in io.Reader) []record.Item {
	t.Helper()
	m, err := New(d, folder)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var out []record.Item
	if err := m.Rows(context.Background(), manifest.NewReader(in), 0, func(r record.Item) error {
		out = append(out, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// sums is the micro average of the contract: sums, then one division.
type sums struct {
	requests, tokens, blocks, exact, candidate, eligible int64
	controls, controlBlocks, controlExact, controlElig   int64
}

func add(rows []record.Item, transform string) (s sums) {
	for _, r := range rows {
		if transform != "" && r.Transform != transform {
			continue
		}
		s.requests++
		s.tokens += r.PromptTokens
		s.blocks += r.TotalBlocks
		s.exact += r.ExactBlocks
		s.candidate += r.Candidate
		s.eligible += r.Eligible
		if r.Control {
			s.controls++
			s.controlBlocks += r.TotalBlocks
			s.controlExact += r.ExactBlocks
			s.controlElig += r.Eligible
		}
	}
	return s
}

// expected are the figures of a group of rows, in the reference's names.
type expected struct {
	Requests     int64   `json:"request_count"`
	Tokens       int64   `json:"prompt_tokens"`
	Blocks       int64   `json:"total_blocks"`
	Exact        int64   `json:"exact_hit_blocks"`
	ExactTokens  int64   `json:"exact_hit_tokens"`
	ExactRate    float64 `json:"exact_block_hit_rate"`
	TokenRate    float64 `json:"exact_token_weighted_reuse_rate"`
	Controls     int64   `json:"negative_control_count"`
	ControlBlock int64   `json:"negative_control_blocks"`
	ControlExact int64   `json:"negative_control_exact_hit_blocks"`
	Plans        map[string]struct {
		Candidate     int64   `json:"semantic_candidate_blocks"`
		CandidateRate float64 `json:"semantic_candidate_block_rate"`
		CandidateTok  float64 `json:"semantic_candidate_token_weighted_reuse_rate"`
		Eligible      int64   `json:"semantic_eligible_blocks"`
		EligibleRate  float64 `json:"semantic_eligible_block_rate"`
		EligibleTok   float64 `json:"semantic_eligible_token_weighted_reuse_rate"`
		Lift          float64 `json:"semantic_eligible_lift"`
		ControlElig   int64   `json:"negative_control_semantic_eligible_blocks"`
		ControlRate   float64 `json:"negative_control_semantic_eligible_rate"`
	}
}

type reference struct {
	BlockSizes map[string]struct {
		Aggregate   expected
		ByTransform map[string]expected `json:"by_transform"`
		Requests    []struct {
			ItemID    string `json:"item_id"`
			Transform string
			Control   bool    `json:"negative_control"`
			Donors    int     `json:"donor_count"`
			Tokens    int64   `json:"prompt_tokens"`
			Blocks    int64   `json:"total_blocks"`
			Exact     int64   `json:"exact_hit_blocks"`
			DonorToks []int64 `json:"donor_tokens"`
			Plans     map[string]struct {
				Candidate int64 `json:"candidate_blocks"`
				Eligible  int64 `json:"eligible_blocks"`
				Copied    int64 `json:"copied_positions"`
				Donors    int64 `json:"donors_used"`
			}
		}
	} `json:"by_block_size"`
	NoPlanner map[string]struct {
		Candidate     int64    `json:"semantic_candidate_blocks"`
		CandidateRate *float64 `json:"semantic_candidate_block_rate"`
	} `json:"no_planner_case"`
}

func readReference(t *testing.T) (ref reference, fixture string) {
	t.Helper()
	b, err := os.ReadFile(refdata.Path(t, "data/reuse/expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &ref); err != nil {
		t.Fatal(err)
	}
	return ref, refdata.Path(t, "data/reuse/fixture-v1.jsonl")
}

// rate is the exact fraction as the nearest binary64, and 0 over nothing, as
// the reference has it.
func rate(n, d int64) float64 {
	if d == 0 {
		return 0
	}
	return exact.Frac(n, d).Float64()
}

// near allows for the reference's rounded subtractions.
func near(a, b float64) bool { return a-b < 1e-15 && b-a < 1e-15 }

func (s sums) check(t *testing.T, what, planner string, size int64, want expected) {
	t.Helper()
	p := want.Plans[planner]
	type line struct {
		name      string
		got, want int64
	}
	for _, c := range []line{
		{"request_count", s.requests, want.Requests},
		{"prompt_tokens", s.tokens, want.Tokens},
		{"total_blocks", s.blocks, want.Blocks},
		{"exact_hit_blocks", s.exact, want.Exact},
		{"exact_hit_tokens", s.exact * size, want.ExactTokens},
		{"negative_control_count", s.controls, want.Controls},
		{"negative_control_blocks", s.controlBlocks, want.ControlBlock},
		{"negative_control_exact_hit_blocks", s.controlExact, want.ControlExact},
		{"semantic_candidate_blocks", s.candidate, p.Candidate},
		{"semantic_eligible_blocks", s.eligible, p.Eligible},
		{"negative_control_semantic_eligible_blocks", s.controlElig, p.ControlElig},
	} {
		if c.got != c.want {
			t.Errorf("block size %d, %s, %s: %s is %d, want %d", size, planner, what, c.name, c.got, c.want)
		}
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"exact_block_hit_rate", rate(s.exact, s.blocks), want.ExactRate},
		{"exact_token_weighted_reuse_rate", rate(s.exact*size, s.tokens), want.TokenRate},
		{"semantic_candidate_block_rate", rate(s.candidate, s.blocks), p.CandidateRate},
		{"semantic_candidate_token_weighted_reuse_rate", rate(s.candidate*size, s.tokens), p.CandidateTok},
		{"semantic_eligible_block_rate", rate(s.eligible, s.blocks), p.EligibleRate},
		{"semantic_eligible_token_weighted_reuse_rate", rate(s.eligible*size, s.tokens), p.EligibleTok},
		{"negative_control_semantic_eligible_rate", rate(s.controlElig, s.controlBlocks), p.ControlRate},
	} {
		if c.got != c.want {
			t.Errorf("block size %d, %s, %s: %s is %v, want %v", size, planner, what, c.name, c.got, c.want)
		}
	}
	if lift := rate(s.eligible-s.exact, s.blocks); !near(lift, p.Lift) {
		t.Errorf("block size %d, %s, %s: semantic_eligible_lift is %v, want %v", size, planner, what, lift, p.Lift)
	}
}

// TestReference reproduces the reference's figures for every block size and
// planner that it has.
func TestReference(t *testing.T) {
	ref, fixture := readReference(t)
	planners := map[string]*plan.ReusePlanner{
		"span":        {Name: "span"},
		"span_min4":   {Name: "span", MinRun: 4},
		"chunk":       {Name: "chunk"},
		"chunk_gated": {Name: "chunk", Gated: true},
	}
	for text, want := range ref.BlockSizes {
		size, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(want.Aggregate.Plans) != len(planners) {
			t.Fatalf("block size %d has %d planners", size, len(want.Aggregate.Plans))
		}
		for planner, p := range planners {
			d := declaration(size)
			d.Planner = p
			f, err := os.Open(fixture)
			if err != nil {
				t.Fatal(err)
			}
			got := rows(t, d, "", f)
			f.Close()
			add(got, "").check(t, "all", planner, int64(size), want.Aggregate)
			for transform, group := range want.ByTransform {
				add(got, transform).check(t, transform, planner, int64(size), group)
			}
			if len(got) != len(want.Requests) {
				t.Fatalf("block size %d: %d rows, want %d", size, len(got), len(want.Requests))
			}
			for i, w := range want.Requests {
				g := got[i]
				if g.Index != int64(i) || g.ItemID != w.ItemID || g.Transform != w.Transform || g.Control != w.Control || g.Donors != w.Donors ||
					g.PromptTokens != w.Tokens || g.TotalBlocks != w.Blocks || g.ExactBlocks != w.Exact || !g.Planned ||
					g.Candidate != w.Plans[planner].Candidate || g.Eligible != w.Plans[planner].Eligible || g.Invalid != nil {
					t.Errorf("block size %d, %s: row %+v, want %+v", size, planner, g, w)
				}
				if g.PrefixBlocks > g.ExactBlocks {
					t.Errorf("block size %d: row %+v has more prefix than exact hits", size, g)
				}
			}
		}
	}
}

// TestReferencePlans takes the planners' plans from files instead, in the order
// of the manifest and backwards.
func TestReferencePlans(t *testing.T) {
	ref, fixture := readReference(t)
	want := ref.BlockSizes["16"]
	for _, planner := range []string{"span", "chunk"} {
		file, err := os.ReadFile(refdata.Path(t, "data/reuse/plan-"+planner+"-b16.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range [][]byte{file, backwards(file)} {
			folder := t.TempDir()
			d := declaration(16)
			d.Plans = writePlans(t, folder, b)
			f, err := os.Open(fixture)
			if err != nil {
				t.Fatal(err)
			}
			got := rows(t, d, folder, f)
			f.Close()
			add(got, "").check(t, "all", planner, 16, want.Aggregate)
			for transform, group := range want.ByTransform {
				add(got, transform).check(t, transform, planner, 16, group)
			}
		}
	}
}

// TestNoPlanner tells where this goes beyond the reference: without a planner
// it has counts and rates of 0, and here they do not exist.
func TestNoPlanner(t *testing.T) {
	ref, fixture := readReference(t)
	if len(ref.NoPlanner) == 0 {
		t.Fatal("the reference has no such case")
	}
	for text, want := range ref.NoPlanner {
		if want.CandidateRate == nil || *want.CandidateRate != 0 {
			t.Errorf("block size %s: the reference's rate is %v", text, want.CandidateRate)
		}
		size, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(fixture)
		if err != nil {
			t.Fatal(err)
		}
		got := rows(t, declaration(size), "", f)
		f.Close()
		for _, r := range got {
			if r.Planned || r.Candidate != 0 || r.Eligible != 0 {
				t.Errorf("block size %d: row %+v says that it was planned", size, r)
			}
		}
	}
}

func backwards(lines []byte) []byte {
	var out []byte
	for end := len(lines) - 1; end > 0; {
		start := end - 1
		for start >= 0 && lines[start] != '\n' {
			start--
		}
		out = append(out, lines[start+1:end+1]...)
		end = start
	}
	return out
}

func writePlans(t *testing.T, folder string, b []byte) *plan.ReusePlans {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, "plans.jsonl"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	return &plan.ReusePlans{File: "plans.jsonl", SHA256: digest(b), Planner: "span, chunk or p 1.0"}
}
