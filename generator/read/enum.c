// Reads an enum's `values`: a list, numbered from 0, or a mapping from names to numbers. In place of a name in the list
// there may be a mapping from the name, and in place of a number a mapping with it, which say more about the value.
#include "generator/schema/schema.h"
#include "read/private/reader.h"

#include <string.h>

typedef struct enum_reader {
    reader *reader;
    const char *what;
    enumerator *enumerators;
    size_t count;
    dictionary names, numbers; // to the enumerator with that name or number
} enum_reader;

// Reads the number of an enumerator; returns false after reporting an error.
static bool read_number(reader *reader, const tree_node *node, integer *number)
{
    if (node->kind == TREE_BROKEN)
        return false;
    bool is_plain = node->kind == TREE_SCALAR && node->is_plain;
    number_verdict verdict = is_plain ? integer_read(node->text, scalar_type_of(TYPE_INT32), number) : NUMBER_IS_NONE;
    if (verdict == NUMBER_IS_NONE) {
        diagnostic_error(reader->diagnostics, CODE_ENUM_NUMBER, node->span,
                         "number of an enum value must be an integer");
        diagnostic_hint(reader->diagnostics, "write an integer from %d to %d, such as 12 or 0x1F", INT32_MIN,
                        INT32_MAX);
    } else if (verdict == NUMBER_IS_OUT_OF_RANGE) {
        diagnostic_error(reader->diagnostics, CODE_ENUM_NUMBER, node->span,
                         "%s is out of range for an enum value; expected %d to %d", node->text, INT32_MIN, INT32_MAX);
    }
    return verdict == NUMBER_FITS;
}

// Reads what the mapping, which may be NULL, says of the enumerator.
static saved_name read_details(enum_reader *enums, const tree_node *name, const tree_node *details,
                               const language_value *keys)
{
    if (details == NULL)
        return read_no_was(name->text);
    const char *what = arena_format(enums->reader->arena, "value '%s' of %s", name->text, enums->what);
    reader_check_keys(enums->reader, details, keys, what);
    return read_was(enums->reader, details, CASE_EITHER, what, name->text);
}

static void append(enum_reader *enums, const tree_node *name, integer number, saved_name saved)
{
    enumerator *added = &enums->enumerators[enums->count];
    int64_t magnitude = (int64_t)number.magnitude;
    added->name = name->text;
    added->span = name->span;
    added->literal = integer_literal(enums->reader->arena, number, TYPE_INT32);
    added->number = (int32_t)(number.is_negative ? -magnitude : magnitude);
    added->saved = saved;

    diagnostics *diagnostics = enums->reader->diagnostics;
    const enumerator *same_name = dictionary_add(&enums->names, added->name, added);
    if (same_name != NULL) {
        diagnostic_error(diagnostics, CODE_DUPLICATE_NAME, added->span, "value '%s' is declared twice in %s",
                         added->name, enums->what);
        diagnostic_note(diagnostics, same_name->span, "first declared here");
        return;
    }
    enums->count++;
    const char *key = arena_format(enums->reader->arena, "%d", (int)added->number);
    const enumerator *same_number = dictionary_add(&enums->numbers, key, added);
    if (same_number == NULL)
        return;
    diagnostic_error(diagnostics, CODE_DUPLICATE_ENUM_NUMBER, added->span,
                     "value '%s' of %s has the same number as '%s': %s", added->name, enums->what, same_number->name,
                     key);
    diagnostic_note(diagnostics, same_number->span, "'%s' is declared here", same_number->name);
}

// Reads an item of a list: a name, or a mapping from one name to its details.
static void read_item(enum_reader *enums, const tree_node *item, integer number)
{
    reader *reader = enums->reader;
    const tree_node *name = item, *details = NULL;
    if (item->kind == TREE_MAPPING && item->count != 1) {
        diagnostic_error(reader->diagnostics, CODE_TEXT_EXPECTED, item->span,
                         "expected the name of an enum value, found a mapping of %zu", item->count);
        diagnostic_hint(reader->diagnostics, "write { Crimson: { was: Red } }, each value on its own");
        return;
    }
    if (item->kind == TREE_MAPPING && item->pairs != NULL) {
        name = item->pairs->key;
        details = item->pairs->value;
    }
    if (!reader_check_name(reader, name, CASE_EITHER, "an enum value"))
        return;
    if (details != NULL &&
        !reader_expect_mapping(reader, details, arena_format(reader->arena, "value '%s'", name->text)))
        details = NULL;
    append(enums, name, number, read_details(enums, name, details, &language_listed_enumerator));
}

static void read_list(enum_reader *enums, const tree_node *node)
{
    uint64_t number = 0;
    if (!reader_expect_items(enums->reader, node, arena_format(enums->reader->arena, "'values' of %s", enums->what)))
        return;
    for (const tree_node *item = node->items; item != NULL; item = item->next, number++)
        read_item(enums, item, (integer){.magnitude = number});
}

// Reads the number in the details of an enumerator.
static bool read_number_of(enum_reader *enums, const tree_pair *pair, integer *number)
{
    const tree_node *value = tree_find(pair->value, "value");
    if (value != NULL)
        return read_number(enums->reader, value, number);
    if (!reader_is_misspelled(pair->value, &language_enumerator, "value")) {
        diagnostic_error(enums->reader->diagnostics, CODE_ENUM_NUMBER, pair->key->span,
                         "value '%s' of %s has no 'value'", pair->key->text, enums->what);
        diagnostic_hint(enums->reader->diagnostics, "add its number, such as 'value: 1'");
    }
    return false;
}

static void read_mapping(enum_reader *enums, const tree_node *node)
{
    if (!reader_expect_entries(enums->reader, node, arena_format(enums->reader->arena, "'values' of %s", enums->what)))
        return;
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
        integer number;
        const tree_node *details = pair->value->kind == TREE_MAPPING ? pair->value : NULL;
        bool is_named = reader_check_name(enums->reader, pair->key, CASE_EITHER, "an enum value");
        bool is_numbered =
            details == NULL ? read_number(enums->reader, pair->value, &number) : read_number_of(enums, pair, &number);
        if (is_numbered && is_named)
            append(enums, pair->key, number, read_details(enums, pair->key, details, &language_enumerator));
    }
}

void read_enum(reader *reader, definition_draft *draft, const char *what)
{
    const tree_node *node = tree_find(draft->node, "values");
    enum_reader enums = {.reader = reader, .what = what};
    enums.enumerators = arena_allocate(reader->arena, (node->count + 1) * sizeof *enums.enumerators);
    enums.names = dictionary_create(reader->arena);
    enums.numbers = dictionary_create(reader->arena);
    if (node->kind == TREE_MAPPING)
        read_mapping(&enums, node);
    else
        read_list(&enums, node);
    draft->enumerators = enums.names;
    draft->definition.enumerators = enums.enumerators;
    draft->definition.enumerator_count = enums.count;
    draft->is_broken = enums.count == 0;
}
