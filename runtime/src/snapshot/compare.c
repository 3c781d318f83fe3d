#include "snapshot/snapshot.h"

#include "snapshot/internal.h"

#include <kin/generated/list.h>
#include <kin/snapshot.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_same_string(const void *one, const void *other)
{
    const char *first, *second;
    memcpy(&first, one, sizeof first);
    memcpy(&second, other, sizeof second);
    if (first == NULL || second == NULL)
        return first == second;
    return first == second || strcmp(first, second) == 0;
}

static bool fields_are_same(const kin_field_info *fields, uint32_t count, const void *one, const void *other,
                            bool with_unsaved);

// The same for one element of an array or list, or for a field that is neither. `size` is in bytes.
static bool element_is_same(const kin_field_info *field, size_t size, const void *one, const void *other,
                            bool with_unsaved)
{
    switch (field->type) {
    case KIN_TYPE_STRING:
        return is_same_string(one, other);
    case KIN_TYPE_INLINE_STRING:
        return strncmp(one, other, size) == 0;
    case KIN_TYPE_STRUCT:
        return fields_are_same(field->of->fields, field->of->field_count, one, other, with_unsaved);
    default:
        return memcmp(one, other, size) == 0;
    }
}

static bool are_same_elements(const kin_field_info *field, uint32_t count, const char *one, const char *other,
                              bool with_unsaved)
{
    size_t size = kin__element_size(field);
    for (uint32_t i = 0; i < count; i++)
        if (!element_is_same(field, size, one + i * size, other + i * size, with_unsaved))
            return false;
    return true;
}

static kin__list_field read_list(const void *place)
{
    kin__list_field list;
    memcpy(&list.at, place, sizeof list.at);
    memcpy(&list.count, (const char *)place + offsetof(kin__list_field, count), sizeof list.count);
    return list;
}

// Returns whether the field at the two addresses is equal.
static bool field_is_same(const kin_field_info *field, const void *one, const void *other, bool with_unsaved)
{
    if (field->is_unsaved && !with_unsaved)
        return true;
    if (!field->is_list)
        return are_same_elements(field, field->count == 0 ? 1 : field->count, one, other, with_unsaved);
    kin__list_field first = read_list(one);
    kin__list_field second = read_list(other);
    return first.count == second.count && are_same_elements(field, first.count, first.at, second.at, with_unsaved);
}

// Recursive over structs in structs, of which the schema allows 32 levels.
static bool fields_are_same(const kin_field_info *fields, uint32_t count, const void *one, const void *other,
                            bool with_unsaved)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t offset = fields[i].offset;
        if (!field_is_same(&fields[i], (const char *)one + offset, (const char *)other + offset, with_unsaved))
            return false;
    }
    return true;
}

bool kin__fields_are_same(const kin_field_info *fields, uint32_t count, const void *one, const void *other)
{
    return fields_are_same(fields, count, one, other, false);
}

// The hash of a snapshot: XXH64 of pairs of hashes. Each pair is the hash of an identity, such as "game" or
// "game.Position", and the hash of the content of a block (snapshot/snapshot.h). The slots and columns of all contexts
// come first, then the other blocks.
//
// An image caches the hash of its block, so it is hashed once, however many snapshots share it.

static bool add_bytes(const void *bytes, size_t size, void *user)
{
    kin__xxh64_add(user, bytes, size);
    return true;
}

// ---- blocks

static uint64_t compute_hash(const kin__block *block)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__encoder encoder;
    kin__encoder_begin(&encoder, add_bytes, &hash);
    if (kin__block_kinds[block->kind].hashes_chunk)
        kin__encode_32(&encoder, block->chunk);
    kin__block_encode_content(&encoder, block);
    kin__encoder_flush(&encoder);
    return kin__xxh64_end(&hash);
}

uint64_t kin__block_hash(const kin__block *block)
{
    if (block->image == NULL)
        return compute_hash(block);
    if (block->image->hash == 0)
        block->image->hash = compute_hash(block);
    return block->image->hash;
}

