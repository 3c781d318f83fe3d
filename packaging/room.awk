# Joins the sources of a room into the file that is compiled: `awk -f names.awk -f room.awk SOURCE...`. Compilers and
# debuggers name the sources.

BEGIN {
    for (i = 1; i < ARGC; i++)
        collect(ARGV[i])
    print features
    for (i = 1; i < ARGC; i++)
        append(ARGV[i])
    exit
}

function append(path,    line)
{
    print "#line 1 \"" path "\""
    while ((getline line < path) > 0)
        print line ~ /^#define _/ ? "" : line ~ /^#include/ ? line : renamed(path, line)
    close(path)
}
