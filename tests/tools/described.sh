#!/usr/bin/env bash
# Looks whether headers describe each of their functions as who calls it needs it. Fails, with place and name, for one
# without a comment, for a pointer of which nothing says whose it is or how long it is good, and where nothing says which
# errors there may be and what it costs. Names with two underscores, and those that end in one, are not for users.
# Declarations without a blank line between them share a comment.
#
#   tests/tools/described.sh [--each] HEADER...
#
# With --each every function says its errors for itself, and its cost too unless the header begins with that of all; else
# the header does both at its beginning.
set -euo pipefail
each=0
if [ "$1" = --each ]; then
    each=1
    shift
fi

awk -v each="$each" '
    function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"; bad = 1 }
    function look(head, name)
    {
        functions++
        if (text == "")
            complain(name " is not described")
        if (head ~ /\*/ && text !~ /valid|belong|live|owns|good until|[Dd]estroy it with|End (it|them) with|stays as it is|constant|[Tt]he same/)
            complain(name " does not say whose its pointer is, or how long it is good")
        if (each && head ~ /kin_status / && text !~ /KIN_ERROR_|KIN_OK/)
            complain(name " does not say which errors there may be")
        if ((each ? text said : said) !~ /Cost:/)
            complain(name " does not say what it costs")
        if (!each && head ~ /kin_status / && said !~ /on_error/)
            complain("the header does not say what happens to errors")
    }
    FNR == 1 { text = said = ""; opens = 1 }
    !/^\/\/\// { opens = 0 }
    opens { said = said $0 }
    /^\/\/ / { said = said $0 }
    /^\/\/\// { text = text " " substr($0, 4); next }
    /^[A-Za-z][^;={]*[A-Za-z0-9_]\(/ && !/^typedef/ {
        head = name = substr($0, 1, index($0, "(") - 1)
        sub(/.*[ *]/, "", name)
        if (name !~ /__|_$/)
            look(head, name)
    }
    !/;$/ { text = "" }
    END { if (functions == 0) complain("no functions in these headers"); exit bad }
' "$@"
