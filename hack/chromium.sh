#!/usr/bin/env bash
# Prints the path of a Chromium or Chrome; installs Debian's where there is none and that is possible.
set -euo pipefail

find_browser() {
	local candidate
	for candidate in "${KAIRSHIP_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
		"/Applications/Chromium.app/Contents/MacOS/Chromium"; do
		if [ -n "$candidate" ] && command -v "$candidate"; then
			return 0
		fi
	done
	return 1
}

if find_browser; then
	exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "installing Chromium" >&2
	{
		apt-get update -qq
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk
	} >&2
	find_browser && exit 0
fi
echo "the pages are tested in Chromium and none was found: install chromium or Google Chrome, or set KAIRSHIP_CHROMIUM to its path" >&2
exit 1
