// Phrases about values and keys, shared by both forms of the reference.
#include "tools/reference.h"

#include <string.h>

static const char *name_of(arena *arena, const language_value *value, bool has_links)
{
    if (!has_links)
        return value->name;
    text anchor = text_create(arena);
    for (const char *letter = value->title; *letter != '\0'; letter++)
        text_append_format(&anchor, "%c",
                           *letter == ' '                     ? '-'
                           : *letter >= 'A' && *letter <= 'Z' ? *letter + 32
                                                              : *letter);
    return arena_format(arena, "[%s](#%s)", value->name, anchor.bytes);
}

// Formats "`a`, `b` or `c`".
static const char *words_of(arena *arena, const char *const *words, const char *last)
{
    const char *list = arena_format(arena, "`%s`", words[0]);
    for (const char *const *word = words + 1; *word != NULL; word++)
        list = arena_format(arena, "%s%s`%s`", list, word[1] == NULL ? last : ", ", *word);
    return list;
}

static const char *limited(arena *arena, const char *phrase, size_t limit)
{
    return limit == 0 ? phrase : arena_format(arena, "%s, at most %zu", phrase, limit);
}

// Recursive over values without a name, nested at most three deep in the tables.
const char *reference_phrase(arena *arena, const language_value *value, bool has_links)
{
    if (value->name != NULL)
        return name_of(arena, value, has_links);
    if (value->phrase != NULL)
        return value->phrase;
    if (value->words != NULL)
        return words_of(arena, value->words, " or ");
    const char *items = reference_phrase(arena, value->items, has_links);
    bool has_choice =
        value->kind == LANGUAGE_LIST && value->items->kind == LANGUAGE_EITHER && value->items->name == NULL;
    if (has_choice)
        return limited(arena, arena_format(arena, "a list, each item %s", items), value->limit);
    if (value->kind == LANGUAGE_LIST)
        return limited(arena, arena_format(arena, "a list of %s", items), value->limit);
    const char *names = reference_phrase(arena, value->names, has_links);
    if (value->kind == LANGUAGE_EITHER)
        return arena_format(arena, "%s, or %s", names, items);
    return limited(arena, arena_format(arena, "a mapping from %s to %s", names, items), value->limit);
}

const char *reference_remark(arena *arena, const language_key *key)
{
    text remark = text_create(arena);
    if (key->needs != NULL)
        text_append_format(&remark, " Only allowed with `%s`.", key->needs);
    if (key->excludes != NULL)
        text_append_format(&remark, " Not allowed with `%s`.", key->excludes);
    if (key->is_required)
        text_append_string(&remark, " Required.");
    if (key->fallback != NULL && strcmp(key->fallback, "false") != 0)
        text_append_format(&remark, " Default: `%s`.", key->fallback);
    return remark.bytes;
}

const char *reference_forms(arena *arena, const language_value *mapping)
{
    if (mapping->forms == NULL)
        return "";
    return arena_format(arena, "%s of %s is required.", mapping->has_one_form ? "Exactly one" : "At least one",
                        words_of(arena, mapping->forms, " and "));
}
