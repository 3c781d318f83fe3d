#!/usr/bin/env bash
# Does what a page says: writes the files that it shows, runs the commands and compares what they print. The first word
# behind a fence is the language, the rest says what the block is:
#
#   ```yaml town.yaml   a file; further blocks of that name go on with it, but begin it anew behind commands
#   ```sh               commands, run at their place, in one terminal: a cd lasts; the first that fails ends it
#   ```text output      what the commands above print at the end, or, on a page without any, all that its program prints
#   ```                 a picture, to be looked at
#
# A page without commands has kin make C of its schemas, and builds and runs that with its own, as strictly as can be.
#
#   tests/tools/blocks.sh PAGE FOLDER     KIN, BUILD, COMPILER and FLAGS as `make check` sets them; with INSTALLED=yes, the kin
#                                   and the cc of the machine in their place
set -euo pipefail
readonly page=$1 folder=$2 root=$PWD
readonly strict='-std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Werror'
readonly files=$folder/files tools=$folder/tools said=$folder/said

fail() {
    echo "$page: $*" >&2
    exit 1
}

# kin, and a cc that finds its headers and library as if they were installed.
use_build() {
    local build
    build=$(realpath "${BUILD:-build}")
    mkdir -p "$tools"
    ln -sf "$(realpath "${KIN:-build/bin/kin}")" "$tools/kin"
    read -ra compiler <<< "${COMPILER:-cc}"
    compiler[0]=$(command -v "${compiler[0]}")
    printf '#!/bin/sh\nexec %s %s -O0 -g0 %s "$@"\n' "${compiler[*]}" "${FLAGS:-}" "$strict" > "$tools/cc"
    chmod +x "$tools/cc"
    export PATH=$tools:$PATH CPATH=$root/runtime/include LIBRARY_PATH=$build/lib LD_LIBRARY_PATH=$build/lib
}

mkdir -p "$files"
[ -n "${INSTALLED:-}" ] || use_build
unset MAKEFLAGS MFLAGS MAKELEVEL KIN BUILD # a reader has kin in the PATH

# What the page says, one function call a block, the text of the block as its input.
awk '
    /^```/ && inside { print "END OF BLOCK"; inside = 0; next }
    !/^```/ { if (inside) print; next }
    { inside = 1; language = substr($1, 4); name = $0; sub(/^```[^ ]* */, "", name) }
    language == "" { call = "picture" }
    language != "" { call = "file" }
    language == "sh" && name == "" { call = "commands" }
    language == "text" && name == "output" { call = "output" }
    call == "file" && name == "" { printf "fail \"line %d: a block of %s without the name of its file\"\n", NR, language }
    { printf "%s \"%s\" << \"END OF BLOCK\"\n", call, name }
    END { if (inside) print "END OF BLOCK\nfail \"the last block has no end\"" }
' "$page" > "$folder/calls"

shown=' ' has_commands= here=$files
file() {
    mkdir -p "$here/$(dirname "$1")"
    case $shown in
    *" $1 "*) cat >> "$here/$1" ;;
    *) cat > "$here/$1" ;;
    esac
    shown="$shown$1 "
}

commands() {
    shown=' ' has_commands=yes
    cat > "$folder/commands"
    (cd "$here" && sh -ec '. "$0"; pwd > "$1"' "$folder/commands" "$folder/here") > "$said" 2>&1 < /dev/null ||
        fail "$(cat "$folder/commands"): $(cat "$said")"
    here=$(cat "$folder/here")
}

output() {
    cat >> "$folder/output"
    if [ -n "$has_commands" ]; then
        tail -n "$(wc -l < "$folder/output")" "$said" > "$folder/end"
        diff -u "$folder/output" "$folder/end" >&2 || fail 'that is not what the commands print'
        rm "$folder/output"
    fi
}

picture() {
    cat > /dev/null
}

source "$folder/calls"

if [ -z "$has_commands" ] && [ -e "$files/main.c" ]; then
    cd "$files"
    shopt -s nullglob
    for schema in *.yaml; do
        ! grep -q '^package:' "$schema" || kin generate -q "$schema"
    done
    cc -Igenerated ./*.c generated/*/*.c -lkin -o "$folder/program"
    touch "$folder/output"
    "$folder/program" > "$said" 2>&1 || fail "the program fails: $(cat "$said")"
    diff -u "$folder/output" "$said" >&2 || fail 'that is not what the program prints'
fi
