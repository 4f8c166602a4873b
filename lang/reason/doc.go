// Package reason decides whether a text is a reason: what stands in a
// scenario beside a recommendation that is not followed, a reduced series, a
// comment that sets a finding aside, or an attestation. There is one answer for
// all of them.
//
// It imports nothing but the standard library.
package reason
