#!/bin/sh
# The names that a generated file defines, one a line, as compilers see them: functions, variables, types, tags and
# enumerators of file scope, static ones too, and macros. A member is told as type.member, what a file keeps to itself
# as it is.
#
#   tests/generated_names.sh FOLDER PACKAGE...
#
# Subtracted is what is there before: the runtime's, the standard headers' and those that schemas of tests include.
set -e
folder=$1
shift

flags="-std=c17 -Iruntime/include -Itests"
before='#include <kin/kin.h>\n#include <string.h>\n#include "schemas/sprite.h"\n'

declared() {
    clang $flags -fsyntax-only -Xclang -ast-dump "$@" | sed -nE '
        s/^[|`]-(RecordDecl|EnumDecl|TypedefDecl|FunctionDecl|VarDecl) [^>]*>+ //; t name
        s/^[| ] [|`]-EnumConstantDecl [^>]*>+ //; t name
        b
        :name
        s/ '"'"'.*//; s/ definition$//; s/.* //; p'
}

macros() {
    gcc $flags -E -dM "$@" | sed -E 's/^#define ([A-Za-z0-9_]+).*/\1/'
}

printf "$before" > "$folder/before.c"
{ declared "$folder/before.c"; macros "$folder/before.c"; } | sort -u > "$folder/before.names"
for package in "$@"; do
    for file in "$folder/$package"/*.[ch]; do
        declared -x c "$file"
        macros -x c "$file"
    done
done | sort -u | comm -13 "$folder/before.names" -
