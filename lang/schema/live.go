package schema

// Parts of an environment that run by themselves, outside of a simulation.

var servingOpenAI = &Block{
	Type: "serving", Kind: "openai", Since: 1,
	Requirements: req("FD-3.1-1", "FD-6-3"),
	Doc:          "A running deployment that speaks the OpenAI protocol. Requests go to the place where its consumers would send them.",
	Attrs: []*Attr{
		{Name: "base_url", Type: String, Required: true, Since: 1, Requirements: req("FD-3.1-1"), Doc: "Where the requests go, such as `\"http://127.0.0.1:8000\"`; `/v1` is appended where the path does not end in it. An address outside of loopback, private and benchmarking networks is refused, unless the command line lets it through."},
		{Name: "model", Type: String, Required: true, Since: 1, Requirements: req("FD-6-3"), Doc: "The name of the model, as a request asks for it."},
		{Name: "api", Type: String, Default: `"chat"`, Enum: []string{"chat", "completions"}, Since: 1, Doc: "Which of the two requests is sent: `chat` with a message of the user, `completions` with a prompt."},
		{Name: "stream", Type: Bool, Default: "true", Since: 1, Doc: "Whether answers come as a stream of events. Every class that the proxy applies needs a streaming form then."},
		{Name: "headers", Type: Object, Default: "{}", Since: 1, Doc: "Further headers of a request. A key is no header: see `key_env`."},
		{Name: "body", Type: Any, Default: "{}", Since: 1, Doc: "An object with further members of a request, such as `{ temperature = 0.8, max_tokens = 64 }`. They are hashed and reported."},
		{Name: "key_env", Type: String, Since: 1, Doc: "The name of the environment variable that holds the key, sent as a bearer token. The key itself is in no plan, journal or report."},
		{Name: "key_file", Type: String, Since: 1, Doc: "The path of the file that holds the key, read when a run begins, in place of `key_env`."},
		{Name: "connections", Type: String, Default: `"reused"`, Enum: []string{"reused", "new"}, Since: 1, Doc: "Whether requests share connections, or each opens one of its own, as behind a load balancer that picks by connection."},
		{Name: "in_flight", Type: Number, Default: "0", Unit: "requests", Since: 1, Requirements: req("FD-3.1-2"), Doc: "How many requests may wait for an answer at a time; 0 for no limit. A limit that is reached closes the loop, which the trial does not survive."},
		{Name: "late", Type: String, Default: `"late"`, Enum: []string{"late", "drop"}, Since: 1, Requirements: req("FD-3.1-2"), Doc: "What becomes of a request that cannot be sent in time: `late` sends it all the same and counts from the scheduled instant, unless it is more than 10 s late, since the harness itself stood still; `drop` leaves it out and counts it."},
		{Name: "late_by", Type: Duration, Default: `"1s"`, Since: 1, Requirements: req("FD-3.1-2"), Doc: "With `late = \"drop\"`: how late a request may be before it is left out."},
		{Name: "latency", Type: Distribution, Since: 1, Doc: "How long a response is expected to take. It plans and warns only; latencies are measured."},
		configurationAttr,
	},
	Blocks: []*Block{{
		Type: "timeouts", Max: 1, Since: 1,
		Doc: "When a request is given up. It then counts as a failure with a cause, and never as a latency or a score.",
		Attrs: []*Attr{
			{Name: "header", Type: Duration, Default: `"30s"`, Since: 1, Doc: "The longest wait for the first byte of an answer; `\"0s\"` for none."},
			{Name: "gap", Type: Duration, Default: `"30s"`, Since: 1, Doc: "The longest pause within an answer; `\"0s\"` for none."},
			{Name: "whole", Type: Duration, Default: `"10m"`, Since: 1, Doc: "The longest request from beginning to end; `\"0s\"` for none."},
		},
	}},
}

func leaseAttr(def string) *Attr {
	return &Attr{Name: "lease", Type: Duration, Default: def, Since: 1, Requirements: req("FD-3.4-3"), Doc: "A fault ends by itself when the harness has not renewed it for so long, whatever became of the harness. From 1 s to 10 m, and no longer than a trial."}
}

