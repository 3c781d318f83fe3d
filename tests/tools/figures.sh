#!/usr/bin/env bash
# Compares each row of figures in README with the row of that name in the results of the bench, and the number of missed
# bars. Fails and prints each difference.
#
#   tests/tools/figures.sh README BENCH
set -euo pipefail

awk -F ' *\\| *' '
    /^## / { section = substr($0, 4) }
    FNR == NR && section == "Results" && $2 != "row" {
        figures[$2] = $4 " " $5 " " $6 " " $10
        bars += $9 ~ /met|above/
        missed += $9 ~ /above/
    }
    FNR == NR || section != "Figures" { next }
    { text = text " " $0 }
    /^\| / && $2 != "row" {
        rows++
        if (!($2 in figures))
            fault("the bench has no row " $2)
        else if ($4 " " $5 " " $6 " " $7 != figures[$2])
            fault($2 " is " $4 " " $5 " " $6 " " $7 " here, and " figures[$2] " in the bench")
    }
    function fault(text) { print FILENAME ": " text; faults++ }
    END {
        if (rows == 0)
            fault("there are no figures")
        if (index(text, "Of the " bars " bars that Kin set itself it misses " missed ".") == 0)
            fault("of the " bars " bars Kin misses " missed)
        exit faults > 0
    }
' "$2" "$1"
