#!/usr/bin/env bash
# Runs groups of suites side by side, and prints the sum of their totals.
#
#   tests/tools/check.sh PROGRAM GROUP...     GROUP: suites as PROGRAM takes them, in one word: '-sweep'. Words such as
#                                             NAME=value among them are variables of its environment. A group runs in
#                                             one process; with `each` as its first word, each suite in one of its own
#
# With CK_FORK=no among its words the tests of a group share its process, which is faster. If one fails, the group
# runs once more with a process for each test, which shows all that fail, and has failed whatever comes of that.
#
# BUILD is the folder for the logs. The output of a group is shown when it ends. Before the totals are all failures once
# more, and NOTE, if it is set.
set -uo pipefail
# A limit ends what hangs; no test is late on a slow or busy machine.
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-60} CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-10}
program=$1
shift
# Fills `variables` and `suites` with the words of a group.
split() {
    local word
    variables=() suites=()
    for word in $1; do
        case $word in *=*) variables+=("$word") ;; *) suites+=("$word") ;; esac
    done
}
groups=()
for group in "$@"; do
    [[ $group == 'each '* ]] || { groups+=("$group"); continue; }
    split "${group#each }"
    names=$("$program" --list "${suites[@]}") || exit
    for name in $names; do groups+=("${variables[*]} $name"); done
done

readonly most=$(($(nproc) + 1)) # as many suites mostly wait
declare -A running=() # process: number of its group
trap 'kill "${!running[@]}" 2> /dev/null' EXIT
# Runs a group in a shell of its own.
run() {
    split "$1"
    if [[ " ${variables[*]} " == *' CK_FORK=no '* ]]; then
        env "${variables[@]}" "$program" "${suites[@]}" && exit
        echo "Once more, with a process for each test:"
        env "${variables[@]}" CK_FORK=yes "$program" "${suites[@]}" &&
            echo "${suites[*]}:0:F: the tests fail in one process, and pass in one each"
        exit 1
    fi
    exec env "${variables[@]}" "$program" "${suites[@]}"
}
status=0
# Waits for a group and shows what it has written, but for totals without failures.
show_next() {
    local process
    wait -n -p process || status=$?
    sed 's/^Running suite(s)://; /^100%: Checks: /d' "$BUILD/tests/group-${running[$process]}.log"
    unset "running[$process]"
}
for number in "${!groups[@]}"; do
    [ "${#running[@]}" -lt "$most" ] || show_next
    run "${groups[number]}" > "$BUILD/tests/group-$number.log" 2>&1 &
    running[$!]=$number
done
while [ "${#running[@]}" -gt 0 ]; do show_next; done
logs=("${!groups[@]}")
logs=("${logs[@]/#/"$BUILD/tests/group-"}")
logs=("${logs[@]/%/.log}")
[ "$status" = 0 ] || grep -hE '^[^ :]+:[0-9]+:[FE]:' "${logs[@]}"
[ -z "${NOTE-}" ] || echo "$NOTE"
for log in "${logs[@]}"; do
    grep -E '^[0-9]+%: Checks: ' "$log" | tail -n 1
done | awk -F '[^0-9]+' '
    { checks += $2; failures += $3; errors += $4 }
    END {
        percent = checks > 0 ? int(100 * (checks - failures - errors) / checks) : 100
        printf "%d%%: Checks: %d, Failures: %d, Errors: %d\n", percent, checks, failures, errors
    }'
exit "$status"
