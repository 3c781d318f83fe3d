// Walks through the differences of two snapshots: context by context, chunk by chunk, then slot by slot.
//
// A chunk is skipped if both snapshots share the images of its head and of all its columns. Otherwise all places that
// differ are found first and then visited in ascending order, comparing each component once more.
#include "base/base.h"
#include "compare/compare_kept.h"
#include "compare/same.h"
#include "encode/block.h"
#include "encode/encode_pool.h"
#include "store/store.h"
#include "shape/identity.h"
#include "snapshot/snapshot.h"

#include <string.h>

enum { SCRATCH_SIZE = 1024 }; // bytes of the largest soa value that is assembled without allocating

// The same chunk in both snapshots.
typedef struct sides {
    const kin__context_snapshot *before, *after; // NULL: the snapshot does not have the context
} sides;

typedef struct walk {
    const kin_context_info *info;
    sides parts;
    uint32_t chunk;
    kin_difference_visitor *visit; // NULL: only counts
    void *user;
    uint64_t count;
    bool has_ended;     // the visitor returned false, or memory ran out
    kin__memory memory; // of soa values that are larger than the scratch
    max_align_t scratch[2][SCRATCH_SIZE / sizeof(max_align_t)];
} walk;

// ---- images

static const kin__image *image_of(const walk *walk, const kin__context_snapshot *part, uint32_t number)
{
    return part == NULL ? NULL : kin__part_image(part, walk->chunk, number);
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

static bool is_same_soa(const walk *walk, const kin__image *one, const kin__image *other, uint32_t place)
{
    const kin_component_info *component = &walk->info->components[one->number];
    for (uint32_t i = 0; i < component->field_count; i++) {
        const char *first = kin__image_field(walk->info, one, i), *second = kin__image_field(walk->info, other, i);
        size_t offset = place * component->fields[i].size;
        if (!kin__field_is_same(&component->fields[i], first + offset, second + offset))
            return false;
    }
    return true;
}

// Compares two values at a place that both images have. Equal bytes are equal values: strings are compared only where
// their addresses differ.
static bool is_same_value(const walk *walk, const kin__image *one, const kin__image *other, uint32_t place)
{
    const kin_component_info *component = &walk->info->components[one->number];
    if (component->size == 0)
        return true;
    if (component->is_soa)
        return is_same_soa(walk, one, other, place);
    const void *first = kin__image_value(walk->info, one, place, NULL);
    const void *second = kin__image_value(walk->info, other, place, NULL);
    return first == second || memcmp(first, second, component->size) == 0 ||
           kin__fields_are_same(component->fields, component->field_count, first, second);
}

// ---- visiting

static void show(walk *walk, const kin_difference *difference)
{
    walk->count++;
    if (walk->visit != NULL && !walk->visit(difference, walk->user))
        walk->has_ended = true;
}

// Memory in which values of a soa component are assembled: the scratch, or a block from the allocator.
typedef struct assembled {
    void *values[2];
    bool is_allocated;
} assembled;

static bool assembled_make(walk *walk, const kin_component_info *component, assembled *assembled)
{
    assembled->is_allocated = component->is_soa && component->size > SCRATCH_SIZE;
    for (uint32_t i = 0; i < 2; i++)
        assembled->values[i] =
            assembled->is_allocated ? kin__allocate(&walk->memory, component->size) : (void *)walk->scratch[i];
    return assembled->values[0] != NULL && assembled->values[1] != NULL;
}

static void assembled_release(walk *walk, const kin_component_info *component, const assembled *assembled)
{
    for (uint32_t i = 0; assembled->is_allocated && i < 2; i++)
        kin__release(&walk->memory, assembled->values[i], component->size);
}

static void show_value(walk *walk, kin_difference *difference, const kin__image *before, const kin__image *after)
{
    const kin_component_info *component = &walk->info->components[difference->component];
    uint32_t place = kin_entity_slot(difference->entity) % KIN__CHUNK_SLOTS;
    assembled assembled = {0};
    if (walk->visit == NULL) {
        walk->count++;
        return;
    }
    if (assembled_make(walk, component, &assembled)) {
        if (before != NULL)
            difference->before = kin__image_value(walk->info, before, place, assembled.values[0]);
        if (after != NULL)
            difference->after = kin__image_value(walk->info, after, place, assembled.values[1]);
        show(walk, difference);
    } else {
        kin__report_error_to(NULL, KIN_ERROR_NO_MEMORY, &(kin__attempt){.verb = "compare snapshots"},
                             walk->memory.refused);
        walk->has_ended = true;
    }
    assembled_release(walk, component, &assembled);
}

// Visits an entity that only one snapshot has: first the entity, with its row, then each of its components.
static void show_entity(walk *walk, const kin__image *head, uint32_t place, bool comes)
{
    const kin__context_snapshot *part = comes ? walk->parts.after : walk->parts.before;
    uint32_t count = walk->info->component_count, row_words = count == 0 ? 1 : (count + 63) / 64;
    const uint64_t *row = kin__image_row(head, row_words, place);
    kin_difference whole = {
        .context = walk->info, .entity = entity_at(head, place), .component = (kin_component_id)count};
    *(comes ? &whole.after : &whole.before) = row;
    show(walk, &whole);
    for (uint32_t id = 0; id < count && !walk->has_ended; id++) {
        kin_difference part_of = {walk->info, whole.entity, (kin_component_id)id, NULL, NULL};
        const kin__image *image = image_of(walk, part, id);
        if (has_place(image, place) && !walk->info->components[id].is_unsaved)
            show_value(walk, &part_of, comes ? NULL : image, comes ? image : NULL);
    }
}

// Visits the components that differ of an entity that both snapshots have.
static void show_components(walk *walk, kin_entity entity)
{
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    for (uint32_t id = 0; id < walk->info->component_count && !walk->has_ended; id++) {
        const kin__image *before = image_of(walk, walk->parts.before, id),
                         *after = image_of(walk, walk->parts.after, id);
        bool had = has_place(before, place), has = has_place(after, place);
        if (before == after || !(had || has) || walk->info->components[id].is_unsaved)
            continue;
        if (had && has && is_same_value(walk, before, after, place))
            continue;
        kin_difference difference = {walk->info, entity, (kin_component_id)id, NULL, NULL};
        show_value(walk, &difference, had ? before : NULL, has ? after : NULL);
    }
}

static void show_place(walk *walk, uint32_t place)
{
    uint32_t number = kin__head_number(walk->info);
    const kin__image *before = image_of(walk, walk->parts.before, number);
    const kin__image *after = image_of(walk, walk->parts.after, number);
    kin_entity old = entity_at(before, place), new = entity_at(after, place);
    if (old == new) {
        show_components(walk, new);
        return;
    }
    if (old != 0)
        show_entity(walk, before, place, false);
    if (new != 0 && !walk->has_ended)
        show_entity(walk, after, place, true);
}

// ---- finding

static void add_places_of_entities(const walk *walk, uint64_t places[KIN__CHUNK_WORDS])
{
    uint32_t number = kin__head_number(walk->info);
    const kin__image *before = image_of(walk, walk->parts.before, number);
    const kin__image *after = image_of(walk, walk->parts.after, number);
    for (uint32_t place = 0; before != after && place < KIN__CHUNK_SLOTS; place++)
        if (entity_at(before, place) != entity_at(after, place))
            kin__bits_add(places, place);
}

static void add_places_of_column(const walk *walk, uint32_t id, uint64_t places[KIN__CHUNK_WORDS])
{
    const kin__image *before = image_of(walk, walk->parts.before, id), *after = image_of(walk, walk->parts.after, id);
    if (before == after)
        return;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        uint64_t had = before == NULL ? 0 : kin__image_has(before)[word];
        uint64_t has = after == NULL ? 0 : kin__image_has(after)[word];
        places[word] |= had ^ has;
        for (uint64_t both = had & has; both != 0; both &= both - 1) {
            uint32_t place = word * 64 + kin__lowest_bit(both);
            if (!kin__bits_have(places, place) && !is_same_value(walk, before, after, place))
                kin__bits_add(places, place);
        }
    }
}

