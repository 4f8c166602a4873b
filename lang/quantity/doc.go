// Package quantity reads the compact texts inside of scenario strings:
// quantities with units ("1h30m", "10 req/s", "18/20"), sweeps
// ("1..100 req/s in 4 log steps"), fault profiles ("ramp 2m") and
// distributions ("lognormal 1.2s, 0.5").
//
// Values are exact throughout. Errors carry byte offsets into the text and say
// in plain words what to write instead; the parser's own wording never shows.
//
// The package imports lang/exact and lang/suggest, and participle for parsing.
package quantity