// One of the two passes over all blocks.
typedef struct pass {
    kin__xxh64 *hash;
    bool is_first; // slots and columns
} pass;

static bool add_block(const kin__block *block, void *user)
{
    const pass *pass = user;
    const kin__block_traits *kind = &kin__block_kinds[block->kind];
    unsigned char pair[16];
    if (kind->is_hashed_first != pass->is_first)
        return true;
    kin__little_write_64(pair,
                         kind->is_of_component ? block->shape->components[block->component].hash : block->shape->hash);
    kin__little_write_64(pair + 8, kin__block_hash(block));
    kin__xxh64_add(pass->hash, pair, sizeof pair);
    return true;
}

// ---- snapshots

// Returns the part that follows `previous` in order of context identities; the first part after NULL.
static const kin__context_snapshot *next_part(const kin_snapshot *snapshot, const kin__context_snapshot *previous)
{
    const kin__context_snapshot *next = NULL;
    for (uint32_t i = 0; i < snapshot->part_count; i++) {
        const kin__context_snapshot *part = snapshot->parts[i];
        if (part == NULL)
            continue;
        const char *identity = kin__context_identity(part->info);
        if (previous != NULL && strcmp(identity, kin__context_identity(previous->info)) <= 0)
            continue;
        if (next == NULL || strcmp(identity, kin__context_identity(next->info)) < 0)
            next = part;
    }
    return next;
}

static void add_parts(const kin_snapshot *snapshot, kin__xxh64 *hash, bool is_first)
{
    pass pass = {hash, is_first};
    for (const kin__context_snapshot *part = next_part(snapshot, NULL); part != NULL;
         part = next_part(snapshot, part)) {
        kin__blocks blocks = {.part = part, .shape = part->context->core->shape};
        kin__blocks_visit(&blocks, add_block, &pass);
    }
}

// Makes the shapes of all contexts. Contexts keep them, as shapes never change. Returns a context that has no memory
// for its shape, or NULL.
static kin_context *make_shapes(const kin_snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->part_count; i++) {
        kin_context *context = snapshot->parts[i] == NULL ? NULL : snapshot->parts[i]->context;
        if (context == NULL || context->core->shape != NULL)
            continue;
        context->core->shape = kin__shape_make(&context->core->snapshot_memory, context->info);
        if (context->core->shape == NULL)
            return context;
    }
    return NULL;
}

static bool hash_all(kin_snapshot *snapshot, uint64_t *result, uint64_t *systems)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__xxh64 of_systems = kin__xxh64_begin(0);
    add_parts(snapshot, &hash, true);
    add_parts(snapshot, &hash, false);
    if (snapshot->systems_functions != NULL &&
        !snapshot->systems_functions->add_to_hash(snapshot, &hash, systems == NULL ? NULL : &of_systems))
        return false;
    *result = kin__xxh64_end(&hash);
    if (systems != NULL)
        *systems = kin__xxh64_end(&of_systems);
    return true;
}

bool kin__snapshot_hash(kin_snapshot *snapshot, uint64_t *hash, uint64_t *systems)
{
    return make_shapes(snapshot) == NULL && hash_all(snapshot, hash, systems);
}

uint64_t kin_snapshot_hash(kin_snapshot *snapshot)
{
    static const kin__attempt attempt = {.verb = "hash a snapshot"};
    uint64_t hash = 0;
    if (snapshot == NULL)
        return 0;
    const kin_context *refused = make_shapes(snapshot);
    if (refused != NULL)
        kin__report_error(refused, KIN_ERROR_NO_MEMORY, &attempt);
    else if (!hash_all(snapshot, &hash, NULL))
        kin__report_error_to(NULL, KIN_ERROR_NO_MEMORY, &attempt, snapshot->memory.refused);
    return hash;
}

