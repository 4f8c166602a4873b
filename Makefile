# What is done often. The work is in the scripts of .ci, which need no make.

.PHONY: build test quick check race fuzz difftest resume conformance bench generate clean \
	engine live live-rehearse live-traffic live-onset live-faults live-clock live-reuse reuse-memory reuse-bench

build:
	go build -o fdbench ./cmd/fdbench

# All tests, after setting up what they compare with.
test:
	bash .ci/test

# The tests that take little time.
quick:
	bash .ci/test -short

# Everything that reads the code without running it.
check:
	bash .ci/check

race:
	bash .ci/race

# Each fuzz target for a few seconds: make fuzz FUZZTIME=1m
FUZZTIME ?= 5s
fuzz:
	FUZZTIME=$(FUZZTIME) bash .ci/fuzz

# Random inputs against the originals, such as Prometheus's rules package.
difftest:
	bash .ci/difftest

# Kills the program at many random instants and compares what it resumes to.
KILLS ?= 50
resume:
	FDBENCH_KILLS=$(KILLS) go test ./cmd/fdbench -run '^TestResume' -count=1 -v -timeout 30m

# Applies every violation of every requirement alone, and writes what was caught
# into spec/conformance.md. The last lines are the summary.
conformance:
	bash .ci/conformance

bench:
	go test -run '^$$' -bench . -benchmem ./...

# Writes the files of spec that are made from the code, and the outputs that
# the READMEs show.
generate:
	bash .ci/generate outputs

# The built-in language model against an engine of other people's making.
engine:
	bash .ci/engine

# A series in real time against real programs on loopback, and what else has to
# be seen live. Each says in .ci/live how long it takes.
live:
	bash .ci/live series

live-rehearse:
	bash .ci/live path rehearse

live-traffic:
	bash .ci/live traffic

live-onset:
	bash .ci/live onset

live-faults:
	bash .ci/live faults

live-clock:
	bash .ci/live clock

live-reuse:
	bash .ci/live reuse

# A manifest and a log of a gigabyte each, read in flat memory (a minute).
reuse-memory:
	FDBENCH_MANIFEST_MB=1024 go test ./runtime/reuse/offline -run '^TestFlatMemory$$' -count=1 -v -timeout 20m
	FDBENCH_LOG_MB=1024 go test ./runtime/reuse/evidence -run '^TestMemory$$' -count=1 -v -timeout 20m

# Rows of a manifest against their tokenizer alone, logs against wc -l,
# manifests against the digest of their bytes, planners, audits (two minutes).
reuse-bench:
	go test ./stdlib/tokens ./runtime/reuse/manifest ./runtime/reuse/transform ./runtime/reuse/audit \
		./runtime/reuse/blocks ./runtime/reuse/offline ./runtime/reuse/evidence -run '^$$' -bench . -benchmem -timeout 20m

clean:
	rm -rf fdbench out
