// Package evidence reads what serving engines say in their logs of the KV cache
// that they reused: registrations of donors, semantic hits, materialisations,
// boundaries of a blend, errors (rows KV-5-6 to KV-5-10).
//
// There are two readings. The one that counts joins by request: a request
// reused semantic KV where one request has both a hit that offers tokens and a
// materialisation of more than 0. Beside it stands the reading of the metric
// contract, which asks whether both occur anywhere in the log; a hit of one
// request and a materialisation of another satisfy it and prove nothing.
//
// A word such as None where an id belongs names no request, and what a line
// repeats of a prompt or an answer is not the engine's own: neither joins or
// proves anything.
//
// Logs are read as streams, in memory that does not grow with their length but
// for some 50 bytes a request. Nothing of a line is kept, but ids of the run's
// own requests and names of events and reasons.
//
// It imports runtime/reuse/record and the standard library.
package evidence
