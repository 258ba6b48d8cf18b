#!/usr/bin/env bash
# Lists what still mentions an instance in the playground: processes, keys in etcd, and objects of the
# host cluster. Exits with 1 when there is anything, with 2 when it cannot tell.
set -euo pipefail

if [ $# -ne 1 ] || [[ ! $1 =~ ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$ ]]; then
	echo "usage: $0 INSTANCE" >&2
	exit 2
fi
instance=$1
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"

cannot() {
	echo "leftovers: $*" >&2
	exit 2
}

[ -x bin/playground ] || cannot "bin/playground is missing: run 'make build'"
kubeconfig=$(bin/playground kubeconfig host) || cannot "the playground is not up"
tools=$(bin/playground components kubectl) || cannot "kubectl is not built"
PATH="$tools:$PATH"
host() { kubectl --kubeconfig "$kubeconfig" --request-timeout=20s "$@"; }
host get --raw /readyz >/dev/null || cannot "the host cluster does not answer"

found=0
# report KIND prints what it reads, and remembers that there was something.
report() {
	local line
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		echo "$1: $line"
		found=1
	done
}

# Processes of its control plane: its name is in their arguments, their folder or their pod's name.
processes() {
	local proc args folder pod
	for proc in /proc/[0-9]*; do
		[ "${proc#/proc/}" != "$$" ] || continue
		args=$(tr '\0' ' ' <"$proc/cmdline" 2>/dev/null || true)
		folder=$(readlink "$proc/cwd" 2>/dev/null || true)
		pod=$({ tr '\0' '\n' <"$proc/environ" | grep -m 1 '^HOSTNAME='; } 2>/dev/null || true)
		case "$args" in *leftovers.sh*) continue ;; esac
		if [[ "$args $folder $pod" =~ (kairship-$instance([/_. ]|$)|/kairship/$instance-[0-9a-f]{8}|[/_=]$instance-karmada-) ]]; then
			echo "${proc#/proc/} ${args:0:160}"
		fi
	done
}
report process < <(processes)

# Keys in the etcd that managed instances share, by its JSON gateway.
etcd=${KAIRSHIP_ETCD:-}
if [ -z "$etcd" ]; then
	pid=$(pgrep -f "kube-apiserver .*--etcd-prefix=[^ ]*host" | head -n 1 || true)
	[ -n "$pid" ] || pid=$(pgrep -f 'kube-apiserver .*--etcd-servers=' | head -n 1 || true)
	[ -z "$pid" ] || etcd=$(tr '\0' '\n' <"/proc/$pid/cmdline" | sed -n 's/^--etcd-servers=//p' | cut -d, -f1)
fi
[ -n "$etcd" ] || cannot "the etcd is not found: set KAIRSHIP_ETCD to its address"
# The end of a range is its prefix with the last character one higher: '-' becomes '.'.
range=$(printf '{"key":"%s","range_end":"%s","keys_only":true,"limit":20}' \
	"$(printf '/kairship/%s-' "$instance" | base64 -w0)" "$(printf '/kairship/%s.' "$instance" | base64 -w0)")
keys=$(curl -fsS --max-time 20 "$etcd/v3/kv/range" -d "$range") || cannot "etcd at $etcd does not answer"
# A longer name begins with the same prefix: what follows must be the eight digits of an identity.
report "etcd key" < <(grep -o '"key":"[^"]*"' <<<"$keys" | cut -d'"' -f4 | while IFS= read -r key; do base64 -d <<<"$key"; echo; done |
	grep -E "^/kairship/$instance-[0-9a-f]{8}(-aggregated)?/" || true)

named='{range .items[*]}{.kind}{" "}{.metadata.namespace}{"/"}{.metadata.name}{"\n"}{end}'
# objects RESOURCE prints those that are labelled for the instance. A kind that is not served has none.
objects() { host get "$1" -A -l "kairship.io/instance=$instance" -o jsonpath="$named" 2>/dev/null || true; }

report object < <(host get instances.kairship.io "$instance" --ignore-not-found -o name)
for resource in namespaces secrets configmaps serviceaccounts clusterroles clusterrolebindings roles rolebindings \
	karmadas.operator.karmada.io globalresources.kairship.io pediaclusters.cluster.clusterpedia.io; do
	report object < <(objects "$resource")
done
# What is named after it rather than labelled.
report object < <(host get namespace "kairship-$instance" --ignore-not-found -o name)
report object < <(host get secrets,deployments,statefulsets,services,pods,persistentvolumeclaims -A -o jsonpath="$named" |
	grep -E "/($instance-karmada-|$instance-kubeconfig$|kairship\.$instance$)" || true)
report object < <(host get karmadas.operator.karmada.io -A -o jsonpath="$named" 2>/dev/null | grep -E "/$instance$" || true)
report object < <(host get pediaclusters.cluster.clusterpedia.io -o jsonpath="$named" 2>/dev/null | grep -E "/kairship\.$instance(\.|$)" || true)
report object < <(host get accessbindings.kairship.io -o jsonpath='{range .items[*]}{.kind}{" "}{.metadata.name}{" "}{.spec.scope.instance}{" "}{.status.instances[*].name}{"\n"}{end}' 2>/dev/null |
	grep -E " $instance( |$)" || true)

if [ "$found" -eq 0 ]; then
	echo "nothing mentions $instance"
fi
exit "$found"