// Differences as text, in the format of the lines of `kin diff`:
//
//   game 12@11 Position.at.x 3.5 -> 4      each field that differs, separated by commas
//   game 12@11 Position + {at: {x: 1}}     the component was added
//   game 12@11 Position -                  it was removed
//   game 14@4 - destroyed
//   game 20@4 + created (Name, Position)

enum { NUMBER_SIZE = 48 };

// A field, or an element of it, on the path to the difference.
typedef struct step {
    const struct step *outer; // NULL: a field of the component
    const kin_field_info *field;
    uint32_t index; // in an array; UINT32_MAX: not in an array
} step;

// The values of both snapshots.
typedef struct pair {
    const char *before, *after;
} pair;

typedef struct text {
    kin__writer writer;
    uint32_t count; // of fields
} text;

static void append_number(kin__writer *writer, const char *before, uint64_t number, const char *after)
{
    char digits[NUMBER_SIZE];
    snprintf(digits, sizeof digits, "%s%" PRIu64 "%s", before, number, after);
    kin__writer_append(writer, digits);
}

static void append_handle(kin__writer *writer, kin_entity entity)
{
    append_number(writer, "", kin_entity_creation_index(entity), "@");
    append_number(writer, "", kin_entity_slot(entity), "");
}

// ---- values

// Recursive over structs in structs, of which the schema allows 32 levels.
static void append_path(kin__writer *writer, const step *last)
{
    if (last->outer != NULL) {
        append_path(writer, last->outer);
        kin__writer_append(writer, ".");
    }
    kin__writer_append(writer, last->field->name);
    if (last->index != UINT32_MAX)
        append_number(writer, "[", last->index, "]");
}

static void append_value(kin__writer *writer, const step *step, const char *place)
{
    kin_field_info element = *step->field;
    kin_entity entity;
    if (step->index != UINT32_MAX) {
        element.size = kin__element_size(step->field);
        element.count = 0;
    }
    if (element.type != KIN_TYPE_ENTITY || element.is_list) {
        kin__value_describe(writer, &element, place);
        return;
    }
    memcpy(&entity, place, sizeof entity);
    if (entity == 0)
        kin__writer_append(writer, "none");
    else
        append_handle(writer, entity);
}

static void append_change(text *text, const step *last, pair values)
{
    kin__writer_append(&text->writer, text->count++ == 0 ? "." : ", ");
    append_path(&text->writer, last);
    kin__writer_append(&text->writer, " ");
    append_value(&text->writer, last, values.before);
    kin__writer_append(&text->writer, " -> ");
    append_value(&text->writer, last, values.after);
}

static void append_changes(text *text, const step *outer, const kin_field_info *fields, uint32_t count, pair values);

static void append_element(text *text, const step *last, pair values)
{
    const kin_field_info *field = last->field;
    if (element_is_same(field, kin__element_size(field), values.before, values.after, false))
        return;
    if (field->type == KIN_TYPE_STRUCT)
        append_changes(text, last, field->of->fields, field->of->field_count, values);
    else
        append_change(text, last, values);
}

static void append_field(text *text, step *last, pair values)
{
    const kin_field_info *field = last->field;
    size_t size = kin__element_size(field);
    if (field_is_same(field, values.before, values.after, false))
        return;
    if (field->is_list)
        append_change(text, last, values);
    else if (field->count == 0)
        append_element(text, last, values);
    else
        for (last->index = 0; last->index < field->count; last->index++) {
            pair elements = {values.before + last->index * size, values.after + last->index * size};
            append_element(text, last, elements);
        }
}

// Recursive over structs in structs.
static void append_changes(text *text, const step *outer, const kin_field_info *fields, uint32_t count, pair values)
{
    for (uint32_t i = 0; i < count; i++) {
        step last = {outer, &fields[i], UINT32_MAX};
        append_field(text, &last, (pair){values.before + fields[i].offset, values.after + fields[i].offset});
    }
}

