#!/usr/bin/env bash
# Builds the programs into build/, as the case's commands expect them. Arguments are options of CMake.
set -euo pipefail
cd "$(dirname "$0")"
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DBUILD_TESTING=OFF "$@" >/dev/null
cmake --build build --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-2}" >/dev/null
