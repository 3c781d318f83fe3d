#!/usr/bin/env bash
# Checks that headers describe each of their functions for callers. Fails, with place and name, if a function has no
# comment, if the ownership or lifetime of a pointer is not described, or if errors or cost are not described. Names
# with two underscores, and names that end in an underscore, are not public. Functions without an empty line between
# them share a comment.
#
#   tests/tools/described.sh [--each] HEADER...
#
# With --each every function describes its errors, and also its cost unless the header begins with the cost of all.
# Otherwise the first comment of the header describes both, and a row of a table may describe a function, also in
# another of the headers: `//   add_c   adds it` describes game_add_position. The letters b, c, e, f, g, r and s, and the
# words `is` and `dead`, stand for any name: of a blueprint, a component, an event, and so on.
set -euo pipefail
each=0
if [ "$1" = --each ]; then
    each=1
    shift
fi

awk -v each="$each" -v files=$# '
    # Collects the rows of tables when the headers are read for the first time.
    function collect(line, rest, names, count, i)
    {
        if (line ~ /^\/\/        /) {
            row = row " " line
        } else if (line ~ /^\/\/   [a-z]/) {
            rest = substr(line, match(line, /[a-z]/))
            sub(/  .*/, "", rest)
            sub(/ \*$/, "", rest)
            count = split(rest, names, /, /)
            row = line
        } else {
            return
        }
        for (i = 1; i <= count || (count == 0 && i in last); i++) {
            if (count > 0)
                last[i] = pattern_of(names[i])
            rows[last[i]] = row
        }
        for (i = count + 1; count > 0 && i in last; i++)
            delete last[i]
    }
    function pattern_of(name, words, count, i, pattern)
    {
        count = split(name, words, "_")
        for (i = 1; i <= count; i++)
            pattern = pattern (i > 1 ? "_" : "") (words[i] ~ /^([bcefgrs]|is|dead)$/ ? "[a-z0-9_]+" : words[i])
        return "(^|_)" pattern "$"
    }
    function row_of(name, pattern)
    {
        for (pattern in rows)
            if (name ~ pattern)
                return rows[pattern] " " said
        return ""
    }
    FNR == 1 { file++ }
    file <= files { collect($0); next }
    function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"; bad = 1 }
    function look(head, name)
    {
        functions++
        if (!each)
            text = text row_of(name)
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
    !/[;)}]$/ { text = "" }
    END { if (functions == 0) complain("no functions in these headers"); exit bad }
' "$@" "$@"
