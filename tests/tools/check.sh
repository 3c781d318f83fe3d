#!/usr/bin/env bash
# Runs groups of suites at once, each in a process of its own, and prints the sum of their totals.
#
#   tests/tools/check.sh PROGRAM GROUP...     GROUP: suites as PROGRAM takes them, in one word: '-sweep'; words such as
#                                             NAME=value among them are variables of its environment
#
# BUILD is the folder for the logs. The output of the first group is shown as it comes, that of the others at the end.
# NOTE, if it is set, is printed before the totals.
set -uo pipefail
# A limit ends what hangs; no test is late on a slow or busy machine.
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-60} CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-10}
program=$1
shift
logs=() processes=()
trap 'kill "${processes[@]}" 2> /dev/null' EXIT
# Runs a group in a shell of its own, which the program replaces.
run() {
    local word variables=() suites=()
    for word in $1; do
        case $word in *=*) variables+=("$word") ;; *) suites+=("$word") ;; esac
    done
    exec env "${variables[@]}" "$program" "${suites[@]}"
}
for group in "${@:2}"; do
    logs+=("$BUILD/tests/group-$((${#logs[@]} + 2)).log")
    run "$group" > "${logs[-1]}" 2>&1 &
    processes+=($!)
done
run "$1" | tee "$BUILD/tests/group-1.log"
status=$?
for process in "${processes[@]}"; do wait "$process" || status=$?; done
cat "${logs[@]}"
[ -z "${NOTE-}" ] || echo "$NOTE"
for log in "$BUILD/tests/group-1.log" "${logs[@]}"; do
    grep -E '^[0-9]+%: Checks: ' "$log" | tail -n 1
done | awk -F '[^0-9]+' '
    { checks += $2; failures += $3; errors += $4 }
    END {
        percent = checks > 0 ? int(100 * (checks - failures - errors) / checks) : 100
        printf "%d%%: Checks: %d, Failures: %d, Errors: %d\n", percent, checks, failures, errors
    }'
exit "$status"
