package compiler

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// ReuseEngine names what executes the plan of a reuse block. A change of what
// it computes changes the name.
const ReuseEngine = "fdbench.reuse/1"

// maxBlock bounds the block size, in tokens: larger than any context.
const maxBlock = 1 << 24

// resamples are those of every interval.
const resamples = 2000

// reuse is a reuse block on its way to a plan.
type reuse struct {
	c     *compilation
	d     *decoder // of the block itself
	block *lang.Block
	live  *lang.Block

	summary *manifest.Summary
	roles   map[string]plan.InputFile // what it was made from, by name

	plan *plan.Reuse
	ctx  *rule.ReuseContext
}

// planReuse compiles one reuse block. The result is nil where anything that it
// needs has an error.
func (c *compilation) planReuse(b *lang.Block) *plan.Reuse {
	before := c.errors()
	r := &reuse{
		c: c, d: c.decode(b), block: b, roles: map[string]plan.InputFile{},
		plan: &plan.Reuse{
			Format: plan.ReuseFormat, Name: b.Name(), Gates: []plan.Gate{},
			Declaration: plan.ReuseDeclaration{
				Evidence: []plan.ReuseEvidence{}, Deviations: []plan.Deviation{}, Attestations: []plan.Attestation{},
			},
		},
	}
	r.ctx = &rule.ReuseContext{Declaration: &r.plan.Declaration, Block: b, Unknown: map[string]bool{}}
	r.read()
	r.readManifest()
	r.readPlanner()
	r.readLive()
	r.readEvidence()
	r.readCalibration()
	r.ctx.Manifest = r.summary
	r.gates()
	found := rule.ApplyReuse(r.ctx, !c.options.Check)
	c.diags.Extend(found.Diagnostics)
	if r.d.bad || anyOf(r.ctx.Unknown) || c.errors() > before || c.options.Check {
		return nil
	}
	p := r.plan
	p.Declaration.Deviations, p.Rules = found.Deviations, found.Outcomes
	p.Estimators = plan.ReuseEstimators{
		Aggregate:  "micro average: sums, then one division",
		Percentile: "linear at p(n-1)",
		Interval:   fmt.Sprintf("percentile bootstrap, %d resamples of source documents", resamples),
		Resamples:  resamples,
		Confidence: exact.Frac(95, 100),
		Engine:     ReuseEngine,
	}
	r.inputs()
	plan.SealReuse(p)
	return p
}

// sub decodes a nested block and takes its mistakes over.
func (r *reuse) sub(b *lang.Block, part string, read func(*decoder)) {
	d := r.c.decode(b)
	read(d)
	if d.bad {
		r.fail(part)
	}
}

func (r *reuse) fail(part string) {
	r.d.bad = true
	r.ctx.Unknown[part] = true
}

// read decodes the arguments of the block that stand for themselves.
func (r *reuse) read() {
	d, p := r.d, &r.plan.Declaration
	p.Description = d.text("description")
	p.Scope, p.Audit, p.Seed = d.text("scope"), d.text("audit"), d.text("seed")
	p.BlockSize = int(d.count("block_size", 1))
	if p.BlockSize > maxBlock {
		d.refuse("block_size", "Block size out of range", fmt.Sprintf("A block holds at most %d tokens (2^24), which is more than any context has. Write 16, as most engines do, or what yours is set to.", maxBlock))
	}
	name := d.text("tokenizer")
	if d.usable("tokenizer") {
		if t, err := tokens.Lookup(name); err != nil {
			d.refuse("tokenizer", "Unknown tokenizer", unknownOf("tokenizer", name, tokens.Names()))
		} else {
			p.Tokenizer = plan.ReuseTokenizer{Name: t.Name(), Version: t.Version()}
		}
	}
	if n := d.share("quality_threshold", true); n != nil {
		p.Quality = *n
	}
	r.ctx.Because = d.because()
}

// readPlanner reads what looks at the items: a built-in planner, or the plans
// of a real one.
func (r *reuse) readPlanner() {
	d, p := r.d, &r.plan.Declaration
	if b := r.block.One("planner"); b != nil {
		r.sub(b, rule.Planner, func(n *decoder) {
			p.Planner = &plan.ReusePlanner{Name: b.Name()}
			switch b.Name() {
			case "span":
				p.Planner.MinRun = p.BlockSize
				if n.given("min_run") {
					p.Planner.MinRun = int(n.count("min_run", 1))
				}
			case "chunk":
				p.Planner.Gated = n.flag("gated")
			}
		})
		if d.given("plans") {
			r.conflict(d, "plans", "Two planners", "The plans come from a planner block or from a file. Keep one of them.")
			r.fail(rule.Planner)
			return
		}
	}
	name := d.text("planner_name")
	if !d.given("plans") {
		if d.given("planner_name") && d.usable("planner_name") {
			r.conflict(d, "planner_name", "Planner without plans", "The name is that of the planner that made the file in plans. Write plans = \"...\", or leave the name out.")
		}
		return
	}
	p.Plans = &plan.ReusePlans{File: r.c.fileName(d, "plans"), Planner: name}
	if d.usable("plans") {
		p.Plans.SHA256 = r.digest(d, "plans", p.Plans.File, "plans")
	}
	if d.usable("planner_name", "plans") && name == "" {
		r.conflict(d, "plans", "Plans of nobody", "Every result names the planner whose plans it is about. Write planner_name = \"...\" with its name and version.")
	}
	if !d.usable("plans", "planner_name") {
		r.fail(rule.Planner)
	}
}

