# The front door. Every goal first brings what is missing (scripts/setup.sh) and then does its work.
#
#   make              build the release: build/release/bin/polygraphy
#   make dev          build for daily work: build/dev/bin/polygraphy
#   make demo         compare two runtimes on a real model
#   make test         all tests, in release; those that take seconds come first
#   make test-quick   the tests that take seconds (a minute together), in build/dev
#   make test-asan    all tests under address and undefined-behaviour sanitizers; PART=1/3: a third of them
#   make test-tsan    the tests with threads under the thread sanitizer
#   make bench        speed and memory, against the original
#   make fuzz         every fuzz target for FUZZ_SECONDS (60) each
#   make fmt | tidy   format the sources | static analysis
#   make size         product lines per wing; BASE=REVISION compares
#   make install PREFIX=/usr/local
#   make wheel        build/polygraphy_native-<version>-<tags>.whl, as `pip install .` makes it
#   make wheel-standin  wheels named polygraphy and onnx_graphsurgeon, in the place of the originals
#   make dist         build/polygraphy-<version>-<system>.tar.gz, which runs on any Linux with glibc 2.35
#   make release      all of these for glibc 2.28 on x86-64 and AArch64, packages of them, lists of their parts,
#                     checksums and a signature: build/release-files/
#                     (POLYGRAPHY_RELEASE_KEY=FILE: the secret key of minisign; docs/verify.md)
#   make release-try  these files in roots of six distributions, as root and as a user (an hour; needs root)
#   make clean        removes build/, keeps what set-up brought in .deps/

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
export FUZZ_SECONDS

.PHONY: build dev demo test test-quick test-asan test-tsan bench fuzz fmt size tidy install wheel wheel-standin dist release release-try clean
.DEFAULT_GOAL := build

build:
	@scripts/build.sh release product

dev:
	@scripts/build.sh dev

demo:
	@scripts/build.sh release program
	@scripts/demo.sh build/release/bin/polygraphy

test:
	@scripts/test.sh release $(PART)

test-quick:
	@scripts/test.sh dev quick

test-asan:
	@scripts/test.sh asan $(PART)

test-tsan:
	@scripts/test.sh tsan threads

bench:
	@scripts/bench.sh

fuzz:
	@scripts/fuzz.sh

fmt:
	@scripts/format.sh

tidy:
	@scripts/tidy.sh

size:
	@scripts/size.py $(BASE)

wheel:
	@scripts/release/wheel.sh
wheel-standin:
	@scripts/release/standing_in_wheels.sh

install: build
	@cmake --install build/release --prefix "$(abspath $(PREFIX))"

dist: build
	@scripts/release/dist.sh build/release build

release:
	@scripts/release/release.sh

release-try:
	@scripts/release/try_roots.sh build/release-files

clean:
	rm -rf build