// Appends all saved fields, in braces.
static void append_fields(kin__writer *writer, const kin_component_info *component, const char *value)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < component->field_count; i++) {
        const kin_field_info *field = &component->fields[i];
        if (field->is_unsaved)
            continue;
        kin__writer_append(writer, count++ == 0 ? " {" : ", ");
        kin__field_describe(writer, field, value + field->offset);
    }
    kin__writer_append(writer, count > 0 ? "}" : "");
}

static void append_component(text *text, const kin_difference *difference)
{
    const kin_component_info *component = &difference->context->components[difference->component];
    kin__writer *writer = &text->writer;
    kin__writer_append(writer, component->name);
    if (difference->before == NULL || difference->after == NULL) {
        kin__writer_append(writer, difference->before == NULL ? " +" : " -");
        if (difference->after != NULL)
            append_fields(writer, component, difference->after);
        return;
    }
    append_changes(text, NULL, component->fields, component->field_count,
                   (pair){difference->before, difference->after});
}

// ---- entities

// Appends the names of the components whose bits are set in `row`.
static void append_row(kin__writer *writer, const kin_context_info *info, const void *row)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < info->component_count; id++) {
        if (!kin__bits_have(row, id) || info->components[id].is_unsaved)
            continue;
        kin__writer_append(writer, count++ == 0 ? " (" : ", ");
        kin__writer_append(writer, info->components[id].name);
    }
    kin__writer_append(writer, count > 0 ? ")" : "");
}

static void append_entity(kin__writer *writer, const kin_difference *difference)
{
    kin__writer_append(writer, difference->after == NULL ? "- destroyed" : "+ created");
    if (difference->after != NULL)
        append_row(writer, difference->context, difference->after);
}

size_t kin_difference_describe(const kin_difference *difference, char *letters, size_t size)
{
    text text = {.writer = kin__writer_begin(letters, size)};
    kin__writer *writer = &text.writer;
    if (difference == NULL)
        return 0;
    kin__writer_append(writer, difference->context->name);
    kin__writer_append(writer, " ");
    append_handle(writer, difference->entity);
    kin__writer_append(writer, " ");
    if (difference->component == difference->context->component_count)
        append_entity(writer, difference);
    else
        append_component(&text, difference);
    return writer->length;
}

// Walks through the differences of two snapshots: context by context, chunk by chunk, then slot by slot.
//
// A chunk is skipped if both snapshots share the images of its head and of all its columns. Otherwise all places that
// differ are found first, of 64 places at a time, and then visited in ascending order. The first columns that differ
// keep their places; those beyond are compared once more.

enum {
    SCRATCH_SIZE = 1024, // bytes of the largest soa value that is assembled without allocating
    KNOWN_COLUMNS = 8
};

// The same chunk in both snapshots.
typedef struct sides {
    const kin__context_snapshot *before, *after; // NULL: the snapshot does not have the context
} sides;

typedef struct comparison {
    const kin_context_info *info;
    sides parts;
    uint32_t chunk;
    kin_difference_visitor *visit; // NULL: only counts
    void *user;
    uint64_t count;
    bool has_ended;                                   // the visitor returned false, or memory ran out
    bool with_unsaved;                                // components and fields with `save: false` differ too
    kin__memory memory;                               // of soa values that are larger than the scratch
    void *const *room;                                // for two values of any component; NULL: the scratch, or memory
    const uint64_t *watched;                          // a row: only these components are visited; NULL: all
    uint64_t watched_before[KIN__COMPONENT_WORDS];    // what it was when the places were found
    uint32_t known[KNOWN_COLUMNS], known_count;       // ids of columns that differ in the chunk, ascending
    uint64_t places[KNOWN_COLUMNS][KIN__CHUNK_WORDS]; // where
    max_align_t scratch[2][SCRATCH_SIZE / sizeof(max_align_t)];
} comparison;

// ---- images

static const kin__image *image_of(const comparison *comparison, const kin__context_snapshot *part, uint32_t number)
{
    return part == NULL ? NULL : kin__part_image(part, comparison->chunk, number);
}

