#include "storage/opaque.h"

#include "base/base.h"

#include <string.h>

typedef struct walk walk;

struct walk {
    void (*visit)(walk *walk, const kin_type_info *type, size_t offset); // called for each opaque value
    uint32_t number;                                                     // of the opaque value that is visited
    kin__opaque values;                                                  // the value that is walked
    const kin_type_info *wanted_type; // of a search: the type and value to find, and whether it was found
    const char *wanted;
    bool is_found;
    const kin__opaque *older; // of a move: the older values
    uint32_t older_count;
    char *cleared; // of a clear: the value to change
};

// Recursive over nested structs, of which the schema allows 32 levels. Elements of lists have no drops.
static void walk_fields(walk *walk, const kin_field_info *fields, uint32_t count, size_t base)
{
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        if (field->is_list || (field->type != KIN_TYPE_OPAQUE && field->type != KIN_TYPE_STRUCT))
            continue;
        uint32_t elements = field->count == 0 ? 1 : field->count;
        for (uint32_t k = 0; k < elements; k++) {
            size_t offset = base + field->offset + k * field->of->size;
            KIN_ASSERT(offset + field->of->size <= walk->values.info->size);
            if (field->of->drop != NULL) {
                walk->visit(walk, field->of, offset);
                walk->number++;
            }
            walk_fields(walk, field->of->fields, field->of->field_count, offset);
        }
    }
}

static void walk_values(walk *walk)
{
    walk_fields(walk, walk->values.info->fields, walk->values.info->field_count, 0);
}

static void visit_nothing(walk *walk, const kin_type_info *type, size_t offset)
{
    (void)walk;
    (void)type;
    (void)offset;
}

size_t kin__opaque_moved_size(const kin_component_info *info)
{
    walk walk = {.visit = visit_nothing, .values = {.info = info}};
    walk_values(&walk);
    return (walk.number + 7) / 8;
}

static bool has_moved(const kin__opaque *values, uint32_t number)
{
    return (values->moved[number / 8] >> (number % 8) & 1) != 0;
}

static void drop_value(walk *walk, const kin_type_info *type, size_t offset)
{
    KIN_ASSERT(type->drop != NULL);
    if (!has_moved(&walk->values, walk->number))
        type->drop(walk->values.value + offset);
}

void kin__opaque_drop(kin__opaque values)
{
    walk walk = {.visit = drop_value, .values = values};
    walk_values(&walk);
}

// ---- moving

static void match_value(walk *walk, const kin_type_info *type, size_t offset)
{
    if (walk->is_found || type != walk->wanted_type || has_moved(&walk->values, walk->number) ||
        memcmp(walk->values.value + offset, walk->wanted, type->size) != 0)
        return;
    walk->values.moved[walk->number / 8] |= (unsigned char)(1 << (walk->number % 8));
    walk->is_found = true;
}

static void move_value(walk *walk, const kin_type_info *type, size_t offset)
{
    KIN_ASSERT(walk->older_count > 0);
    struct walk search = {
        .visit = match_value, .wanted_type = type, .wanted = walk->values.value + offset, .is_found = false};
    for (uint32_t i = 0; i < walk->older_count && !search.is_found; i++) {
        KIN_ASSERT(walk->older[i].info == walk->values.info);
        search.values = walk->older[i];
        search.number = walk->number;
        match_value(&search, type, offset);
        search.number = 0;
        if (!search.is_found)
            walk_values(&search);
    }
}

void kin__opaque_move(kin__opaque value, const kin__opaque *older, uint32_t older_count)
{
    walk walk = {.visit = move_value, .values = value, .older = older, .older_count = older_count};
    walk_values(&walk);
}

// ---- handing over

// Takes the wanted value back if this value has it and it had moved.
static void take_value(walk *walk, const kin_type_info *type, size_t offset)
{
    if (walk->is_found || type != walk->wanted_type || !has_moved(&walk->values, walk->number) ||
        memcmp(walk->values.value + offset, walk->wanted, type->size) != 0)
        return;
    walk->values.moved[walk->number / 8] &= (unsigned char)~(1 << (walk->number % 8));
    walk->is_found = true;
}

static void hand_over_value(walk *walk, const kin_type_info *type, size_t offset)
{
    struct walk search = {
        .visit = take_value, .wanted_type = type, .wanted = walk->values.value + offset, .values = *walk->older};
    if (has_moved(&walk->values, walk->number))
        return;
    walk_values(&search);
    if (search.is_found)
        walk->values.moved[walk->number / 8] |= (unsigned char)(1 << (walk->number % 8));
}

void kin__opaque_hand_over(kin__opaque value, kin__opaque other)
{
    walk walk = {.visit = hand_over_value, .values = value, .older = &other, .older_count = 1};
    walk_values(&walk);
}

// ---- clearing

static void find_value(walk *walk, const kin_type_info *type, size_t offset)
{
    if (type == walk->wanted_type && memcmp(walk->values.value + offset, walk->wanted, type->size) == 0)
        walk->is_found = true;
}

static void clear_value(walk *walk, const kin_type_info *type, size_t offset)
{
    struct walk search = {
        .visit = find_value, .values = walk->values, .wanted_type = type, .wanted = walk->cleared + offset};
    walk_values(&search);
    if (search.is_found)
        memset(walk->cleared + offset, 0, type->size);
}

void kin__opaque_clear(kin__opaque values, char *value)
{
    KIN_ASSERT(value != values.value);
    walk walk = {.visit = clear_value, .values = values, .cleared = value};
    walk_values(&walk);
}
