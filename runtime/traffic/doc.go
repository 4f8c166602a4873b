// Package traffic offers requests to a live deployment: an open loop on an
// absolute schedule. A request that is sent late is counted from the instant
// at which it was to be sent, and how late is recorded.
//
// It imports runtime/arrivals and the standard library.
package traffic
