#!/usr/bin/env bash
# Makes all generated code anew and fails when that changed anything: what is committed must be what the
# sources make.
set -euo pipefail
cd "$(dirname "$0")/.."

sums() {
	find graph resolvers api docs/schema web/src/graph/generated -type f -print0 | sort -z | xargs -0 cksum
}

before=$(sums)
make --silent generate
if ! changed=$(diff <(echo "$before") <(sums)); then
	echo "generated code was out of date; it has been made anew, look at it and commit it:" >&2
	echo "$changed" | awk '/^[<>]/ {print "  " $4}' | sort -u >&2
	exit 1
fi
