# make repro   set up, run the main job, print its table (a second time: nothing to do)
# make test    set up, then lint, types and tests
# make bench   set up, then the speed figures with their references
# make ui      set up, then Prefect's UI, from which runs can be started; Ctrl-C stops it
# make lint    style and types only
# make lock    write requirements.lock from the environment
# make clean   remove what stages and tools made; keeps .venv and data/store (finished work)
# PYTHON=/path/to/python picks the interpreter of the environment.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := repro
.PHONY: repro test bench ui lint lock clean

# Stages are run as `python -m tasks.…` and mean this environment's python.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
PY := .venv/bin/python
STAMP := .venv/.installed
PYTHON ?=

repro: $(STAMP)
	$(PY) -m dvc --wait-for-lock repro
	$(PY) -m tasks.report show

test: lint
	$(PY) -m pytest -n auto --maxprocesses 4 --dist loadfile

lint: $(STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

ui: $(STAMP)
	@$(PY) -m flows.serve --ui

bench: $(STAMP)
	$(PY) -m tasks.bench

# Local version tags such as +cpu name a build of one machine; constraints leave the choice open.
lock: $(STAMP)
	{ echo "# Constraints: pip install -c requirements.lock -e '.[dev]'"; \
	  $(PY) -m pip freeze --exclude-editable --exclude codegraft | sed 's/+[A-Za-z0-9.]*$$//'; \
	} > requirements.lock.tmp
	mv requirements.lock.tmp requirements.lock

clean:
	rm -rf data/{ingest,extract,embed,problems,audit,generate,spotcheck,execute,select,grade}
	rm -rf models/* .dvc/cache .dvc/tmp .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -rf ./*.egg-info build
	find tasks flows tests -name __pycache__ -prune -exec rm -rf {} +

$(STAMP): pyproject.toml requirements.lock
	@if ! $(PY) -c '' 2>/dev/null; then \
	  for found in "$(PYTHON)" python3.11 python3.12 python3.13 python3.14 python3 ''; do \
	    [ -n "$$found" ] && "$$found" -c \
	      'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	  done; \
	  if [ -z "$$found" ]; then \
	    echo "error: no Python 3.11 or newer with its venv module was found" >&2; \
	    echo "  remedy: install one (Debian: python3 and python3-venv), or name it:" \
	      "make PYTHON=/path/to/python3.11" >&2; \
	    exit 2; \
	  fi; \
	  rm -rf .venv; "$$found" -m venv .venv; \
	fi
	@echo "Installing the locked packages into .venv (some minutes the first time)"
	@$(PY) -m pip install -qq --disable-pip-version-check -c requirements.lock -e '.[dev]'
	@touch $@
