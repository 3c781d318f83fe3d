#!/usr/bin/env bash
# Plays the tests of the inspector's page in chromium. Without chromium, its driver or selenium it says so, and passes.
#
#   tests/inspector/browser/run.sh BUILD [TEST...]     a test such as test_query or test_edit.Edit.test_…
set -euo pipefail
readonly build=$(realpath "$1") here=$(realpath "$(dirname "$0")")
shift

find_program() {
    for name in "$@"; do command -v "$name" && return; done
    return 1
}

python=$(for python in /usr/bin/python3 python3; do
    "$python" -c 'import selenium' 2> /dev/null && echo "$python" && break; done || true)
if [ -z "$python" ] || ! KIN_PAGE_CHROMIUM=$(find_program chromium chromium-browser google-chrome) ||
    ! KIN_PAGE_DRIVER=$(find_program chromedriver); then
    echo 'check-inspect-page is skipped: chromium, chromium-driver or python3-selenium is missing. Run: make deps-inspect'
    exit 0
fi

export KIN_PAGE_CHROMIUM KIN_PAGE_DRIVER KIN_PAGE_GAME=$build/inspector-page/skirmish
export KIN_PAGE_GAMES=$build/inspector-page
export KIN_PAGE_PICTURES=$build/inspector-page/pictures PYTHONDONTWRITEBYTECODE=1
mkdir -p "$KIN_PAGE_PICTURES"
cd "$here"
if [ $# -eq 0 ]; then
    exec "$python" -W ignore::ResourceWarning -m unittest discover -p 'test_*.py'
fi
exec "$python" -W ignore::ResourceWarning -m unittest "$@"
