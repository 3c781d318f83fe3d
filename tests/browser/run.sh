#!/usr/bin/env bash
# Plays the pages of `make browser`, and the program of docs/browser.md, in chromium. Without chromium, its driver or
# selenium it says so, and passes.
#
#   tests/browser/run.sh BUILD [TEST...]     a test such as test_pages.Arena.test_…; KIN and EMCC name the programs
set -euo pipefail
readonly build=$(realpath "$1") here=$(realpath "$(dirname "$0")")
shift

source "$here/../tools/chromium.sh" check-browser deps-browser

export KIN_PAGES=$build/browser KIN_PAGE_PICTURES=$build/browser/pictures KIN_AMALGAMATION=$build/amalgamation/kin
export NODE_PATH=${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs
mkdir -p "$KIN_PAGE_PICTURES"
cd "$here"
if [ $# -eq 0 ]; then
    exec "$python" -W ignore::ResourceWarning -m unittest discover -p 'test_*.py'
fi
exec "$python" -W ignore::ResourceWarning -m unittest "$@"
