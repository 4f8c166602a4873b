# A fault by a real mechanism: somebody changes the default temperature of a
# language model, and what it writes as JSON no longer parses. Nothing rewrites
# a text; the apparatus calls the deployment's own endpoint.
#
#   requests -> tap (both points) -> deployment <- apparatus (temperature)
#                ^ scraped by Prometheus -> Alertmanager -> receiver
#
# What a temperature comes to was tried with the built-in model (the README says
# how), and is measured again in every trial.

fdbench { language = 1 }

population "records" {
  source     = "prompts.jsonl"
  salt       = "nonce"
  provenance = "synthetic"
}

fault_class "hot_sampling" {
  description = "The default temperature is too high, and structured answers fall apart."
  indicator   = indicator.json_invalid_rate
  direction   = "up"
}

serving "openai" "model" {
  base_url = "http://127.0.0.1:18001" # the tap
  model    = "tinylm"
  stream   = true

  configuration = { temperature = 0.8 }

  timeouts {
    header = "5s"
    gap    = "5s"
    whole  = "30s"
  }
}

apparatus "http" "defaults" {
  key_env = "FDBENCH_ADMIN"
  lease   = "10s"

  apply {
    method = "PUT"
    url    = "http://127.0.0.1:18000/admin/defaults"
    body   = "{\"temperature\": {level}}"
  }

  remove {
    method = "PUT"
    url    = "http://127.0.0.1:18000/admin/defaults"
    body   = "{}" # what is left out is as it was when the deployment began
  }

  check {
    url = "http://127.0.0.1:18000/admin/defaults"
  }

  level {
    class     = fault_class.hot_sampling
    magnitude = 0.3
    value     = 1.325
  }

  level {
    class     = fault_class.hot_sampling
    magnitude = 0.6
    value     = 1.48
  }
}

detector "prometheus" "alerts" {
  url                 = "http://127.0.0.1:18090"
  rules               = "alerts.yml"
  interval            = "500ms"
  scrape_interval     = "1s"
  evaluation_interval = "1s"

  indicator "json" {
    method  = indicator.json_invalid_rate
    window  = "10s"
    exports = "llm_json_invalid_total"
  }

  alertmanager {
    url             = "http://127.0.0.1:18093"
    group_by        = ["..."]
    group_wait      = "0s"
    group_interval  = "1s"
    repeat_interval = "4h"
    cleanup         = "30s"
  }

  receiver {
    listen = "127.0.0.1:18004"
    path   = "/alerts"
  }
}

environment "loopback" {
  kind         = "lab"
  sut_boundary = "model_engine"
  serving      = serving.model
  apparatus    = apparatus.defaults
  path         = ["model"]
  inject_at    = "model"
  observe_at   = "model"
  description  = "A small language model on one machine, watched where its answers leave it."

  caching {
    approach = "no_hit_population"
    proof    = "Every prompt has a ticket number of its own, and answers are drawn anew."
  }

  clocks {
    arrangement = "same_host"
  }
}

signal "page" {
  type        = "alert"
  component   = detector.alerts
  event_clock = "receiver"
  attribution = "signal.component == 'alertmanager' and signal.labels.alertname == 'BrokenJSON' and signal.status == 'firing'"
}

series "temperature" {
  environment = environment.loopback
  population  = population.records
  detector    = detector.alerts
  signal      = signal.page
  description = "How fast broken JSON is noticed when the cause is a temperature."

  # A mechanism is set to levels, and between two of them no search can look.
  reduced { reason = "what the temperature does is to be seen, not the smallest that is noticed" }

  load {
    points         = ["20 req/s"]
    representative = "20 req/s"
    because = {
      "FD-3.3-4" = "It is what the model answers on one processor."
      "FD-3.3-5" = "There is one load only."
    }
  }

  baseline {
    interval = "300s"
  }

  quiet {
    at_least = "44s" # 10 s of window, and 30 s until an emptied group is gone
    at_most  = "5m"
  }

  trials {
    count        = 20
    attempts     = 30
    timeout      = "200s"
    verification = "90s"
  }

  fault "temperature" {
    class      = fault_class.hot_sampling
    magnitudes = [0.3, 0.6]
    profiles   = ["step"]
  }

  false_detection {
    at_least = "10m"
  }

  sham {
    trials = 5
  }

  attest "fd_1_1_3" {
    by        = "whoever runs this example"
    statement = "The programs that start.sh starts serve nobody but the benchmark."
  }

  attest "fd_1_2_6" {
    by        = "whoever runs this example"
    statement = "The values show how the tool works, and rank nobody's detector."
  }

  attest "fd_3_1_5" {
    by        = "whoever runs this example"
    statement = "Prometheus scrapes the tap and nothing else, and Alertmanager notifies of its rules only."
  }

  attest "fd_3_2_1" {
    by        = "whoever runs this example"
    statement = "The configuration files of this folder were final when start.sh read them."
  }

  attest "fd_3_2_2" {
    by        = "whoever runs this example"
    statement = "Nobody reloads or restarts Prometheus or Alertmanager while the series runs."
  }

  attest "fd_3_3_6" {
    by        = "whoever runs this example"
    statement = "There is one load, which is typical of this demonstration and of nothing else."
  }

  attest "fd_3_3_7" {
    by        = "whoever runs this example"
    statement = "Nothing between the requests and the deployment keeps answers; the prefix cache keeps what was asked, and no answer."
  }

  attest "fd_3_4_2" {
    by        = "whoever runs this example"
    statement = "Nothing leads from Prometheus to the process that stamps the onset, except the notifications."
  }

  attest "fd_3_4_4" {
    by        = "whoever runs this example"
    statement = "The apparatus is known to nobody but the deployment, and Prometheus does not scrape it."
  }

  attest "fd_3_5_6" {
    by        = "whoever runs this example"
    statement = "All programs run on one machine, under one kernel."
  }

  attest "fd_4_3_4" {
    by        = "whoever runs this example"
    statement = "Alertmanager and the rules are asked for their state, and hold no other."
  }

  attest "fd_4_4_1" {
    by        = "whoever runs this example"
    statement = "One fault is applied at a time, and its alert has a name of its own."
  }

  attest "fd_6_3" {
    by        = "whoever runs this example"
    statement = "The deployment is fdbench serve with the flags that stand in start.sh."
  }

  attest "fd_7_1" {
    by        = "whoever runs this example"
    statement = "All addresses are loopback, and the prompts are made from templates."
  }
}
