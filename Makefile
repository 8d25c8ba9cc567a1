# What it takes to build, test and keep mcpgen. All of it needs Go; the tests of the
# examples also run Python pools where Python 3 is installed.

GO ?= go
FUZZTIME ?= 10s
SOAKTIME ?= 3m
SEED ?= 0

MCPGEN = $(GO) run ./cmd/mcpgen
# The committed examples have no copy of the runtime and no version that changes.
EXAMPLE = --runtime=module --no-version

.PHONY: demo test race lint bench soak fuzz-smoke generate check verify-real conformance interop

# Generates a server from an example, builds it and talks to it.
demo:
	@$(GO) run ./examples/demo

test:
	$(GO) test -timeout 20m ./...

# The same under the race detector, which needs a C compiler.
race:
	$(GO) test -race -timeout 60m ./...

lint:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then \
		echo "not formatted by gofmt:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags conformance ./examples/conformance/...
	$(GO) tool staticcheck ./...
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...

# The official conformance suite of MCP against a generated server; needs npm and its registry.
conformance:
	$(GO) run ./examples/conformance

# Clients that others have written against generated servers; needs Linux, npm, Python 3.10 and their registries.
interop:
	$(GO) run ./examples/interop

# Measures servers against peers, a quarter of an hour; BENCH=-quick takes some minutes.
bench:
	$(GO) run ./bench $(BENCH)

# Loads servers while their pools are killed, and accounts for every request. A seed that was
# printed makes the same requests again.
soak:
	$(GO) test -count=1 -timeout 60m -v ./internal/soak -args -soak=$(SOAKTIME) -seed=$(SEED)

# Runs each fuzz target for a short time, all of them, and names those that fail: what made
# them fail is then in testdata/fuzz of their packages. Minimizing what is merely new would
# take the time away.
fuzz-smoke:
	@set -e; failed=; packages=$$($(GO) list ./...); \
	for package in $$packages; do \
		targets=$$($(GO) test -list '^Fuzz' $$package); \
		for target in $$(echo "$$targets" | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$package || \
				failed="$$failed $$package:$$target"; \
		done; \
	done; \
	for target in $$failed; do echo "failed: $$target"; done; test -z "$$failed"

# Writes the generated packages of the examples anew.
generate:
	$(MCPGEN) gen $(EXAMPLE) -o examples/pure/pure-mcp examples/pure/pure-build/manifest.json
	$(MCPGEN) gen $(EXAMPLE) -o examples/molecules/smiles-mcp examples/molecules/smiles-build/manifest.json
	$(MCPGEN) gen $(EXAMPLE) -o examples/tracker/tracker-mcp examples/tracker/manifest.json
	$(MCPGEN) gen $(EXAMPLE) -o examples/conformance/fixture-mcp examples/conformance/fixture-build/manifest.json

# Tells whether they are what mcpgen would write.
check:
	$(MCPGEN) check $(EXAMPLE) -o examples/pure/pure-mcp examples/pure/pure-build/manifest.json
	$(MCPGEN) check $(EXAMPLE) -o examples/molecules/smiles-mcp examples/molecules/smiles-build/manifest.json
	$(MCPGEN) check $(EXAMPLE) -o examples/tracker/tracker-mcp examples/tracker/manifest.json
	$(MCPGEN) check $(EXAMPLE) -o examples/conformance/fixture-mcp examples/conformance/fixture-build/manifest.json

# Holds real servers from the npm registry against what was recorded of them. It needs npx
# and a network; everything else is tested with recordings.
verify-real:
	MCPGEN_VERIFY_REAL=1 $(GO) test -count=1 -run TestRealServers ./verify
