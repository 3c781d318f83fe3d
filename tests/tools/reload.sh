#!/usr/bin/env bash
# Plays examples/reload: two frames, then the systems are edited and compiled again, then two more; then two builds that
# do not fit the program, which are refused, and one that does. Prints what the game prints.
#
#   tests/tools/reload.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly build=$1
scratch=$(mktemp -d)

coproc game { "$build/examples/reload/reload" "$scratch/systems.so" 2>&1; }
readonly player=$game_PID input=${game[1]} # bash unsets its own when the game ends
trap 'kill "$player" 2> /dev/null || true; rm -rf "$scratch"' EXIT
exec {output}<&"${game[0]}"

# Each frame ends with a line that begins with the given words.
frame() {
    echo >&"$input"
    while read -r -t 20 line <&"$output"; do
        echo "${line//$scratch\//}"
        [[ $line != *"$1"* ]] || return 0
    done
    echo "no line contains '$1'" >&2
    exit 1
}

# Compiles the systems, edited by a sed script, as make does it. The second argument edits the schema.
build_systems() {
    sed "$1" examples/reload/systems/systems.c > "$scratch/systems.c"
    sed "${2-}" examples/reload/reload.yaml > "$scratch/reload.yaml"
    "$build/bin/kin" generate -q -o "$scratch" "$scratch/reload.yaml"
    # shellcheck disable=SC2086 # the flags are words
    ${COMPILER:-cc} -std=c17 ${FLAGS:-} -Iruntime/include -I"$scratch" -fPIC -shared \
        "$scratch/systems.c" "$scratch/reload/reload_world.c" -o "$scratch/systems.new"
    mv "$scratch/systems.new" "$scratch/systems.so"
}

build_systems ''
frame 'the ball is at'
frame 'the ball is at'
build_systems 's/+=/-=/; s/the ball is at/backwards, the ball is at/'
frame 'the ball is at'
frame 'the ball is at'
build_systems 's/printf("%u ball/missing_function("%u ball/; 1i void missing_function(const char *format, unsigned count);'
frame 'missing_function'
build_systems '' 's/x: float/x: double/'
frame 'another layout'
build_systems 's/+= it/+= 10 * it/'
frame 'the ball is at'
eval "exec $input>&-"
wait "$player"
trap 'rm -rf "$scratch"' EXIT
