#!/usr/bin/env bash
# Makes deadweight-recorder.jar of src/, byte for byte the same each time. Its argument is where the jar goes, without one
# beside this script. It needs a JDK of version 17 or later: 17 and 25 were
# tried, and write the same bytes.
set -euo pipefail
cd "$(dirname "$0")"
jar=$(realpath -m "${1:-deadweight-recorder.jar}")
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
# The language of Java 8, which every JVM in use runs. Its compiler is deprecated in new ones, which they say each time.
javac --release 8 -Xlint:all,-options -Werror -g:none -d "$made/stubs" stubs/sun/misc/*.java
javac --release 8 -Xlint:all,-options -Werror -g:none -cp "$made/stubs" -d "$made/classes" src/deadweight/recorder/*.java
rm -f "$jar"
# One order of the files, one date, and no line on who made it.
cd "$made/classes"
mkdir META-INF
printf 'Manifest-Version: 1.0\r\nPremain-Class: deadweight.recorder.Agent\r\n\r\n' > META-INF/MANIFEST.MF
find META-INF deadweight -type f | LC_ALL=C sort > "$made/list"
jar --create --file "$jar" --no-compress --no-manifest --date 2000-01-01T00:00:00Z @"$made/list"
