#!/usr/bin/env bash
# Runs programs that are built with the thread sanitizer, and fails if it reports anything.
#
#   tests/tools/threads.sh EXAMPLE SUITES...     the example prints the same hash for each number of threads
set -euo pipefail

# The sanitizer of gcc 12 needs addresses that are not too random.
run() {
    local output
    if output=$("$@" 2>&1); then
        printf '%s\n' "$output"
    elif grep -q 'unexpected memory mapping' <<< "$output"; then
        setarch -R "$@"
    else
        printf '%s\n' "$output" >&2
        return 1
    fi
}

export CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-5}
for suites in "${@:2}"; do
    run "$suites"
done
hashes=$(for threads in 1 2 4 16; do run "$1" "$threads"; done)
printf '%s\n' "$hashes"
[[ $(printf '%s\n' "$hashes" | sed 's/.*: //' | sort -u | wc -l) -eq 1 ]] || { echo 'the hashes differ' >&2; exit 1; }
