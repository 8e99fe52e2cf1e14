#!/bin/sh
# make.sh DEADWEIGHT: writes version-2.json beside itself. Needs Node.js, Ruby and jq.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
deadweight=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
cp "$here/people.js" "$here/lines.rb" .
"$deadweight" --quiet run --dir node -- node people.js
"$deadweight" --quiet run --churn --dir ruby -- ruby lines.rb
"$deadweight" weigh --format json --retained --paths --output held.json node/*.deadweight
"$deadweight" weigh --format json --output made.json ruby/*.deadweight
jq --slurpfile made made.json '.churned = $made[0].churned
  | .source.path = (.source.path | split("/") | last)' held.json > "$here/version-2.json"
