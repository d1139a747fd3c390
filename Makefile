# `make help` lists the targets.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: build bench test debug check annotate coverage clean help

build: .venv/installed          ## make .venv/ and build the package in it, in place
	@flock /tmp/gakushi-build.lock $(BIN)/python setup.py --quiet build_ext --inplace

.venv/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "setuptools>=77" wheel "cython>=3.0" numpy
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[test,dev]"
	touch $@

bench: build                    ## play through the bench positions and print the speed
	$(BIN)/engine bench

test: build                     ## run the tests
	$(BIN)/pytest

clean:                          ## remove all that was built, .venv/ too
	rm -rf .venv build dist *.egg-info annotate

help:                           ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 12
