#!/usr/bin/env bash
# Checks that each relative link and picture of the pages leads to an existing file, and to a heading of it if it names
# one. Prints page and line of dead links, and fails.
#
#   tests/tools/links.sh PAGE...
set -euo pipefail
exec awk '
function exists(path,    line) {
    return (getline line < path) >= 0 || system("test -e \"" path "\"") == 0
}

# Reads the anchors of the headings of a page: lower case, dashes for spaces, no punctuation.
function read_anchors(path,    line, is_code) {
    if (path in is_read)
        return
    is_read[path] = 1
    close(path)
    while ((getline line < path) > 0)
        if (line ~ /^```/)
            is_code = !is_code
        else if (!is_code && sub(/^#+ /, "", line)) {
            line = tolower(line)
            gsub(/[^a-z0-9 _-]/, "", line)
            gsub(/ /, "-", line)
            anchors[path, line] = 1
        }
    close(path)
}

function report(fault) {
    print FILENAME ":" FNR ": " fault > "/dev/stderr"
    dead = 1
}

function check(target,    place, anchor) {
    if (target ~ /:/)
        return
    place = target
    sub(/#.*/, "", place)
    place = place == "" ? FILENAME : folder place
    anchor = target
    if (!exists(place))
        report("there is no " target)
    else if (sub(/^[^#]*#/, "", anchor)) {
        read_anchors(place)
        if (!((place, anchor) in anchors))
            report(place " has no heading " anchor)
    }
}

FNR == 1 {
    inside = 0
    folder = FILENAME
    if (!sub(/[^\/]*$/, "", folder) || folder == "")
        folder = "./"
}
/^```/ { inside = !inside }
!inside {
    gsub(/`[^`]*`/, "")
    gsub(/src="/, "](") # pictures with a width
    while (match($0, /\]\([^)"]*[)"]/)) {
        target = substr($0, RSTART + 2, RLENGTH - 3)
        $0 = substr($0, RSTART + RLENGTH)
        check(target)
    }
}
END { exit dead }
' "$@"
