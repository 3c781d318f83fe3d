#!/usr/bin/env bash
# Checks that files have at most 500 lines, and functions at most 45.
set -euo pipefail
shopt -s nullglob
awk '
    FNR == 1 { if (last != "") check(last, lines); last = FILENAME }
    { lines = FNR }
    $0 == "{" { start = FNR }
    $0 == "}" && start > 0 && FNR - start - 1 > 45 { printf "%s:%d: a function of %d lines\n", FILENAME, start, FNR - start - 1; bad = 1 }
    $0 == "}" { start = 0 }
    function check(name, count) { if (count > 500) { printf "%s: %d lines\n", name, count; bad = 1 } }
    END { check(last, lines); exit bad }
' generator/*/*.[ch] generator/*/private/*.h runtime/src/*/*.[ch] runtime/include/kin/*.h runtime/include/kin/generated/*.h templates/*.mustache templates/*/*.mustache \
    examples/*/*.[ch] examples/*/*/*.[ch] bench/*.[ch] bench/*/*.[ch] \
    tests/*.[ch] tests/*/*.[ch] tests/*/*/*.[ch] tests/*/*/*/*.[ch] tests/*/*/*.inc >&2
