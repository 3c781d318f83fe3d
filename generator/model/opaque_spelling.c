#include "model/opaque_spelling.h"

#include "model/names.h"

#include <string.h>

// The words of C's built-in types, in the order of the counts below.
enum { BOOL, CHAR, DOUBLE, FLOAT, INT, LONG, SHORT, SIGNED, UNSIGNED, VOID, BUILTIN_COUNT };
static const char *const builtins[BUILTIN_COUNT] = {"bool", "char",  "double", "float",    "int",
                                                    "long", "short", "signed", "unsigned", "void"};

// The words read so far.
typedef struct words {
    size_t tags, names, stars;
    size_t counts[BUILTIN_COUNT], builtins;
    const char *name;
    bool ends_in_const;  // the last word or star is followed by `const`
    bool is_tag_pending; // the next word must be the name of a struct, union or enum
} words;

static bool is_keyword(const char *word)
{
    const char *reserved = name_reserved_as(word);
    return reserved != NULL && strncmp(reserved, "a keyword", strlen("a keyword")) == 0;
}

static bool is_tag(const char *word)
{
    return strcmp(word, "struct") == 0 || strcmp(word, "union") == 0 || strcmp(word, "enum") == 0;
}

static bool take_builtin(words *words, const char *word)
{
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        if (strcmp(builtins[i], word) != 0)
            continue;
        words->counts[i]++;
        words->builtins++;
        return true;
    }
    return false;
}

// Returns whether the word is valid at this position.
static bool take_word(words *words, const char *word)
{
    bool was_tag = words->is_tag_pending;
    words->is_tag_pending = false;
    if (strcmp(word, "const") == 0) {
        words->ends_in_const = true;
        return !was_tag;
    }
    if (words->stars > 0 || (was_tag && is_keyword(word)))
        return false;
    if (is_tag(word)) {
        words->is_tag_pending = true;
        return ++words->tags == 1 && words->names + words->builtins == 0;
    }
    if (take_builtin(words, word))
        return words->names == 0;
    words->name = word;
    return name_is_identifier(word) && !is_keyword(word) && ++words->names == 1 && words->builtins == 0;
}

static bool take_star(words *words)
{
    words->stars++;
    words->ends_in_const = false;
    return !words->is_tag_pending && words->names + words->builtins > 0;
}

static bool take_words(arena *arena, words *words, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    while (*text != '\0') {
        size_t size = strspn(text, letters);
        if (size > 0 && !take_word(words, arena_copy(arena, text, size)))
            return false;
        if (size == 0 && *text != '*' && *text != ' ')
            return false;
        if (*text == '*' && !take_star(words))
            return false;
        text += size > 0 ? size : 1;
    }
    return true;
}

// Returns whether the words name a built-in type of C, in any order.
static bool is_type_of_words(const words *words)
{
    const size_t *counts = words->counts;
    size_t signs = counts[SIGNED] + counts[UNSIGNED];
    if (counts[VOID] > 0)
        return words->builtins == 1 && words->stars > 0;
    if (counts[BOOL] + counts[FLOAT] > 0)
        return words->builtins == 1;
    if (counts[DOUBLE] > 0)
        return counts[DOUBLE] == 1 && counts[LONG] <= 1 && words->builtins == 1 + counts[LONG];
    if (counts[CHAR] > 0)
        return counts[CHAR] == 1 && signs <= 1 && words->builtins == 1 + signs;
    bool is_one_size = counts[SHORT] == 0 ? counts[LONG] <= 2 : counts[SHORT] == 1 && counts[LONG] == 0;
    return signs <= 1 && counts[INT] <= 1 && is_one_size;
}

bool opaque_spelling_read(arena *arena, const char *text, opaque_spelling *spelling)
{
    words words = {.tags = 0};
    if (!take_words(arena, &words, text) || words.is_tag_pending || words.ends_in_const)
        return false;
    if (words.names + words.builtins == 0 || (words.builtins > 0 && (words.tags > 0 || !is_type_of_words(&words))))
        return false;
    *spelling = (opaque_spelling){words.name, words.tags > 0, words.stars};
    return true;
}

// Headers that generated code includes declare the _t types of C and those of the runtime.
bool opaque_spelling_is_known(const opaque_spelling *spelling)
{
    const char *name = spelling->name;
    if (name == NULL || (spelling->has_tag && spelling->stars > 0))
        return true;
    size_t size = strlen(name);
    bool is_of_headers = name_reserved_as(name) != NULL && size > 2 && strcmp(name + size - 2, "_t") == 0;
    return !spelling->has_tag && (is_of_headers || strncmp(name, "kin_", strlen("kin_")) == 0);
}
