#!/usr/bin/env bash
# Tests Kin on each target of portability.mk with its tools installed, one after the other, and prints for each the
# result or why it was skipped. Fails if one failed.
#
#   BUILD=… MAKE=… NOT_HERE=… tests/portability/check.sh 'NAME|NEEDS|CC|LINK|SUFFIX|RUN|SHARED|WHOLE' …
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
passed=0 skipped=0 failed=0

# Whether a minimal program can be built and run.
try_smallest() {
    printf '#include <stdio.h>\nint main(void) { return puts("hello") < 0; }\n' > "$folder/smallest.c"
    $compiler "$folder/smallest.c" $link -o "$folder/smallest$suffix" && $run "$folder/smallest$suffix" | grep -q '^hello'
}

# The reason why not. A compiler may also lack its library.
explain_missing() {
    local need programs='' packages=''
    for need in $needs; do
        packages+=" ${need#*=}"
        command -v "${need%%=*}" > /dev/null || programs+=" ${need%%=*}"
    done
    local reason="there is no$programs"
    [ -n "$programs" ] || reason="$compiler makes no program that runs here, see $folder/log"
    echo "$reason. On Debian 12: apt-get install${packages//,/ }"
}

build() {
    case " ${MAKEFLAGS:-}" in
    *jobserver* | *' -j'*) $MAKE --no-print-directory "$@" ;;
    *) $MAKE --no-print-directory -j"$(nproc)" "$@" ;;
    esac
}

# All of Kin, with Check, except suites that mostly run other programs.
test_whole() {
    build BUILD="$whole" CC="$compiler" CFLAGS='-O1 -g' whole &&
        KIN=$whole/bin/kin BUILD=$whole COMPILER=$compiler FLAGS=-O1 KIN_MODEL_OPERATIONS=50000 \
            "$whole/tests/check" $NOT_HERE &&
        cmp "$whole/portability/answers.txt" "$BUILD/portability/answers.txt"
}

# Whether a program prints the content of a file.
prints() {
    local expected=$1 program=$2
    shift 2
    $run "$folder/$program$suffix" "$@" > "$folder/$program.txt" && cmp "$folder/$program.txt" "$expected"
}

# The saves of tests/saves as the program saves prints them.
expected_saves() {
    local save
    for save in tests/saves/1/*.kin; do
        basename "$save" .kin
        cat "${save%.kin}.hash"
        od -An -v -tx1 "$save" | tr -d ' \n'
        echo
    done > "$folder/saves.expected"
}

test_portable() {
    build PORTABLE="$name" portable &&
        (cd "$folder" && timeout 1800 $run "./check$suffix") &&
        prints "$BUILD/portability/answers.txt" answers &&
        expected_saves && prints "$folder/saves.expected" saves &&
        prints tests/golden/arena.txt arena 1 &&
        prints tests/golden/arena.txt one_file 1 &&
        { [ -z "$shared" ] || tests/tools/lint_symbols.sh "$folder/$shared"; } &&
        prints tests/golden/match_one.txt match_one --demo &&
        prints tests/golden/examples/entitas.txt entitas &&
        prints tests/golden/examples/grid.txt grid &&
        prints tests/golden/examples/mask.txt mask &&
        prints tests/golden/examples/messages.txt messages &&
        prints tests/golden/examples/worlds.txt worlds &&
        prints tests/golden/examples/robots.txt robots &&
        prints tests/golden/examples/town.txt town &&
        $run "$folder/flock$suffix" --ticks 3
}

say() { printf '  %-9s %s\n' "$name" "$1"; }

try_target() {
    local name needs compiler link suffix run shared whole
    IFS='|' read -r name needs compiler link suffix run shared whole <<< "$1"
    local folder=$BUILD/portability/$name start=$SECONDS
    mkdir -p "$folder"
    if ! try_smallest > "$folder/log" 2>&1; then
        say "skipped: $(explain_missing)"
        skipped=$((skipped + 1))
    elif { if [ -n "$whole" ]; then test_whole; else test_portable; fi; } > "$folder/log" 2>&1; then
        say "passed: $(sed -n 's/^100%: Checks: \([0-9]*\),.*/\1/p' "$folder/log") checks, in $((SECONDS - start)) s"
        passed=$((passed + 1))
    else
        tail -n 20 "$folder/log" >&2
        say "failed: see $folder/log" >&2
        failed=$((failed + 1))
    fi
    rm -rf "$folder/disk" # wine's disk has 700 MB, and is created again in seconds
}

for target in "$@"; do
    try_target "$target"
done
echo "Portability: $passed passed, $skipped skipped, $failed failed"
[ "$failed" = 0 ]
