#!/usr/bin/env bash
# Checks that gcc and clang, if installed, vectorize the loops of tests/vectors: fails if they do not vectorize a loop
# that is marked with their name.
#
#   tests/tools/vectors.sh GENERATED     the folder with the generated package flock
set -euo pipefail
export LC_ALL=C
readonly source=tests/vectors/loops.c generated=$1
failed=0

# Arguments: the compiler, a word of its --version, the flag for the report, the words of the report, and other flags.
check() {
    local compiler=$1 mark=$2 flag=$3 report=$4 missing=0
    shift 4
    if ! command -v "$compiler" > /dev/null || ! "$compiler" --version | grep -q "$mark"; then
        echo "vectors: $compiler skipped, not installed"
        return
    fi
    local lines wanted
    lines=$("$compiler" -std=c17 "$@" "$flag" -Iruntime/include -I"$generated" -c $source -o /dev/null 2>&1 |
        sed -n "s|^$source:\([0-9]*\):.*$report.*|\1|p" | sort -u)
    wanted=$(grep -n "// vectors:.* $compiler" $source | cut -d : -f 1)
    for line in $wanted; do
        grep -qx "$line" <<< "$lines" && continue
        echo "vectors: $compiler $* does not vectorize the loop in $source:$line" >&2
        missing=1
    done
    [ $missing = 1 ] || echo "vectors: $compiler $* vectorizes all $(wc -w <<< "$wanted") loops"
    failed=$((failed + missing))
}

case $(uname -m) in
x86_64 | aarch64 | arm64) ;;
*)
    echo "vectors: skipped, as not every $(uname -m) has vector instructions"
    exit 0
    ;;
esac
check gcc 'Free Software' -fopt-info-vec-optimized 'loop vectorized' -O3
check gcc 'Free Software' -fopt-info-vec-optimized 'loop vectorized' -O2 -ftree-vectorize
check clang clang -Rpass=loop-vectorize 'vectorized loop' -O2
exit $((failed > 0))
