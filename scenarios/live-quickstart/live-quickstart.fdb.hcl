# A running deployment, a running Prometheus and Alertmanager, real time, all on
# loopback: the same procedure as in a simulation, against things that run.
#
#   requests -> tap (observation point) -> proxy (injection point) -> deployment
#                 ^ scraped by Prometheus -> Alertmanager -> receiver
#
# The windows are half a second, so that a series takes minutes and not days.

fdbench { language = 1 }

population "questions" {
  generator  = "template/1"
  size       = 5000
  salt       = "nonce"
  provenance = "synthetic"
}

serving "openai" "demo" {
  base_url = "http://127.0.0.1:18001" # the tap
  model    = "template"
  stream   = true
  body     = { max_tokens = 128 }

  timeouts {
    header = "5s"
    gap    = "5s"
    whole  = "30s"
  }
}

apparatus "proxy" "relay" {
  listen   = "127.0.0.1:18003"
  upstream = "http://127.0.0.1:18000"
  lease    = "5s"
}

detector "prometheus" "alerts" {
  url                 = "http://127.0.0.1:18090"
  rules               = "alerts.yml"
  interval            = "200ms"
  scrape_interval     = "100ms"
  evaluation_interval = "100ms"

  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "500ms"
    exports = "llm_refusals_total"
  }

  alertmanager {
    url             = "http://127.0.0.1:18093"
    group_by        = ["..."]
    group_wait      = "0s"
    group_interval  = "100ms"
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
  sut_boundary = "application_gateway"
  serving      = serving.demo
  apparatus    = apparatus.relay
  path         = ["deployment", "proxy", "tap"]
  inject_at    = "proxy"
  observe_at   = "tap"
  description  = "Five programs on one machine, connected over loopback."

  caching {
    approach = "no_hit_population"
    proof    = "Every prompt has a ticket number of its own."
  }

  clocks {
    arrangement = "same_host"
  }
}

signal "page" {
  type        = "alert"
  component   = detector.alerts
  event_clock = "receiver"
  attribution = "signal.component == 'alertmanager' and signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}

series "refusals" {
  environment = environment.loopback
  population  = population.questions
  detector    = detector.alerts
  signal      = signal.page
  description = "How fast a real alert notices that a deployment has begun to refuse."

  load {
    points         = ["50 req/s"]
    representative = "50 req/s"
    because = {
      "FD-3.3-4" = "It shows the way in minutes. Four loads are for a machine of their own."
      "FD-3.3-5" = "There is one load only."
    }
  }

  baseline {
    interval = "300s"
  }

  quiet {
    at_least = "31s" # Alertmanager before 0.32 keeps an emptied group for 30 s
    at_most  = "3m"
  }

  trials {
    count        = 20
    attempts     = 30
    timeout      = "20 windows"
    verification = "4s"
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.4]
    profiles   = ["step"]
  }

  threshold "refusals" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.2
    lower      = 0.08
    upper      = 0.4
  }

  false_detection {
    at_least = "2m"
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
    statement = "Nothing between the requests and the deployment keeps answers; its prefix cache keeps no text."
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
