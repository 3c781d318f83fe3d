#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_SIZE = 16 };

// One field on the path to a leaf.
typedef struct step {
    const struct step *outer; // NULL: a field of the value
    const kin_field_info *field;
    bool is_inside; // inside another array or list
} step;

// Visits leaves. `memory` is NULL while only measuring.
typedef struct walk {
    kin__leaf_room room;
    kin__leaf_memory *memory;
} walk;

static bool is_repeated(const kin_field_info *field)
{
    return field->count > 0 || field->is_list;
}

// ---- paths

// Writes the length of an array inside another array, such as "[3]"; nothing for other fields.
static size_t write_length(const step *step, char text[NUMBER_SIZE])
{
    text[0] = '\0';
    if (step->field->count > 0 && step->is_inside)
        snprintf(text, NUMBER_SIZE, "[%" PRIu32 "]", step->field->count);
    return strlen(text);
}

static size_t path_length(const step *last)
{
    size_t length = 0;
    char text[NUMBER_SIZE];
    for (const step *step = last; step != NULL; step = step->outer)
        length += strlen(kin__field_identity(step->field)) + write_length(step, text) + (step->outer != NULL);
    return length;
}

static char *write_before(char *end, const char *text, size_t length)
{
    memcpy(end - length, text, length);
    return end - length;
}

// Writes the path, from its end to its beginning.
static void write_path(const step *last, char *path)
{
    char *at = path + path_length(last);
    char text[NUMBER_SIZE];
    *at = '\0';
    for (const step *step = last; step != NULL; step = step->outer) {
        const char *identity = kin__field_identity(step->field);
        at = write_before(at, text, write_length(step, text));
        at = write_before(at, identity, strlen(identity));
        if (step->outer != NULL)
            at = write_before(at, ".", 1);
    }
    KIN_ASSERT(at == path);
}

// ---- leaves

static uint32_t count_dimensions(const step *last)
{
    uint32_t count = 0;
    for (const step *step = last; step != NULL; step = step->outer)
        count += step->field->count > 0;
    return count;
}

static const step *top_of(const step *last)
{
    while (last->outer != NULL)
        last = last->outer;
    return last;
}

// Fills the dimensions from the innermost one outwards and sums the offsets. Offsets restart at the elements of a list.
static void place_leaf(kin__value_leaf *leaf, const step *last, kin__dimension *dimensions)
{
    uint32_t left = leaf->dimension_count;
    leaf->dimensions = dimensions;
    leaf->elements = 1;
    for (const step *step = last; step != NULL; step = step->outer) {
        const kin_field_info *field = step->field;
        if (!field->is_list)
            leaf->offset += field->offset;
        if (field->count == 0)
            continue;
        dimensions[--left] = (kin__dimension){field->count, field->size / field->count};
        leaf->elements *= field->count;
    }
    KIN_ASSERT(left == 0);
}

static void write_leaf(kin__leaf_memory *memory, const step *last)
{
    kin__value_leaf *leaf = memory->leaves++;
    *leaf = (kin__value_leaf){.path = memory->letters,
                              .field = last->field,
                              .top = top_of(last)->field,
                              .is_list = top_of(last)->field->is_list,
                              .dimension_count = count_dimensions(last),
                              .width = kin__element_size(last->field)};
    write_path(last, memory->letters);
    memory->letters += path_length(last) + 1;
    place_leaf(leaf, last, memory->dimensions);
    memory->dimensions += leaf->dimension_count;
}

static void visit_leaf(walk *walk, const step *last)
{
    walk->room.leaves++;
    walk->room.dimensions += count_dimensions(last);
    walk->room.letters += path_length(last) + 1;
    if (walk->memory != NULL)
        write_leaf(walk->memory, last);
}

// Recursive over structs in structs, of which the schema allows 32 levels.
static void visit_fields(walk *walk, const step *outer, const kin_field_info *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        step step = {.outer = outer, .field = &fields[i]};
        step.is_inside = outer != NULL && (outer->is_inside || is_repeated(outer->field));
        if (step.field->is_unsaved)
            continue;
        if (step.field->type == KIN_TYPE_STRUCT)
            visit_fields(walk, &step, step.field->of->fields, step.field->of->field_count);
        else
            visit_leaf(walk, &step);
    }
}

// Adds the room that the leaves of a value's fields need.
static void leaves_measure(kin__leaf_room *room, const kin_field_info *fields, uint32_t count)
{
    walk walk = {.room = *room};
    visit_fields(&walk, NULL, fields, count);
    *room = walk.room;
}

// Insertion sort: few values have many leaves, and fields are often sorted in the schema already.
static void sort(kin__value_leaf *leaves, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        kin__value_leaf leaf = leaves[i];
        size_t to = i;
        for (; to > 0 && strcmp(leaves[to - 1].path, leaf.path) > 0; to--)
            leaves[to] = leaves[to - 1];
        leaves[to] = leaf;
    }
}