static bool has_place(const kin__image *image, uint32_t place)
{
    return image != NULL && kin__bits_have(kin__image_has(image), place);
}

// Returns the entity at a place; 0 if none is alive there.
static kin_entity entity_at(const kin__image *head, uint32_t place)
{
    return head != NULL && kin__bits_have(kin__image_alive(head), place) ? kin__image_ids(head)[place] : 0;
}

static bool is_skipped(const comparison *comparison, uint32_t id)
{
    if (comparison->watched != NULL && !kin__bits_have(comparison->watched, id))
        return true;
    return comparison->info->components[id].is_unsaved && !comparison->with_unsaved;
}

static bool is_same_soa(const comparison *comparison, const kin__image *one, const kin__image *other, uint32_t place)
{
    const kin_component_info *component = &comparison->info->components[one->number];
    for (uint32_t i = 0; i < component->field_count; i++) {
        const char *first = kin__image_field(comparison->info, one, i);
        const char *second = kin__image_field(comparison->info, other, i);
        size_t offset = place * component->fields[i].size;
        if (!field_is_same(&component->fields[i], first + offset, second + offset, comparison->with_unsaved))
            return false;
    }
    return true;
}

// Compares two values at a place that both images have. Equal bytes are equal values: strings are compared only where
// their addresses differ.
static bool is_same_value(const comparison *comparison, const kin__image *one, const kin__image *other, uint32_t place)
{
    const kin_component_info *component = &comparison->info->components[one->number];
    if (component->size == 0)
        return true;
    if (component->is_soa)
        return is_same_soa(comparison, one, other, place);
    const void *first = kin__image_value(comparison->info, one, place, NULL);
    const void *second = kin__image_value(comparison->info, other, place, NULL);
    return first == second || memcmp(first, second, component->size) == 0 ||
           fields_are_same(component->fields, component->field_count, first, second, comparison->with_unsaved);
}

// ---- visiting

static void show(comparison *comparison, const kin_difference *difference)
{
    comparison->count++;
    if (comparison->visit != NULL && !comparison->visit(difference, comparison->user))
        comparison->has_ended = true;
}

// Memory in which values of a soa component are assembled: the scratch, or a block from the allocator.
typedef struct assembled {
    void *values[2];
    bool is_allocated;
} assembled;

static bool assembled_make(comparison *comparison, const kin_component_info *component, assembled *assembled)
{
    if (comparison->room != NULL) {
        *assembled = (struct assembled){{comparison->room[0], comparison->room[1]}, false};
        return true;
    }
    assembled->is_allocated = component->is_soa && component->size > SCRATCH_SIZE;
    for (uint32_t i = 0; i < 2; i++)
        assembled->values[i] = assembled->is_allocated ? kin__allocate(&comparison->memory, component->size)
                                                       : (void *)comparison->scratch[i];
    return assembled->values[0] != NULL && assembled->values[1] != NULL;
}

static void assembled_release(comparison *comparison, const kin_component_info *component, const assembled *assembled)
{
    for (uint32_t i = 0; assembled->is_allocated && i < 2; i++)
        kin__release(&comparison->memory, assembled->values[i], component->size);
}

static void show_value(comparison *comparison, kin_difference *difference, const kin__image *before,
                       const kin__image *after)
{
    const kin_component_info *component = &comparison->info->components[difference->component];
    uint32_t place = kin_entity_slot(difference->entity) % KIN__CHUNK_SLOTS;
    assembled assembled = {0};
    if (comparison->visit == NULL) {
        comparison->count++;
        return;
    }
    if (assembled_make(comparison, component, &assembled)) {
        if (before != NULL)
            difference->before = kin__image_value(comparison->info, before, place, assembled.values[0]);
        if (after != NULL)
            difference->after = kin__image_value(comparison->info, after, place, assembled.values[1]);
        show(comparison, difference);
    } else {
        kin__report_error_to(NULL, KIN_ERROR_NO_MEMORY, &(kin__attempt){.verb = "compare snapshots"},
                             comparison->memory.refused);
        comparison->has_ended = true;
    }
    assembled_release(comparison, component, &assembled);
}