static void compare_chunk(walk *walk)
{
    uint64_t places[KIN__CHUNK_WORDS] = {0};
    add_places_of_entities(walk, places);
    for (uint32_t id = 0; id < walk->info->component_count; id++)
        if (!walk->info->components[id].is_unsaved)
            add_places_of_column(walk, id, places);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS && !walk->has_ended; place++)
        if (kin__bits_have(places, place))
            show_place(walk, place);
}

// ---- contexts

// Returns whether the shared values of a component have the same order in files and hashes.
static bool are_numbers_equal(const kin__context_snapshot *before, const kin__context_snapshot *after,
                              kin_component_id id)
{
    kin__part_numbers one = kin__part_numbers_of(before, id), other = kin__part_numbers_of(after, id);
    uint32_t rows = kin__shared_rows(before, id);
    if (rows != kin__shared_rows(after, id))
        return false;
    return rows == 0 || (one.count == other.count &&
                         memcmp(one.first_uses, other.first_uses, one.count * sizeof *one.first_uses) == 0);
}

static uint64_t count_orders(const walk *walk)
{
    const kin__context_snapshot *before = walk->parts.before, *after = walk->parts.after;
    uint64_t count = 0;
    for (uint32_t id = 0; before != NULL && after != NULL && id < walk->info->component_count; id++)
        if (kin__component_is_saved(&walk->info->components[id]))
            count += !are_numbers_equal(before, after, (kin_component_id)id);
    return count;
}

