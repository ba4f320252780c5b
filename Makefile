# SPDX-License-Identifier: Apache-2.0
# The short way to the build: each target first brings the machine to the point (tools/setup.sh), then runs the CMake
# preset of the same purpose. See CONTRIBUTING.md.
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local/pacl
PICTURE ?= examples/pictures/terrain.png
BENCH_OPTIONS ?=
# Quotes its argument for the shell: PREFIX and PICTURE may hold any character.
quote = '$(subst ','\'',$(1))'
export CTEST_PARALLEL_LEVEL ?= $(shell nproc)

source_dirs := include src python tools examples tests bench
c_sources = $(shell find $(source_dirs) -name '*.[ch]')
scripts = .ci/run tools/set_env.sh.in $(shell find tools tests -name '*.sh')

.PHONY: help
help: ## list the targets
	@echo "usage: make TARGET"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

.PHONY: setup
setup: ## install what building and testing need (root; others are told the command)
	@tools/setup.sh build test

.PHONY: build
build: ## build the library, the command, the examples and the benchmarks: build/release
	@tools/setup.sh build
	cmake --workflow --preset release

.PHONY: demo
demo: build ## make build/mosaic.png of a picture, on the device: make demo [PICTURE=file.png]
	build/release/examples/mosaic/mosaic --output=build/mosaic.png -- $(call quote,$(PICTURE))

.PHONY: check
check: ## build with assertions and run all tests: build/dev
	@tools/setup.sh build test
	cmake --workflow --preset dev

sanitizer_checks := asan tsan ubsan
.PHONY: release-test $(sanitizer_checks)
release-test: ## run the tests on the optimised library
asan: ## run the tests under the address and leak sanitizer
tsan: ## run the tests under the thread sanitizer
ubsan: ## run the tests under the undefined behaviour sanitizer
release-test $(sanitizer_checks):
	@tools/setup.sh build test
	cmake --workflow --preset $@

.PHONY: install
install: build ## install below a prefix: make install [PREFIX=/usr/local/pacl] [DESTDIR=...]
	cmake --install build/release --prefix $(call quote,$(PREFIX))

.PHONY: bench
bench: ## run every benchmark and write the tables of docs/performance.md: make bench [BENCH_OPTIONS=--rounds=5]
	@tools/setup.sh build bench || echo "bench: going on without the peers that are missing"
	cmake --workflow --preset release
	python3 bench/report.py --write docs/performance.md $(BENCH_OPTIONS) build/release/bench

.PHONY: format
format: ## lay out the C sources
	@tools/setup.sh lint
	clang-format -i $(c_sources)

lint_checks := lint-format lint-tidy lint-cppcheck lint-shell
.PHONY: lint $(lint_checks)
lint: $(lint_checks) ## run clang-format, clang-tidy, cppcheck and shellcheck; change nothing
lint-format: lint-setup
	@clang-format --dry-run -Werror $(c_sources)
lint-tidy: lint-database
	run-clang-tidy -quiet -p build/lint -extra-arg=-Wno-unknown-warning-option
lint-cppcheck: lint-database
	cppcheck -j $(shell nproc) --project=build/lint/compile_commands.json --enable=warning,performance,portability \
	    --inline-suppr '--suppress=unknownMacro:*hook.c' --suppress=returnDanglingLifetime \
	    --suppress=varFuncNullUB --suppress=nullPointerRedundantCheck --error-exitcode=1 --quiet
lint-shell: lint-setup
	shellcheck $(scripts)

.PHONY: lint-setup lint-database
lint-setup:
	@tools/setup.sh lint
lint-database: lint-setup
	@tools/setup.sh build test
	cmake --preset dev
	@tools/lint_database.py build/dev/compile_commands.json build/lint/compile_commands.json

.PHONY: clean
clean: ## remove everything that was built
	rm -rf build
