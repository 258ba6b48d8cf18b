#!/bin/sh
# Looks for known vulnerabilities in what Kairship calls of its dependencies and of Go. Those that
# docs/supply-chain.md explains are named, and are no failure.
# usage: hack/vuln.sh [DATABASE]
# where DATABASE is a URL, by default that of the Go project; file:///FOLDER needs no network.
set -eu
cd "$(dirname "$0")/.."

explanations=docs/supply-chain.md
report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
hack/tool.sh govulncheck ${1:+-db="$1"} ./... >"$report" || status=$?
case $status in
0 | 3) ;; # 3: something was found
*)
	echo "hack/vuln.sh: govulncheck did not get through; without a network, give it a copy of the database ($explanations)" >&2
	exit 1
	;;
esac

unexplained=
for id in $(sed -n 's/^Vulnerability #[0-9]*: \(GO-[0-9-]*\)$/\1/p' "$report"); do
	if grep -q "^| $id |" "$explanations"; then
		echo "$id is explained in $explanations"
	else
		unexplained="$unexplained $id"
	fi
done
if [ -n "$unexplained" ]; then
	cat "$report"
	echo "hack/vuln.sh: neither fixed nor explained in $explanations:$unexplained" >&2
	exit 1
fi
echo "no other known vulnerability is called"
