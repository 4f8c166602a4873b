package evidence

import (
	"fmt"
	"strings"
)

// Names of the engines whose logs are read.
const (
	VLLM    = "vllm"    // the log of a vLLM connector
	SGLang  = "sglang"  // the log of an SGLang server
	TRTLLM  = "trtllm"  // the audit of a TensorRT-LLM connector, JSON lines
	LMCache = "lmcache" // the log of LMCache, an exact cache
	Audit   = "audit"   // the audit of a KV connector, JSON lines of schema version 2
)

// Engines returns the names of the engines whose logs are read.
func Engines() []string { return []string{VLLM, SGLang, TRTLLM, LMCache, Audit} }

// Canonical returns the name of an engine that may be written in another way:
// letters of either case, "_" for "-", trt-llm and tensorrt-llm for trtllm.
func Canonical(name string) (string, bool) {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	switch name {
	case "trt-llm", "tensorrt-llm":
		name = TRTLLM
	}
	for _, e := range Engines() {
		if e == name {
			return e, true
		}
	}
	return "", false
}

// UnknownEngineError is a name that no engine has.
type UnknownEngineError struct{ Name string }

func (e *UnknownEngineError) Error() string {
	return fmt.Sprintf("no reader for logs of %q; there are %s", e.Name, strings.Join(Engines(), ", "))
}

// parser reads the lines of one engine's log.
type parser interface {
	// needles are texts of which each line that the parser wants to see has at
	// least one: as they stand, and in lower case of a line in any case. None
	// at all asks for every line.
	needles() (exact, folded []string)
	// line reads one line without its end. folded is the line in lower case
	// where the parser has folded needles, and empty elsewhere.
	line(l *Log, line, folded []byte)
	// end adds what is only known when all lines are.
	end(l *Log)
}

func newParser(engine string) parser {
	switch engine {
	case VLLM:
		return vllm{}
	case SGLang:
		return new(sglang)
	case TRTLLM:
		return new(trtllm)
	case LMCache:
		return lmcache{}
	case Audit:
		return new(audit)
	}
	return nil
}
