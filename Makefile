# Kairship. `make up` starts the product on a real fleet, `make test` passes every test; `make help` lists
# the rest. Each installs or builds what it needs and can be run again.
SHELL       := /bin/bash -o pipefail
.DEFAULT_GOAL := help

VERSION     ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
export CGO_ENABLED ?= 0
PLAYGROUND  := bin/playground
# Programs that live for minutes collect garbage less often: the tests, and the servers that they start, take an eighth less
# of the processors.
LAZY_GC     := GOGC=400
# The fleet that tests run on: beside the one of `make up`, not instead of it.
TEST_STATE  := $(CURDIR)/.playground-test
TEST_ENV    := $(LAZY_GC) KAIRSHIP_PLAYGROUND_DIR=$(TEST_STATE) KAIRSHIP_PORT_BASE=31000 \
               KAIRSHIP_HTTP_PORT=18080 KAIRSHIP_HTTPS_PORT=18443 KAIRSHIP_URL=http://127.0.0.1:18080
# Those that take longest are not the last ones, so that none of them is alone at the end.
PACKAGES    := $(shell go list ./controllers/... ./resolvers ./... 2>/dev/null | awk '!seen[$$0]++' | grep -v /e2e$$)
# Packages whose tests only compute.
BUSY        := $(filter %/boundedyaml %/internal/propagation %/internal/typed %/internal/workloadform,$(PACKAGES))

.PHONY: help up down status token build lint vuln generate test test-unit test-fleet test-e2e test-web tour test-stories test-checks schema-baseline bench bench-quick bench-web bench-controllers clean go node

help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-18s %s\n", $$1, $$2}'

up: build ## Start Kairship on a real fleet and say how to sign in
	@$(PLAYGROUND) up

down: | $(PLAYGROUND) ## Stop the fleet; its data stays
	@$(PLAYGROUND) down

status: | $(PLAYGROUND) ## Show every component of the fleet
	@$(PLAYGROUND) status

# USER is in everybody's environment; it means somebody only when it is given to make.
token: | $(PLAYGROUND) ## Print a bearer token: of an administrator, or of USER=owner|editor|viewer|stranger
	@$(PLAYGROUND) token $(if $(filter command,$(origin USER)),$(USER))

##  Building

build: bin/kairship $(PLAYGROUND) ## Build the two programs into bin/

# go build knows best what has changed; web/dist is embedded, so it comes first.
.PHONY: bin/kairship bin/race/kairship bin/race/e2e.test $(PLAYGROUND)
BUILD_KAIRSHIP = go build -v -ldflags '-s -w -X github.com/kairship-io/kairship/cmd.Version=$(VERSION)'
bin/kairship: go web/dist/index.html
	@hack/step.sh "building $@" $(BUILD_KAIRSHIP) -trimpath -o $@ .

# What the tests run on looks for data races, too. Its packages are those that the tests are built of.
bin/race/kairship: go web/dist/index.html
	@CGO_ENABLED=1 hack/step.sh "building $@" $(BUILD_KAIRSHIP) -trimpath -race -o $@ .

$(PLAYGROUND): go
	@hack/step.sh "building $@" go build -v -trimpath -o $@ ./playground

WEB_SOURCES := $(shell find web -type f -not -path 'web/node_modules/*' -not -path 'web/dist/*' \
               -not -path 'web/test-results/*' -not -path 'web/playwright-report/*' -not -name '*.go' 2>/dev/null) schema
web/dist/index.html: web/node_modules/.installed $(WEB_SOURCES)
	@cd web && ../hack/step.sh "building the UI" npm run --silent build

web/node_modules/.installed: web/package-lock.json | node
	@cd web && ../hack/step.sh "installing the UI's packages" npm ci --no-audit --no-fund --loglevel=error
	@touch $@

go:
	@command -v go >/dev/null || { echo "Go 1.26 is needed and not on PATH; see README.md" >&2; exit 1; }

node:
	@command -v npm >/dev/null || { echo "Node.js 20 or newer with npm is needed and not on PATH; see README.md" >&2; exit 1; }

.PHONY: generate-go generate-web
generate: ## Make all generated code anew
	@$(MAKE) --no-print-directory -j2 generate-go generate-web

generate-go: go
	hack/tool.sh controller-gen object paths=./api/... crd paths=./api/... output:crd:dir=api/v1alpha1/crds
	go run ./hack/gqlgen
	go run ./hack/schemadoc