var (
	levelBlock = &Block{
		Type: "level", Since: 1, Requirements: req("FD-3.4-6"),
		Doc: "Binds a magnitude to what the mechanism is given for it: a temperature, a bias, the name of an adapter. What it comes to is measured, and a trial that is off by more than ten percent is discarded, so the values are to be calibrated first.",
		Attrs: []*Attr{
			{Name: "class", Type: Ref, Refs: []string{"fault_class"}, Required: true, Since: 1, Requirements: req("FD-1.1-2"), Doc: "The fault class."},
			{Name: "magnitude", Type: Number, Required: true, Since: 1, Requirements: req("FD-4.2-6"), Doc: "The magnitude, in the indicator's unit, as the series declares it."},
			{Name: "value", Type: Any, Required: true, Since: 1, Doc: "What stands for `{level}`: a text, a number, or true or false."},
		},
	}
	callAttrs = []*Attr{
		{Name: "method", Type: String, Default: `"POST"`, Enum: []string{"GET", "POST", "PUT", "PATCH", "DELETE"}, Since: 1, Doc: "The method of the request."},
		{Name: "url", Type: String, Required: true, Since: 1, Doc: "Where the request goes. In `url` and `body` stand `{class}`, `{magnitude}`, `{fraction}`, `{level}` and `{trial}` for those of the fault, and `{lease}` for the seconds after which nobody wants it any more, so that the deployment can end it itself."},
		{Name: "body", Type: String, Default: `""`, Since: 1, Doc: "What is sent, as a text."},
		{Name: "status", Type: Number, Default: "0", Since: 1, Doc: "The status that the answer has to have; 0 for any from 200 to 299."},
	}
	checkAttrs = []*Attr{
		{Name: "method", Type: String, Default: `"GET"`, Enum: []string{"GET", "POST"}, Since: 1, Doc: "The method of the request."},
		callAttrs[1], callAttrs[2], callAttrs[3],
	}
)

func call(typ, doc string, attrs []*Attr) *Block {
	return &Block{Type: typ, Min: 1, Max: 1, Since: 1, Requirements: req("FD-3.4-3"), Doc: doc, Attrs: attrs}
}

var liveApparatuses = []*Block{
	{
		Type: "apparatus", Kind: "proxy", Since: 1, Refused: apparatusRefused,
		Doc: "A reverse proxy in the way of the responses, run by the harness. It picks a request at its start and changes the answer as the class says, in one piece or as a stream at its own pace, and leaves every other byte alone.",
		Attrs: append([]*Attr{
			{Name: "listen", Type: String, Required: true, Since: 1, Doc: "Where it listens: `\"127.0.0.1:9102\"`. Whatever asks the deployment is pointed here."},
			{Name: "upstream", Type: String, Required: true, Since: 1, Requirements: req("FD-3.1-4"), Doc: "The deployment behind it, such as `\"http://127.0.0.1:8000\"`."},
			leaseAttr(`"15s"`),
		}, samplingAttrs...),
	},
	{
		Type: "apparatus", Kind: "http", Since: 1, Refused: elsewhereRefused,
		Doc: "Calls an endpoint of the deployment that sets a real mechanism: a sampling parameter, an adapter, a rollout. Whether a response is affected is then up to the deployment.",
		Attrs: []*Attr{
			leaseAttr(`"30s"`),
			{Name: "headers", Type: Object, Default: "{}", Since: 1, Doc: "Further headers of every call. A key is no header: see `key_env`."},
			{Name: "key_env", Type: String, Since: 1, Doc: "The name of the environment variable that holds the key of the endpoint, sent as a bearer token."},
		},
		Blocks: []*Block{
			call("apply", "The call that makes a fault effective.", callAttrs),
			call("remove", "The call that takes it away.", callAttrs),
			call("check", "The call whose answer, hashed, is the deployment's configuration. After `remove` it has to be what it was before `apply`.", checkAttrs),
			levelBlock,
		},
	},
	{
		Type: "apparatus", Kind: "command", Since: 1, Refused: elsewhereRefused,
		Doc: "Runs programs that set a real mechanism of the deployment. They find FDBENCH_CLASS, FDBENCH_MAGNITUDE, FDBENCH_FRACTION, FDBENCH_LEVEL and FDBENCH_TRIAL in their environment, with FDBENCH_LEASE, the seconds after which nobody wants the fault any more, so that the deployment can end it itself. No shell is in between.",
		Attrs: []*Attr{
			leaseAttr(`"30s"`),
			{Name: "apply", Type: Strings, Required: true, Since: 1, Requirements: req("FD-3.4-3"), Doc: "The program that makes a fault effective, and its arguments: `[\"./fault.sh\", \"on\"]`."},
			{Name: "remove", Type: Strings, Required: true, Since: 1, Requirements: req("FD-3.4-3"), Doc: "The program that takes it away."},
			{Name: "check", Type: Strings, Required: true, Since: 1, Requirements: req("FD-3.4-3"), Doc: "The program whose output, hashed, is the deployment's configuration. After `remove` it has to be what it was before `apply`."},
		},
		Blocks: []*Block{levelBlock},
	},
}

