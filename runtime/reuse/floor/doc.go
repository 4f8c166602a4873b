// Package floor reads, writes and makes calibration artifacts: how far two cold
// runs of one prompt agree, under a protocol that is written down. What a warm
// arm does to outputs is judged against it, and only where the protocol is the
// same (KV-8-8).
//
// It imports compiler/plan for the types of a plan, internal/plainjson,
// lang/{exact,suggest} and runtime/reuse/paired.
package floor