kin__leaves kin__leaves_make(kin__leaf_memory *memory, const kin_field_info *fields, uint32_t count)
{
    walk walk = {.memory = memory};
    kin__value_leaf *first = memory->leaves;
    visit_fields(&walk, NULL, fields, count);
    sort(first, walk.room.leaves);
    return (kin__leaves){first, (uint32_t)walk.room.leaves};
}

// ---- identities

static uint64_t hash_context(const kin_context_info *info)
{
    const char *identity = kin__context_identity(info);
    return kin__xxh64_of(identity, strlen(identity), 0);
}

static uint64_t hash_component(const kin_context_info *context, const char *identity)
{
    const char *of_context = kin__context_identity(context);
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__xxh64_add(&hash, of_context, strlen(of_context));
    kin__xxh64_add(&hash, ".", 1);
    kin__xxh64_add(&hash, identity, strlen(identity));
    return kin__xxh64_end(&hash);
}

// ---- components

static uint32_t count_components(const kin_context_info *info, kin__leaf_room *room)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < info->component_count; id++)
        if (kin__component_is_saved(&info->components[id])) {
            leaves_measure(room, info->components[id].fields, info->components[id].field_count);
            count++;
        }
    return count;
}

// Insertion sort: ids are in order of names, and most identities are names.
static void insert(kin__shape *shape, const kin__component_shape *component)
{
    uint32_t to = shape->count++;
    for (; to > 0 && strcmp(shape->components[to - 1].identity, component->identity) > 0; to--)
        shape->components[to] = shape->components[to - 1];
    shape->components[to] = *component;
}

static void fill(kin__shape *shape, kin__leaf_memory *memory)
{
    for (uint32_t id = 0; id < shape->info->component_count; id++) {
        const kin_component_info *info = &shape->info->components[id];
        if (!kin__component_is_saved(info))
            continue;
        kin__component_shape component = {
            .identity = kin__component_identity(info), .info = info, .id = (kin_component_id)id};
        component.leaves = kin__leaves_make(memory, info->fields, info->field_count);
        component.hash = hash_component(shape->info, component.identity);
        insert(shape, &component);
    }
}

// ---- the block

kin__shape *kin__shape_make(kin__memory *memory, const kin_context_info *info)
{
    kin__leaf_room room = {0};
    size_t components = kin__round_up(count_components(info, &room) * sizeof(kin__component_shape));
    size_t leaves = kin__round_up(room.leaves * sizeof(kin__value_leaf));
    size_t dimensions = kin__round_up(room.dimensions * sizeof(kin__dimension));
    size_t head = kin__round_up(sizeof(kin__shape));
    size_t size = head + components + leaves + dimensions + room.letters;
    kin__shape *shape = kin__allocate(memory, size);
    if (shape == NULL)
        return NULL;
    *shape = (kin__shape){.size = size, .info = info, .hash = hash_context(info)};
    char *at = (char *)shape + head + components;
    kin__leaf_memory parts = {.leaves = (kin__value_leaf *)(void *)at,
                              .dimensions = (kin__dimension *)(void *)(at + leaves),
                              .letters = at + leaves + dimensions};
    fill(shape, &parts);
    KIN_ASSERT(parts.letters == (char *)shape + size);
    return shape;
}

void kin__shape_release(kin__memory *memory, kin__shape *shape)
{
    if (shape != NULL)
        kin__release(memory, shape, shape->size);
}

bool kin__message_leaves_make(kin__message_leaves *leaves, const kin_world_info *info, kin_allocator allocator)
{
    uint32_t count = info == NULL ? 0 : info->message_count;
    kin__leaf_room room = {0};
    for (uint32_t i = 0; i < count; i++)
        leaves_measure(&room, info->messages[i].fields, info->messages[i].field_count);
    size_t table = kin__round_up(count * sizeof(kin__leaves) + 1);
    size_t values = kin__round_up(room.leaves * sizeof(kin__value_leaf));
    size_t dimensions = kin__round_up(room.dimensions * sizeof(kin__dimension));
    *leaves =
        (kin__message_leaves){.memory = kin__memory_of(allocator), .size = table + values + dimensions + room.letters};
    leaves->of = leaves->block = kin__allocate(&leaves->memory, leaves->size);
    if (leaves->block == NULL)
        return false;
    char *at = leaves->block;
    kin__leaf_memory memory = {.leaves = (kin__value_leaf *)(void *)(at + table),
                               .dimensions = (kin__dimension *)(void *)(at + table + values),
                               .letters = at + table + values + dimensions};
    for (uint32_t i = 0; i < count; i++)
        leaves->of[i] = kin__leaves_make(&memory, info->messages[i].fields, info->messages[i].field_count);
    return true;
}

void kin__message_leaves_release(kin__message_leaves *leaves)
{
    if (leaves->block != NULL)
        kin__release(&leaves->memory, leaves->block, leaves->size);
}

uint32_t kin__message_number(const kin_world_info *info, uint32_t message)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < info->message_count; i++)
        number +=
            strcmp(kin__message_identity(&info->messages[i]), kin__message_identity(&info->messages[message])) < 0;
    return number;
}
