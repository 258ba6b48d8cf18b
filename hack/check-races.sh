#!/usr/bin/env bash
# Fails when a data race was reported by Kairship's own processes of a fleet: usage: hack/check-races.sh STATE-FOLDER
# What was reported is shown once, and taken out of the logs: the next run is to be judged by itself.
set -euo pipefail
shopt -s nullglob
found=0
for log in "${1:?usage: hack/check-races.sh STATE-FOLDER}"/logs/kairship-*.log*; do
	if grep -q 'WARNING: DATA RACE' "$log"; then
		found=1
		echo "data races of $(basename "$log"):" >&2
		awk '/^==================$/ { inside = !inside; if (inside) next; print "" } inside' "$log" | head -n 300 >&2
		: >"$log"
	fi
done
exit "$found"