func receiver(min int) *Block {
	return &Block{
		Type: "receiver", Min: min, Max: 1, Since: 1, Requirements: req("FD-3.5-1"),
		Doc: "Where the harness listens for notifications, and stamps them.",
		Attrs: []*Attr{
			{Name: "listen", Type: String, Required: true, Since: 1, Doc: "The address: `\"127.0.0.1:9105\"`. One that others can reach needs a token."},
			{Name: "path", Type: String, Default: `"/alerts"`, Since: 1, Doc: "The path of the receiver."},
			{Name: "token_env", Type: String, Since: 1, Doc: "The name of the environment variable with the token that a notification has to carry as `Authorization: Bearer`."},
		},
	}
}

var (
	intervalAttr = func(def, doc string) *Attr {
		return &Attr{Name: "interval", Type: Duration, Default: def, Since: 1, Requirements: req("FD-3.5-1"), Doc: doc}
	}
	cycleAttr      = &Attr{Name: "cycle", Type: Duration, Default: `"1m"`, Since: 1, Doc: "The detector's own period, such as its evaluation interval. Onsets are spread over it."}
	configAttr     = &Attr{Name: "configuration_url", Type: String, Since: 1, Requirements: req("FD-3.2-2"), Doc: "Where the detector tells its configuration. The answer is hashed before and after every trial; where it is absent, that nothing changed is attested only."}
	liveKeyAttr    = &Attr{Name: "key_env", Type: String, Since: 1, Doc: "The name of the environment variable with the token that the detector's own endpoints ask for, sent as a bearer token."}
	liveAlertBlock = &Block{
		Type: "alert", Labels: label("The name of the alert, which its signal carries as `alertname`."), Min: 1, Unique: true, Since: 1, Requirements: req("FD-3.2-8"),
		Doc:    "An alert of the detector with its threshold, as it is set there. It is declared, reported, and not evaluated here.",
		Groups: []Group{{Names: []string{"above", "at_least", "below", "rule"}, Min: 1, Max: 1}},
		Attrs: []*Attr{
			alertRef,
			{Name: "above", Type: Number, Since: 1, Requirements: req("FD-3.2-8"), Doc: "Fires where the mean of the window is greater."},
			{Name: "at_least", Type: Number, Since: 1, Requirements: req("FD-3.2-8"), Doc: "Fires where the mean is greater or equal."},
			{Name: "below", Type: Number, Since: 1, Requirements: req("FD-3.2-8"), Doc: "Fires where the mean is less."},
			{Name: "rule", Type: String, Since: 1, Requirements: req("FD-3.2-8"), Doc: "The rule with its threshold in the detector's own words, where it is no limit on the mean of a window."},
			{Name: "for", Type: Duration, Default: `"0s"`, Since: 1, Requirements: req("FD-3.2-8"), Doc: "How long the condition has to hold first."},
			{Name: "keep_firing_for", Type: Duration, Default: `"0s"`, Since: 1, Doc: "How long the alert goes on after the condition ended."},
		},
	}
)

func mappingBlock(min int) *Block {
	text := func(name, doc string, required bool) *Attr {
		return &Attr{Name: name, Type: String, Literal: true, Required: required, Since: 1, Doc: doc}
	}
	return &Block{
		Type: "mapping", Min: min, Max: 1, Since: 1,
		Doc: "Where a foreign payload holds what a signal has: expressions over `payload`, and for the fields of one alert over `alert` too.",
		Attrs: []*Attr{
			text("alerts", "The list of alerts. Where it is absent the payload is one alert.", false),
			text("status", "Gives `\"firing\"` or `\"resolved\"`, and where alerts are asked for also `\"pending\"`: the hold time runs, which is no rest.", true),
			text("labels", "The map of the labels; `alertname` is one of them, or one of `names`.", false),
			text("starts_at", "When the alert began to fire, as an RFC 3339 text or in seconds since 1970.", false),
			text("value", "The value that raised it.", false),
			text("repeat", "True where the notification repeats an earlier one. A repetition is no detection.", false),
			text("no_data", "True where missing data raised the alert. That is no detection.", false),
			{Name: "names", Type: Object, Default: "{}", Since: 1, Doc: "Labels made from further expressions, by name: `{ alertname = \"alert.title\" }`."},
		},
	}
}

