# `make help` lists the targets. Each does its own set-up, on a fresh machine too: python3, gcc and PyPI are enough.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 10 --timeout 60
ROOMS := engine tt eval search
SOURCES := $(foreach room,$(ROOMS),$(wildcard $(room)/*.p[yx]* $(room)/*/*.p[yx]*)) $(wildcard tests/*.pyx)
PYTHON_FILES := engine tt eval search usi gakushi scripts tests setup.py
# Which tests (all, unless TESTS=tests/search or the like is given), in how many processes (some 300 MB each; twice as
# many as JOBS, because tests wait for browsers, clocks and other processes), and what `make test` leaves out.
TESTS ?=
JOBS ?= $(shell cores=$$(nproc); echo $$((cores < 8 ? cores : 8)))
PYTEST = $(BIN)/pytest -n $$((2 * $(JOBS))) --dist worksteal
QUICK := -m "not slow and not timing and not clients"
COMPILED := tests/engine tests/tt tests/eval tests/search
THREADED := tests/tt/test_table.py tests/search/test_pool.py tests/search/test_searcher.py
# Nodes of the bench, which only a change of search or evaluation changes.
SIGNATURE := tests/bench.txt
ENGINE = $(BIN)/engine
NODES = LC_ALL=C $(ENGINE) bench | sed -n 's/^Nodes searched: //p'
AS_SIGNED = nodes=$$($(NODES)) && test "$$nodes" = "$$(cat $(SIGNATURE))" || { echo "engine bench: $$nodes nodes, where" \
	"$(SIGNATURE) has $$(cat $(SIGNATURE)). If search or evaluation was to change: make signature" >&2; exit 1; }
CLANG ?= clang
# If `make fast` has taken a profile, all later builds in place use it, until `make clean`.
PROFILED = $(if $(wildcard build/pgo/*.gcda),GAKUSHI_PGO=use)
# The last message of `make build`, unless it is only the first step of another target.
define NEXT
printf '%s\n' "" "Gakushi is built. What next?" \
	"  in a GUI (ShogiHome, Shogidokoro, …)  add this file as an engine: $(CURDIR)/$(BIN)/engine" \
	"  play and analyse in the browser       $(BIN)/engine serve" \
	"  here, on the terminal                 $(BIN)/engine play --level 5" \
	"  analyse a game                        $(BIN)/engine analyze game.kif --html game.html" \
	"  check that all is well                $(BIN)/engine doctor"
endef
# Environment in which the build in build/NAME/lib is found before the one in place, by child processes too.
FIRST = PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/build/$(1)/lib

# A machine that forbids .pyc files would compile all of Python anew in each of the tests' many processes.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: build stubs fast test test-slow test-all debug tsan check lint signature signature-check bench annotate wheels bundle \
	coverage clean help check-clang check-types check-pythons

build: .venv/installed      ## make .venv/ and compile the package in place (see setup.py for the build variables)
	@$(PROFILED) $(BIN)/python setup.py --quiet build_ext --inplace
	@$(if $(filter build,$(or $(MAKECMDGOALS),build)),$(NEXT))

# The compiler makes functions that the profile does not reach small, not fast. So the profile covers all that should be
# fast.
fast: .venv/learn           ## build some 5 % faster: compile twice, the second time by a profile of the first build (gcc)
	@rm -rf build/pgo
	@GAKUSHI_PGO=generate $(BIN)/python setup.py --quiet build_ext --inplace
	@$(BIN)/python -m scripts.match --a "" --b eval=tables --nodes 40000 --games 2 --out build/pgo/games.jsonl >/dev/null
	@$(BIN)/engine analyze tests/engine/data/records/even.kif --eval-file material --nodes 40000 >/dev/null
	@$(BIN)/engine perft 5 >/dev/null
	@cut -f1 tests/data/mates.tsv | grep " [bw] " | head -20 | $(BIN)/engine mate --nodes 50000 - >/dev/null
	@$(MAKE) --no-print-directory build

# The packages for playing and building. Modules are compiled before pip runs, because pip hides the compiler's messages.
.venv/installed: pyproject.toml
	@echo "Setting up .venv and compiling: two or three minutes"
	@test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	@$(PIP) "setuptools>=77.0.1" "cython>=3.1"
	@$(PROFILED) $(BIN)/python setup.py --quiet build_ext --inplace
# Installed by a path, not by a finder, because type checkers do not run finders.
	@$(PROFILED) $(PIP) --no-build-isolation --config-settings editable_mode=compat --editable ".[web]"
	@touch $@

# The packages for scripts/.
.venv/learn: .venv/installed
	@$(PIP) "gakushi[learn]"
	@touch $@

# The packages for tests, and the further ones for lint. Gakushi is installed already, so pip only installs the extra.
.venv/test: .venv/installed tests/data/node/package-lock.json
	@echo "Installing what tests need"
	@$(PIP) "gakushi[test]"
	@if command -v npm >/dev/null; then mkdir -p .venv/node && cp tests/data/node/package*.json .venv/node && \
		npm ci --prefix .venv/node --silent --no-audit --no-fund >/dev/null || \
		echo "npm could not install tsshogi: the test that needs it is skipped"; fi
	@touch $@

.venv/dev: .venv/test
	@echo "Installing what lint, wheels and coverage need"
	@$(PIP) "gakushi[dev]"
	@touch $@

test: build .venv/test      ## run the tests, but for the long ones; TESTS=tests/search runs those there alone
	$(PYTEST) $(QUICK) $(TESTS)

test-slow: build .venv/test ## run the long ones
	$(PYTEST) -m "slow and not timing and not clients" $(TESTS)

# Tests that measure time and games of real clients come last and alone.
test-all: test test-slow    ## run both, then those that measure time, and the games of real clients
	$(BIN)/pytest -m "timing or clients" $(TESTS)

# The debug build is separate from the release build, and is found first. UBSan writes to files, which also works in child
# processes.
debug: build .venv/test     ## run the tests of the compiled packages with asserts, validate at every node and UBSan
	@rm -f build/debug/undefined.*
	@GAKUSHI_DEBUG=1 $(BIN)/python setup.py --quiet build --build-lib build/debug/lib --build-temp build/debug/temp
	$(call FIRST,debug) UBSAN_OPTIONS=log_path=$(CURDIR)/build/debug/undefined \
		$(PYTEST) $(QUICK) $(or $(TESTS),$(COMPILED))
	@! cat build/debug/undefined.* 2>/dev/null

# Python is not compiled for ThreadSanitizer, so its library is loaded first. It does not work with randomised addresses.
tsan: build .venv/test      ## run the tests of threads under ThreadSanitizer, which reports data races (Linux)
	@rm -f build/tsan/races.*
	@GAKUSHI_TSAN=1 $(BIN)/python setup.py --quiet build --build-lib build/tsan/lib --build-temp build/tsan/temp
	$(call FIRST,tsan) TSAN_OPTIONS="exitcode=0 log_path=$(CURDIR)/build/tsan/races" \
		setarch --addr-no-randomize env LD_PRELOAD=$$($(CC) -print-file-name=libtsan.so) \
		$(BIN)/pytest $(QUICK) $(or $(TESTS),$(THREADED))
	@! cat build/tsan/races.* 2>/dev/null

check: lint test signature-check    ## run all checks that a change has to pass: lint, types, tests, and the bench's node count

lint: build .venv/dev annotate      ## check lint and types, and that Cython has no performance hint
	$(BIN)/ruff check $(PYTHON_FILES)
# A string below a declaration is its documentation, though cython-lint sees no point in it.
	@! PATH=$(BIN):$$PATH cython-lint $(filter %.pyx %.pxd,$(SOURCES)) 2>&1 | grep -v "pointless string statement"
	$(BIN)/mypy $(PYTHON_FILES)
	@! grep -A 12 "performance hint" build/annotate/remarks.txt

signature: build            ## write the bench's node count to tests/bench.txt, when a change is meant to change it
	@nodes=$$($(NODES)) && test -n "$$nodes" && echo "$$nodes" | tee $(SIGNATURE)

signature-check: build      ## compare the bench's node count with the one in tests/bench.txt
	@$(AS_SIGNED)

# Other compilers and systems: RELEASE.md. Other processors: .github/workflows/wheels.yml.
check-clang: build .venv/test       ## compile by clang, compare the bench's nodes, run the tests of engine/ (or TESTS=…)
	@command -v $(lastword $(CLANG)) >/dev/null || { echo "$(CLANG) not found; install it with apt-get install clang" >&2; exit 1; }
	@CC="$(CLANG)" $(BIN)/python setup.py --quiet build --build-lib build/clang/lib --build-temp build/clang/temp
	@export $(call FIRST,clang); $(AS_SIGNED)
	$(call FIRST,clang) $(PYTEST) $(QUICK) $(or $(TESTS),tests/engine)

check-types: .venv/dev      ## check the types as Windows and macOS have them
	$(BIN)/mypy --platform win32 --cache-dir build/windows/mypy engine tt eval search usi gakushi
	$(BIN)/mypy --platform darwin --cache-dir build/macos/mypy engine tt eval search usi gakushi

check-pythons: .venv/installed      ## build the wheel with the oldest Cython, try it under the oldest and newest Python here
	$(BIN)/python -m scripts.packaging.pythons $(addprefix --require ,$(PYTHONS))

bench: build                ## search the bench positions, print nodes and speed
	$(BIN)/engine bench

stubs: build .venv/learn    ## copy the docstrings of the compiled modules into their .pyi files, where IDEs look for them
	@$(BIN)/python -m scripts.stubs

annotate: build/annotate/remarks.txt    ## show in build/annotate/*/*.html what each line costs

build/annotate/remarks.txt: $(SOURCES) setup.py | build
	@mkdir -p $(@D)
	@$(BIN)/python setup.py --quiet annotate 2>$@

# Released wheels are made by .github/workflows/wheels.yml. An x86-64 wheel has every module for two levels.
wheels: private export GAKUSHI_MARCH := $(if $(filter x86_64,$(shell uname -m)),x86-64-v2)
wheels: private export GAKUSHI_FASTER := $(if $(filter x86_64,$(shell uname -m)),x86-64-v3)
wheels: ENGINE = build/trial/bin/engine
wheels: .venv/dev           ## build the sdist, and a wheel for this Python on any machine like this, in dist/; try it
	rm -rf dist/gakushi-*.whl dist/gakushi-*.tar.gz build/trial
	$(BIN)/python -m build
	$(BIN)/python -m venv build/trial && build/trial/bin/python -m pip install --quiet dist/gakushi-*.whl
	@$(AS_SIGNED)

bundle: .venv/installed     ## make a folder that needs no Python, for GUIs, of the wheel in dist/, and try it
	@$(BIN)/python -m scripts.bundle

coverage: build .venv/dev   ## run the tests and report the lines never run, of Python and of Cython
	@GAKUSHI_COVERAGE=1 $(BIN)/python setup.py --quiet build --build-lib build/coverage/lib --build-temp build/coverage
	@find build/coverage -name "*.gcda" -delete
	$(call FIRST,coverage) $(BIN)/coverage run $(BIN)/pytest -n $(JOBS) $(QUICK) $(TESTS)
	$(BIN)/coverage combine --quiet && $(BIN)/coverage report
	$(BIN)/gcovr --include-internal-functions --gcov-ignore-errors source_not_found \
		--filter '(engine|tt|eval|search)/' build/coverage

clean:                      ## remove all that was built, .venv/ too
	rm -rf .venv build dist *.egg-info
	find $(ROOMS) tests -name '*.c' -delete -o -name '*.so' -delete

help:                       ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## */\1\t/p' Makefile | expand -t 20
