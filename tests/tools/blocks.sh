#!/usr/bin/env bash
# Follows a page: writes its files, runs its commands and compares their output. The first word after a fence is the
# language, the rest describes the block:
#
#   ```yaml town.yaml   a file; further blocks of that name are appended, but replace it after commands
#   ```sh               commands, run in order in one shell: a cd lasts; the first failure ends the page
#   ```text output      the last output of the commands above, or the whole output of the program on a page without any
#   ```                 a picture, which is ignored
#
# If a page has no commands, its schemas are generated, compiled with its C files under strict warnings, and run. C files
# that include functions of saves are linked with libkin-save. A main.cpp is a program of its own, with the C++ face; if
# there is a main.c too, both have to print what the page says. But beside a main.c it runs only with KIN_CHECK_ALL.
#
# All blocks of a page form one program. The line <!-- another program --> outside of blocks ends the program: what
# follows begins in an empty folder, as on a page of its own.
#
#   tests/tools/blocks.sh PAGE FOLDER     KIN, BUILD, COMPILER and FLAGS as `make check` sets them; with
#                                         INSTALLED=yes, the installed kin and cc instead
set -euo pipefail
readonly page=$1 folder=$2 root=$PWD
readonly strict='-std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Werror'
# The C++ compiler that goes with the C compiler, with its flags.
case ${COMPILER:-cc} in
*clang*) cplusplus=clang++ ;;
*) cplusplus=g++ ;;
esac
readonly cplusplus="$cplusplus -std=c++17 ${FLAGS:-} -O0 -g0 -Wall -Wextra -Wconversion -Wshadow -Werror"
readonly tools=$folder/tools said=$folder/said

fail() {
    echo "$page: $*" >&2
    exit 1
}

# Puts kin into the PATH, and a cc that finds its headers and library as if they were installed.
use_build() {
    local build
    build=$(realpath "${BUILD:-build}")
    mkdir -p "$tools"
    ln -sf "$(realpath "${KIN:-build/bin/kin}")" "$tools/kin"
    read -ra compiler <<< "${COMPILER:-cc}"
    compiler[0]=$(command -v "${compiler[0]}")
    # With the PATH of now: a compiler that looks for another one, as ccache does, must not find this one.
    printf '#!/bin/sh\nPATH=%q exec %s %s -O0 -g0 %s "$@"\n' \
        "$PATH" "${compiler[*]}" "${FLAGS:-}" "$strict" > "$tools/cc"
    chmod +x "$tools/cc"
    export PATH=$tools:$PATH CPATH=$root/runtime/include:$root/save/include:$root/net/include:$root/nats/include:$root/enet/include:$root/pool/include:$root/content/include:$root/inspector/include LIBRARY_PATH=$build/lib LD_LIBRARY_PATH=$build/lib
}

[ -n "${INSTALLED:-}" ] || use_build
unset MAKEFLAGS MFLAGS MAKELEVEL KIN BUILD # a reader has kin in the PATH

# Translates the page into function calls, one for each block, with the block's text as input.
awk '
    /^```/ && inside { print "END OF BLOCK"; inside = 0; next }
    !/^```/ { if (inside) print; else if ($0 == "<!-- another program -->") print "finish; begin"; next }
    { inside = 1; language = substr($1, 4); name = $0; sub(/^```[^ ]* */, "", name) }
    language == "" { call = "picture" }
    language != "" { call = "file" }
    language == "sh" && name == "" { call = "commands" }
    language == "text" && name == "output" { call = "output" }
    call == "file" && name == "" { printf "fail \"line %d: a block of %s has no file name\"\n", NR, language }
    { printf "%s \"%s\" << \"END OF BLOCK\"\n", call, name }
    END { if (inside) print "END OF BLOCK\nfail \"the last block is not closed\"" }
' "$page" > "$folder/calls"

programs=0
begin() {
    programs=$((programs + 1))
    files=$folder/files$programs here=$folder/files$programs shown=' ' has_commands=
    mkdir -p "$files"
    rm -f "$folder/output"
}

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
        diff -u "$folder/output" "$folder/end" >&2 || fail 'this differs from the output of the commands'
        rm "$folder/output"
    fi
}

picture() {
    cat > /dev/null
}

finish() {
    local sources
    sources=$(compgen -G "$files/*.c*" || true)
    if [ -n "$has_commands" ] || [ -z "$sources" ]; then
        return
    fi
    case $sources in
    */main.c*) (run_program) ;;
    *) fail 'a program has no main.c, no main.cpp and no commands, so that it is not run' ;;
    esac
}

run_program() {
    cd "$files"
    shopt -s nullglob
    face=
    if [ -e main.cpp ] && { [ -n "${KIN_CHECK_ALL:-}" ] || [ ! -e main.c ]; }; then face='--face cpp'; fi
    for schema in *.yaml; do
        # shellcheck disable=SC2086 # two words
        ! grep -q '^package:' "$schema" || kin generate -q $face "$schema"
    done
    libraries=-lkin
    ! grep -qE '_save.hp?p?[">]' ./*.c ./*.cpp || libraries='-lkin-save -l:libkin.a -lzstd'
    ! grep -q '_net.h[">]' ./*.c ./*.cpp || libraries='-lkin-net -lkin-save -l:libkin.a -lzstd'
    if grep -q 'kin/enet.h>' ./*.c; then
        cc -E -include enet/enet.h -x c - < /dev/null > /dev/null 2>&1 || return 0 # libkin-enet is left out without it
        libraries="-lkin-enet $libraries -lenet -pthread"
    fi
    # shellcheck disable=SC2086 # several words
    if [ -e main.c ]; then
        cc -Igenerated ./*.c generated/*/*.c $libraries -o "$folder/program"
        compare_program
    fi
    # shellcheck disable=SC2086 # several words
    if [ -n "$face" ]; then
        cc -Igenerated -c generated/*/*.c
        $cplusplus -Igenerated ./*.cpp ./*.o $libraries -o "$folder/program"
        compare_program
    fi
}

compare_program() {
    touch "$folder/output"
    "$folder/program" > "$said" 2>&1 || fail "the program fails: $(cat "$said")"
    diff -u "$folder/output" "$said" >&2 || fail 'this differs from the output of the program'
}

begin
source "$folder/calls"
finish
