// Package difftest025 holds the model of package alertmanager against the
// dispatcher, alert store, notification log and deduplication of Alertmanager
// v0.25.0, which removes empty groups with a ticker of 30 s. The original runs
// on the fake clock of testing/synctest, so hours pass in milliseconds.
//
// It is a module of its own so that the product does not have to download
// Alertmanager. Run it with "go test ." from its folder.
package difftest025
