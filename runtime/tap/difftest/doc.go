// Package difftest compares what a tap exports with what Prometheus reads of
// it. It is a module of its own because Prometheus's parsers bring along what
// the product does not need.
package difftest
