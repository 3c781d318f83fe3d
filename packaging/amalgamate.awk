# Joins files into one: `awk -v version=… -f names.awk -f amalgamate.awk runtime/include/kin/kin.h` is kin.h, and with
# the files of runtime/src after it, whose headers are named by room, kin.c.
#
# Every header is expanded where it is first included. What headers of runtime/src declare is static, so that compilers
# need not compile what they have inlined everywhere.

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
