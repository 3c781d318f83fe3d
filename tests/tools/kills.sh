#!/usr/bin/env bash
# Kills `kin lock` and a game that writes a save at each of their system calls. The file that they write must have the
# former bytes or the new ones, whole, and the next run must write it.
#
#   tests/tools/kills.sh KIN GAME     GAME: a program that writes the save that its argument names
set -euo pipefail
export LC_ALL=C
kin=$(realpath "$1") game=$(realpath "$2")
readonly kin game
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

# Prints the names of the system calls of a command, each with how often it is made.
count_calls() {
    strace -f -qq -o "$scratch/trace" "$@" > "$scratch/output" 2>&1
    sed -nE 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' "$scratch/trace" | grep -vE '^(execve|exit_group)$' | sort | uniq -c
}

# The inner shell says that it was killed; that is not an error here.
is_killed_at() {
    local call=$1 number=$2 status=0
    shift 2
    (strace -f -qq -o /dev/null -e "inject=$call:signal=KILL:when=$number" "$@"; exit) > "$scratch/output" 2>&1 || status=$?
    [ "$status" = 137 ]
}

# Kills a command at each of its calls. FILE has the bytes of $scratch/former before each run.
kill_at_each_call() {
    local file=$1 count call number kills=0 written=0
    shift
    cp "$scratch/former" "$file"
    count_calls "$@" > "$scratch/calls"
    cp "$file" "$scratch/latter"
    ! cmp -s "$scratch/former" "$scratch/latter" || { echo "$1 does not write $file"; return 1; }
    while read -r count call; do
        for ((number = 1; number <= count; number++)); do
            cp "$scratch/former" "$file"
            is_killed_at "$call" "$number" "$@" || { echo "$1 survived $call number $number"; return 1; }
            kills=$((kills + 1))
            if cmp -s "$scratch/latter" "$file"; then
                written=$((written + 1))
            elif ! cmp -s "$scratch/former" "$file"; then
                echo "$1, killed at $call number $number, left a damaged $file"
                return 1
            fi
        done
    done < "$scratch/calls"
    cp "$scratch/former" "$file"
    "$@" > "$scratch/output"
    cmp "$scratch/latter" "$file"
    echo "$(basename "$1"): $kills kills, each left a whole file, $written of them the new one"
    [ "$written" -gt 0 ] && [ "$written" -lt "$kills" ]
}

cp examples/saves/v1/town.lock "$scratch/former"
cp examples/saves/v3/town.yaml "$scratch/town.yaml"
kill_at_each_call "$scratch/town.lock" "$kin" lock "$scratch/town.yaml"

printf 'no save' > "$scratch/former"
kill_at_each_call "$scratch/town.kin" "$game" "$scratch/town.kin"
