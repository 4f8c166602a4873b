package compiler

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/spec"
)

// live compiles the live example with a snippet worked in.
func live(t testing.TB, snippet string, o Options) (*Result, diag.List) {
	t.Helper()
	files, err := rule.Files(spec.Example{In: spec.InScenario, Base: rule.Live, Text: snippet})
	if err != nil {
		t.Fatal(err)
	}
	return compileMemory(files, o)
}

// livePlan is the plan of the live example with a snippet, which has neither
// error nor warning.
func livePlan(t testing.TB, snippet string) *plan.Plan {
	t.Helper()
	r, diags := live(t, snippet, Options{})
	for _, d := range diags {
		if d.Severity != diag.Note {
			t.Errorf("%s", listText(diag.List{d}))
		}
	}
	if len(r.Plans) != 1 || r.Plans[0] == nil {
		t.Fatalf("no plan:\n%s", listText(diags))
	}
	return r.Plans[0]
}

func TestLivePlan(t *testing.T) {
	p := livePlan(t, `serving "openai" "endpoint" {
  api         = "completions"
  stream      = false
  headers     = { "X-Team" = "lab" }
  body        = { temperature = 0.8, stop = ["\n"] }
  key_env     = "ENDPOINT_KEY"
  connections = "new"
  in_flight   = 64
  late        = "drop"
  late_by     = "2s"
  timeouts {
    header = "3s"
    gap    = "0s"
    whole  = "1m"
  }
}`)
	d := &p.Declaration
	want := plan.Endpoint{
		BaseURL: "http://127.0.0.1:9101", API: "completions", Headers: map[string]string{"X-Team": "lab"},
		Body:   `{"stop":["\n"],"temperature":0.8}`,
		KeyEnv: "ENDPOINT_KEY", Header: 3 * exact.Second, Whole: exact.Minute, Late: "drop", LateBy: 2 * exact.Second, InFlight: 64, Cold: true,
	}
	same(t, "endpoint", d.Serving.Endpoint, &want)
	same(t, "proxy", d.Apparatus.Proxy, &plan.ProxyApparatus{Listen: "127.0.0.1:9102", Upstream: "http://127.0.0.1:8000"})
	if d.Apparatus.Lease != 15*exact.Second || d.Apparatus.Sampling != "quota" || d.Apparatus.Verify != "paired" {
		t.Errorf("apparatus: %+v", d.Apparatus)
	}
	same(t, "live detector", d.Detector.Live, &plan.LiveDetector{
		Listen: "127.0.0.1:9105", Path: "/alerts", URL: "http://127.0.0.1:9090", Alertmanager: "http://127.0.0.1:9093",
		Interval: exact.Second, Command: []string{}, Cycle: 15 * exact.Second,
	})
	if pr := d.Detector.Prometheus; pr == nil || pr.RulesFile != "alerts.yml" || !strings.Contains(pr.Rules, "RefusalsHigh") || pr.MaxRange != 5*exact.Minute {
		t.Errorf("rules: %+v", pr)
	}
	if m := d.Detector.Manager; m == nil || m.GroupInterval != exact.Minute || m.Cleanup != 30*exact.Second || m.Maintenance != 0 || !m.SendResolved {
		t.Errorf("alertmanager: %+v", m)
	}
	if len(d.Detector.Alerts) != 1 || d.Detector.Alerts[0].Name != "RefusalsHigh" || d.Detector.Alerts[0].For != exact.Minute {
		t.Errorf("alerts: %+v", d.Detector.Alerts)
	}
	for _, c := range p.Combinations.Trials {
		if c.Fraction.Sign() != 0 {
			t.Errorf("a fraction before the baseline: %+v", c)
		}
	}
	for _, q := range p.Combinations.Searches {
		if q.PerUnit.Sign() != 0 || q.Largest.Sign() != 0 || q.Steps == 0 {
			t.Errorf("a search knows before the baseline: %+v", q)
		}
	}
	if p.Estimators.Engine != LiveEngine {
		t.Errorf("engine %q", p.Estimators.Engine)
	}
	roles := map[string]bool{}
	for _, f := range p.Inputs.Files {
		roles[f.Role] = true
	}
	if !roles["rules"] {
		t.Errorf("the copy of the rules is no input: %+v", p.Inputs.Files)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	g, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	w, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if string(g) != string(w) {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}

const samplerCalls = `  apply {
    method = "PUT"
    url    = "http://127.0.0.1:8000/admin?class={class}"
    body   = "{\"temperature\": {level}}"
    status = 204
  }
  remove {
    method = "PUT"
    url    = "http://127.0.0.1:8000/admin"
    body   = "{}"
  }
  check { url = "http://127.0.0.1:8000/admin" }
`

// noSearch makes a series do without a search, which its magnitudes between
// levels could not be applied for.
const noSearch = "  remove \"threshold\" {}\n  reduced { reason = \"a first look\" }\n  reduced { reason = \"the mechanism has levels and nothing between\" }\n"

// sampling gives the live example an apparatus that calls the deployment.
func sampling(body, series string) string {
	return "apparatus \"http\" \"sampler\" {\n" + body + "}\nenvironment \"lab\" {\n  apparatus = apparatus.sampler\n  inject_at = \"gateway\"\n}\nseries \"example\" {\n  remove \"masking\" {}\n" + series + "}\n"
}

func levelOf(magnitude, value string) string {
	return "  level {\n    class     = fault_class.refusal\n    magnitude = " + magnitude + "\n    value     = " + value + "\n  }\n"
}

func TestLivePlanOfCalls(t *testing.T) {
	p := livePlan(t, sampling(samplerCalls+"  key_env = \"ADMIN\"\n  lease = \"10s\"\n"+levelOf("0.1", "1.2")+levelOf("0.2", "\"hot\"")+levelOf("0.3", "true"), noSearch))
	a := &p.Declaration.Apparatus
	same(t, "http", a.HTTP, &plan.HTTPApparatus{
		Apply:   plan.HTTPCall{Method: "PUT", URL: "http://127.0.0.1:8000/admin?class={class}", Body: `{"temperature": {level}}`, Status: 204},
		Remove:  plan.HTTPCall{Method: "PUT", URL: "http://127.0.0.1:8000/admin", Body: "{}"},
		Check:   plan.HTTPCall{Method: "GET", URL: "http://127.0.0.1:8000/admin"},
		Headers: map[string]string{}, KeyEnv: "ADMIN",
	})
	same(t, "levels", a.Levels, []plan.Level{
		{Class: "refusal", Magnitude: exact.Frac(1, 10), Value: "1.2"}, {Class: "refusal", Magnitude: exact.Frac(2, 10), Value: "hot"},
		{Class: "refusal", Magnitude: exact.Frac(3, 10), Value: "true"},
	})
	if a.Sampling != "bernoulli" || a.Verify != "observed" || a.Lease != 10*exact.Second || a.Block != 0 {
		t.Errorf("apparatus: %+v", a)
	}
	p = livePlan(t, `apparatus "command" "switch" {
  apply  = ["./fault.sh", "on"]
  remove = ["./fault.sh", "off"]
  check  = ["./fault.sh", "show"]
}
environment "lab" {
  apparatus = apparatus.switch
  inject_at = "gateway"
}
series "example" {
  threshold "refusals" {
    lower      = 0.1
    resolution = 0.06
  }
  remove "masking" {}
}`)
	same(t, "command", p.Declaration.Apparatus.Command, &plan.CommandApparatus{
		Apply: []string{"./fault.sh", "on"}, Remove: []string{"./fault.sh", "off"}, Check: []string{"./fault.sh", "show"},
	})
}

// foreign gives the live example a detector of another kind.
func foreignKind(kind, body string) string {
	return "detector \"" + kind + "\" \"other\" {\n  indicator \"refusals\" {\n    method = indicator.refusal_rate\n    window = \"5m\"\n  }\n  alert \"RefusalsHigh\" {\n    indicator = indicator.refusal_rate\n    above     = 0.08\n    for       = \"1m\"\n  }\n" +
		body + "}\nsignal \"page\" {\n  component   = detector.other\n  attribution = \"signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'\"\n}\nseries \"example\" { detector = detector.other }\n"
}

func TestLivePlanOfOtherDetectors(t *testing.T) {
	threshold := exact.Frac(8, 100)
	for kind, test := range map[string]struct {
		body string
		want plan.LiveDetector
	}{
		"webhook": {
			"  configuration_url = \"http://127.0.0.1:3000/api/rules\"\n  key_env = \"GRAFANA\"\n  cycle = \"30s\"\n  receiver {\n    listen    = \"192.168.1.5:9105\"\n    path      = \"/grafana\"\n    token_env = \"RECEIVER\"\n  }\n",
			plan.LiveDetector{Listen: "192.168.1.5:9105", Path: "/grafana", Configuration: "http://127.0.0.1:3000/api/rules", KeyEnv: "GRAFANA", TokenEnv: "RECEIVER", Cycle: 30 * exact.Second, Command: []string{}},
		},
		"poll": {
			"  url = \"http://127.0.0.1:3000/api/alerts\"\n  interval = \"2s\"\n  mapping {\n    alerts  = \"payload.alerts\"\n    status  = \"alert.firing ? 'firing' : 'resolved'\"\n    no_data = \"alert.reason == 'NoData'\"\n    names   = { alertname = \"alert.title\" }\n  }\n",
			plan.LiveDetector{URL: "http://127.0.0.1:3000/api/alerts", Interval: 2 * exact.Second, Cycle: exact.Minute, Command: []string{}, Mapping: &plan.Mapping{
				Alerts: "payload.alerts", Status: "alert.firing ? 'firing' : 'resolved'", NoData: "alert.reason == 'NoData'", Names: map[string]string{"alertname": "alert.title"},
			}},
		},
		"command": {
			"  command = [\"./watch\", \"--json\"]\n",
			plan.LiveDetector{Command: []string{"./watch", "--json"}, Cycle: exact.Minute},
		},
	} {
		t.Run(kind, func(t *testing.T) {
			d := livePlan(t, foreignKind(kind, test.body)).Declaration.Detector
			same(t, kind, d.Live, &test.want)
			same(t, "alerts", d.Alerts, []plan.Alert{{Name: "RefusalsHigh", Indicator: "refusals", Comparator: "above", Threshold: &threshold, For: exact.Minute}})
		})
	}
}

func TestLiveFindings(t *testing.T) {
	for name, test := range map[string]struct {
		snippet string
		want    []string
	}{
		"nothing": {"", nil},

		// Addresses.
		"no scheme":            {`serving "openai" "endpoint" { base_url = "127.0.0.1:9101" }`, []string{"error LANG-address Address that cannot be used"}},
		"another scheme":       {`serving "openai" "endpoint" { base_url = "ws://127.0.0.1:9101" }`, []string{"error LANG-address Address that cannot be used"}},
		"port 0":               {`serving "openai" "endpoint" { base_url = "http://127.0.0.1:0" }`, []string{"error LANG-address Address that cannot be used"}},
		"a fragment":           {`serving "openai" "endpoint" { base_url = "http://127.0.0.1:9101/#x" }`, []string{"error LANG-address Address that cannot be used"}},
		"a public address":     {`serving "openai" "endpoint" { base_url = "https://8.8.8.8" }`, []string{"error FD-7-1 Target outside of a test environment"}},
		"the metadata service": {`apparatus "proxy" "relay" { upstream = "http://169.254.169.254" }`, []string{"error FD-7-1 Target outside of a test environment"}},
		"octal":                {`serving "openai" "endpoint" { base_url = "http://0177.0.0.1" }`, []string{"error FD-7-1 Host that is not clear"}},
		"a mapped address":     {`serving "openai" "endpoint" { base_url = "http://[::ffff:8.8.8.8]:80" }`, []string{"error FD-7-1 Target outside of a test environment"}},
		"a name":               {`serving "openai" "endpoint" { base_url = "https://models.lab.example" }`, nil},
		"benchmarking":         {`serving "openai" "endpoint" { base_url = "http://198.19.0.1:80/v1" }`, nil},
		"listen on port 0":     {`apparatus "proxy" "relay" { listen = "127.0.0.1:0" }`, []string{"error LANG-address Address that cannot be used"}},
		"listen at a name":     {`apparatus "proxy" "relay" { listen = "lab:9102" }`, []string{"error LANG-address Address that cannot be used"}},
		"listen everywhere":    {`apparatus "proxy" "relay" { listen = "[::]:9102" }`, []string{"error FD-7-1 Listener for everybody"}},
		"listen privately":     {`apparatus "proxy" "relay" { listen = "10.0.0.5:9102" }`, nil},
		"a responder":          {"environment \"lab\" {\n  clocks {\n    arrangement = \"probed\"\n    responder   = \"9.9.9.9:1\"\n  }\n}", []string{"error FD-7-1 Target outside of a test environment"}},
		"a responder unasked":  {"environment \"lab\" {\n  clocks { responder = \"10.0.0.9:9110\" }\n}", []string{"error FD-3.5-2 Responder without probes"}},

		// Keys.
		"a key in a header":     {`serving "openai" "endpoint" { headers = { Authorization = var.k } }` + "\nvariable \"k\" {\n  type    = string\n  default = \"x\"\n}", []string{"error LANG-secret Key in a scenario"}},
		"a key by its look":     {`serving "openai" "endpoint" { headers = { "X-Thing" = "Bearer abcdefgh" } }`, []string{"error LANG-secret Key in a scenario"}},
		"an api-key":            {`serving "openai" "endpoint" { headers = { api-key = "0123" } }`, []string{"error LANG-secret Key in a scenario"}},
		"a key in the body":     {`serving "openai" "endpoint" { body = { extra = { api_key = "0123" } } }`, []string{"error LANG-secret Key in a scenario"}},
		"a key in the address":  {`serving "openai" "endpoint" { base_url = "http://me:secret@127.0.0.1:9101" }`, []string{"error LANG-secret Key in a scenario"}},
		"a key in the query":    {`serving "openai" "endpoint" { base_url = "http://127.0.0.1:9101/?api-key=1" }`, []string{"error LANG-secret Key in a scenario"}},
		"a key for a name":      {`serving "openai" "endpoint" { key_env = "sk-abcdefghijklmnop" }`, []string{"error LANG-secret Key in a scenario"}},
		"no name of a variable": {`serving "openai" "endpoint" { key_env = "MY KEY" }`, []string{"error LANG-range Not the name of a variable"}},
		"two keys":              {`serving "openai" "endpoint" {` + "\n  key_env  = \"A\"\n  key_file = \"k\"\n}", []string{"error LANG-range Two keys"}},
		"a token in a program":  {foreignKind("command", "  command = [\"./watch\", \"sk-abcdefghijklmnop\"]\n"), []string{"error LANG-secret Key in a scenario"}},

		// Requests.
		"own header":     {`serving "openai" "endpoint" { headers = { Host = "x" } }`, []string{"error LANG-range Header that is set already"}},
		"own member":     {`serving "openai" "endpoint" { body = { model = "x" } }`, []string{"error LANG-range Member that comes from elsewhere"}},
		"body as text":   {`serving "openai" "endpoint" { body = "{}" }`, []string{"error LANG-type Wrong type"}},
		"no model":       {`serving "openai" "endpoint" { model = "" }`, []string{"error FD-6-3 No model"}},
		"a late limit":   {`serving "openai" "endpoint" { late_by = "1s" }`, []string{"error FD-3.1-2 Limit without a policy"}},
		"a long timeout": {"serving \"openai\" \"endpoint\" {\n  timeouts { whole = \"25h\" }\n}", []string{"error LANG-range Duration out of range"}},

		// How the parts fit together.
		"a simulated apparatus":         {"environment \"lab\" { apparatus = apparatus.injector }", []string{"error LANG-live Apparatus of a simulation"}},
		"a simulated detector":          {"series \"example\" { detector = detector.watch }\nsignal \"page\" {\n  component   = detector.watch\n  attribution = \"signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'\"\n}", []string{"error LANG-live Detector of a simulation"}},
		"a simulated deployment":        {"environment \"lab\" { serving = serving.model }", []string{"error LANG-live Apparatus without a deployment"}},
		"a detector without deployment": {"environment \"lab\" {\n  serving   = serving.model\n  apparatus = apparatus.injector\n}", []string{"error LANG-live Detector without a deployment"}},
		"a simulation by its kind":      {"environment \"lab\" { kind = \"simulated\" }", []string{"error LANG-live Simulation of a running deployment"}},
		"past the proxy":                {`serving "openai" "endpoint" { base_url = "http://localhost:8000" }`, []string{"error LANG-live Requests that pass by the proxy"}},
		"past the observation point":    {`serving "openai" "endpoint" { base_url = "http://127.0.0.1:9102" }`, []string{"error LANG-live Observation point that is not passed"}},
		"straight to the only point": {`serving "openai" "endpoint" { base_url = "http://127.0.0.1:9102" }
environment "lab" { inject_at = "gateway" }
series "example" {
  remove "masking" {}
}`, nil},
		"a loop":                    {`apparatus "proxy" "relay" { upstream = "http://[::1]:9102" }`, []string{"error LANG-live Proxy that asks itself"}},
		"one port twice":            {"detector \"prometheus\" \"alerts\" {\n  receiver { listen = \"localhost:9102\" }\n}", []string{"error LANG-live Port listed twice"}},
		"a detector at the proxy":   {`detector "prometheus" "alerts" { url = "http://127.0.0.1:9102" }`, []string{"error LANG-live Address of a listener of the harness"}},
		"a deployment at the ear":   {`serving "openai" "endpoint" { base_url = "http://127.0.0.1:9105" }`, []string{"error LANG-live Address of a listener of the harness"}},
		"notifications to nobody":   {"detector \"prometheus\" \"alerts\" {\n  remove \"receiver\" {}\n}", []string{"error LANG-live Notifications without a receiver"}},
		"no alertmanager, no ear":   {"detector \"prometheus\" \"alerts\" {\n  remove \"receiver\" {}\n  remove \"alertmanager\" {}\n}\nsignal \"page\" { attribution = \"signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'\" }", nil},
		"a class without transform": {"fault_class \"other\" {\n  indicator = indicator.refusal_rate\n  direction = \"up\"\n}\nseries \"example\" {\n  fault \"refusals\" { class = fault_class.other }\n}", []string{"error LANG-live Class that the proxy cannot apply"}},
		"a magnitude beyond any":    {"series \"example\" {\n  fault \"refusals\" { magnitudes = [1.01] }\n}", []string{"error LANG-magnitude Magnitude out of reach"}},
		"a magnitude the wrong way": {"series \"example\" {\n  fault \"refusals\" { magnitudes = [-0.1] }\n}", []string{"error LANG-magnitude Magnitude of the wrong sign"}},

		// Calls.
		"no level":             {sampling(samplerCalls, noSearch), []string{"error LANG-live Magnitude without a level", "error LANG-live Magnitude without a level"}},
		"one level":            {sampling(samplerCalls+levelOf("0.1", "1.2"), noSearch), []string{"error LANG-live Magnitude without a level"}},
		"a level twice":        {sampling(samplerCalls+levelOf("0.1", "1.2")+levelOf("0.1", "1.3")+levelOf("0.2", "1.4"), noSearch), []string{"error FD-4.2-6 Level given twice"}},
		"a list for a level":   {sampling(samplerCalls+levelOf("0.1", "[1]")+levelOf("0.2", "1.4"), noSearch), []string{"error LANG-type Wrong type"}},
		"a search in levels":   {sampling(samplerCalls+levelOf("0.1", "1.2")+levelOf("0.2", "1.4"), "  threshold \"refusals\" { resolution = 0.06 }\n"), []string{"error LANG-live Search between levels"}},
		"a ramp by one call":   {sampling(samplerCalls+levelOf("0.1", "1.2")+levelOf("0.2", "1.4"), noSearch+"  fault \"refusals\" { profiles = [\"ramp 2m\"] }\n"), []string{"error LANG-live Course that the apparatus cannot take"}},
		"a wrong placeholder":  {sampling(strings.Replace(samplerCalls, "{level}", "{lvl}", 1)+levelOf("0.1", "1.2")+levelOf("0.2", "1.4"), noSearch), []string{"error LANG-range Unknown placeholder"}},
		"a host by the fault":  {sampling(strings.Replace(samplerCalls, "http://127.0.0.1:8000/admin?class={class}", "http://{class}:8000/", 1)+levelOf("0.1", "1.2")+levelOf("0.2", "1.4"), noSearch), []string{"error LANG-range Host that depends on the fault"}},
		"a GET with a body":    {sampling(strings.Replace(samplerCalls, "check { url = \"http://127.0.0.1:8000/admin\" }", "check {\n    url  = \"http://127.0.0.1:8000/admin\"\n    body = \"x\"\n  }", 1)+levelOf("0.1", "1.2")+levelOf("0.2", "1.4"), noSearch), []string{"error LANG-range Body of a GET"}},
		"a status of a fault":  {sampling(strings.Replace(samplerCalls, "204", "500", 1)+levelOf("0.1", "1.2")+levelOf("0.2", "1.4"), noSearch), []string{"error LANG-range Not a status to expect"}},
		"a lease of a moment":  {`apparatus "proxy" "relay" { lease = "999ms" }`, []string{"error FD-3.4-3 Lease out of range"}},
		"a lease of a second":  {`apparatus "proxy" "relay" { lease = "1s" }`, nil},
		"a lease beyond range": {`apparatus "proxy" "relay" { lease = "601s" }`, []string{"error FD-3.4-3 Lease out of range"}},
		"a program of nothing": {"apparatus \"command\" \"switch\" {\n  apply  = []\n  remove = [\"./off\"]\n  check  = [\"./show\"]\n}", []string{"error FD-3.4-3 No program"}},

		// Mappings.
		"a mapping over nothing": {foreignKind("poll", "  url = \"http://127.0.0.1:3000\"\n  mapping {\n    status = \"alrt.status\"\n    labels = \"payload.labels\"\n  }\n"), []string{"error LANG-predicate Expression that cannot be used"}},
		"a mapping that breaks":  {foreignKind("poll", "  url = \"http://127.0.0.1:3000\"\n  mapping {\n    status = \"payload.(\"\n    labels = \"payload.labels\"\n  }\n"), []string{"error LANG-predicate Expression that cannot be used"}},
		"only what fires":        {foreignKind("poll", "  url = \"http://127.0.0.1:3000\"\n  mapping {\n    status = \"'firing'\"\n    labels = \"payload.labels\"\n  }\n"), nil},
		"alerts without names":   {foreignKind("poll", "  url = \"http://127.0.0.1:3000\"\n  mapping {\n    status = \"payload.status\"\n  }\n"), []string{"error LANG-live Alerts without a name"}},
		"a path with a query":    {foreignKind("webhook", "  receiver {\n    listen = \"127.0.0.1:9105\"\n    path   = \"/a?b\"\n  }\n"), []string{"error LANG-range Not a path"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := live(t, test.snippet, Options{})
			var got []string
			for _, d := range diags {
				if d.Severity != diag.Note {
					got = append(got, d.Severity.String()+" "+d.Rule+" "+d.Summary)
				}
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got:\n%s\nwant:\n%s", listText(diags), strings.Join(test.want, "\n"))
			}
			for _, d := range diags {
				for _, key := range []string{"abcdefgh", "secret@", "0123"} {
					if d.Rule == "LANG-secret" && strings.Contains(d.Detail+d.Summary, key) {
						t.Errorf("the key is told: %s", d.Detail)
					}
				}
			}
		})
	}
}

// A target that the command line lets through compiles with a note, to the
// same plan as anywhere.
func TestAllowedTarget(t *testing.T) {
	const public = `serving "openai" "endpoint" { base_url = "https://8.8.8.8:443/v1" }`
	if _, diags := live(t, public, Options{AllowTargets: []string{"8.8.4.4"}}); !diags.HasErrors() {
		t.Error("another host is let through")
	}
	r, diags := live(t, public, Options{AllowTargets: []string{"8.8.8.8"}})
	if diags.HasErrors() || r.Plans[0] == nil {
		t.Fatalf("%s", listText(diags))
	}
	if !strings.Contains(listText(diags), "note FD-7-1") {
		t.Errorf("nothing says so:\n%s", listText(diags))
	}
	ambiguous := `serving "openai" "endpoint" { base_url = "http://127.1" }`
	if _, diags := live(t, ambiguous, Options{AllowTargets: []string{"127.1"}}); !diags.HasErrors() {
		t.Error("a host that is not clear can be let through")
	}
}

// What is expected of a running deployment comes from planning figures, and
// warns only.
func TestLiveForecasts(t *testing.T) {
	const unplanned = "indicator \"refusal_rate\" {\n  remove \"planning_baseline\" {}\n}\n"
	p := livePlan(t, "")
	for _, c := range p.Combinations.Trials {
		if c.Discard == "" || c.Floor == "" {
			t.Errorf("no forecast: %+v", c)
		}
	}
	for _, c := range livePlan(t, unplanned).Combinations.Trials {
		if c.Discard != "" || c.Floor != "" {
			t.Errorf("a forecast from nothing: %+v", c)
		}
	}
	_, diags := live(t, "apparatus \"proxy\" \"relay\" {\n  sampling = \"bernoulli\"\n  verify   = \"observed\"\n}\nseries \"example\" {\n  trials { verification = \"5m\" }\n"+noSearch+"}\n", Options{})
	if diags.HasErrors() || !strings.Contains(listText(diags), "warning FD-3.4-8") {
		t.Errorf("a forecast of discards:\n%s", listText(diags))
	}
	if !strings.Contains(listText(diags), "real time: ") {
		t.Errorf("nothing says how long it takes:\n%s", listText(diags))
	}
}

// What lint says of the time that a series takes is what plan says.
func TestCheckExpectsTheSameTime(t *testing.T) {
	snippet := "series \"example\" {\n  trials { verification = \"30s\" }\n" + noSearch + "}\n"
	r, planned := live(t, snippet, Options{})
	_, checked := live(t, snippet, Options{Check: true})
	if len(r.Plans) != 1 || r.Plans[0] == nil || r.Plans[0].Budget.Expected == r.Plans[0].Budget.Worst {
		t.Fatalf("no plan with a budget:\n%s", listText(planned))
	}
	want := "real time: the series runs in real time: " + r.Plans[0].Budget.Expected.Words() + " are expected"
	for _, diags := range []diag.List{planned, checked} {
		if !strings.Contains(strings.ToLower(listText(diags)), strings.ToLower(want)) {
			t.Errorf("lacks %q:\n%s", want, listText(diags))
		}
	}
}
