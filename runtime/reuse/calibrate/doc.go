// Package calibrate measures the noise floor of a live block (KV-8-8): how much
// alike two answers to one prompt are that the same engine computes from
// nothing, one after the other, under the very protocol of the block. What a
// cache does to answers is judged against that and never as an absolute.
//
// For every item of the manifest the caches are emptied and the recipient is
// sent, twice. A pair of which a reset failed, or whose engine reports cached
// tokens against the declared rule, is contaminated and in no figure. Where
// pairs fail one after the other, the endpoint is asked whether it is there, and
// a calibration ends with what is wrong with it.
//
// It imports compiler/plan and runtime/openai, and of runtime/reuse: arms, floor,
// manifest, quality, record and source.
package calibrate
