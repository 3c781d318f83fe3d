// Reserved names: keywords, names from common headers, and names used in generated functions.
//
// Every table is in byte order, for bsearch.
#include "model/names.h"

#include <stdlib.h>
#include <string.h>

// C17 and C23, with the common extensions asm and fortran. Keywords that begin with an underscore are missing: they are
// not valid schema names anyway.
static const char *const keywords_of_c[] = {
    "alignas", "alignof",       "asm",           "auto",     "bool",     "break",        "case",  "char",
    "const",   "constexpr",     "continue",      "default",  "do",       "double",       "else",  "enum",
    "extern",  "false",         "float",         "for",      "fortran",  "goto",         "if",    "inline",
    "int",     "long",          "nullptr",       "register", "restrict", "return",       "short", "signed",
    "sizeof",  "static",        "static_assert", "struct",   "switch",   "thread_local", "true",  "typedef",
    "typeof",  "typeof_unqual", "union",         "unsigned", "void",     "volatile",     "while",
};

// C++20, without those that C has too.
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

// Names from headers that generated code includes, and names built into compilers.
static const char *const names_in_use[] = {
    "NULL",
    "aligned_alloc",
    "dcgettext",
    "fprintf_unlocked",
    "fputc_unlocked",
    "fputs_unlocked",
    "fwrite_unlocked",
    "gamma_r",
    "i386",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "int_fast8_t",
    "int_least16_t",
    "int_least32_t",
    "int_least64_t",
    "int_least8_t",
    "intmax_t",
    "intptr_t",
    "lgamma_r",
    "lgammaf_r",
    "linux",
    "locale_t",
    "max_align_t",
    "nullptr_t",
    "offsetof",
    "posix_memalign",
    "printf_unlocked",
    "ptrdiff_t",
    "putchar_unlocked",
    "puts_unlocked",
    "size_t",
    "strcasecmp_l",
    "strcoll_l",
    "strerror_l",
    "strerror_r",
    "strncasecmp_l",
    "strtok_r",
    "strxfrm_l",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "uint_fast64_t",
    "uint_fast8_t",
    "uint_least16_t",
    "uint_least32_t",
    "uint_least64_t",
    "uint_least8_t",
    "uintmax_t",
    "uintptr_t",
    "unix",
};

// Limits of stdint.h, which an enum Size { Max, Width } or a context `size` would redefine. The widths exist in C++ and
// C23.
//
// clang-format off
static const char *const names_of_limits[] = {
    "INT16_MAX", "INT16_MIN", "INT16_WIDTH", "INT32_MAX", "INT32_MIN", "INT32_WIDTH", "INT64_MAX", "INT64_MIN",
    "INT64_WIDTH", "INT8_MAX", "INT8_MIN", "INT8_WIDTH", "INTMAX_MAX", "INTMAX_MIN", "INTMAX_WIDTH", "INTPTR_MAX",
    "INTPTR_MIN", "INTPTR_WIDTH", "INT_FAST16_MAX", "INT_FAST16_MIN", "INT_FAST16_WIDTH", "INT_FAST32_MAX",
    "INT_FAST32_MIN", "INT_FAST32_WIDTH", "INT_FAST64_MAX", "INT_FAST64_MIN", "INT_FAST64_WIDTH", "INT_FAST8_MAX",
    "INT_FAST8_MIN", "INT_FAST8_WIDTH", "INT_LEAST16_MAX", "INT_LEAST16_MIN", "INT_LEAST16_WIDTH", "INT_LEAST32_MAX",
    "INT_LEAST32_MIN", "INT_LEAST32_WIDTH", "INT_LEAST64_MAX", "INT_LEAST64_MIN", "INT_LEAST64_WIDTH",
    "INT_LEAST8_MAX", "INT_LEAST8_MIN", "INT_LEAST8_WIDTH", "PTRDIFF_MAX", "PTRDIFF_MIN", "PTRDIFF_WIDTH",
    "SIG_ATOMIC_MAX", "SIG_ATOMIC_MIN", "SIG_ATOMIC_WIDTH", "SIZE_MAX", "SIZE_WIDTH", "UINT16_MAX", "UINT16_WIDTH",
    "UINT32_MAX", "UINT32_WIDTH", "UINT64_MAX", "UINT64_WIDTH", "UINT8_MAX", "UINT8_WIDTH", "UINTMAX_MAX",
    "UINTMAX_WIDTH", "UINTPTR_MAX", "UINTPTR_WIDTH", "UINT_FAST16_MAX", "UINT_FAST16_WIDTH", "UINT_FAST32_MAX",
    "UINT_FAST32_WIDTH", "UINT_FAST64_MAX", "UINT_FAST64_WIDTH", "UINT_FAST8_MAX", "UINT_FAST8_WIDTH",
    "UINT_LEAST16_MAX", "UINT_LEAST16_WIDTH", "UINT_LEAST32_MAX", "UINT_LEAST32_WIDTH", "UINT_LEAST64_MAX",
    "UINT_LEAST64_WIDTH", "UINT_LEAST8_MAX", "UINT_LEAST8_WIDTH", "WCHAR_MAX", "WCHAR_MIN", "WCHAR_WIDTH", "WINT_MAX",
    "WINT_MIN", "WINT_WIDTH",
};
// clang-format on

// The other parameters and the locals of generated functions that take a context, and the functions that they call.
static const char *const parameters[] = {
    "a",        "ancestor", "b",          "batch",   "birth",    "bytes", "capacity", "changes",  "columns",
    "command",  "commands", "components", "context", "contexts", "copy",  "count",    "entities", "entity",
    "environ",  "from",     "function",   "holder",  "i",        "index", "it",       "iterator", "key",
    "listener", "mask",     "matcher",    "memcpy",  "memset",   "on",    "options",  "owner",    "place",
    "playback", "replace",  "result",     "run",     "sibling",  "solo",  "source",   "spawned",  "status",
    "target",   "to",       "user",       "value",   "values",   "way",
};

// Suffixes of types and variables generated for a context or group, which a parameter of the same name would shadow.
static const char *const endings[] = {"_component", "_context",  "_entity", "_info",
                                      "_iter",      "_listener", "_value",  "_values"};

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
    if (CONTAINS(names_in_use, name) || CONTAINS(names_of_limits, name))
        return "a name that C headers define";
    return NULL;
}

const char *name_as_member(arena *arena, const char *name)
{
    return name_reserved_as(name) == NULL ? name : arena_format(arena, "%s_", name);
}

bool name_is_function(const char *name)
{
    return name_is_identifier(name) && name_reserved_as(name) == NULL && strncmp(name, "kin__", strlen("kin__")) != 0;
}

bool name_is_parameter(const char *name)
{
    size_t size = strlen(name);
    if (CONTAINS(parameters, name) || strncmp(name, "kin_", strlen("kin_")) == 0)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t end = strlen(endings[i]);
        if (size > end && strcmp(name + size - end, endings[i]) == 0)
            return false;
    }
    return true;
}
