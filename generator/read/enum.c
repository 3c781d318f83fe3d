// Reads an enum's `values`: a list, numbered from 0, or a mapping from names to numbers.
#include "model/type.h"
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

static void append(enum_reader *enums, const tree_node *name, integer number)
{
    enumerator *added = &enums->enumerators[enums->count];
    int64_t magnitude = (int64_t)number.magnitude;
    added->name = name->text;
    added->span = name->span;
    added->literal = integer_literal(enums->reader->arena, number, TYPE_INT32);
    added->number = (int32_t)(number.is_negative ? -magnitude : magnitude);

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

static void read_list(enum_reader *enums, const tree_node *node)
{
    uint64_t number = 0;
    if (!reader_expect_items(enums->reader, node, arena_format(enums->reader->arena, "'values' of %s", enums->what)))
        return;
    for (const tree_node *item = node->items; item != NULL; item = item->next, number++)
        if (reader_check_name(enums->reader, item, CASE_EITHER, "an enum value"))
            append(enums, item, (integer){.magnitude = number});
}

static void read_mapping(enum_reader *enums, const tree_node *node)
{
    if (!reader_expect_entries(enums->reader, node, arena_format(enums->reader->arena, "'values' of %s", enums->what)))
        return;
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
        integer number;
        bool is_named = reader_check_name(enums->reader, pair->key, CASE_EITHER, "an enum value");
        if (read_number(enums->reader, pair->value, &number) && is_named)
            append(enums, pair->key, number);
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
