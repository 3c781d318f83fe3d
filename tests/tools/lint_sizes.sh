#!/usr/bin/env bash
# Checks that lines have at most 120 characters. Files end where their thought ends, as do functions: 1,200 and 60 lines
# are only the outer guards.
set -euo pipefail
shopt -s nullglob

files=(generator/*/*.[ch]
    save/src/*/*.[ch] save/include/kin/*.h pool/src/*/*.[ch] pool/include/kin/*.h content/src/*/*.[ch]
    inspector/src/*/*.[ch] inspector/include/kin/*.h
    runtime/src/*/*.[ch] runtime/include/kin/*.h runtime/include/kin/generated/*.h
    templates/*.mustache templates/*/*.mustache
    examples/*/*.[ch] examples/*/*/*.[ch] bench/*.[ch] bench/*/*.[ch]
    tests/*.[ch] tests/*/*.[ch] tests/*/*/*.[ch] tests/*/*/*/*.[ch] tests/*/*/*.inc)
awk '
    FNR == 1 { if (last != "") check(last, lines); last = FILENAME }
    { lines = FNR }
    $0 == "{" { start = FNR }
    $0 == "}" && start > 0 && FNR - start - 1 > 60 {
        printf "%s:%d: a function of %d lines\n", FILENAME, start, FNR - start - 1
        bad = 1
    }
    $0 == "}" { start = 0 }
    function check(name, count) { if (count > 1200) { printf "%s: %d lines\n", name, count; bad = 1 } }
    END { check(last, lines); exit bad }
' "${files[@]}" >&2

if LC_ALL=C.UTF-8 grep -nE '^.{121,}$' $(printf '%s\n' "${files[@]}" | grep -v mustache) >&2; then
    echo 'A line has at most 120 characters.' >&2
    exit 1
fi
