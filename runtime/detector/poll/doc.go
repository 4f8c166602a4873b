// Package poll is a detector under test whose alerts are asked for at an
// interval: any address that answers with JSON, read by a mapping.
//
// An alert becomes a signal when it is first seen to fire, and when it is first
// seen to have ceased. Both are late by up to the interval, which ErrorBound
// tells (AMB-14).
//
// It imports compiler/plan, runtime/detector with its folders webhook and
// poll/fetch, runtime/live/driver and runtime/world.
package poll
