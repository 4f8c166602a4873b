// Package webhook is a detector under test that reports by webhook: Grafana,
// an Alertmanager alone, or anything else whose payload a mapping describes.
//
// Its Receiver is also where the driver for Prometheus hears of notifications.
// A notification is stamped when its last byte has arrived, before it is
// parsed, and answered when the sink has had its signals: a storm of alerts
// makes the sender wait, and nothing is dropped.
//
// It imports compiler/plan, runtime/{detector,listen,world}, runtime/live/driver and
// the folders feed, payload and poll/fetch.
package webhook
