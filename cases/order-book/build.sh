#!/usr/bin/env bash
# Compiles the service as it is and with each fix into build/, or into the folder that the argument names.
set -euo pipefail
cd "$(dirname "$0")"
java Build.java "${1:-build}"
