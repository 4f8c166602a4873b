package tinylm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
)

// The format of the weights is GGUF version 3, as ggml's documentation lays it
// down; of it this package writes and reads what a llama model with a GPT-2
// tokenizer needs, in F32 and Q8_0.

const (
	magic     = "GGUF"
	alignment = 32

	typeUint32  = 4
	typeInt32   = 5
	typeFloat32 = 6
	typeBool    = 7
	typeString  = 8
	typeArray   = 9
	typeUint64  = 10

	tensorF32  = 0
	tensorQ8   = 8
	blockQ8    = 32
	sizeQ8     = 34 // a half-precision scale and 32 signed bytes
	fileTypeQ8 = 7

	tokenNormal  = 1
	tokenControl = 3
)

// Special tokens of the chat: a turn of the user, one of the assistant, and
// the end of a turn.
const (
	TokenEnd       = "<|end|>"
	TokenUser      = "<|user|>"
	TokenAssistant = "<|assistant|>"
)

// Specials lists them by id.
func Specials() []string { return []string{TokenEnd, TokenUser, TokenAssistant} }

type tensor struct {
	name string
	rows int // 0 for a vector
	cols int
	data []float32
}

func tensors(s Shape, w *Weights) []tensor {
	list := []tensor{{"token_embd.weight", s.Vocab, s.Dim, w.Embedding}, {"output_norm.weight", 0, s.Dim, w.Norm}}
	for i := range w.Layers {
		l := &w.Layers[i]
		at := func(name string) string { return fmt.Sprintf("blk.%d.%s.weight", i, name) }
		list = append(list,
			tensor{at("attn_norm"), 0, s.Dim, l.AttnNorm}, tensor{at("attn_q"), s.Dim, s.Dim, l.Q}, tensor{at("attn_k"), s.Dim, s.Dim, l.K},
			tensor{at("attn_v"), s.Dim, s.Dim, l.V}, tensor{at("attn_output"), s.Dim, s.Dim, l.O}, tensor{at("ffn_norm"), 0, s.Dim, l.FFNNorm},
			tensor{at("ffn_gate"), s.FFN, s.Dim, l.Gate}, tensor{at("ffn_up"), s.FFN, s.Dim, l.Up}, tensor{at("ffn_down"), s.Dim, s.FFN, l.Down})
	}
	return list
}

// Write writes a model with its matrices as Q8_0 and its vectors as F32.
func Write(out io.Writer, name string, s Shape, t *Tokenizer, w *Weights) error {
	e := &encoder{}
	list := tensors(s, w)
	types := make([]int32, t.Size())
	for i, tok := range t.tokens {
		types[i] = tokenNormal
		if _, ok := t.special[tok]; ok {
			types[i] = tokenControl
		}
	}
	merges := make([]string, len(t.merges))
	for i, m := range t.merges {
		merges[i] = m[0] + " " + m[1]
	}
	meta := []func(){
		func() { e.key("general.architecture", typeString); e.str("llama") },
		func() { e.key("general.name", typeString); e.str(name) },
		func() { e.key("general.file_type", typeUint32); e.u32(fileTypeQ8) },
		func() { e.key("llama.context_length", typeUint32); e.u32(uint32(s.Context)) },
		func() { e.key("llama.embedding_length", typeUint32); e.u32(uint32(s.Dim)) },
		func() { e.key("llama.block_count", typeUint32); e.u32(uint32(s.Layers)) },
		func() { e.key("llama.feed_forward_length", typeUint32); e.u32(uint32(s.FFN)) },
		func() { e.key("llama.attention.head_count", typeUint32); e.u32(uint32(s.Heads)) },
		func() { e.key("llama.attention.head_count_kv", typeUint32); e.u32(uint32(s.Heads)) },
		func() { e.key("llama.attention.layer_norm_rms_epsilon", typeFloat32); e.u32(math.Float32bits(epsilon)) },
		func() { e.key("llama.rope.dimension_count", typeUint32); e.u32(uint32(s.Dim / s.Heads)) },
		func() { e.key("llama.rope.freq_base", typeFloat32); e.u32(math.Float32bits(ropeBase)) },
		func() { e.key("llama.vocab_size", typeUint32); e.u32(uint32(s.Vocab)) },
		func() { e.key("tokenizer.ggml.model", typeString); e.str("gpt2") },
		func() { e.key("tokenizer.ggml.pre", typeString); e.str("gpt-2") },
		func() { e.key("tokenizer.ggml.tokens", typeArray); e.strs(t.tokens) },
		func() {
			e.key("tokenizer.ggml.token_type", typeArray)
			e.u32(typeInt32)
			e.u64(uint64(len(types)))
			for _, v := range types {
				e.u32(uint32(v))
			}
		},
		func() { e.key("tokenizer.ggml.merges", typeArray); e.strs(merges) },
		func() { e.key("tokenizer.ggml.bos_token_id", typeUint32); e.u32(uint32(t.Special(TokenUser))) },
		func() { e.key("tokenizer.ggml.eos_token_id", typeUint32); e.u32(uint32(t.Special(TokenEnd))) },
		func() { e.key("tokenizer.ggml.add_bos_token", typeBool); e.b.WriteByte(0) },
	}
	e.b.WriteString(magic)
	e.u32(3)
	e.u64(uint64(len(list)))
	e.u64(uint64(len(meta)))
	for _, f := range meta {
		f()
	}
	var data bytes.Buffer
	for _, x := range list {
		e.str(x.name)
		if x.rows == 0 {
			e.u32(1)
			e.u64(uint64(x.cols))
			e.u32(tensorF32)
		} else {
			e.u32(2)
			e.u64(uint64(x.cols))
			e.u64(uint64(x.rows))
			e.u32(tensorQ8)
		}
		e.u64(uint64(data.Len()))
		if x.rows == 0 {
			for _, v := range x.data {
				binary.Write(&data, binary.LittleEndian, v)
			}
		} else {
			quantize(&data, x.data)
		}
		pad(&data)
	}
	pad(&e.b)
	if _, err := out.Write(e.b.Bytes()); err != nil {
		return err
	}
	_, err := out.Write(data.Bytes())
	return err
}

