#!/usr/bin/env bash
# Applies the faults of tests/mutants to the libraries, one at a time, and runs the suites that have tests of the rule
# that the fault breaks. If these do not detect it, all suites of the libraries must, or 50,000 operations against the
# model of the rules. Fails if more than two are not detected, or if one cannot be made or does not compile.
#
#   tests/tools/mutants.sh FOLDER [NAME...]     without names: all of them (tests/tools/mutate.py)
#
# FOLDER gets the copies of the sources, one for each processor, and for each fault a file with the failed tests.
# COMPILER is the compiler.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKEOVERRIDES MAKELEVEL # a make that runs this script has another build folder
readonly sources=(Makefile *.mk bench content docs enet examples generator inspector nats net packaging pool runtime save schemas templates tests)
readonly operations=50000 allowed=2
readonly flags='-O1 -g -Wno-misleading-indentation' # a fault that takes out a line leaves the next one indented
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
exec 9> "$folder/lock"
flock -n 9 || { echo "mutants: another run uses $folder"; exit 1; }
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(tests/tools/mutate.py list)

# ---- the copies

# Makes a copy equal to the sources. A file that differs gets a new time, so that it is compiled again.
refresh() {
    local file
    while read -r file; do
        cmp -s "$file" "$1/$file" || { mkdir -p "$1/$(dirname "$file")" && cp "$file" "$1/$file"; }
    done < <(find "${sources[@]}" -type f)
    while read -r file; do
        [ -e "$file" ] || rm "$1/$file"
    done < <(cd "$1" && find "${sources[@]}" -type f)
}

# The same for some files.
restore() {
    local file
    for file in "${@:2}"; do
        cp "$file" "$1/$file"
    done
}

compile() {
    make -C "$1" -s BUILD=build CC="${COMPILER:-cc}" CFLAGS="$flags" "${@:2}" build/tests/check \
        build/lib/libkin.a build/lib/libkin-content.a # which the programs of random schemas are linked with
}

# The first copy is compiled, the others are copies of it.
prepare() {
    local tree
    for tree in "${trees[@]}"; do
        [ -d "$tree" ] || [ "$tree" = "${trees[0]}" ] || cp -a "${trees[0]}" "$tree"
        mkdir -p "$tree"
        refresh "$tree"
        compile "$tree" -j "${#trees[@]}" > "$folder/compile.log" 2>&1 && continue
        cat "$folder/compile.log"
        echo "mutants: the sources do not compile without a fault"
        return 1
    done
}

# ---- the tests

# Runs suites in a copy and prints the names of those tests that failed, each once.
failures() {
    local tree=$1 status=0
    rm -f "$tree/build/log.tap"
    (cd "$tree" && CK_TAP_LOG_FILE_NAME=build/log.tap KIN=build/bin/kin BUILD=build COMPILER="${COMPILER:-cc}" \
        FLAGS="$flags" KIN_MODEL_OPERATIONS=$operations KIN_MODEL_HERE=1 \
        timeout -k 5 "$seconds" build/tests/check "${@:2}") > "$tree/build/output" 2>&1 || status=$?
    # not ok 12 - tests/runtime/entity/test_entity.c:rules:ent_01_a_name: what went wrong
    sed -n 's/^not ok [^:]*:[^:]*:\([a-z0-9_]*\).*/\1/p' "$tree/build/log.tap" 2> /dev/null | sort -u
    [ "$status" -lt 2 ] || echo "(ended with status $status, 124 being out of time)"
}

all_failures() {
    failures "$1" runtime_ -runtime_model net_ save_ pool content_
    failures "$1" runtime_model
}

# Prints the suites that have tests of a rule.
suites_of() {
    local id=${1,,}
    grep -rlE "^START_TEST\\(([a-z]{3}_[0-9]{2}_)*${id/-/_}_" tests/runtime tests/net tests/save tests/pool tests/content |
        xargs -r sed -nE 's/.*suite_create\("([a-z0-9_]+)"\).*/\1/p' | sort -u
}

# Prints the failures of the suites that have tests of the rule, or of all if no test of the rule fails.
failures_by_rule() {
    local tree=$1 rule=$2 suites found=
    suites=$(suites_of "$rule")
    # shellcheck disable=SC2086
    [ -z "$suites" ] || found=$(failures "$tree" $suites)
    if of_rule "$rule" <<< "$found" | grep -q .; then
        echo "$found"
    else
        all_failures "$tree"
    fi
}

# ---- one fault

# Filters the names on standard input: prints those of tests of the rule. A name may begin with several ids.
of_rule() {
    local id=${1,,}
    grep -E "^([a-z]{3}_[0-9]{2}_)*${id/-/_}_" || true
}

# Prints the result of a fault in a line: first the verdict, at the end two of the tests that detected it.
report() {
    local name=$1 rule=$2 noticed=$3 all own
    all=$(wc -l < "$noticed")
    own=$(of_rule "$rule" < "$noticed" | wc -l)
    if [ "$all" = 0 ]; then
        echo "UNNOTICED $name, which breaks $rule"
    elif [ "$own" -gt 0 ]; then
        echo "noticed   $name by $all, $own of them of $rule: $(of_rule "$rule" < "$noticed" | head -n 2 | paste -sd ' ')"
    else
        echo "noticed-  $name by $all, none of them of $rule: $(head -n 2 "$noticed" | paste -sd ' ')"
    fi
}

try() {
    local tree=$1 name=$2 rule files noticed
    rule=$(tests/tools/mutate.py rule "$name")
    noticed=$folder/$name.noticed
    if ! files=$(tests/tools/mutate.py make "$name" "$tree"); then
        echo "FAULTY    $name cannot be made: describe the same fault in the current sources"
    elif ! compile "$tree" > "$folder/$name.log" 2>&1; then
        echo "FAULTY    $name does not compile: see $folder/$name.log"
    else
        failures_by_rule "$tree" "$rule" > "$noticed"
        report "$name" "$rule" "$noticed"
    fi
    # shellcheck disable=SC2086
    restore "$tree" $files
}

# Tries the faults that no other process has taken.
try_next() {
    local tree=$1 name
    for name in "${names[@]}"; do
        if mkdir "$folder/taken/$name" 2> /dev/null; then
            try "$tree" "$name"
        fi
    done
}

# ---- all of them

try_all() {
    local tree
    rm -rf "$folder/taken"
    mkdir "$folder/taken"
    trap 'exit 130' INT TERM
    trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
    for tree in "${trees[@]}"; do
        try_next "$tree" &
    done
    wait
}

sum_up() {
    awk -v allowed="$allowed" -v total="${#names[@]}" '
        { count[$1]++ }
        END {
            noticed = count["noticed"] + count["noticed-"]
            printf "%d of %d noticed, %d of them by a test of their rule; %d faulty\n",
                noticed, total, count["noticed"], count["FAULTY"]
            exit count["FAULTY"] > 0 || noticed < total - allowed
        }'
}

trees=()
for ((number = 0; number < $(nproc); number++)); do
    trees+=("$folder/copy-$number")
done
rm -f "$folder"/*.noticed "$folder"/*.log
prepare
seconds=600 SECONDS=0
sound=$(all_failures "${trees[0]}")
seconds=$((60 + 3 * SECONDS)) # how long a run may take, from that of the sources without a fault
if [ -n "$sound" ]; then
    echo "mutants: these fail without any fault: ${sound//$'\n'/, }"
    exit 1
fi
try_all | tee "$folder/results"
sum_up < "$folder/results"