// Visits an entity that only one snapshot has: first the entity, with its row, then each of its components.
static void show_entity(comparison *comparison, const kin__image *head, uint32_t place, bool comes)
{
    const kin__context_snapshot *part = comes ? comparison->parts.after : comparison->parts.before;
    uint32_t count = comparison->info->component_count;
    uint32_t row_words = count == 0 ? 1 : (count + 63) / 64;
    const uint64_t *row = kin__image_row(head, row_words, place);
    kin_difference whole = {
        .context = comparison->info, .entity = entity_at(head, place), .component = (kin_component_id)count};
    *(comes ? &whole.after : &whole.before) = row;
    show(comparison, &whole);
    for (uint32_t id = 0; id < count && !comparison->has_ended; id++) {
        kin_difference part_of = {comparison->info, whole.entity, (kin_component_id)id, NULL, NULL};
        const kin__image *image = image_of(comparison, part, id);
        if (!has_place(image, place) || is_skipped(comparison, id))
            continue;
        if (comes)
            show_value(comparison, &part_of, NULL, image);
        else
            show_value(comparison, &part_of, image, NULL);
    }
}

static void show_component(comparison *comparison, kin_entity entity, uint32_t id, bool is_known)
{
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    const kin__image *before = image_of(comparison, comparison->parts.before, id);
    const kin__image *after = image_of(comparison, comparison->parts.after, id);
    if (before == after || is_skipped(comparison, id))
        return;
    before = has_place(before, place) ? before : NULL;
    after = has_place(after, place) ? after : NULL;
    if (before == NULL && after == NULL)
        return;
    if (!is_known && before != NULL && after != NULL && is_same_value(comparison, before, after, place))
        return;
    kin_difference difference = {comparison->info, entity, (kin_component_id)id, NULL, NULL};
    show_value(comparison, &difference, before, after);
}

// Visits the components that differ of an entity that both snapshots have.
static void show_components(comparison *comparison, kin_entity entity)
{
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    for (uint32_t i = 0; i < comparison->known_count && !comparison->has_ended; i++)
        if (kin__bits_have(comparison->places[i], place))
            show_component(comparison, entity, comparison->known[i], true);
    if (comparison->known_count < KNOWN_COLUMNS)
        return;
    for (uint32_t id = comparison->known[KNOWN_COLUMNS - 1] + 1;
         id < comparison->info->component_count && !comparison->has_ended; id++)
        show_component(comparison, entity, id, false);
}

static void show_place(comparison *comparison, uint32_t place)
{
    uint32_t number = kin__head_number(comparison->info);
    const kin__image *before = image_of(comparison, comparison->parts.before, number);
    const kin__image *after = image_of(comparison, comparison->parts.after, number);
    kin_entity old = entity_at(before, place);
    kin_entity new = entity_at(after, place);
    if (old == new) {
        show_components(comparison, new);
        return;
    }
    if (old != 0)
        show_entity(comparison, before, place, false);
    if (new != 0 && !comparison->has_ended)
        show_entity(comparison, after, place, true);
}

// ---- finding

static void add_places_of_entities(const comparison *comparison, uint64_t places[KIN__CHUNK_WORDS])
{
    uint32_t number = kin__head_number(comparison->info);
    const kin__image *before = image_of(comparison, comparison->parts.before, number);
    const kin__image *after = image_of(comparison, comparison->parts.after, number);
    for (uint32_t place = 0; before != after && place < KIN__CHUNK_SLOTS; place++)
        if (entity_at(before, place) != entity_at(after, place))
            kin__bits_add(places, place);
}

