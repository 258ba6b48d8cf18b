#!/usr/bin/env bash
# Runs two commands at the same time and fails when either does. The first one waits more than it works, or has time: it
# takes what the second leaves of the processors, and what it prints is shown when both have ended.
# usage: hack/beside.sh TITLE COMMAND [ARGUMENT...] -- COMMAND [ARGUMENT...]
set -uo pipefail

title=${1:-}
shift
first=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	first+=("$1")
	shift
done
if [ -z "$title" ] || [ ${#first[@]} -eq 0 ] || [ $# -lt 2 ]; then
	echo "usage: $0 TITLE COMMAND [ARGUMENT...] -- COMMAND [ARGUMENT...]" >&2
	exit 2
fi
shift

said=$(mktemp)
trap 'rm -f "$said"' EXIT
set -m # a process group of its own, that all of it can be ended
nice -n 3 "${first[@]}" >"$said" 2>&1 &
beside=$!
set +m
trap 'kill -- "-$beside" 2>/dev/null; exit 130' INT TERM HUP

"$@"
status=$?
kill -0 "$beside" 2>/dev/null && echo "$title: still under way" >&2
wait "$beside"
besides=$?
echo "$title:"
cat "$said"
[ $status -eq 0 ] && exit $besides
exit $status
