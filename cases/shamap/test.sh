#!/usr/bin/env bash
# Builds and runs the tests, as programs are delivered and with sanitizers. An argument says where to build.
set -euo pipefail
cd "$(dirname "$0")"
build=${1:-build}
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-2}
run() {
  cmake -S . -B "$1" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=ON "${@:2}" >/dev/null
  cmake --build "$1" --parallel "$jobs" >/dev/null
  ctest --test-dir "$1" --output-on-failure --parallel "$jobs"
}
run "$build" -DCMAKE_CXX_FLAGS_RELEASE=-O2
# Little optimised: building would take longer than the tests gain.
run "$build/sanitize" -DCMAKE_CXX_FLAGS_RELEASE='-O1 -g1' -DDEADWEIGHT_SANITIZE=ON
