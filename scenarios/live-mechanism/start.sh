#!/usr/bin/env bash
# Starts what this scenario measures, waits until it answers, and stops it with
# Ctrl-C, or when whoever started it ends. What it writes lies in a temporary
# folder that is removed at the end.
#
#   FDBENCH       the program (fdbench)
#   PROMETHEUS    the program (prometheus)
#   ALERTMANAGER  the program (prometheus-alertmanager, or alertmanager)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fdbench=${FDBENCH:-fdbench}
prometheus=${PROMETHEUS:-prometheus}
alertmanager=${ALERTMANAGER:-$(command -v prometheus-alertmanager || echo alertmanager)}

for program in "$fdbench" "$prometheus" "$alertmanager" curl; do
  if ! command -v "$program" > /dev/null; then
    echo "start.sh: there is no $program. On Debian: apt-get install prometheus prometheus-alertmanager curl; fdbench itself: go build -o . ./cmd/fdbench" >&2
    exit 1
  fi
done

data=$(mktemp -d)
pids=()
stop() {
  trap - EXIT INT TERM
  for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2> /dev/null || true; done
  rm -rf "$data"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# start NAME URL PROGRAM ARG... starts a program whose output goes into a file,
# and waits until it answers at the URL; where it does not, it shows what the
# program said.
start() {
  local name=$1 url=$2
  shift 2
  if curl -s -o /dev/null --max-time 1 "$url"; then
    echo "start.sh: something else answers at $url already. Stop it, or is this scenario running twice?" >&2
    exit 1
  fi
  "$@" > "$data/$name.log" 2>&1 &
  pids+=($!)
  for _ in $(seq 100); do
    if curl -sf -o /dev/null --max-time 1 "$url"; then return; fi
    if ! kill -0 "${pids[-1]}" 2> /dev/null; then break; fi
    sleep 0.1
  done
  echo "start.sh: $name does not answer at $url:" >&2
  tail -n 20 "$data/$name.log" >&2
  exit 1
}

if [ -z "${FDBENCH_ADMIN:-}" ]; then
  echo 'start.sh: the deployment and the apparatus need a token: export FDBENCH_ADMIN=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d " \n")' >&2
  exit 1
fi
export FDBENCH_ADMIN
start deployment http://127.0.0.1:18000/health \
  "$fdbench" serve --listen 127.0.0.1:18000 --answers model --temperature 0.8 --admin-token-env FDBENCH_ADMIN

start tap http://127.0.0.1:18002/metrics \
  "$fdbench" tap "$here" --upstream http://127.0.0.1:18000 --listen 127.0.0.1:18001 --metrics 127.0.0.1:18002

start alertmanager http://127.0.0.1:18093/-/ready \
  "$alertmanager" --config.file="$here/alertmanager.yml" --storage.path="$data/alertmanager" \
  --web.listen-address=127.0.0.1:18093 --cluster.listen-address=

start prometheus http://127.0.0.1:18090/-/ready \
  "$prometheus" --config.file="$here/prometheus.yml" --storage.tsdb.path="$data/tsdb" \
  --web.listen-address=127.0.0.1:18090 --rules.alert.resend-delay=1s

# Prometheus looks for its targets and its Alertmanager every few seconds.
seen() {
  for _ in $(seq 200); do
    if curl -s --max-time 1 "$1" | grep -q "$2"; then return; fi
    sleep 0.1
  done
  echo "start.sh: Prometheus has not found everything: $1 has no $2" >&2
  exit 1
}
seen 'http://127.0.0.1:18090/api/v1/query?query=sum(up)' '"1"\]'
seen http://127.0.0.1:18090/api/v1/alertmanagers '127.0.0.1:18093'

echo "ready: deployment 18000, tap 18001 and 18002, Prometheus 18090, Alertmanager 18093"
# Whatever ends first ends the rest.
wait -n "${pids[@]}" || true
echo "start.sh: one of the programs has ended; their last words:" >&2
tail -n 3 "$data"/*.log >&2
exit 1