func pad(b *bytes.Buffer) {
	for b.Len()%alignment != 0 {
		b.WriteByte(0)
	}
}

// quantize writes blocks of 32 values as a scale and signed bytes.
func quantize(b *bytes.Buffer, data []float32) {
	for i := 0; i < len(data); i += blockQ8 {
		block := data[i : i+blockQ8]
		var most float32
		for _, v := range block {
			most = max(most, max(v, -v))
		}
		scale := most / 127
		inverse := float32(0)
		if scale != 0 {
			inverse = 1 / scale
		}
		binary.Write(b, binary.LittleEndian, halfBits(scale))
		for _, v := range block {
			b.WriteByte(byte(int8(math.RoundToEven(float64(v * inverse)))))
		}
	}
}

type encoder struct{ b bytes.Buffer }

func (e *encoder) u32(v uint32) { binary.Write(&e.b, binary.LittleEndian, v) }
func (e *encoder) u64(v uint64) { binary.Write(&e.b, binary.LittleEndian, v) }
func (e *encoder) str(s string) { e.u64(uint64(len(s))); e.b.WriteString(s) }
func (e *encoder) key(name string, typ uint32) {
	e.str(name)
	e.u32(typ)
}
func (e *encoder) strs(list []string) {
	e.u32(typeString)
	e.u64(uint64(len(list)))
	for _, s := range list {
		e.str(s)
	}
}

