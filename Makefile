# What is done often. "make test" needs nothing but Go; where it may install
# packages it also sets up what some tests compare with.

GO ?= go

.PHONY: build test quick check race fuzz difftest resume bench generate clean

build:
	$(GO) build -o fdbench ./cmd/fdbench

# All tests, after setting up what they compare with.
test: setup
	$(GO) run ./tools/gotest ./...

.PHONY: setup
setup:
	@if command -v promtool >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	  (apt-get update -q && apt-get install -qy --no-install-recommends prometheus) >/dev/null 2>&1 || echo "promtool could not be installed: the tests that compare with it are skipped"; \
	else echo "promtool is not installed: the tests that compare with it are skipped"; fi

# The tests that take little time.
quick:
	$(GO) run ./tools/gotest -short ./...

# Everything that reads the code without running it.
check:
	@test -z "$$(gofmt -l .)" || { gofmt -d .; exit 1; }
	$(GO) vet ./...
	@set -e; for m in $(NESTED); do (cd $$m && $(GO) vet ./...); done
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

race:
	$(GO) test -race -short ./runtime/... ./cmd/fdbench/internal/...

# Each fuzz target for a few seconds: make fuzz FUZZTIME=1m
FUZZTIME ?= 5s
fuzz:
	@FUZZTIME=$(FUZZTIME) ./tools/fuzz.sh

# Random inputs against the originals, such as Prometheus's rules package. These
# are modules of their own, so that the product does not depend on what it is
# compared with.
NESTED = $(shell find . -mindepth 2 -name go.mod -exec dirname {} \;)
difftest:
	@set -e; for m in $(NESTED); do echo "$$m"; (cd $$m && $(GO) test ./...); done

# Kills the program at many random instants and compares what it resumes to.
KILLS ?= 50
resume:
	FDBENCH_KILLS=$(KILLS) $(GO) test ./cmd/fdbench -run '^TestResume' -count=1 -v -timeout 30m

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Writes the files of spec that are made from the code.
generate:
	$(GO) run ./spec/generate
	$(GO) run ./spec/schemagen/cmd
	$(GO) test ./cmd/fdbench -run '^TestCommandReference$$' -update

clean:
	rm -rf fdbench out
