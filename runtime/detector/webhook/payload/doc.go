// Package payload reads what alerting systems send: the webhook payload of
// Prometheus's Alertmanager, that of Grafana, and any other by a mapping that
// the scenario declares.
//
// A mapping is a set of expr texts over "payload", the whole as JSON gives it,
// and "alert", one entry of the list of alerts. Grafana's payload is read by a
// mapping that ships with the package, in the form in which a scenario would
// write it.
//
// It imports compiler/plan, lang/{quantity,suggest} and expr.
package payload
