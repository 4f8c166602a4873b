package tokens

import (
	"fmt"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// module names where the vocabularies come from. A test holds it against
// go.mod.
const module = "github.com/tiktoken-go/tokenizer v0.10.0"

// bpe is a byte-pair encoding: a text is cut into pieces by the encoding's
// pattern, and each piece is merged by its vocabulary. A special token that
// stands in a text is text: a prompt from a manifest must not be able to end
// itself. A byte that is no UTF-8 counts as U+FFFD.
//
// Only the vocabulary is the module's. Its own cutter takes blank lines with
// spaces in them apart where the pattern does not ("\n \n" is one piece), and
// needs quadratic time for many of them.
type bpe struct {
	name  string
	cut   cutter
	vocab func() *vocabulary
}

func bpes() []Tokenizer {
	var ts []Tokenizer
	for _, e := range []struct {
		encoding tokenizer.Encoding
		cut      cutter
	}{
		{tokenizer.Cl100kBase, cutCL100K}, {tokenizer.O200kBase, cutO200K}, {tokenizer.P50kBase, cutGPT2}, {tokenizer.R50kBase, cutGPT2},
	} {
		ts = append(ts, &bpe{string(e.encoding), e.cut, sync.OnceValue(func() *vocabulary { return load(e.encoding) })})
	}
	return ts
}

func (b *bpe) Name() string    { return b.name }
func (b *bpe) Version() string { return module + ", Unicode " + unicode.Version }

// Append implements Tokenizer.
func (b *bpe) Append(dst []uint32, text string) []uint32 {
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	v := b.vocab()
	m := mergers.Get().(*merger)
	defer mergers.Put(m)
	for len(text) > 0 {
		n := b.cut(text)
		if id, ok := v.ids[text[:n]]; ok {
			dst = append(dst, id)
		} else {
			dst = m.merge(dst, v, text[:n])
		}
		text = text[n:]
	}
	return dst
}

// vocabulary are the tokens of an encoding. The lower the id of a token, the
// earlier its two parts are merged.
type vocabulary struct {
	ids   map[string]uint32
	bytes [256]uint32 // those of one byte, of which every vocabulary has all
}

// maxVocabulary is above every id of the encodings.
const maxVocabulary = 1 << 18

func load(e tokenizer.Encoding) *vocabulary {
	codec, err := tokenizer.Get(e)
	if err != nil {
		panic(fmt.Sprintf("tokens: %s is not in %s: %v", e, module, err))
	}
	v := &vocabulary{ids: map[string]uint32{}}
	for id := range uint32(maxVocabulary) {
		if token, err := codec.Decode([]uint{uint(id)}); err == nil {
			v.ids[token] = id
		}
	}
	for b := range v.bytes {
		id, ok := v.ids[string([]byte{byte(b)})]
		if !ok {
			panic(fmt.Sprintf("tokens: %s of %s has no token for the byte %#x", e, module, b))
		}
		v.bytes[b] = id
	}
	return v
}