// conflict refuses parts that do not fit one another.
func (r *reuse) conflict(d *decoder, name, summary, detail string) {
	r.c.errorAt(d.at(name), "LANG-reuse", summary, detail)
	d.fail(name)
}

// readEvidence reads the logs. A file that is there before the run is part of
// what an offline plan was made from.
func (r *reuse) readEvidence() {
	p := &r.plan.Declaration
	for _, b := range r.block.All("evidence") {
		r.sub(b, rule.Evidence, func(d *decoder) {
			e := plan.ReuseEvidence{Engine: b.Name(), Log: r.c.fileName(d, "log")}
			if !d.usable("log") {
				return
			}
			for _, earlier := range p.Evidence {
				if earlier.Log == e.Log {
					r.conflict(d, "log", "Log given twice", fmt.Sprintf("%s is read already, and what it says would be counted twice. Keep one of the blocks.", e.Log))
					return
				}
			}
			if r.live == nil {
				e.SHA256 = r.digest(d, "log", e.Log, "log")
			}
			p.Evidence = append(p.Evidence, e)
		})
	}
	if p.Live != nil && r.ctx.Knows(rule.Evidence, rule.LiveArms) {
		r.fitLogs(p)
	}
}

// fitLogs holds the logs against the live block: they are those of its engine,
// and where hits are counted from them there is one that counts tokens.
func (r *reuse) fitLogs(p *plan.ReuseDeclaration) {
	counts := false
	for i, b := range r.block.All("evidence") {
		counts = counts || slices.Contains([]string{"vllm", "sglang", "audit"}, p.Evidence[i].Engine)
		switch e := p.Evidence[i].Engine; {
		case p.Live.Engine == "other" || e == p.Live.Engine || e == "lmcache" || e == "audit":
		default:
			r.c.errorAt(b.DefRange, "LANG-reuse", "Log of another engine", fmt.Sprintf("The live block is answered by %s, and this is read as a log of %s, in which nothing of it would be found. Write evidence %q, or correct engine.", p.Live.Engine, e, p.Live.Engine))
			r.d.bad = true
		}
	}
	if p.Live.Signal != "evidence" || counts {
		return
	}
	detail := "no evidence block names it"
	if len(p.Evidence) > 0 {
		detail = "none of the logs that are named counts the tokens of semantic reuse"
	}
	r.c.errorAt(r.live.DefRange, "LANG-reuse", "Hits from a log that nobody reads", "Hits are counted from the engine's log, and "+detail+". Write evidence \"vllm\" { log = \"vllm.log\" }, or signal = \"cached_tokens\".")
	r.d.bad = true
}

// inputs lists what the plan was made from.
func (r *reuse) inputs() {
	in := &r.plan.Inputs
	in.Language = schema.Version
	for _, f := range r.c.doc.Files {
		r.roles[f.Name] = plan.InputFile{Name: f.Name, SHA256: "sha256:" + f.SHA256, Role: "scenario"}
	}
	for _, name := range sortedKeys(r.roles) {
		in.Files = append(in.Files, r.roles[name])
	}
	in.Variables, in.Stdlib = r.c.inputVariables(), stdlibDigest()
}

func (r *reuse) input(name, sum, role string) {
	r.roles[name] = plan.InputFile{Name: name, SHA256: sum, Role: role}
}

// sharedNames refuses a reuse block with the name of a series: both have a
// result, and the command line selects either by its name.
func (c *compilation) sharedNames() {
	for _, b := range c.doc.All("reuse") {
		if s := c.own["series"][b.Name()]; s != nil {
			r := b.DefRange
			if len(b.LabelRanges) > 0 {
				r = b.LabelRanges[0]
			}
			c.diags.Add(diag.Diagnostic{Severity: diag.Error, Rule: "LANG-duplicate-name", Summary: "Name defined twice", Subject: &r,
				Detail: fmt.Sprintf("A series named %q already stands at %s:%d, and each of the two has a result of its name. Rename one.", b.Name(), s.block.DefRange.Filename, s.block.DefRange.Start.Line)})
		}
	}
}

// tokens reads a number of tokens.
func (d *decoder) tokens(name string) int64 {
	n, ok := parsed(d, name, `a number of tokens such as "64 tokens"`, quantity.ParseTokens)
	if ok && n > maxCount {
		d.refuse(name, "Number out of range", fmt.Sprintf("%q is at most %d tokens.", name, maxCount))
	}
	return n
}
