// Package live holds the tests against real programs: fdbench serve, fdbench
// tap and the proxy, Debian's Prometheus and Alertmanager, VictoriaMetrics and
// nginx, all on loopback, at free ports, in real time. They take minutes, so
// each runs only where FDBENCH_LIVE names it; .ci/live does so, and installs
// what they need. Their figures go into the folder out as Markdown tables.
//
// It may import everything.
package live
