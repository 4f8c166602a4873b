package deployment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Flavour is a serving engine whose outer signs a deployment bears.
type Flavour string

// The flavours.
const (
	VLLM   Flavour = "vllm"
	SGLang Flavour = "sglang"
	TRTLLM Flavour = "trtllm" // TensorRT-LLM
)

// ParseFlavour reads the name of a flavour.
func ParseFlavour(name string) (Flavour, error) {
	switch f := Flavour(name); f {
	case VLLM, SGLang, TRTLLM:
		return f, nil
	}
	return "", fmt.Errorf("there is no engine %q; it is vllm, sglang or trtllm", name)
}

// engineLog writes what an engine with a semantic cache writes of each request,
// in the lines by which package evidence knows it. A line carries no time, so
// that the same requests give the same log.
//
// A request that reuses something has a hit when its prompt is taken in, and
// its materialisation when its first token is given: a client that goes away
// before leaves a hit alone.
type engineLog struct {
	mu     sync.Mutex
	w      io.Writer
	format format
}

// format are the lines of one engine.
type format interface {
	lookup(b *bytes.Buffer, id string, tokens int, r *reused)
	materialized(b *bytes.Buffer, id string, r *reused)
	registered(b *bytes.Buffer, id string, tokens int, r *reused)
}

func newEngineLog(f Flavour, w io.Writer) *engineLog {
	l := &engineLog{w: w}
	switch f {
	case SGLang:
		l.format = sglangLines{}
	case TRTLLM:
		l.format = trtllmLines{}
	default:
		l.format = vllmLines{}
	}
	return l
}

// taken tells of a prompt that was looked up.
func (l *engineLog) taken(id string, tokens int, r *reused) {
	if l.w == nil || !r.looked {
		return
	}
	var b bytes.Buffer
	l.format.lookup(&b, id, tokens, r)
	l.write(&b)
}

// loaded tells of a prompt that is computed, and so can be a donor.
func (l *engineLog) loaded(id string, tokens int, r *reused) {
	if l.w == nil {
		return
	}
	var b bytes.Buffer
	if len(r.spans) > 0 {
		l.format.materialized(&b, id, r)
	}
	if r.kept {
		l.format.registered(&b, id, tokens, r)
	}
	l.write(&b)
}

func (l *engineLog) write(b *bytes.Buffer) {
	if b.Len() == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// A log that cannot be written must not end an answer; whoever joins the
	// evidence finds the requests missing.
	_, _ = l.w.Write(b.Bytes())
}

type vllmLines struct{}

func (vllmLines) lookup(b *bytes.Buffer, id string, tokens int, r *reused) {
	const lead = "INFO connector: SemBlend "
	switch {
	case r.hadFuzzy == 0:
	case r.missed:
		fmt.Fprintf(b, lead+"semantic lookup hit request_id=%s donor_id=%s similarity=%.4f kind=discovery_only reusable_tokens=0 reason=fault_miss\n", id, r.donor, r.similarity(tokens))
	default:
		fmt.Fprintf(b, lead+"semantic lookup hit request_id=%s donor_id=%s similarity=%.4f kind=span reusable_tokens=%d reason=content_match\n", id, r.donor, r.similarity(tokens), r.fuzzy())
		fmt.Fprintf(b, lead+"request-local experimental load advertised request_id=%s donor_id=%s tokens=%d\n", id, r.donor, r.fuzzy())
		fmt.Fprintf(b, lead+"materializing request_id=%s donor_id=%s tokens=%d\n", id, r.donor, r.fuzzy())
	}
}

func (vllmLines) materialized(b *bytes.Buffer, id string, r *reused) {
	fmt.Fprintf(b, "INFO connector: SemBlend materialized request_id=%s donor_id=%s tokens=%d\n", id, r.donor, r.fuzzy())
}

func (vllmLines) registered(b *bytes.Buffer, id string, tokens int, r *reused) {
	fmt.Fprintf(b, "INFO connector: SemBlend donor registered request_id=%s namespace=fdbench tokens=%d blocks=%d\n", id, tokens, r.blocks)
}

type sglangLines struct{}

func (sglangLines) lookup(b *bytes.Buffer, id string, tokens int, r *reused) {
	if r.hadFuzzy == 0 || r.missed {
		fmt.Fprintf(b, "semantic lookup: no hit for rid=%s, best score=%.2f prompt_tokens=%d\n", id, r.similarity(tokens), tokens)
		return
	}
	fmt.Fprintf(b, "[FUZZY] semantic hit similarity=%.4f matched_tokens=%d request_id=%s donor_id=%s\n", r.similarity(tokens), r.fuzzy(), id, r.donor)
	fmt.Fprintf(b, "[FUZZY RADIX] Fuzzy match success: rid=%s cached=%d, prompt=%d, offset=%d, quality_cosine=%.3f\n", id, r.fuzzy(), tokens, r.prefix, r.similarity(tokens))
}

func (sglangLines) materialized(b *bytes.Buffer, id string, r *reused) {
	for _, s := range r.spans {
		fmt.Fprintf(b, "[FUZZY RADIX] segmented prefill realized donor phase: backend=fdbench rid=%s donor_tokens=%d target=[%d,%d) prefix_len=%d direct_paged_kv=True\n", id, s.end-s.begin, s.begin, s.end, s.end)
	}
	fmt.Fprintf(b, "[FUZZY] Realized %d fuzzy tokens (%d segments)\n", r.fuzzy(), len(r.spans))
}

func (sglangLines) registered(b *bytes.Buffer, id string, tokens int, r *reused) {
	fmt.Fprintf(b, "[FUZZY] register_donor: ok request_id=%s tokens=%d\n", id, tokens)
}

// trtllmLines count blocks, as that engine counts units and not tokens.
type trtllmLines struct{}

// trtllmLine is one event of it.
type trtllmLine struct {
	Event      string   `json:"event"`
	RequestID  string   `json:"request_id"`
	Found      *bool    `json:"found,omitempty"`
	Similarity *float64 `json:"similarity,omitempty"`
	Rejection  string   `json:"rejection_reason,omitempty"`
	Layer      *int     `json:"boundary_layer,omitempty"`
	Units      *int     `json:"materialized,omitempty"`
	Rope       *bool    `json:"requires_rope_correction,omitempty"`
}

func (l trtllmLine) to(b *bytes.Buffer) {
	if err := json.NewEncoder(b).Encode(l); err != nil {
		panic("deployment: an event of the log does not encode: " + err.Error())
	}
}

func (trtllmLines) lookup(b *bytes.Buffer, id string, tokens int, r *reused) {
	l := trtllmLine{Event: "lookup", RequestID: id, Found: new(r.hadFuzzy > 0 && !r.missed)}
	switch {
	case *l.Found:
		l.Similarity = new(r.similarity(tokens))
	case r.missed:
		l.Rejection = "fault_miss"
	default:
		l.Rejection = "no_donor_match"
	}
	l.to(b)
}

func (trtllmLines) materialized(b *bytes.Buffer, id string, r *reused) {
	trtllmLine{Event: "engine_blend_boundary", RequestID: id, Layer: new(0)}.to(b)
	trtllmLine{Event: "materialized", RequestID: id, Units: new(r.units), Rope: new(true)}.to(b)
}

func (trtllmLines) registered(b *bytes.Buffer, id string, _ int, _ *reused) {
	trtllmLine{Event: "donor_registered", RequestID: id}.to(b)
}
