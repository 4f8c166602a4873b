// Package tap exports indicators of the responses that pass an observation
// point, where a detector under test can read them.
//
// A tap sees responses in one of two ways: as a reverse proxy in their path,
// or in a log that somebody else writes. It scores them with the same scorers
// as the harness, counts a declared share of them for each indicator, and
// offers the counters to Prometheus, in the text format and as OpenMetrics,
// and pushes them by OTLP over HTTP.
//
// A response is never held up: it is copied while it passes, and read and
// scored afterwards. Memory is bounded; a response that finds no room goes
// unscored, which is counted and said, because the detector then sees less
// than the declared share.
//
// Bodies pass byte for byte, and events of a stream at once. Headers keep their
// names, values and number; the order of names and their case are those of
// Go's HTTP implementation, and what belongs to one connection (RFC 9110,
// section 7.6.1) ends at each side.
//
// The package imports compiler/{plan,dataset}, lang/exact,
// runtime/{confine,eventstream,listen,openai,random} and stdlib/text.
package tap
