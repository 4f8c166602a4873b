// Package difftest holds promrules against Prometheus's own rule manager and
// storage: the same rule files, over the same samples, at the same instants.
//
// It is a module of its own because the originals bring a great many modules
// with them, which the product does not need. Run it from its folder:
//
//	go test .
//	go test . -cases 2000
//	go test -run xxx -fuzz FuzzAgainstPrometheus -fuzztime 1m .
package difftest
