# Sourced by tests that play a page in chromium: sets `python`, which has selenium, and exports the browser and its
# driver. If one is missing, it says so, and the test passes.
#
#   source tests/tools/chromium.sh TARGET DEPENDENCIES     as make calls them, such as check-browser deps-browser

find_program() {
    for name in "$@"; do command -v "$name" && return; done
    return 1
}

python=$(for python in /usr/bin/python3 python3; do
    "$python" -c 'import selenium' 2> /dev/null && echo "$python" && break; done || true)
if [ -z "$python" ] || ! KIN_PAGE_CHROMIUM=$(find_program chromium chromium-browser google-chrome) ||
    ! KIN_PAGE_DRIVER=$(find_program chromedriver); then
    echo "$1 is skipped: chromium, chromium-driver or python3-selenium is missing. Run: make $2"
    exit 0
fi
export KIN_PAGE_CHROMIUM KIN_PAGE_DRIVER PYTHONDONTWRITEBYTECODE=1
