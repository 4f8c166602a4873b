package tokens

import (
	"fmt"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// module names where the vocabularies come from. A test holds it against
// go.mod.
const module = "github.com/tiktoken-go/tokenizer v0.10.0"

// bpe is a byte-pair encoding. A special token that stands in a text is text:
// a prompt from a manifest must not be able to end itself.
type bpe struct {
	name  string
	codec func() tokenizer.Codec
}

func bpes() []Tokenizer {
	var ts []Tokenizer
	for _, e := range []tokenizer.Encoding{tokenizer.Cl100kBase, tokenizer.O200kBase, tokenizer.P50kBase, tokenizer.R50kBase} {
		ts = append(ts, &bpe{string(e), sync.OnceValue(func() tokenizer.Codec {
			c, err := tokenizer.Get(e)
			if err != nil {
				panic(fmt.Sprintf("tokens: %s is not in %s: %v", e, module, err))
			}
			c.SetErrorMode(tokenizer.ErrorModeReplace)
			return c
		})})
	}
	return ts
}

func (b *bpe) Name() string    { return b.name }
func (b *bpe) Version() string { return module }

// Append implements Tokenizer.
func (b *bpe) Append(dst []uint32, text string) []uint32 {
	ids, _, err := b.codec().Encode(text)
	if err != nil {
		// Only a time limit of the pattern or strict UTF-8 could fail, and
		// neither is set.
		panic(fmt.Sprintf("tokens: %s: %v", b.name, err))
	}
	for _, id := range ids {
		dst = append(dst, uint32(id))
	}
	return dst
}
