// Package alertmanager models how a Prometheus Alertmanager decides when a
// receiver hears of an alert: grouping, group_wait, group_interval,
// repeat_interval, deduplication against the last notification, and the life
// of a group that has become empty.
//
// The model has one route and one receiver that never fails, no silences, no
// inhibition and no delay between its parts. An alert that arrives at the very
// instant at which its group flushes is too late for that flush, as it is when
// Prometheus needs a moment to send it.
//
// It imports runtime/detector and lang/exact.
package alertmanager
