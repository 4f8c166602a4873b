// Package tokens turns prompts into token ids offline: by the contract's own
// tokenizer without a vocabulary (stable), and by byte-pair encodings whose
// vocabularies ship in a module.
//
// A count by one of them is not the count of a model that has another
// tokenizer. Whoever prints one prints Name and Version beside it.
//
// It imports the standard library and github.com/tiktoken-go/tokenizer, and
// nothing of this module.
package tokens
