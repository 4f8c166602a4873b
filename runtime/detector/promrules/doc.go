// Package promrules runs a user's own Prometheus rule file in virtual time: the
// counters that a deployment would export are scraped, Prometheus's own query
// engine evaluates the rules, and their alerts become the signals of a detector
// under test.
//
// What Prometheus does around its engine is written anew here, from its
// documented behaviour, so that the product does not have to download the
// modules that Prometheus's rule manager, storage and notifier need: the
// scraping of one target, the phase of a rule group, the states of an alert,
// recorded series with their staleness markers, and the sending of alerts. The
// module in the folder difftest holds each of them against the original.
//
// The model is a Prometheus that has just started at the world's instant zero,
// has one target, no external labels and no rules from another file, and takes
// no time for a scrape or an evaluation. It keeps its samples only as far back
// as the rules can look. One thing that a real one does is left out: in its
// second evaluation a group looks for the state of its alerts from before the
// start, and where another group of the file has an alert of the same name and
// labels, finds that.
//
// Review tells before a run what a rule file makes of the exported series: the
// selectors that can find no sample, the alerts that can only always or never
// fire, and what each alert depends on.
//
// The package imports Prometheus's promql, parser, rulefmt, template and storage
// interfaces, runtime/detector and its folder alertmanager, runtime/random and
// lang/exact.
package promrules
