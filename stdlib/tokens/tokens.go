package tokens

import (
	"fmt"
	"slices"
	"strings"
)

// Tokenizer cuts a text into tokens. It is safe for concurrent use.
type Tokenizer interface {
	// Name is what a scenario calls it.
	Name() string
	// Version names what an id depends on besides the text: the algorithm and
	// its Unicode tables, or the module with the vocabulary.
	Version() string
	// Append appends the ids of the text's tokens to dst. The same text gives
	// the same ids on every machine.
	Append(dst []uint32, text string) []uint32
}

// UnknownError is a name that no tokenizer has.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no tokenizer %q; write one of %s", e.Name, strings.Join(Names(), ", "))
}

// all are the tokenizers in the order of Names.
var all = append([]Tokenizer{stable{}}, bpes()...)

// Names lists what Lookup knows: stable, then the byte-pair encodings.
func Names() []string {
	var names []string
	for _, t := range all {
		names = append(names, t.Name())
	}
	return names
}

// Lookup returns the tokenizer of a name, or an UnknownError. It costs
// nothing: a vocabulary is loaded at the first Append.
func Lookup(name string) (Tokenizer, error) {
	i := slices.IndexFunc(all, func(t Tokenizer) bool { return t.Name() == name })
	if i < 0 {
		return nil, &UnknownError{name}
	}
	return all[i], nil
}
