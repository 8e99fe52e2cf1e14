#!/bin/sh
# Makes the weighings of this folder: spark-round as it is, with one fix undone, and with one more.
# Usage: make.sh DEADWEIGHT NODE, after `npm ci` in cases/spark-round
set -eu
deadweight=$(realpath "$1")
node=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
case="$here/../../../../cases/spark-round"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$case"
"$node" generate.js 2000 > "$work/input"
for pair in base:chain-4-ms undone:chain-3-percentiles improved:chain-5-offsets; do
    name=${pair%%:*}
    "$deadweight" --quiet run --dir "$work/captures" --output "$work/report" -- \
        "$node" "${pair#*:}.js" "$work/input" > "$work/output"
    mv "$work"/captures/* "$work/$name"
    (cd "$work" && "$deadweight" weigh --format json "$name" > "$here/$name.json")
done
