package report_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/report"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/edit"
)

func build(t testing.TB, base string, lines ...string) *report.Report {
	t.Helper()
	r, err := example.Result(spec.Example{Base: base, Text: strings.Join(lines, "\n")})
	if err != nil {
		t.Fatal(err)
	}
	p, err := report.Build(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(t testing.TB, p *report.Report, o report.TextOptions) string {
	t.Helper()
	var b strings.Builder
	if err := p.Text(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// one is a text without its line breaks.
func one(s string) string { return strings.Join(strings.Fields(s), " ") }

// What the figures may be called stands before any of them, in every form.
func TestWhatFiguresMayBeCalledComesFirst(t *testing.T) {
	for _, x := range []struct {
		base  string
		lines []string
		says  string
	}{
		{result.BaseOffline, nil, "Offline proxy: nothing here was confirmed by an engine."},
		{result.BaseBare, nil, "Counted in the manifest alone: no planner looked at it, and no engine confirmed anything."},
		{result.BaseLive, nil, "It reports exact and semantic reuse in one field, so this is confirmed reuse, and not semantic reuse alone."},
		{result.BaseSplit, nil, "it tells prefix reuse from semantic reuse."},
		{result.BaseLive, []string{"reuse_arm all", "  null cached_tokens"}, "nothing here is confirmed."},
		{result.BaseLive, []string{"plan", "  put declaration.live.reset []", "reuse_reset all", "  drop", "reuse_arm all", `  put reset "none"`}, "may have found the prompt of its own cold one."},
		{result.BaseOffline, []string{"open", `  set {"exploratory": true, "generation": 0}`}, "Exploratory: the run left the scenario's lock alone"},
	} {
		p := build(t, x.base, x.lines...)
		for form, s := range map[string]string{"text": text(t, p, report.TextOptions{}), "md": string(p.Markdown())} {
			at, rate := strings.Index(one(s), x.says), strings.Index(one(s), "%")
			if at < 0 || rate < at {
				t.Errorf("%s, %s: %q stands at %d, and the first rate at %d", x.base, form, x.says, at, rate)
			}
		}
	}
}

func TestWhatReportsSay(t *testing.T) {
	for _, x := range []struct {
		name, base string
		lines      []string
		text, md   []string
		never      []string
	}{
		{"offline", result.BaseOffline, nil,
			[]string{"rag: offline", "29.41% 5 17 4 of 4", "+41.18 points", "eligible 0.00%, 0 of 2 blocks, 1 of 1 controls measured", "passed controls stay cold"},
			[]string{"# rag: KV reuse, offline", "17 blocks, 4 of 4 requests measured", "Nothing was sent, so there is no time and no speed-up."}, []string{"FD-", "speed-up, hits"}},
		{"live", result.BaseLive, nil,
			[]string{"speed-up, hits and misses: 1.833x (95% interval", "n = 3 pairs of 3 documents", "hits alone, no headline: 2.25x", "at a hit rate of 66.67%", "placement, no materialisation"},
			[]string{"**Headline: blended speed-up", "A placement is no materialisation", "hits alone, which are no headline", "The reading of the whole log"}, []string{"FD-"}},
		{"no control", result.BaseOffline, []string{"reuse_item last", "  drop", "plan", "  put declaration.manifest.items 3", "  put declaration.manifest.controls 0", "  put gates []"},
			[]string{"No negative control"}, []string{"**No negative control", "The manifest has none."}, nil},
		{"interrupted", result.BaseOffline, []string{"close", "  drop"}, []string{"Incomplete: the run was interrupted"}, []string{"**Incomplete: the run was interrupted"}, nil},
		{"broken", result.BaseOffline, []string{"reuse_item", "  put total_blocks 3"}, []string{"nonconformant, offline", "KV-1-1 repeat: 47 tokens"}, []string{"Requirements that this run breaks", "| KV-1-1 |"}, nil},
		{"not reported", result.BaseLive, []string{`reuse_arm {"item_id": "reorder", "arm": "warm"}`, "  null cached_tokens"}, []string{"28.57% 2 7 3 of 4"}, []string{"7 blocks, 3 of 4 requests measured"}, nil},
		{"another run's log", result.BaseLive, []string{"reuse_joined", "  drop"}, []string{"not shown: the requests of the log that have both are not this run's warm ones"}, []string{"the requests of the log that have both are not this run's warm ones"}, nil},
		{"whole log", result.BaseLive, []string{`reuse_evidence {"engine": "vllm"}`, "  put materialized_requests 0", "reuse_joined", "  drop"}, []string{"not shown: a hit and a materialisation are in the log, and never of one request"}, []string{"never of one request"}, nil},
		{"a negative lift", result.BaseOffline, []string{`reuse_item {"item_id": "reorder"}`, "  put semantic_candidate_blocks 0", "  put semantic_eligible_blocks 0", "reuse_item", "  put semantic_candidate_blocks 0", "  put semantic_eligible_blocks 0"},
			[]string{"-11.76 points"}, []string{"-11.76 points | 3 of 17 | 5 of 17"}, nil},
		{"opted in", result.BaseLive, []string{"open", "  put targets.0.allowed true"}, []string{"outside of the confined address ranges"}, []string{"the command line let them through"}, nil},
		{"deviation", result.BaseOffline, []string{"plan", `  put declaration.deviations [{"rule": "KV-7-3", "because": "a first look"}]`}, []string{"deviation from KV-7-3 a first look"}, []string{"| KV-7-3 | a first look |"}, nil},
		{"a failed gate", result.BaseOffline, []string{"plan", `  put gates [{"name": "g", "condition": "exact_block_hit_rate >= 0.5", "at_least": [], "from": ""}]`}, []string{"FAILED g: exact_block_hit_rate >= 0.5", "0.294118 (5/17)"}, []string{"| g | FAILED |"}, nil},
		{"no floor", result.BaseLive, []string{"plan", "  null declaration.calibration", "  put gates []"}, []string{"no noise floor to judge it by"}, []string{"which says nothing by itself"}, nil},
		{"earlier generations", result.BaseOffline, []string{"open", `  set {"generation": 2, "earlier": [{"generation": 1, "changed": [{"path": "block_size", "old": "32", "new": "16"}]}]}`}, nil, []string{"| 1 | block_size | 32 | 16 |"}, nil},
	} {
		p := build(t, x.base, x.lines...)
		plain, md := one(text(t, p, report.TextOptions{})), one(string(p.Markdown()))
		for _, s := range x.text {
			if !strings.Contains(plain, s) {
				t.Errorf("%s: the text lacks %q:\n%s", x.name, s, plain)
			}
		}
		for _, s := range x.md {
			if !strings.Contains(md, s) {
				t.Errorf("%s: the report lacks %q:\n%s", x.name, s, md)
			}
		}
		for _, s := range x.never {
			if strings.Contains(plain+md, s) {
				t.Errorf("%s: %q is said", x.name, s)
			}
		}
	}
}

// No line is wider than the terminal where a break is possible, colour or not,
// and colour changes no letter.
func TestText(t *testing.T) {
	p := build(t, result.BaseLive)
	for _, width := range []int{60, 80, 100, 160} {
		plain := text(t, p, report.TextOptions{Width: width})
		for _, line := range strings.Split(plain, "\n") {
			if n := utf8.RuneCountInString(line); n > max(width, 78) {
				t.Errorf("width %d: %d columns: %s", width, n, line)
			}
		}
	}
	plain, colored := text(t, p, report.TextOptions{}), text(t, p, report.TextOptions{Color: true})
	if !strings.Contains(colored, "\x1b[") || strings.Contains(plain, "\x1b[") {
		t.Error("colour where none is wanted, or none where it is")
	}
	var b strings.Builder
	for rest := colored; rest != ""; {
		before, after, found := strings.Cut(rest, "\x1b[")
		b.WriteString(before)
		if !found {
			break
		}
		_, rest, _ = strings.Cut(after, "m")
	}
	if b.String() != plain {
		t.Error("colour changes the text")
	}
}

// Every row of a Markdown table has as many cells as its head, whatever names
// hold; and every row of a CSV says what it is of.
func TestTables(t *testing.T) {
	for _, base := range example.Bases() {
		p := build(t, base, "reuse_item", `  put transform "a | b <c>"`)
		cells := 0
		for i, line := range strings.Split(string(p.Markdown()), "\n") {
			if !strings.HasPrefix(line, "|") {
				cells = 0
				continue
			}
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if cells != 0 && n != cells {
				t.Errorf("%s, line %d: %d cells in place of %d: %s", base, i+1, n, cells, line)
			}
			cells = n
		}
		files := p.CSV()
		for name, b := range files {
			rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
			if err != nil || len(rows) == 0 {
				t.Errorf("%s: %s: %v", base, name, err)
				continue
			}
			for _, row := range rows[1:] {
				if row[0] != p.Result().Name || row[1] == "" {
					t.Errorf("%s: %s: %q", base, name, row)
				}
			}
		}
		want := []string{"counts.csv", "gates.csv", "rates.csv"}
		if p.Result().Run.Live != nil {
			want = append(want, "evidence.csv", "paired.csv", "placement.csv")
		}
		for _, name := range want {
			if files[name] == nil {
				t.Errorf("%s: no %s", base, name)
			}
		}
		if len(files) != len(want) {
			t.Errorf("%s: %d files, want %d", base, len(files), len(want))
		}
	}
}

// A result with a member left out is refused, or says by itself that it lacks
// nothing.
func TestEveryMemberIsWanted(t *testing.T) {
	original, err := example.OriginalResult(result.BaseLive)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, text := range []string{
		"conformance\n  cut status", "conformance\n  cut violations", "claims\n  cut exact", "claims\n  cut confirmed", "run\n  cut block_size", "run\n  cut planner",
		"aggregate\n  cut exact_block_hit_rate", "aggregate\n  cut exact_block_hit_rate.numerator", "aggregate\n  cut exact_block_hit_rate.measured", "aggregate\n  cut prompt_tokens",
		"by_transform\n  cut figures", "by_transform\n  cut figures.total_blocks", "negative_controls\n  cut negative_control_blocks", "placement\n  cut told", "placement\n  cut route_outcomes",
		"paired\n  cut blended_ttft_speedup_mean", "paired\n  cut hit_rate", "paired\n  cut negative_control_ttft_speedup_deviation", "evidence\n  cut summary", "evidence\n  cut summary.materialized_requests",
		"confirmation\n  cut logs", "quality\n  cut noise_floor", "quality\n  cut warm_vs_cold_pairs", "gates\n  cut status", "gates\n  cut observed", "supplementary\n  cut estimators", "footer\n  cut statement", "top\n  cut name",
		"top\n  set {\"winner\": \"us\"}", "paired\n  set {\"score\": 1}",
	} {
		changed, err := edit.Object(original, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		tried++
		if _, err := report.Read(changed); err == nil {
			t.Errorf("%s: a report is made", text)
		}
	}
	if tried < 25 {
		t.Errorf("only %d tried", tried)
	}
	for _, b := range []string{"", "[]", "{}", `{"format": "fdbench.result/1"}`, "null"} {
		if _, err := report.Read([]byte(b)); err == nil {
			t.Errorf("%q is a result", b)
		}
	}
}

func TestOmissionError(t *testing.T) {
	original, err := example.OriginalResult(result.BaseLive)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := edit.Object(original, "paired\n  null hit_rate\n  put percentile_pairs 9\naggregate\n  put exact_block_hit_rate.value 0.9")
	if err != nil {
		t.Fatal(err)
	}
	_, err = report.Read(changed)
	var o *omission.Error
	if !errors.As(err, &o) {
		t.Fatal(err)
	}
	if want := []string{"KV-2-2", "KV-8-3", "KV-8-4"}; !slices.Equal(o.Rules(), want) {
		t.Errorf("%v, want %v", o.Rules(), want)
	}
	if s := err.Error(); !strings.Contains(s, "(paired.hit_rate)") || strings.Contains(s, "FD-") {
		t.Error(s)
	}
}

// Equal results give equal reports.
func TestSameBytes(t *testing.T) {
	for _, base := range example.Bases() {
		a, b := build(t, base), build(t, base)
		if !bytes.Equal(a.Markdown(), b.Markdown()) || !bytes.Equal(a.JSON(), b.JSON()) || text(t, a, report.TextOptions{}) != text(t, b, report.TextOptions{}) {
			t.Errorf("%s: two reports differ", base)
		}
		read, err := report.Read(a.JSON())
		if err != nil || !bytes.Equal(read.Markdown(), a.Markdown()) {
			t.Errorf("%s: a result that is read back gives another report: %v", base, err)
		}
	}
}

// FuzzRead reads what an edit leaves of a result.
func FuzzRead(f *testing.F) {
	for _, r := range report.Rules() {
		for _, x := range r.Bad {
			f.Add(x.Base, x.Text)
		}
	}
	f.Fuzz(func(t *testing.T, base, text string) {
		original, err := example.OriginalResult(base)
		if err != nil {
			return
		}
		changed, err := edit.Object(original, text)
		if err != nil {
			return
		}
		p, err := report.Read(changed)
		if err != nil {
			return
		}
		_, _ = p.Markdown(), p.CSV()
		var b strings.Builder
		if err := p.Text(&b, report.TextOptions{}); err != nil {
			t.Fatal(err)
		}
	})
}

// What manifests, scenarios and engines call things steers no terminal.
func TestNamesAreNoCommands(t *testing.T) {
	const evil = `"a\u001b[2J\u0007\u202eb\rc"`
	p := build(t, result.BaseLive, "plan", `  put gates [{"name": `+evil+`, "condition": "exact_block_hit_rate >= 0.5", "at_least": [], "from": ""}]`, "  put declaration.live.model "+evil, "  put declaration.calibration.protocol.model "+evil,
		"reuse_item", "  put transform "+evil, `reuse_item {"item_id": "control"}`, "  put exact_hit_blocks 1", "  put source_id "+evil,
		`reuse_arm {"item_id": "reorder", "arm": "warm"}`, "  put route.endpoint "+evil, "  put outcome "+evil)
	for form, s := range map[string]string{"text": text(t, p, report.TextOptions{}), "md": string(p.Markdown())} {
		if i := strings.IndexAny(s, "\x1b\a\r\u202e"); i >= 0 {
			t.Errorf("%s: %q", form, s[max(0, i-40):i+20])
		}
		if !strings.Contains(s, "a\ufffd[2J\ufffd\ufffdb") {
			t.Errorf("%s: the name is not there", form)
		}
	}
}
