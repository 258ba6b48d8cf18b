#!/usr/bin/env bash
# Disables each check of what a person may see in turn, and shows that the leakage test notices. Nothing in the
# checkout is changed: the compiler is given the changed file in place of the real one.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missed=0

# check NAME FILE FROM TO: FROM stands in FILE exactly once.
check() {
	local name=$1 file=$2 from=$3 to=$4
	FROM=$from TO=$to perl -0pe 'BEGIN { $n = 0 } $n += s/\Q$ENV{FROM}\E/$ENV{TO}/g; END { exit($n == 1 ? 0 : 1) }' "$file" >"$work/changed.go" ||
		{ printf '%-64s %s\n' "$name" "is not in $file any more: mend this script" && missed=1 && return; }
	printf '{"Replace": {"%s": "%s"}}' "$PWD/$file" "$work/changed.go" >"$work/overlay.json"
	if ! go vet -overlay "$work/overlay.json" ./resolvers >"$work/vet" 2>&1; then
		printf '%-64s %s\n' "$name" "does not compile: $(tail -1 "$work/vet")" && missed=1
	elif go test -overlay "$work/overlay.json" -count=1 ./resolvers -run TestWhatIsHiddenMakesNoDifference >"$work/out" 2>&1; then
		printf '%-64s %s\n' "$name" "NOT NOTICED" && missed=1
	else
		printf '%-64s %s\n' "$name" "noticed: $(grep -c '^    --- FAIL' "$work/out" || true) of the people are told more"
	fi
}

check "pages of the read store" internal/pedia/fetch.go 'switch seen, err := q.restrict(); {' 'switch seen, err := true, error(nil); {'
check "totals of the read store" internal/pedia/count.go 'switch seen, err := q.restrict(); {' 'switch seen, err := true, error(nil); {'
check "objects by key" internal/pedia/keys.go 'visibleKeys(q.Scope, keys)' 'keys'
check "lists read together" internal/pedia/groups.go 'if g.restrict(q.Scope) {' 'if true {'
check "kinds that differ in what may be seen" internal/pedia/visible.go 'q.Where = append(slices.Clone(q.Where), v)' '_ = v'
check "namespaces that are the same for all" internal/pedia/visible.go 'q.Where = append([]Condition{Namespaces(where.Names()...)}, rest...)' '_ = rest'
check "namespaces by their names" internal/pedia/visible.go 'q.Where = append(slices.Clone(q.Where), Names(same.where.Names()...))' ''
check "the instance that a reference names" loaders/refs.go 'if !k.scope.Instance(ref.Instance) || ref.GVK' 'if ref.GVK'
check "Works by their names" loaders/refs.go 'ref.GVK == workKind && !k.scope.Sees(ref.Instance, workResource[0].GroupResource()).Has(ref.Namespace)' 'false'
check "the note that an object came with a Work" loaders/resources.go 'return m.Ref.GVK.GroupKind() == o.Ref.GVK.GroupKind() && m.Ref.Namespace == o.Ref.Namespace && m.Ref.Name == o.Ref.Name' 'return true'
check "cluster-wide policies in a diagnosis" loaders/diagnosis.go 'delete(d.policies, instance)' '_ = instance'
check "lists of what is in no namespace" loaders/relations.go 'return where.All()' 'return true'
exit $missed