// Whether values are equal if and only if their bytes are.
static bool is_compared_by_bytes(const kin_component_info *component)
{
    size_t size = 0;
    for (uint32_t i = 0; i < component->field_count; i++) {
        const kin_field_info *field = &component->fields[i];
        bool has_parts = field->is_list || field->is_unsaved || field->type == KIN_TYPE_STRUCT;
        if (has_parts || field->type == KIN_TYPE_STRING || field->type == KIN_TYPE_INLINE_STRING)
            return false;
        size += field->size;
    }
    return size == component->size;
}

// Adds the places of a column, from `word` on 64 of them, whose values differ.
static void add_values(const comparison *comparison, const kin__image *before, const kin__image *after, uint32_t word,
                       uint64_t both, uint64_t *places)
{
    const kin_component_info *component = &comparison->info->components[before->number];
    bool is_in_place = !component->is_soa && !component->is_shared;
    if (component->size == 0)
        return;
    if (is_in_place) {
        both &= kin__image_differing(component, before, after, word);
        if (is_compared_by_bytes(component)) {
            *places |= both;
            return;
        }
    }
    for (; both != 0; both &= both - 1)
        if (!is_same_value(comparison, before, after, word * 64 + kin__lowest_bit(both)))
            *places |= both & (0 - both);
}

static void add_places_of_column(comparison *comparison, uint32_t id, uint64_t places[KIN__CHUNK_WORDS])
{
    uint64_t column[KIN__CHUNK_WORDS] = {0};
    uint64_t any = 0;
    const kin__image *before = image_of(comparison, comparison->parts.before, id);
    const kin__image *after = image_of(comparison, comparison->parts.after, id);
    if (before == after)
        return;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        uint64_t had = before == NULL ? 0 : kin__image_has(before)[word];
        uint64_t has = after == NULL ? 0 : kin__image_has(after)[word];
        column[word] = had ^ has;
        if ((had & has) != 0)
            add_values(comparison, before, after, word, had & has, &column[word]);
        places[word] |= column[word];
        any |= column[word];
    }
    if (any == 0 || comparison->known_count == KNOWN_COLUMNS)
        return;
    comparison->known[comparison->known_count] = id;
    memcpy(comparison->places[comparison->known_count++], column, sizeof column);
}

static void find_places(comparison *comparison, uint64_t places[KIN__CHUNK_WORDS])
{
    uint32_t count = comparison->info->component_count;
    memset(places, 0, KIN__CHUNK_WORDS * sizeof *places);
    comparison->known_count = 0;
    if (comparison->watched != NULL)
        memcpy(comparison->watched_before, comparison->watched, (count + 63) / 64 * sizeof(uint64_t));
    add_places_of_entities(comparison, places);
    for (uint32_t id = 0; id < count; id++)
        if (!is_skipped(comparison, id))
            add_places_of_column(comparison, id, places);
}

static void compare_chunk(comparison *comparison)
{
    uint64_t places[KIN__CHUNK_WORDS];
    size_t row_size = (comparison->info->component_count + 63) / 64 * sizeof(uint64_t);
    find_places(comparison, places);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS && !comparison->has_ended; place++) {
        if (places[place / 64] == 0)
            place |= 63;
        if (!kin__bits_have(places, place))
            continue;
        show_place(comparison, place);
        if (comparison->watched != NULL && memcmp(comparison->watched_before, comparison->watched, row_size) != 0)
            find_places(comparison, places);
    }
}

// ---- contexts

// Counts differences that are not visited.
static void count_others(comparison *comparison, uint64_t count_before)
{
    const kin__context_snapshot *before = comparison->parts.before;
    const kin__context_snapshot *after = comparison->parts.after;
    EACH_SECTION(section)
    {
        if (section->count_differences != NULL && !section->differs_with_others)
            comparison->count += section->count_differences(before, after);
    }
    if (comparison->count != count_before)
        return;
    EACH_SECTION(section)
    {
        if (section->count_differences != NULL && section->differs_with_others)
            comparison->count += section->count_differences(before, after);
    }
}

