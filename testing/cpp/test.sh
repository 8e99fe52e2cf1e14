#!/usr/bin/env bash
# Builds the tests and runs them with and without the recorder. An argument says where to build; DEADWEIGHT where the tool
# is.
set -euo pipefail
cd "$(dirname "$0")"
build=${1:-build}
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
cmake --build "$build" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-2}" >/dev/null
recorder=$("${DEADWEIGHT:-deadweight}" library native)
dumps=$(mktemp -d)
trap 'rm -rf "$dumps"' EXIT

recorded() {
  LD_PRELOAD=$recorder DEADWEIGHT_DIR=$dumps DEADWEIGHT_WHEN=SIGUSR2 "$@"
}

# Without the recorder, tests say so and are skipped.
code=0
said=$("$build/held") || code=$?
[[ $code == 77 && $said == "not recorded:"* ]] || { echo "without the recorder: $code: $said"; exit 1; }
said=$("$build/held_gtest")
[[ $said == *"2 SKIPPED TESTS"* || $said == *"[  SKIPPED ] 2 tests"* ]] || { echo "$said"; exit 1; }

# Marks of operations are nothing then.
"$build/operation" && "$build/operation_cpp" || { echo "marks of operations fail without the recorder"; exit 1; }

# With it, limits hold and break, and the message names the finding, where it is, and the fix.
said=$(recorded "$build/held") || { echo "$said"; exit 1; }
[[ $said =~ budget.held:.*[A-Z][0-9][0-9]\ at\ .*fill.*fix: ]] || { echo "no finding in: $said"; exit 1; }
for test in held_gtest held_catch2; do
  said=$(recorded "$build/$test") || { echo "$said"; exit 1; }
  [[ $said != *SKIPPED* ]] || { echo "$said"; exit 1; }
done
[[ -z $(ls -A "$dumps") ]] || { echo "dumps stay: $(ls "$dumps")"; exit 1; }
echo "limits in C and C++: all as they must be"
