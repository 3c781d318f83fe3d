// Reads the keys that have a member of the model, by their rows in the language.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// ---- words

static const char *list_words(arena *arena, const language_value *value)
{
    const char *list = NULL;
    const char *quote = value->message == WORD_PLAIN ? "" : "'";
    for (const char *const *word = value->words; *word != NULL; word++) {
        const char *spelled = arena_format(arena, "%s%s%s", quote, *word, quote);
        const char *separator = word[1] == NULL ? " or " : ", ";
        list = list == NULL ? spelled : arena_format(arena, "%s%s%s", list, separator, spelled);
    }
    return list;
}

static void report_word(reader *reader, const tree_node *node, const language_key *key, const char *what)
{
    const char *expected = list_words(reader->arena, key->value);
    if (key->value->message == WORD_MUST_BE)
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CHOICE, node->span, "'%s' of %s must be %s, found '%s'",
                         key->name, what, expected, node->text);
    else if (key->omitted != NULL)
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CHOICE, node->span,
                         "unknown %s '%s'; expected %s, or leave the key out%s", key->name, node->text, expected,
                         key->omitted);
    else
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CHOICE, node->span, "unknown %s '%s'; expected %s",
                         key->name, node->text, expected);
}

int reader_read_word(reader *reader, const tree_node *node, const language_key *key, const char *what)
{
    const language_value *value = key->value;
    assert(value->words != NULL && value->pattern == NULL);
    bool names_element = value->message == WORD_OF_ELEMENT || value->message == WORD_MUST_BE;
    const char *place = arena_format(reader->arena, "'%s'", key->name);
    if (names_element)
        place = arena_format(reader->arena, "%s of %s", place, what);
    if (!reader_expect_text(reader, node, place))
        return -1;
    name_search search = name_search_begin(node->text);
    for (unsigned i = 0; value->words[i] != NULL; i++) {
        if (strcmp(node->text, value->words[i]) == 0)
            return (int)(value->first_word + i);
        name_search_offer(&search, value->words[i]);
    }
    report_word(reader, node, key, what);
    reader_hint(reader, search);
    return -1;
}

// ---- keys

// Reads `was`.
static void read_saved_name(reader *reader, const tree_node *node, const language_key *key, const char *what,
                            saved_name *saved)
{
    name_case expected = CASE_EITHER;
    if (key->value == &language_pascal_name)
        expected = CASE_PASCAL;
    if (key->value == &language_snake_name)
        expected = CASE_SNAKE;
    reader->package->has_saves = true;
    if (!reader_check_old_name(reader, node, expected, arena_format(reader->arena, "'%s' of %s", key->name, what)))
        return;
    saved->identity = saved->was = node->text;
    saved->span = node->span;
}

// Reads a key such as `save`, whose member says that it is false.
static void read_false(reader *reader, const tree_node *node, bool *is_false)
{
    bool value = true;
    *is_false = reader_read_bool(reader, node, &value) && !value;
}

// Reads a number that fits its type; returns false after reporting an error.
static bool read_integer(reader *reader, const tree_node *node, type_kind kind, integer *number)
{
    const field_type type = {.kind = kind};
    return read_constant(reader, &type, node) != NULL &&
           integer_read(node->text, scalar_type_of(kind), number) == NUMBER_FITS;
}

static void read_word_into(reader *reader, const tree_node *node, const language_key *key, const char *what,
                           void *member)
{
    int word = reader_read_word(reader, node, key, what);
    if (word >= 0)
        memcpy(member, &word, sizeof word);
}

void reader_read_key(reader *reader, const tree_node *mapping, const language_key *key, const char *what, void *element)
{
    assert(key->member.kind != MEMBER_NONE || !key->member.is_read_by_code);
    const tree_node *node = tree_find(mapping, key->name);
    void *member = (char *)element + key->member.offset;
    integer number;
    if (node == NULL)
        return;
    switch (key->member.kind) {
    case MEMBER_NONE:
        break;
    case MEMBER_TEXT:
        *(const char **)member = reader_find_text(reader, mapping, key->name, what);
        break;
    case MEMBER_BOOL:
        if (key->value->words != NULL)
            *(bool *)member = reader_read_word(reader, node, key, what) >= 0;
        else
            *(bool *)member = reader_find_bool(reader, mapping, key->name);
        break;
    case MEMBER_UNSAVED:
        reader->package->has_saves = true;
        read_false(reader, node, member);
        break;
    case MEMBER_FALSE:
        read_false(reader, node, member);
        break;
    case MEMBER_WORD:
        read_word_into(reader, node, key, what, member);
        break;
    case MEMBER_NUMBER:
        if (read_integer(reader, node, TYPE_INT32, &number))
            *(int32_t *)member = (int32_t)(number.is_negative ? -(int64_t)number.magnitude : (int64_t)number.magnitude);
        break;
    case MEMBER_COUNT:
        if (read_integer(reader, node, TYPE_UINT32, &number))
            *(uint32_t *)member = (uint32_t)number.magnitude;
        break;
    case MEMBER_SAVED:
        read_saved_name(reader, node, key, what, member);
        break;
    }
}

void reader_read_keys(reader *reader, const tree_node *mapping, const language_value *keys, const char *what,
                      void *element)
{
    assert(mapping->kind == TREE_MAPPING && keys->kind == LANGUAGE_MAPPING);
    reader_check_keys(reader, mapping, keys, what);
    for (const language_key *key = keys->keys; key->name != NULL; key++)
        if (!key->member.is_read_by_code)
            reader_read_key(reader, mapping, key, what, element);
}
