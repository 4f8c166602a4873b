// Command train makes the weights of the built-in language model, from
// nothing but the project's template text.
//
//	GOEXPERIMENT=simd go run ./runtime/tinylm/train -out runtime/tinylm/weights.gguf
//
// The same steps on the same sort of processor give the same bytes, on any
// number of cores; another one may round otherwise, so the weights are
// committed and not made in CI.
package main
