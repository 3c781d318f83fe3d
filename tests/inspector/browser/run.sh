#!/usr/bin/env bash
# Plays the tests of the inspector's page in chromium. Without chromium, its driver or selenium it says so, and passes.
#
#   tests/inspector/browser/run.sh BUILD [TEST...]     a test such as test_query or test_edit.Edit.test_…
set -euo pipefail
readonly build=$(realpath "$1") here=$(realpath "$(dirname "$0")")
shift

source "$here/../../tools/chromium.sh" check-inspect-page deps-inspect

export KIN_PAGE_GAME=$build/inspector-page/skirmish
export KIN_PAGE_GAMES=$build/inspector-page
export KIN_PAGE_PICTURES=$build/inspector-page/pictures
mkdir -p "$KIN_PAGE_PICTURES"
cd "$here"
if [ $# -eq 0 ]; then
    exec "$python" -W ignore::ResourceWarning -m unittest discover -p 'test_*.py'
fi
exec "$python" -W ignore::ResourceWarning -m unittest "$@"
