# Joins files into one: `awk -v version=… -f amalgamate.awk runtime/include/kin/kin.h` is kin.h, and with the files of
# runtime/src after it, whose headers are named by room, kin.c.
#
# Every header is expanded where it is first included. A name that several sources define for themselves gets the
# source's name as a suffix, because one file can define it once. What headers of runtime/src declare is static, so that
# compilers need not compile what they have inlined everywhere.

BEGIN {
    for (i = 2; i < ARGC; i++)
        collect(ARGV[i])
    header = ARGV[1]
    public_folder = folder_of(header) "/../"
    print "// Kin " version " in one file, made from its runtime. MIT licence: see the end."
    if (ARGC == 2)
        expand(header)
    else
        print_sources()
    print_licence()
    exit
}

function print_sources(    i)
{
    print "//\n// Compile it once, as a file of its own; kin.h lies beside it. With -DKIN_CHECKED it checks itself, which is slow."
    print features "\n#include \"kin.h\"\n"
    print "#ifdef KIN_CHECKED\n#undef NDEBUG // before <assert.h>\n#elif !defined(NDEBUG)\n#define NDEBUG // up to the end of this file\n#define KIN__NDEBUG\n#endif\n"
    print "// Functions that only this file calls. libkin-save calls some of them: to link it, compile with -DKIN_PRIVATE="
    print "#if !defined(KIN_PRIVATE) && defined(__GNUC__)\n#define KIN_PRIVATE static __attribute__((unused))"
    print "#elif !defined(KIN_PRIVATE)\n#define KIN_PRIVATE static\n#endif\n"
    print system_headers
    print "#if defined(__unix__) && !defined(CLOCK_MONOTONIC)"
    print "#error \"kin.c needs the clocks of POSIX: leave it out of the file that includes several sources, or begin with it\""
    print "#endif\n\n#if defined(__GNUC__)"
    print "#pragma GCC diagnostic push"
    print "#pragma GCC visibility push(hidden) // but for what KIN_API says"
    print "#pragma GCC diagnostic ignored \"-Wshadow\" // names that a source has for itself are those of locals of another"
    print "#if !defined(__clang__)\n#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\" // gcc 12 is wrong about what it inlines\n#endif\n#endif"
    for (i = 2; i < ARGC; i++)
        if (ARGV[i] ~ /\.c$/)
            expand(ARGV[i])
    print "\n#if defined(KIN__NDEBUG)\n#undef NDEBUG\n#endif"
    print "\n#if defined(__GNUC__)\n#pragma GCC visibility pop\n#pragma GCC diagnostic pop\n#endif"
}

function print_licence(    line)
{
    print ""
    while ((getline line < "LICENSE") > 0)
        print line == "" ? "//" : "// " line
}

# Records the names that a source defines for itself, and the system headers that it includes.
function collect(path,    line, name)
{
    while ((getline line < path) > 0)
        if (line ~ /^#define _/) {
            split(line, word, " ")
            features = features "\n#ifndef " word[2] "\n" line "\n#endif\n"
        } else if (line ~ /^#include </ && line !~ /<kin\//) {
            if (!(line in needed))
                system_headers = system_headers line "\n"
            needed[line] = 1
        } else if (line ~ /^static / && match(line, /[A-Za-z0-9_]+(\(|\[| = |;)/)) {
            name = substr(line, RSTART, RLENGTH)
            gsub(/[^A-Za-z0-9_]/, "", name)
            note(path, name)
        } else if (line ~ /^(typedef )?(struct|enum|union) [a-z_0-9]+ \{/) {
            sub(/^typedef /, "", line)
            split(line, word, " ")
            note(path, word[2])
        } else if (line ~ /^enum \{/)
            while (match(line, /[A-Z][A-Z0-9_]+ =/)) {
                note(path, substr(line, RSTART, RLENGTH - 2))
                line = substr(line, RSTART + RLENGTH)
            }
    close(path)
}

function note(path, name)
{
    if ((path, name) in defined_by)
        return
    defined_by[path, name] = 1
    definitions[name]++
}

function expand(path,    line, name)
{
    if (path in expanded)
        return
    expanded[path] = 1
    if (path ~ /\.c$/)
        print "\n// ---- " base_of(path)
    while ((getline line < path) > 0) {
        if (line ~ /^#include <kin\//) {
            if (ARGC == 2)
                expand(public_folder name_in(line))
        } else if (line ~ /^#include "/)
            expand(sources_of(path) "/" name_in(line))
        else if (ARGC == 2 || line !~ /^#(define _|include )/)
            print path ~ /\.c$/ ? renamed(path, line) : as_private(line)
    }
    close(path)
}

# The line of a header: declarations of functions begin with KIN_PRIVATE.
function as_private(line)
{
    if (ARGC > 2 && line ~ /^[a-z][A-Za-z0-9_ *]*[ *]kin__[a-z0-9_]+\(/ && line !~ /^(static|typedef) /)
        return "KIN_PRIVATE " line
    return line
}

# The line with a suffix on names that other sources define too. Members, strings and comments stay.
function renamed(path, line,    result, word)
{
    while (match(line, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\/.*|(\.|->)?[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(line, RSTART, RLENGTH)
        result = result substr(line, 1, RSTART - 1) word
        if ((path, word) in defined_by && definitions[word] > 1)
            result = result "_in_" base_of(path)
        line = substr(line, RSTART + RLENGTH)
    }
    return result line
}

function name_in(line)
{
    split(line, word, /[<>"]/)
    return word[2]
}

# The folder of the rooms.
function sources_of(path)
{
    return folder_of(folder_of(path))
}

function folder_of(path)
{
    sub(/\/[^\/]*$/, "", path)
    return path
}

function base_of(path)
{
    sub(/^.*\//, "", path)
    sub(/\.[^.]*$/, "", path)
    return path
}
