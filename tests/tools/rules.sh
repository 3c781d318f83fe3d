#!/usr/bin/env bash
# Lists each rule of docs/rules.md with its tests: the tests with names that begin with its id, and that ran and passed.
# A test that runs several times has passed if it passed each time. Fails if a rule has no test, or if a test
# names a rule that the page does not have.
#
#   tests/tools/rules.sh LOG     LOG: what Check writes to CK_TAP_LOG_FILE_NAME
set -euo pipefail

awk '
    # ok 12 - tests/runtime/entity/test_entity.c:rules:ent_02_ent_03_a_name: Passed
    FILENAME == ARGV[1] {
        if (!/^(not )?ok /)
            next
        name = $0
        sub(/^[^:]*:[^:]*:/, "", name)
        sub(/:.*/, "", name)
        if ($1 != "ok")
            failed[name] = 1
        ran[name] = 1
        next
    }
    FNR == 1 {
        for (name in ran) {
            rest = name
            while (rest ~ /^[a-z][a-z][a-z]_[0-9][0-9]_/) {
                id = toupper(substr(rest, 1, 3)) "-" substr(rest, 5, 2)
                named[id] = name
                if (!(name in failed))
                    shown[id] = shown[id] "\n    " name
                rest = substr(rest, 8)
            }
        }
    }
    # - **CMP-01 One of each component.** An entity has each component at most once.
    /^- \*\*[A-Z][A-Z][A-Z]-[0-9][0-9] / {
        rules++
        id = substr($2, 3)
        is_rule[id] = 1
        title = substr($0, 5)
        sub(/\.?\*\*.*/, "", title)
        missing += !(id in shown)
        print title ((id in shown) ? shown[id] : "\n    MISSING")
    }
    END {
        for (id in named)
            if (!(id in is_rule)) {
                unknown++
                print id " is not a rule of the page\n    " named[id]
            }
        printf "%d rules, %d without a test that passed\n", rules, missing
        exit missing > 0 || unknown > 0 || rules == 0
    }
' "$1" docs/rules.md