generate-web: web/node_modules/.installed
	cd web && npm run --silent codegen

##  Checking

lint: go ## Check style, types, generated code, the contract with clients and the size of the first page
	@hack/check-generated.sh
	@# Generating makes the UI out of date, which is not to be built anew while the linter reads it.
	@$(MAKE) --no-print-directory web/dist/index.html
	@hack/beside.sh "the UI" $(MAKE) --no-print-directory lint-web -- hack/tool.sh golangci-lint run --allow-parallel-runners ./...

.PHONY: lint-web
lint-web: web/node_modules/.installed web/dist/index.html
	@cd web && npm run --silent lint && npm run --silent typecheck && npm run --silent schema-diff && npm run --silent check-size

schema-baseline: web/node_modules/.installed ## Make the schema of now the one that clients have: what breaks it fails in lint
	@cd web && npm run --silent schema-diff -- --write

vuln: go web/dist/index.html ## Look for known vulnerabilities in what is called: with VULNDB=file:///FOLDER without a network
	@hack/vuln.sh $(VULNDB)

# Without paths of this checkout in it, what was compiled is good for another one; lint has vetted.
# A program with the race detector waits for 1 s at its end, unless it is told to wait less.
export GORACE ?= atexit_sleep_ms=50
# Without debugging information, which no test reads, 60 programs are linked in three quarters of the time.
GO_TEST := env CGO_ENABLED=1 go test -race -trimpath -vet=off -ldflags='-s -w'

# The tests on a fleet run twice, and are linked once.
bin/race/e2e.test: go web/dist/index.html
	@hack/step.sh "building $@" $(GO_TEST) -c -o $@ ./e2e

# What is held to two seconds has the machine for itself, but for what it leaves of it. Then the tests without a fleet fill
# the time in which those of the fleet wait. What only computes takes what all of these leave. All are run: the go command does
# not see what a test reads of a checkout by its whole path.
ALONE := 'TestNoAnswerWaitsForWhatIsFrozen|TestNoOperationIsAnInternalErrorOrSlow'
test: go web/dist/index.html ## Pass every test; a fleet that a test failed on stays up to be looked at
	@hack/chromium.sh >/dev/null
	@$(MAKE) --no-print-directory -j3 build bin/race/kairship bin/race/e2e.test
	@hack/beside.sh "the tests that never wait" hack/spare.sh $(MAKE) --no-print-directory test-busy SHORT=-count=1 -- \
		$(MAKE) --no-print-directory test-waiting
	@$(TEST_ENV) $(PLAYGROUND) down

.PHONY: test-waiting
test-waiting:
	@$(MAKE) --no-print-directory test-e2e WHICH="-run $(ALONE)"
	@hack/beside.sh "the tests without a fleet" $(MAKE) --no-print-directory test-servers SHORT=-count=1 -- \
		$(MAKE) --no-print-directory -j1 test-e2e test-web test-stories WHICH="-skip $(ALONE)"

# What follows the recipes of CONTRIBUTING.md, and the controllers beside hundreds of instances, are for `make test` alone.
SHORT ?= -short
test-unit: test-servers test-busy ## Tests without a fleet; controllers on a real API server

.PHONY: test-servers test-busy
test-servers: go web/dist/index.html | $(PLAYGROUND)
	@ASSETS="$$($(PLAYGROUND) components etcd kube-apiserver kubectl)" && \
	KAIRSHIP_TEST_ASSETS="$$ASSETS" $(LAZY_GC) $(GO_TEST) -p 2 -timeout 40m $(SHORT) -skip TestTheRecipesWork $(filter-out $(BUSY),$(PACKAGES))
	@cd web && npm test --silent

test-busy: go web/dist/index.html
	@$(LAZY_GC) $(GO_TEST) -p 2 -timeout 40m $(SHORT) $(BUSY)
	@$(GO_TEST) -timeout 40m $(SHORT) -run TestTheRecipesWork ./hack
	@# What takes a sample with the race detector is asked for whole without it.
	@CGO_ENABLED=0 go test -trimpath -vet=off -count=1 -run 'TestWhatIsHidden|TestNobodyIsTold|TestNoArgument|TestFieldsBeside' ./resolvers

