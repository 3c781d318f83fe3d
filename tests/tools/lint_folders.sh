#!/usr/bin/env bash
# Checks that no folder has more than 40 files of its own: those directly in it, without the files of its folders.
#
#   git ls-files | tests/tools/lint_folders.sh
set -euo pipefail
awk '
    { sub(/[^\/]*$/, ""); count[$0 == "" ? "./" : $0]++ }
    END {
        for (folder in count)
            if (count[folder] > 40) {
                printf "%s: has %d files; at most 40 are allowed\n", folder, count[folder]
                bad = 1
            }
        exit bad
    }
' >&2
