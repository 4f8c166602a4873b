// Package prometheus is a running Prometheus and Alertmanager as the detector
// under test, or a vmalert in the place of Prometheus.
//
// It hears of alerts at two places. By asking for the state of the rules it
// sees when a rule begins and ceases to fire: signals of the component "rules",
// whose instant of receipt is late by up to the interval of asking (AMB-14). As
// a receiver of webhooks it gets notifications: signals of the component
// "alertmanager". The declared attribution decides which of the two counts.
//
// Between trials it tells whether the detector is at rest: no rule is pending
// or firing, the notification that all is resolved has arrived, and the
// notification group is gone. The last matters: an Alertmanager before version
// 0.32 keeps an emptied group for up to 30 seconds, in which a new alert waits
// for the group's next flush instead of group_wait.
//
// It changes nothing in what it observes, but for Try.
//
// It imports compiler/plan, lang/{exact,predicate,suggest}, Prometheus's
// parser, YAML, runtime/detector with its folders promrules, webhook and
// poll/fetch, runtime/{confine,listen}, runtime/live/driver and runtime/world.
package prometheus
