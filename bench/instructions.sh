#!/usr/bin/env bash
# Counts the instructions of the core operations with callgrind, and compares them with the recorded ones:
#
#   bench/instructions.sh compare PROGRAM FILE     fails if an operation needs over 5 % more than in FILE
#   bench/instructions.sh record PROGRAM FILE      writes the counts into FILE, for this compiler and version
#
# Only the program's own code is counted, which is the same on every machine: the instructions of the C library in a
# copy or a comparison depend on the processor.
set -euo pipefail

readonly verb=$1 program=$2 file=$3
readonly tolerance=5 entities=1024
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! command -v valgrind > /dev/null; then
    echo "instructions: not compared, as there is no valgrind"
    exit 0
fi

# A dump for each operation, in the order in which the program prints them after a line with its compiler.
# Costs after `calls=` are those of the called function, which has lines of its own.
valgrind -q --tool=callgrind --toggle-collect='counted_*' --dump-before=town_destroy \
    --compress-strings=no --callgrind-out-file="$folder/dump" "$program" > "$folder/names"
compiler=$(head -n 1 "$folder/names")
number=0
tail -n +2 "$folder/names" | while IFS= read -r name; do
    number=$((number + 1))
    awk -v program="$(realpath "$program")" -v entities=$entities -v name="$name" -v compiler="$compiler" '
        /^ob=/ { is_ours = substr($0, 4) == program; next }
        /^calls=/ { getline; next }
        /^[-+*0-9]/ { if (is_ours) sum += $2 }
        END { printf "%s\t%s\t%.1f\n", compiler, name, sum / entities }' "$folder/dump.$number"
done > "$folder/counted"

if [ "$verb" = record ]; then
    # Sorted by compiler, the operations of each in the order in which they run: a new count changes its line alone.
    { grep -v -e '^#' -e "^$compiler	" "$file" || true; cat "$folder/counted"; } |
        LC_ALL=C sort -s -t '	' -k 1,1 > "$folder/lines"
    { grep '^#' "$file"; cat "$folder/lines"; } > "$folder/file"
    cat "$folder/file" > "$file"
    echo "instructions: $(wc -l < "$folder/counted") operations written to $file for $compiler"
    exit 0
fi

if ! grep -q "^$compiler	" "$file"; then
    echo "instructions: not compared, as $file has none for $compiler; make bench-instructions writes them"
    exit 0
fi
awk -F '\t' -v compiler="$compiler" -v tolerance=$tolerance -v file="$file" '
    FNR == NR { if ($1 == compiler) kept[$2] = $3; next }
    !($2 in kept) { printf "instructions: %s has no count of %s; make bench-instructions writes it\n", file, $2; bad = 1; next }
    { compared++ }
    $3 > kept[$2] * (1 + tolerance / 100) + 0.5 {
        printf "instructions: %s takes %s, which was %s\n", $2, $3, kept[$2]; bad = 1 }
    $3 < kept[$2] * (1 - tolerance / 100) - 0.5 {
        printf "instructions: %s takes %s, which was %s: make bench-instructions keeps it so\n", $2, $3, kept[$2] }
    END {
        if (bad) print "instructions: where more are meant, make bench-instructions records them"
        else printf "instructions: %d operations, none over %d %% above %s of %s\n", compared, tolerance, file, compiler
        exit bad
    }' "$file" "$folder/counted"
