#!/usr/bin/env bash
# Starts the deployment that this scenario measures, waits until it answers, and
# stops it with Ctrl-C, or when whoever started it ends. Its log is engine.log
# in this folder and is removed at the end.
#
#   FDBENCH      the program (fdbench)
#   ADMIN_TOKEN  the token for its resets (local)
#
# Arguments are further flags of fdbench serve: start.sh --reuse-sticky
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fdbench=${FDBENCH:-fdbench}
export ADMIN_TOKEN=${ADMIN_TOKEN:-local}

for program in "$fdbench" curl; do
  if ! command -v "$program" > /dev/null; then
    echo "start.sh: there is no $program. On Debian: apt-get install curl; fdbench itself: go build -o . ./cmd/fdbench" >&2
    exit 1
  fi
done
if curl -s -o /dev/null --max-time 1 http://127.0.0.1:18010/health; then
  echo "start.sh: something else answers at 127.0.0.1:18010 already. Stop it, or is this scenario running twice?" >&2
  exit 1
fi

stop() {
  trap - EXIT INT TERM
  kill "$pid" 2> /dev/null || true
  wait "$pid" 2> /dev/null || true
  rm -f "$here/engine.log"
}
"$fdbench" serve --listen 127.0.0.1:18010 --answers extract --tokenizer stable --reuse semantic \
  --latency first=20ms,prefill=0.1ms,token=1ms --engine vllm --engine-log "$here/engine.log" --engine-times \
  --admin-token-env ADMIN_TOKEN "$@" > /dev/null &
pid=$!
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for _ in $(seq 100); do
  if curl -sf -o /dev/null --max-time 1 http://127.0.0.1:18010/health; then
    echo "ready: deployment 18010, its log engine.log, its token for resets \$ADMIN_TOKEN ($ADMIN_TOKEN)"
    wait "$pid" || true
    echo "start.sh: the deployment has ended" >&2
    exit 1
  fi
  kill -0 "$pid" 2> /dev/null || break
  sleep 0.1
done
echo "start.sh: the deployment does not answer at 127.0.0.1:18010" >&2
exit 1
