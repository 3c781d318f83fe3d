#!/usr/bin/env bash
# For every rule of tests/rules.txt the tests that show it: those whose names begin with its id, and that ran and passed.
# Fails when a rule has none. A test that runs several times has passed when it did so each time.
#
#   tests/rules.sh LOG [RULES]     LOG as Check writes it to CK_TAP_LOG_FILE_NAME; RULES: where the rules stand in full
set -euo pipefail
log=$1
book=${2:-}
list=$(dirname "$0")/rules.txt

if [ -n "$book" ] && [ -e "$book" ]; then
    if ! diff <(grep -oE '^- [A-Z]{3}-[0-9]{2}' "$book" | cut -c3- | sort) \
        <(grep -oE '^[A-Z]{3}-[0-9]{2}' "$list" | sort); then
        echo "rules: '<' is missing in $list, '>' is no rule" >&2
        exit 1
    fi
else
    echo "rules: what the list is made from is not here, so whether it is complete was not looked at" >&2
fi

awk '
    # ok 12 - tests/runtime/test_entity.c:rules:ent_02_ent_03_a_name: Passed
    FILENAME == ARGV[1] && /^(not )?ok / {
        name = $0
        sub(/^[^:]*:[^:]*:/, "", name)
        sub(/:.*/, "", name)
        if ($1 != "ok")
            failed[name] = 1
        ran[name] = 1
        next
    }
    FILENAME == ARGV[1] { next }
    FNR == 1 {
        for (name in ran) {
            rest = failed[name] ? "" : name
            while (rest ~ /^[a-z][a-z][a-z]_[0-9][0-9]_/) {
                id = toupper(substr(rest, 1, 3)) "-" substr(rest, 5, 2)
                shown[id] = shown[id] "\n    " name
                rest = substr(rest, 8)
            }
        }
    }
    /^#/ { next }
    {
        rules++
        missing += !($1 in shown)
        print $0 (($1 in shown) ? shown[$1] : "\n    MISSING")
    }
    END {
        printf "%d rules, %d without a test that passed\n", rules, missing
        exit missing > 0
    }
' "$log" "$list"
