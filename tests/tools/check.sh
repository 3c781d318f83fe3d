#!/usr/bin/env bash
# Runs all suites in two processes, the memory sweep beside the others, and prints the sum of their totals.
#
#   tests/tools/check.sh PROGRAM
#
# BUILD is the folder for the logs. The output of the sweep follows that of the other suites.
set -uo pipefail
export CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-3} # for slow machines
logs=("$BUILD/tests/suites.log" "$BUILD/tests/sweep.log")
"$1" sweep > "${logs[1]}" 2>&1 &
sweep=$!
trap 'kill $sweep 2> /dev/null' EXIT
"$1" -sweep | tee "${logs[0]}"
status=$?
wait $sweep || status=$?
cat "${logs[1]}"
for log in "${logs[@]}"; do grep -E '^[0-9]+%: Checks: ' "$log" | tail -n 1; done | awk -F '[^0-9]+' '
    { checks += $2; failures += $3; errors += $4 }
    END {
        percent = checks > 0 ? int(100 * (checks - failures - errors) / checks) : 100
        printf "%d%%: Checks: %d, Failures: %d, Errors: %d\n", percent, checks, failures, errors
    }'
exit "$status"