// Counts differences that are not visited: last values, and, if nothing else differs, the next slots and creation
// indices, and the order of shared values.
static void count_others(walk *walk, uint64_t count_before)
{
    const kin__context_snapshot *before = walk->parts.before, *after = walk->parts.after;
    walk->count += kin__count_kept_differences(before, after);
    if (walk->count != count_before)
        return;
    walk->count += before == NULL || after == NULL || kin__hash_context(before) != kin__hash_context(after);
    walk->count += count_orders(walk);
}

static uint32_t chunk_count(const kin__context_snapshot *part)
{
    return part == NULL ? 0 : part->chunk_count;
}

static void compare_context(walk *walk, sides parts)
{
    uint32_t before = chunk_count(parts.before), after = chunk_count(parts.after);
    uint64_t count = walk->count;
    walk->parts = parts;
    walk->info = parts.before != NULL ? parts.before->info : parts.after->info;
    for (walk->chunk = 0; walk->chunk < (before > after ? before : after) && !walk->has_ended; walk->chunk++)
        compare_chunk(walk);
    if (!walk->has_ended)
        count_others(walk, count);
}

uint64_t kin__snapshot_compare_chunk(const kin_snapshot *before, const kin_snapshot *after,
                                     const kin_context_info *context, uint32_t chunk, kin_difference_visitor *visit,
                                     void *user)
{
    walk walk = {.info = context, .chunk = chunk, .visit = visit, .user = user};
    walk.parts = (sides){kin__snapshot_part(before, context), kin__snapshot_part(after, context)};
    walk.memory = kin__memory_of(before->memory.allocator);
    if (chunk < chunk_count(walk.parts.before) || chunk < chunk_count(walk.parts.after))
        compare_chunk(&walk);
    return walk.count;
}

// Returns the next part whose context still exists, from `*index` on.
static const kin__context_snapshot *part_at(const kin_snapshot *snapshot, uint32_t *index)
{
    while (snapshot != NULL && *index < snapshot->part_count && snapshot->parts[*index] == NULL)
        ++*index;
    return snapshot == NULL || *index == snapshot->part_count ? NULL : snapshot->parts[*index];
}

static int order_of(sides parts)
{
    if (parts.before == NULL || parts.after == NULL)
        return parts.before == NULL ? 1 : -1;
    int order = strcmp(parts.before->info->name, parts.after->info->name);
    return order == 0 && parts.before->info->stamp != parts.after->info->stamp ? -1 : order;
}

static void compare_contexts(walk *walk, const kin_snapshot *before, const kin_snapshot *after)
{
    uint32_t of_before = 0, of_after = 0;
    while (!walk->has_ended) {
        sides parts = {part_at(before, &of_before), part_at(after, &of_after)};
        if (parts.before == NULL && parts.after == NULL)
            return;
        int order = order_of(parts);
        if (order < 0)
            parts.after = NULL;
        if (order > 0)
            parts.before = NULL;
        of_before += parts.before != NULL;
        of_after += parts.after != NULL;
        compare_context(walk, parts);
    }
}

uint64_t kin_snapshot_compare(const kin_snapshot *before, const kin_snapshot *after, kin_difference_visitor *visit,
                              void *user)
{
    walk walk = {.visit = visit, .user = user};
    const kin_snapshot *any = before != NULL ? before : after;
    if (before == after)
        return 0;
    walk.memory = kin__memory_of(any->memory.allocator);
    compare_contexts(&walk, before, after);
    if (!walk.has_ended && before != NULL && after != NULL && before->systems_functions != NULL)
        walk.count += before->systems_functions->compare(before, after);
    return walk.count;
}
