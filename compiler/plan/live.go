package plan

import "github.com/fdbench/fdbench/lang/exact"

// Endpoint is how requests reach a running deployment.
type Endpoint struct {
	BaseURL  string            `json:"base_url"`
	API      string            `json:"api"` // chat, completions
	Stream   bool              `json:"stream"`
	Headers  map[string]string `json:"headers"`
	Body     string            `json:"body"`           // canonical JSON of further members of the request
	KeyEnv   string            `json:"key_env"`        // name of the environment variable that holds the key
	KeyFile  string            `json:"key_file"`       // or of a file; the key itself is nowhere in a plan
	Header   exact.Duration    `json:"header_s"`       // longest wait for the first byte; 0: none
	Gap      exact.Duration    `json:"gap_s"`          // longest pause of a response; 0: none
	Whole    exact.Duration    `json:"whole_s"`        // longest request; 0: none
	Late     string            `json:"late"`           // late, drop: what becomes of a request that cannot be sent in time
	LateBy   exact.Duration    `json:"late_by_s"`      // with drop: how late a request may be
	InFlight int               `json:"in_flight"`      // at most; 0: no limit
	Cold     bool              `json:"new_connection"` // a connection for every request
}

// ProxyApparatus is the reverse proxy in the response path.
type ProxyApparatus struct {
	Listen   string `json:"listen"`
	Upstream string `json:"upstream"`
}

// HTTPApparatus calls an endpoint of the deployment.
type HTTPApparatus struct {
	Apply   HTTPCall          `json:"apply"`
	Remove  HTTPCall          `json:"remove"`
	Check   HTTPCall          `json:"check"` // its answer, hashed, is the deployment's configuration
	Headers map[string]string `json:"headers"`
	KeyEnv  string            `json:"key_env"`
}

// HTTPCall is one request. In URL and Body, {class}, {magnitude}, {fraction},
// {level}, {trial} and {lease} stand for those of the application.
type HTTPCall struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Body   string `json:"body"`
	Status int    `json:"status"` // expected; 0 for any of the 2xx
}

// CommandApparatus runs programs. They get FDBENCH_CLASS, FDBENCH_MAGNITUDE,
// FDBENCH_FRACTION, FDBENCH_LEVEL and FDBENCH_TRIAL in their environment.
type CommandApparatus struct {
	Apply  []string `json:"apply"`
	Remove []string `json:"remove"`
	Check  []string `json:"check"` // its output, hashed, is the deployment's configuration
}

// Level binds a magnitude of a class to what an apparatus that sets a real
// mechanism is given for it: a temperature, a bias.
type Level struct {
	Class     string       `json:"class"`
	Magnitude exact.Number `json:"magnitude"`
	Value     string       `json:"value"`
}

// LiveDetector is a detector that runs by itself.
type LiveDetector struct {
	Listen        string         `json:"listen"`        // receiver of webhooks; "" for none
	Path          string         `json:"path"`          // of the receiver, "/" + a name
	URL           string         `json:"url"`           // prometheus: its API; poll: what is polled
	Alertmanager  string         `json:"alertmanager"`  // prometheus: its API; "" where rules notify nobody
	Interval      exact.Duration `json:"interval"`      // poll, command; prometheus: between two looks at the state
	Command       []string       `json:"command"`       // command: one line of JSON for each signal
	Configuration string         `json:"configuration"` // webhook, poll: URL whose answer, hashed, is the configuration; "" is attested
	Mapping       *Mapping       `json:"mapping"`       // webhook, poll: where the fields of a signal are
	Cycle         exact.Duration `json:"cycle"`         // the detector's own period, against which onsets are spread

	KeyEnv   string `json:"key_env,omitempty"`   // name of the environment variable with the bearer token for URL, Alertmanager and Configuration
	TokenEnv string `json:"token_env,omitempty"` // and of the one with the token that the receiver asks its callers for
}

// Mapping says where a foreign payload holds what a signal has, as expr texts
// over "payload", and for the fields of one alert over "alert" too.
type Mapping struct {
	Alerts   string            `json:"alerts"` // a list; "" where the payload is one alert
	Status   string            `json:"status"` // gives "firing", "resolved" or "pending"
	Labels   string            `json:"labels"` // a map of texts
	StartsAt string            `json:"starts_at"`
	Value    string            `json:"value"`
	Repeat   string            `json:"repeat"`
	NoData   string            `json:"no_data"`
	Names    map[string]string `json:"names"` // labels made from further texts, by name
}
