#!/usr/bin/env bash
# Prints the names that generated files define, one a line, as compilers see them: functions, variables, types, tags and
# enumerators of file scope, including static ones, and macros.
#
#   tests/tools/generated_names.sh FOLDER PACKAGE
#
# Without the names of the runtime, of the standard headers and of the headers that schemas of tests include.
set -euo pipefail
folder=$1 package=$2
export CCACHE_DISABLE=1 # it keeps nothing of what compilers print to standard output

flags="-std=c17 -Iruntime/include -Isave/include -Itests"
before='#include <kin/kin.h>\n#include <kin/generated/save.h>\n#include <kin/generated/replay.h>\n#include <string.h>\n#include "schemas/sprite.h"\n'

declared() {
    clang $flags -x c -fsyntax-only -Xclang -ast-dump "$1" | sed -nE '
        s/^[|`]-(RecordDecl|EnumDecl|TypedefDecl|FunctionDecl|VarDecl) [^>]*>+ //; t name
        s/^[| ] [|`]-EnumConstantDecl [^>]*>+ //; t name
        b
        :name
        s/ '"'"'.*//; s/ definition$//; s/.* //; p'
}

macros() {
    gcc $flags -x c -E -dM "$1" | sed -E 's/^#define ([A-Za-z0-9_]+).*/\1/'
}

names() {
    { declared "$1"; macros "$1"; } | sort -u
}

scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
printf "$before" > "$scratch/before.c"
printf '#include "%s"\n' "$(realpath "$folder/$package")"/*.h > "$scratch/headers.c"
for file in "$scratch/headers.c" "$folder/$package"/*.c; do
    names "$file"
done | sort -u | comm -13 <(names "$scratch/before.c") -