test-stories: web/node_modules/.installed hack/chromium.sh ## Each component of the UI in each of its states, in a real Chromium
	@KAIRSHIP_CHROMIUM="$$(hack/chromium.sh)" && export KAIRSHIP_CHROMIUM && cd web && npm run --silent test-stories

test-fleet: build bin/race/kairship
	@$(TEST_ENV) $(PLAYGROUND) up --kairship $(CURDIR)/bin/race/kairship $(if $(filter command,$(origin UP)),$(UP))

test-e2e: test-fleet bin/race/e2e.test ## Tests on a real fleet of their own; some by WHICH='-run PATTERN'; without direct reads by UP=--through-api
	@ASSETS="$$($(PLAYGROUND) components etcd kube-apiserver kubectl)" && export KAIRSHIP_TEST_ASSETS="$$ASSETS" && \
	cd e2e && time $(TEST_ENV) ../bin/race/e2e.test -test.paniconexit0 -test.parallel 4 -test.timeout 40m $(patsubst -%,-test.%,$(WHICH))
	@hack/check-races.sh $(TEST_STATE)

test-web: test-fleet hack/chromium.sh ## Tests of the pages in a real Chromium
	@$(TEST_ENV) $(PLAYGROUND) seed --workloads 120 --instance europe
	@KAIRSHIP_CHROMIUM="$$(hack/chromium.sh)" && export KAIRSHIP_CHROMIUM && \
	KAIRSHIP_TOKEN="$$($(TEST_ENV) $(PLAYGROUND) token)" && export KAIRSHIP_TOKEN && \
	cd web && $(TEST_ENV) npm run --silent e2e
	@hack/check-races.sh $(TEST_STATE)

tour: test-fleet hack/chromium.sh ## Take the pictures of docs/tour.md from the running product
	@KAIRSHIP_CHROMIUM="$$(hack/chromium.sh)" && export KAIRSHIP_CHROMIUM && \
	KAIRSHIP_TOKEN="$$($(TEST_ENV) $(PLAYGROUND) token)" && export KAIRSHIP_TOKEN && \
	cd web && $(TEST_ENV) KAIRSHIP_TOUR=../docs/tour npm run --silent e2e -- --no-deps tour.spec.ts

test-checks: go web/dist/index.html | $(PLAYGROUND) ## Show that a test notices each security check that is missing
	@ASSETS="$$($(PLAYGROUND) components etcd kube-apiserver kubectl)" && \
	KAIRSHIP_TEST_ASSETS="$$ASSETS" hack/disable-checks.sh

bench: build ## Measure; figures go to docs/performance.md
	@$(TEST_ENV) env -u GOGC $(PLAYGROUND) up
	@$(TEST_ENV) env -u GOGC go run ./bench

bench-quick: build ## Measure pages of the read store alone, in less than five minutes; BEFORE=another bin/kairship is compared with
	@$(TEST_ENV) env -u GOGC $(PLAYGROUND) up
	@$(TEST_ENV) env -u GOGC go run ./bench -workloads 0 -abuse 0 -fan-out '' -wide 0 -more 0 -soak 0 -sizes 1000,10000 -rounds 180 $(if $(BEFORE),-before $(BEFORE))

bench-web: build test-fleet hack/chromium.sh ## Measure the pages in a real Chromium; figures are in web/test-results/budgets.md
	@$(TEST_ENV) $(PLAYGROUND) seed --workloads 120 --instance europe
	@KAIRSHIP_CHROMIUM="$$(hack/chromium.sh)" && export KAIRSHIP_CHROMIUM && \
	KAIRSHIP_TOKEN="$$($(TEST_ENV) $(PLAYGROUND) token)" && export KAIRSHIP_TOKEN && \
	cd web && $(TEST_ENV) KAIRSHIP_BENCH=1 npm run --silent e2e -- --project=bench && cat test-results/budgets.md

bench-controllers: build ## Measure the controllers and the API server with 200 instances
	@ASSETS="$$($(PLAYGROUND) components etcd kube-apiserver)" && export KAIRSHIP_TEST_ASSETS="$$ASSETS" && \
	go run ./bench/controllers && go run ./bench/controllers -cycles 50 && go run ./bench/controllers -readers 200

clean: ## Remove what was built here; caches and fleets stay
	rm -rf bin web/dist/assets web/dist/*.html web/node_modules
