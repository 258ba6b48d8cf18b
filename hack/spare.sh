#!/usr/bin/env bash
# Runs a command on what nothing else needs of the processors. Linux divides them among sessions before it looks who is
# nice within one, so the command has a session of its own there, which is nice as a whole.
# usage: hack/spare.sh COMMAND [ARGUMENT...]
set -uo pipefail

if [ $# -eq 0 ]; then
	echo "usage: $0 COMMAND [ARGUMENT...]" >&2
	exit 2
fi
[ -w /proc/self/autogroup ] && command -v setsid >/dev/null || exec nice -n 19 "$@"
setsid bash -c 'echo 19 >/proc/self/autogroup; exec nice -n 19 "$@"' "$0" "$@" &
command=$!
trap 'kill -- "-$command" 2>/dev/null; exit 130' INT TERM HUP
wait "$command"
