#!/usr/bin/env bash
# Runs every fuzz target of the module for a short time. Targets are found, not
# listed, so that a new one cannot be forgotten. Modules inside this one have
# random tests of their own and are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${FUZZTIME:-5s}
count=0
while IFS=: read -r file target; do
  echo "fuzz $target in $(dirname "$file") for $time"
  go test "./$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 5s >/tmp/fuzz.$$ 2>&1 ||
    { cat /tmp/fuzz.$$; rm -f /tmp/fuzz.$$; exit 1; }
  tail -n 1 /tmp/fuzz.$$
  rm -f /tmp/fuzz.$$
  count=$((count + 1))
done < <(go list -f '{{$d := .Dir}}{{range .TestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}' ./... |
  grep . | sed "s#^$PWD/##" | sort | xargs -r grep -HoE '^func Fuzz[A-Za-z0-9_]+' | sed 's/:func /:/')
[ "$count" -gt 0 ] || { echo "no fuzz target was found"; exit 1; }
echo "$count fuzz targets"
