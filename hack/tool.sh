#!/bin/sh
# Runs a development tool at the version pinned in hack/tools/NAME/go.mod. It is
# built once, into the cache that the playground uses too.
# usage: hack/tool.sh NAME [ARGUMENT...]
#        hack/tool.sh --path NAME    build it if need be, print where it is
set -eu

print=
if [ "${1:-}" = --path ]; then
	print=yes
	shift
fi
here=$(cd "$(dirname "$0")" && pwd)
name=${1:-}
case $name in
'' | */* | .*) tools=$(cd "$here/tools" && echo *); echo "usage: hack/tool.sh [--path] NAME [ARGUMENT...], where NAME is one of: $tools" >&2; exit 2 ;;
esac
shift
module=$here/tools/$name
if [ ! -f "$module/go.mod" ]; then
	tools=$(cd "$here/tools" && echo *)
	echo "hack/tool.sh: there is no tool \"$name\"; there are: $tools" >&2
	exit 2
fi
if ! command -v go >/dev/null; then
	echo "hack/tool.sh: go is not on PATH: install Go 1.26 or later from https://go.dev/dl" >&2
	exit 1
fi

# As for the components: the caller's build settings do not change what is built.
in_module() (
	cd "$module"
	unset GOOS GOARCH GOEXPERIMENT
	GOFLAGS=-mod=readonly GOWORK=off CGO_ENABLED=0 go "$@"
)
key=$({ in_module env GOVERSION GOOS GOARCH; cat "$module/go.mod" "$module/go.sum"; } | cksum | tr ' ' -)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kairship/tools
binary=$cache/$name-$key/$name
if [ ! -x "$binary" ]; then
	echo "hack/tool.sh: building $name (once per version)" >&2
	mkdir -p "$cache/$name-$key"
	package=$(in_module list tool)
	# Renamed when whole, so that a killed build leaves nothing that looks built.
	in_module build -trimpath -buildvcs=false -ldflags='-s -w' -o "$binary.$$" "$package"
	mv "$binary.$$" "$binary"
fi
if [ -n "$print" ]; then
	echo "$binary"
	exit 0
fi
exec "$binary" "$@"
