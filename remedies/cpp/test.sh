#!/usr/bin/env bash
# Builds and runs the tests, plain and with sanitizers. An argument says where to build.
set -euo pipefail
cd "$(dirname "$0")"
build=${1:-build}
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-2}
for sanitize in OFF ON; do
  cmake -S . -B "$build/sanitize-$sanitize" -DDEADWEIGHT_SANITIZE=$sanitize \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O2 -g1' >/dev/null
  cmake --build "$build/sanitize-$sanitize" --parallel "$jobs" >/dev/null
  ctest --test-dir "$build/sanitize-$sanitize" --output-on-failure
done
