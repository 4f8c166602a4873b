fdbench { language = 1 }

variable "threshold" {
  type    = number
  default = 0.12

  validation {
    condition     = var.threshold > 0
    error_message = "The threshold is above 0."
  }
}

locals {
  scrape = "15s"
}

indicator "short" {
  kind      = "rate"
  predicate = "response.words < 3"
}

fault_class "refusal" {
  indicator = indicator.short
  direction = "up"
  transform = "refuse/1"
}

profile "slow" {
  shape = "ramp 2m"
}

population "support" {
  source     = "prompts.jsonl"
  salt       = "nonce"
  provenance = "synthetic"
}

serving "recorded" "mixtral" {
  responses = "responses.jsonl"
  latency   = "lognormal 1.2s, 0.5"
}

serving "simulated" "virtual" {
  behaviour {
    indicator = indicator.short
    rate      = 0.02
  }
  behaviour {
    indicator    = indicator.words
    distribution = "normal 180 words, 20"
  }
}

apparatus "simulated" "injector" {
  sampling = "quota"
}

detector "prometheus_rules" "alerts" {
  rules           = "alerts.yml"
  scrape_interval = local.scrape
  indicator "short" {
    method   = indicator.short
    window   = "5m"
    sampling = 1.0
    exports  = "llm_short_total"
    judge {
      model   = "none"
      version = "1"
    }
  }
  alertmanager {
    group_by = ["..."]
  }
}

detector "cusum" "chart" {
  indicator "short" {
    method = indicator.short
    window = "200 requests"
  }
  alert "by_window" {
    indicator = indicator.short
    reference = 0.5
    decision  = 5
  }
  alert "by_response" {
    indicator = indicator.short
    decision  = 40
    up        = 9
    down      = 1
  }
}
