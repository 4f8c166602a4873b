package tinylm

import (
	_ "embed"
	"sync"
)

//go:embed weights.gguf
var weightsFile []byte

// WeightsSHA256 is the digest of the weights that are built in.
const WeightsSHA256 = "sha256:bf482251647c37e9bae25980dad958bfe9d27ff2fd6b5721771a90f4e052a875"

var builtin = sync.OnceValue(func() *Model {
	m, err := Read(weightsFile)
	if err != nil {
		panic("tinylm: the built-in weights: " + err.Error())
	}
	return m
})

// Default is the built-in model. It is loaded once.
func Default() *Model { return builtin() }

// WeightsFile are the bytes of the built-in model's file. The caller must not
// change them.
func WeightsFile() []byte { return weightsFile }