static uint32_t chunk_count(const kin__context_snapshot *part)
{
    return part == NULL ? 0 : part->chunk_count;
}

static void compare_context(comparison *comparison, sides parts)
{
    uint32_t before = chunk_count(parts.before);
    uint32_t after = chunk_count(parts.after);
    uint64_t count = comparison->count;
    comparison->parts = parts;
    comparison->info = parts.before != NULL ? parts.before->info : parts.after->info;
    uint32_t end = kin__max_32(before, after);
    for (comparison->chunk = 0; comparison->chunk < end && !comparison->has_ended; comparison->chunk++)
        compare_chunk(comparison);
    if (!comparison->has_ended)
        count_others(comparison, count);
}

uint64_t kin__snapshot_compare_chunk(const kin_snapshot *before, const kin_snapshot *after,
                                     const kin_context_info *context, uint32_t chunk, kin_difference_visitor *visit,
                                     void *user)
{
    comparison comparison = {.info = context, .chunk = chunk, .visit = visit, .user = user};
    comparison.parts = (sides){kin__snapshot_part(before, context), kin__snapshot_part(after, context)};
    comparison.memory = kin__memory_of(before->memory.allocator);
    if (chunk < chunk_count(comparison.parts.before) || chunk < chunk_count(comparison.parts.after))
        compare_chunk(&comparison);
    return comparison.count;
}

void kin__parts_compare(const kin__context_snapshot *before, const kin__context_snapshot *after,
                        const kin__compared *compared, kin_difference_visitor *visit, void *user)
{
    comparison comparison = {.info = after->info,
                             .parts = {before, after},
                             .visit = visit,
                             .user = user,
                             .with_unsaved = true,
                             .room = compared->room,
                             .watched = compared->watched};
    uint32_t end = kin__max_32(before->chunk_count, after->chunk_count);
    for (; comparison.chunk < end && !comparison.has_ended; comparison.chunk++)
        compare_chunk(&comparison);
}

// Returns the next part whose context still exists, from `*index` on.
static const kin__context_snapshot *part_at(const kin_snapshot *snapshot, uint32_t *index)
{
    while (snapshot != NULL && *index < snapshot->part_count && snapshot->parts[*index] == NULL)
        ++*index;
    return snapshot == NULL || *index == snapshot->part_count ? NULL : snapshot->parts[*index];
}

static int order_of_identity(sides parts)
{
    if (parts.before == NULL || parts.after == NULL)
        return parts.before == NULL ? 1 : -1;
    int order = strcmp(parts.before->info->name, parts.after->info->name);
    return order == 0 && parts.before->info->stamp != parts.after->info->stamp ? -1 : order;
}

static void compare_contexts(comparison *comparison, const kin_snapshot *before, const kin_snapshot *after)
{
    uint32_t of_before = 0;
    uint32_t of_after = 0;
    while (!comparison->has_ended) {
        sides parts = {part_at(before, &of_before), part_at(after, &of_after)};
        if (parts.before == NULL && parts.after == NULL)
            return;
        int order = order_of_identity(parts);
        if (order < 0)
            parts.after = NULL;
        if (order > 0)
            parts.before = NULL;
        of_before += parts.before != NULL;
        of_after += parts.after != NULL;
        compare_context(comparison, parts);
    }
}

uint64_t kin_snapshot_compare(const kin_snapshot *before, const kin_snapshot *after, kin_difference_visitor *visit,
                              void *user)
{
    comparison comparison = {.visit = visit, .user = user};
    const kin_snapshot *any = before != NULL ? before : after;
    if (before == after)
        return 0;
    comparison.memory = kin__memory_of(any->memory.allocator);
    compare_contexts(&comparison, before, after);
    bool have_systems = before != NULL && after != NULL && before->systems_functions != NULL;
    if (have_systems && !comparison.has_ended)
        comparison.count += before->systems_functions->compare(before, after);
    return comparison.count;
}
