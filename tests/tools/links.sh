#!/usr/bin/env bash
# Checks that each relative link and picture of the pages leads to an existing file, and to a heading of it if it names
# one. Prints page and line of dead links, and fails.
#
#   tests/tools/links.sh PAGE...
set -euo pipefail
shopt -s lastpipe
dead=0

# The anchors of headings: lower case, dashes for spaces, no punctuation.
anchors() {
    awk '/^```/ { inside = !inside } !inside && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" |
        sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# Prints "line target" for each link outside of code.
links() {
    awk '/^```/ { inside = !inside } !inside {
        gsub(/`[^`]*`/, "")
        gsub(/src="/, "](") # pictures with a width
        while (match($0, /\]\([^)"]*[)"]/)) {
            print NR, substr($0, RSTART + 2, RLENGTH - 3)
            $0 = substr($0, RSTART + RLENGTH)
        }
    }' "$1"
}

for page in "$@"; do
    links "$page" | while read -r line target; do
        case $target in *:*) continue ;; esac
        file=${target%%#*}
        place=$page
        [ -z "$file" ] || place=$(dirname "$page")/$file
        if [ ! -e "$place" ]; then
            echo "$page:$line: there is no $target" >&2
            dead=1
        elif [[ $target = *#* ]] && ! anchors "$place" | grep -qx -- "${target#*#}"; then
            echo "$page:$line: $place has no heading ${target#*#}" >&2
            dead=1
        fi
    done
done
exit $dead
