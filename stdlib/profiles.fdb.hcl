# Fault profiles: the course of the intended magnitude after the onset of a
# fault. Durations in a shape are examples; a series may write its own shape.

profile "step" {
  description = "Full magnitude from the onset on, as after a deployment."
  shape       = "step"
}

profile "ramp_2m" {
  description = "Linear to full magnitude over two minutes, as in a quick rollout."
  shape       = "ramp 2m"
}

profile "ramp_30m" {
  description = "Linear to full magnitude over half an hour, as in a staged rollout."
  shape       = "ramp 30m"
}

profile "pulse_5m" {
  description = "Full magnitude for five minutes, then none, as in a deployment that is rolled back."
  shape       = "pulse 5m"
}

profile "intermittent_1m_4m" {
  description = "One minute of full magnitude and four of none, in turn, as with one bad replica in five behind slow routing."
  shape       = "intermittent 1m 4m"
}

profile "drift_6h" {
  description = "Linear to full magnitude over six hours, as with an index or a cache that decays."
  shape       = "drift 6h"
}
