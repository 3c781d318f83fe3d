// The names that are taken: keywords, what common headers define, and parameters of generated functions.
//
// Every table is in byte order, for bsearch.
#include "names.h"

#include <stdlib.h>
#include <string.h>

// Of C17 and C23; the few of C11 that begin with an underscore are no names of a schema anyway.
static const char *const keywords_of_c[] = {
    "alignas", "alignof",       "asm",           "auto",     "bool",     "break",        "case",  "char",
    "const",   "constexpr",     "continue",      "default",  "do",       "double",       "else",  "enum",
    "extern",  "false",         "float",         "for",      "fortran",  "goto",         "if",    "inline",
    "int",     "long",          "nullptr",       "register", "restrict", "return",       "short", "signed",
    "sizeof",  "static",        "static_assert", "struct",   "switch",   "thread_local", "true",  "typedef",
    "typeof",  "typeof_unqual", "union",         "unsigned", "void",     "volatile",     "while",
};

// Of C++20, without those that C has too.
static const char *const keywords_of_cpp[] = {
    "and",       "and_eq",       "bitand",     "bitor",     "catch",     "char16_t",
    "char32_t",  "char8_t",      "class",      "co_await",  "co_return", "co_yield",
    "compl",     "concept",      "const_cast", "consteval", "constinit", "decltype",
    "delete",    "dynamic_cast", "explicit",   "export",    "friend",    "mutable",
    "namespace", "new",          "noexcept",   "not",       "not_eq",    "operator",
    "or",        "or_eq",        "private",    "protected", "public",    "reinterpret_cast",
    "requires",  "static_cast",  "template",   "this",      "throw",     "try",
    "typeid",    "typename",     "using",      "virtual",   "wchar_t",   "xor",
    "xor_eq",
};

// What the headers that generated code includes define, and what compilers define by themselves.
static const char *const names_in_use[] = {
    "NULL",     "i386",     "int16_t",     "int32_t",   "int64_t",   "int8_t", "intmax_t",
    "intptr_t", "linux",    "max_align_t", "offsetof",  "ptrdiff_t", "size_t", "uint16_t",
    "uint32_t", "uint64_t", "uint8_t",     "uintmax_t", "uintptr_t", "unix",
};

// Macros that would be replaced inside generated code, and types that it would declare again, where a user includes
// other headers of C and POSIX before it.
static const char *const names_of_headers[] = {
    "BUFSIZ",       "CHAR_BIT",   "CHAR_MAX",     "CHAR_MIN",     "CLOCKS_PER_SEC", "DBL_MAX",
    "DBL_MIN",      "DIR",        "EDOM",         "EILSEQ",       "EINTR",          "EINVAL",
    "ENOMEM",       "EOF",        "ERANGE",       "EXIT_FAILURE", "EXIT_SUCCESS",   "FILE",
    "FILENAME_MAX", "FLT_MAX",    "FLT_MIN",      "FOPEN_MAX",    "HUGE_VAL",       "I",
    "INFINITY",     "INT_MAX",    "INT_MIN",      "LONG_MAX",     "LONG_MIN",       "L_tmpnam",
    "MB_CUR_MAX",   "MB_LEN_MAX", "NAN",          "NDEBUG",       "RAND_MAX",       "RSIZE_MAX",
    "SEEK_CUR",     "SEEK_END",   "SEEK_SET",     "SIGABRT",      "SIGFPE",         "SIGILL",
    "SIGINT",       "SIGSEGV",    "SIGTERM",      "SIZE_MAX",     "TMP_MAX",        "UINT_MAX",
    "WEOF",         "assert",     "clock_t",      "complex",      "div_t",          "double_t",
    "errno",        "float_t",    "fpos_t",       "gid_t",        "imaginary",      "jmp_buf",
    "ldiv_t",       "lldiv_t",    "mbstate_t",    "mode_t",       "noreturn",       "off_t",
    "pid_t",        "setjmp",     "sig_atomic_t", "ssize_t",      "stderr",         "stdin",
    "stdout",       "time_t",     "timer_t",      "uid_t",        "va_arg",         "va_copy",
    "va_end",       "va_list",    "va_start",     "wctrans_t",    "wctype_t",       "wint_t",
};

// A function of a context has the context's name as its first parameter, beside these parameters and locals.
static const char *const parameters[] = {
    "a",        "b",    "context", "contexts", "count",   "entities", "entity", "i",      "index",  "it",
    "iterator", "mask", "matcher", "on",       "options", "owner",    "result", "source", "status", "value",
};

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

#define CONTAINS(table, name) (bsearch(name, table, sizeof table / sizeof table[0], sizeof table[0], compare) != NULL)

const char *name_reserved_as(const char *name)
{
    if (CONTAINS(keywords_of_c, name))
        return "a keyword of C";
    if (CONTAINS(keywords_of_cpp, name))
        return "a keyword of C++";
    if (CONTAINS(names_in_use, name))
        return "a name that C's headers define";
    return NULL;
}

bool name_is_of_headers(const char *name)
{
    return CONTAINS(names_of_headers, name);
}

const char *name_reserved_as_parameter(const char *name)
{
    const char *reserved = name_reserved_as(name);
    if (reserved == NULL && CONTAINS(parameters, name))
        return "a name that generated functions use for a parameter";
    return reserved;
}
