# What joins sources into one file renames: the names that a source defines for itself. If several sources define one,
# each gets the source's name as a suffix, because one file can define it once.

# Records the names that a source defines for itself, and the system headers that it includes.
function collect(path,    line, word, is_enum)
{
    while ((getline line < path) > 0)
        if (line ~ /^#define _/) {
            split(line, word, " ")
            features = features "\n#ifndef " word[2] "\n" line "\n#endif\n"
        } else if (line ~ /^#define /) {
            split(line, word, /[ (]/)
            note(path, word[2])
        } else if (line ~ /^#include </ && line !~ /<kin\//) {
            if (!(line in needed))
                system_headers = system_headers line "\n"
            needed[line] = 1
        } else if (is_enum || line ~ /^(typedef )?enum .*\{/) {
            if (line ~ /enum [a-z_0-9]+ \{/)
                note_tag(path, line)
            note_constants(path, line)
            is_enum = line !~ /\}/
        } else if (line ~ /^(typedef )?(struct|union) [a-z_0-9]+ \{/)
            note_tag(path, line)
        else if (line ~ /^START_TEST\(/) {
            split(line, word, /[()]/)
            note(path, word[2])
        } else if (line ~ /^(static |typedef .*\(|\} )/) {
            sub(/__attribute__\(\(.*\)\) /, "", line)
            if (match(line, /[A-Za-z0-9_]+(\(|\[| = |;)/))
                note(path, word_in(substr(line, RSTART, RLENGTH)))
        }
    close(path)
}

# The constants in a line of an enum: the first word between commas.
function note_constants(path, line,    constant, count, i)
{
    sub(/\/\/.*/, "", line)
    sub(/^.*\{/, "", line)
    sub(/\}.*/, "", line)
    count = split(line, constant, ",")
    for (i = 1; i <= count; i++)
        if (match(constant[i], /^ *[A-Z][A-Z0-9_]*/))
            note(path, word_in(substr(constant[i], 1, RLENGTH)))
}

function note_tag(path, line,    word)
{
    sub(/^typedef /, "", line)
    split(line, word, " ")
    note(path, word[2])
}

function note(path, name)
{
    if ((path, name) in defined_by)
        return
    defined_by[path, name] = 1
    definitions[name]++
}

# The line with a suffix on names that other sources define too. Members, strings and comments stay.
function renamed(path, line,    result, word)
{
    if (line ~ /^(typedef |static |const )*(struct|union)( [a-z_0-9]+)? \{/)
        is_struct = 1
    else if (line ~ /^\}/)
        is_struct = 0
    while (match(line, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\/.*|(\.|->)?[A-Za-z_][A-Za-z0-9_]*/)) {
        word = substr(line, RSTART, RLENGTH)
        result = result substr(line, 1, RSTART - 1) word
        line = substr(line, RSTART + RLENGTH)
        if ((path, word) in defined_by && definitions[word] > 1 && !(is_struct && is_member(result, line)))
            result = result "_in_" base_of(path)
    }
    return result line
}

# Whether the word between both is the name of a member in its declaration.
function is_member(before, after)
{
    return after ~ /^ *[;:[,]/ || (before ~ /\(\*[A-Za-z0-9_]+$/ && after ~ /^\)/)
}

function word_in(text)
{
    gsub(/[^A-Za-z0-9_]/, "", text)
    return text
}

function base_of(path)
{
    sub(/^.*\//, "", path)
    sub(/\.[^.]*$/, "", path)
    return path
}