var liveManagerBlock = &Block{
	Type: "alertmanager", Max: 1, Since: 1,
	Doc: "The running Alertmanager, with a copy of what its configuration says of the route to the receiver. It is compared with the running one.",
	Attrs: []*Attr{
		{Name: "url", Type: String, Required: true, Since: 1, Doc: "Its address, such as `\"http://127.0.0.1:9093\"`."},
		{Name: "group_by", Type: Strings, Default: "[]", Since: 1, Doc: "The labels that alerts are grouped by; `[\"...\"]` groups by all."},
		{Name: "group_wait", Type: Duration, Default: `"30s"`, Since: 1, Doc: "How long the first notification of a group waits."},
		{Name: "group_interval", Type: Duration, Default: `"5m"`, Since: 1, Requirements: req("FD-4.3-4"), Doc: "How long a change of a group waits."},
		{Name: "repeat_interval", Type: Duration, Default: `"4h"`, Since: 1, Doc: "When an unchanged notification is repeated."},
		{Name: "send_resolved", Type: Bool, Default: "true", Since: 1, Requirements: req("FD-4.3-4"), Doc: "Whether the end of an alert is notified. The gate between trials waits for that."},
		{Name: "cleanup", Type: Duration, Default: `"30s"`, Since: 1, Requirements: req("FD-4.3-4"), Doc: "How long an emptied group lives on: 30 s before version 0.32, `\"0s\"` from it on. An alert that comes while it does waits for the old group's next turn."},
	},
}

var liveDetectors = []*Block{
	{
		Type: "detector", Kind: "prometheus", Since: 1, Refused: detectorRefused,
		Doc: "A running Prometheus, or one that answers like it (vmalert), with its Alertmanager. The rule file is a copy of the one that it has loaded, and is compared with it.",
		Attrs: []*Attr{
			adaptiveAttr, versionAttr,
			{Name: "url", Type: String, Required: true, Since: 1, Requirements: req("FD-3.1-1"), Doc: "Its address, such as `\"http://127.0.0.1:9090\"`."},
			{Name: "rules", Type: File, Required: true, Since: 1, Requirements: req("FD-3.2-8"), Doc: "The rule file, as the detector has it."},
			intervalAttr(`"1s"`, "How often the state of the rules and of the alerts is looked at. A signal that is only seen by looking is late by up to so much."),
			{Name: "scrape_interval", Type: Duration, Default: `"1m"`, Since: 1, Doc: "How often it scrapes, as its configuration says."},
			{Name: "evaluation_interval", Type: Duration, Default: `"1m"`, Since: 1, Doc: "How often it evaluates a group without an interval of its own, as its configuration says."},
			{Name: "total", Type: String, Default: `"llm_responses_total"`, Since: 1, Doc: "The counter of all responses."},
			liveKeyAttr,
		},
		Blocks: []*Block{detectorIndicator(true), liveManagerBlock, receiver(0)},
	},
	{
		Type: "detector", Kind: "webhook", Since: 1, Refused: detectorRefused,
		Doc:    "Anything that notifies by webhook. The payloads of Alertmanager and Grafana are known; others are mapped.",
		Attrs:  []*Attr{adaptiveAttr, versionAttr, configAttr, cycleAttr, liveKeyAttr},
		Blocks: []*Block{detectorIndicator(false), liveAlertBlock, receiver(1), mappingBlock(0)},
	},
	{
		Type: "detector", Kind: "poll", Since: 1, Refused: detectorRefused,
		Doc: "Anything that tells its alerts when it is asked. The time of an event is uncertain by the interval.",
		Attrs: []*Attr{
			adaptiveAttr, versionAttr,
			{Name: "url", Type: String, Required: true, Since: 1, Requirements: req("FD-3.1-1"), Doc: "What is asked."},
			intervalAttr(`"1s"`, "How often it is asked. Every latency is uncertain by so much."),
			configAttr, cycleAttr, liveKeyAttr,
		},
		Blocks: []*Block{detectorIndicator(false), liveAlertBlock, mappingBlock(1)},
	},
	{
		Type: "detector", Kind: "command", Since: 1, Refused: detectorRefused,
		Doc: "A program that writes one line of JSON for each signal, with the members `status`, `labels`, `starts_at`, `value`, `repeat` and `no_data`.",
		Attrs: []*Attr{
			adaptiveAttr, versionAttr,
			{Name: "command", Type: Strings, Required: true, Since: 1, Requirements: req("FD-3.1-1"), Doc: "The program and its arguments. It runs as long as the series does."},
			configAttr, cycleAttr, liveKeyAttr,
		},
		Blocks: []*Block{detectorIndicator(false), liveAlertBlock},
	},
}
