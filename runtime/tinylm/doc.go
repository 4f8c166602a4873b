// Package tinylm is a small real language model: a transformer of the llama
// architecture with fewer than a million parameters, trained from scratch on
// the project's own template text, and a decoder for it in plain Go. It exists
// so that everything live can be tried with nothing installed, with faults
// that are real mechanisms: a temperature that breaks JSON, a bias that makes
// refusals, a sampler whose defaults changed.
//
// It is a toy. What it answers says nothing about any assistant.
//
// The weights are in the GGUF format, which other engines read. Their trainer
// lies in the folder train.
//
// It imports the standard library, runtime/random and its own kernels.
package tinylm