// Read reads a model that Write wrote. Every length is checked before it is
// believed; an error says what does not fit.
func Read(file []byte) (m *Model, err error) {
	d := &decoder{rest: file}
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(formatError)
			if !ok {
				panic(r)
			}
			m, err = nil, fmt.Errorf("the weights cannot be read: %s", string(bad))
		}
	}()
	if string(d.take(4)) != magic || d.u32() != 3 {
		d.fail("no GGUF file of version 3")
	}
	tensorCount, metaCount := d.u64(), d.u64()
	meta := map[string]any{}
	for range d.count(metaCount) {
		k := d.str()
		meta[k] = d.value(d.u32())
	}
	number := func(key string) int {
		v, ok := meta[key].(uint32)
		if !ok || v == 0 || v > 1<<20 {
			d.fail("%s is missing or not believable", key)
		}
		return int(v)
	}
	if meta["general.architecture"] != "llama" || meta["tokenizer.ggml.model"] != "gpt2" {
		d.fail("it is no llama model with a gpt2 tokenizer")
	}
	s := Shape{Dim: number("llama.embedding_length"), Layers: number("llama.block_count"), Heads: number("llama.attention.head_count"),
		FFN: number("llama.feed_forward_length"), Context: number("llama.context_length")}
	tokens, _ := meta["tokenizer.ggml.tokens"].([]string)
	pairs, _ := meta["tokenizer.ggml.merges"].([]string)
	s.Vocab = len(tokens)
	if s.Dim%s.Heads != 0 || s.Dim/s.Heads%2 != 0 || s.Dim%blockQ8 != 0 || s.FFN%blockQ8 != 0 || s.Layers > 256 || s.Dim > 4096 || s.FFN > 16384 || s.Context > 1<<16 {
		d.fail("a model of shape %+v is not supported", s)
	}
	parameters := s.Vocab*s.Dim + s.Layers*(4*s.Dim*s.Dim+3*s.Dim*s.FFN)
	if parameters > 2*len(file) {
		d.fail("the file is too short for its shape")
	}
	t := newTokenizer(tokens, Specials(), mergesOf(d, pairs))
	for i, name := range Specials() {
		if i >= len(tokens) || tokens[i] != name {
			d.fail("the tokenizer lacks the special token %s", name)
		}
	}
	for _, b := range alphabet {
		if _, ok := t.ids[b]; !ok {
			d.fail("the tokenizer lacks a byte")
		}
	}
	w := NewWeights(s)
	type place struct {
		x      tensor
		kind   uint32
		offset uint64
	}
	want := map[string]tensor{}
	for _, x := range tensors(s, w) {
		want[x.name] = x
	}
	var places []place
	for range d.count(tensorCount) {
		name := d.str()
		x, ok := want[name]
		if !ok {
			d.fail("an unknown or repeated tensor %q", name)
		}
		delete(want, name)
		dims := d.u32()
		cols, rows := d.u64(), uint64(0)
		if dims == 2 {
			rows = d.u64()
		}
		if dims > 2 || int(cols) != x.cols || int(rows) != x.rows {
			d.fail("tensor %s has another shape", name)
		}
		places = append(places, place{x, d.u32(), d.u64()})
	}
	if len(want) > 0 {
		d.fail("%d tensors are missing", len(want))
	}
	at := len(file) - len(d.rest)
	at += (alignment - at%alignment) % alignment
	for _, p := range places {
		if p.offset > uint64(len(file)) || at > len(file) {
			d.fail("tensor %s lies outside the file", p.x.name)
		}
		body := &decoder{rest: file[min(len(file), at+int(p.offset)):]}
		switch p.kind {
		case tensorF32:
			raw := body.take(4 * len(p.x.data))
			for i := range p.x.data {
				p.x.data[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			}
		case tensorQ8:
			raw := body.take(len(p.x.data) / blockQ8 * sizeQ8)
			for i := range len(p.x.data) / blockQ8 {
				block := raw[i*sizeQ8:]
				scale := halfValue(binary.LittleEndian.Uint16(block))
				for j := range blockQ8 {
					p.x.data[i*blockQ8+j] = scale * float32(int8(block[2+j]))
				}
			}
		default:
			d.fail("tensor %s has the unsupported type %d", p.x.name, p.kind)
		}
	}
	m = newModel(s, t, w)
	sum := sha256.Sum256(file)
	m.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return m, nil
}

func mergesOf(d *decoder, pairs []string) [][2]string {
	out := make([][2]string, len(pairs))
	for i, p := range pairs {
		a, b, ok := bytes.Cut([]byte(p), []byte(" "))
		if !ok {
			d.fail("a merge without a space")
		}
		out[i] = [2]string{string(a), string(b)}
	}
	return out
}

type formatError string

type decoder struct{ rest []byte }

func (d *decoder) fail(format string, args ...any) { panic(formatError(fmt.Sprintf(format, args...))) }

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.rest) {
		d.fail("it ends too soon")
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) u32() uint32 { return binary.LittleEndian.Uint32(d.take(4)) }
func (d *decoder) u64() uint64 { return binary.LittleEndian.Uint64(d.take(8)) }

// count is a number of things of which each takes at least a byte.
func (d *decoder) count(n uint64) int {
	if n > uint64(len(d.rest)) {
		d.fail("it ends too soon")
	}
	return int(n)
}

func (d *decoder) str() string { return string(d.take(d.count(d.u64()))) }

func (d *decoder) value(typ uint32) any {
	switch typ {
	case typeUint32, typeInt32:
		return d.u32()
	case typeFloat32:
		return math.Float32frombits(d.u32())
	case typeBool:
		return d.take(1)[0] != 0
	case typeUint64:
		return d.u64()
	case typeString:
		return d.str()
	case typeArray:
		elem, n := d.u32(), d.count(d.u64())
		if elem == typeString {
			out := make([]string, 0, n)
			for range n {
				out = append(out, d.str())
			}
			return out
		}
		if elem == typeArray {
			d.fail("a list of lists")
		}
		for range n {
			d.value(elem)
		}
		return nil
	}
	d.fail("an unknown type %d of metadata", typ)
	return nil
}
