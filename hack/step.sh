#!/usr/bin/env bash
# Runs a command that may take minutes and says how far it is, in plain lines: after 2 s, then every 15 s, and at
# its end. One that has nothing to do says nothing. What the command prints goes to standard error, but for what the go
# command fetches and, with -v, compiles, which is counted; a command that fails has said why.
# usage: hack/step.sh TITLE COMMAND [ARGUMENT...]
set -uo pipefail

if [ $# -lt 2 ]; then
	echo "usage: $0 TITLE COMMAND [ARGUMENT...]" >&2
	exit 2
fi
title=$1
shift
first=${STEP_FIRST:-2}
every=${STEP_EVERY:-15}
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT

# count passes lines on, but for those that it counts: one character each in the file.
count() {
	local line
	while IFS= read -r line || [ -n "$line" ]; do
		case $line in
		'go: downloading '*) printf d >>"$counts" ;;
		'' | *[!A-Za-z0-9./_~-]*) printf '%s\n' "$line" ;;
		*/* | [a-z]*) [ -n "$compiles" ] && printf c >>"$counts" || printf '%s\n' "$line" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done
}
compiles=
[ "${1##*/} ${2:-}" = 'go build' ] && compiles=yes

took() {
	local s=$((SECONDS - began))
	if [ $s -lt 60 ]; then echo "$s s"; else echo "$((s / 60)) min $((s % 60)) s"; fi
}
so_far() {
	local d c said=
	d=$(tr -cd d <"$counts" | wc -c) c=$(tr -cd c <"$counts" | wc -c)
	[ "$d" -gt 0 ] && said+="$((d)) modules downloaded, "
	[ "$c" -gt 0 ] && said+="$((c)) packages compiled, "
	echo "$said$(took)"
}

began=$SECONDS
("$@" 2>&1 | count >&2) &
command=$!
trap 'kill "$command" 2>/dev/null; exit 130' INT TERM
next=$first
said=
while kill -0 "$command" 2>/dev/null; do
	if [ $((SECONDS - began)) -ge "$next" ]; then
		echo "$title: $(so_far)" >&2
		said=yes
		next=$((SECONDS - began + every))
	fi
	sleep 0.2
done
wait "$command"
status=$?
if [ $status -ne 0 ]; then
	echo "$title: failed after $(so_far)" >&2
elif [ -n "$said" ]; then
	echo "$title: done, $(so_far)" >&2
fi
exit $status
