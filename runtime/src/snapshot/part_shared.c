#include "snapshot/snapshot.h"

#include "snapshot/internal.h"

#include <string.h>

// ---- saving

// Reserves room to pin all shared values, and returns how many numbers they have in `*count`. False when out of memory.
static bool reserve_pins(kin_context *context, uint32_t *count)
{
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        if (!kin__is_shared(context, id))
            continue;
        *count += kin__shared_limit(context, id);
        if (!kin__shared_images_reserve(context, id))
            return false;
    }
    return true;
}

// Saves the values of a component by their numbers, and returns the end.
static const void **save_numbers(const kin_context *context, kin__context_snapshot *part, kin_component_id id,
                                 const void **values)
{
    part->limits[id] = kin__is_shared(context, id) ? kin__shared_limit(context, id) : 0;
    if (part->limits[id] > 0)
        kin__shared_numbers_save(context, id, values);
    for (uint32_t i = 0; i < part->limits[id]; i++)
        if (values[i] != NULL)
            kin__shared_image_pin(values[i]);
    return values + part->limits[id];
}

static uint32_t note_use(uint32_t *first_uses, const void *value, uint32_t use)
{
    uint32_t *first_use = &first_uses[kin__shared_number_of(value)];
    if (*first_use != KIN__SHARED_FREE)
        return 0;
    *first_use = use;
    return 1;
}

// Notes the first entity of each value of a component, and returns how many of `count` values no entity has. Ends with
// the last value that is found: mostly in the first chunks.
static uint32_t note_entities(const kin__context_snapshot *part, kin_component_id id, uint32_t *first_uses,
                              uint32_t count)
{
    for (uint32_t chunk = 0; count > 0 && chunk < part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        for (uint32_t word = 0; count > 0 && image != NULL && word < KIN__CHUNK_WORDS; word++)
            for (uint64_t bits = kin__image_has(image)[word]; bits != 0; bits &= bits - 1) {
                uint32_t place = word * 64 + kin__lowest_bit(bits);
                count -= note_use(first_uses, kin__image_value(part->info, image, place, NULL),
                                  chunk * KIN__CHUNK_SLOTS + place);
            }
    }
    return count;
}

static void note_keepsakes(const kin__context_snapshot *part, kin_component_id id, uint32_t *first_uses)
{
    size_t at = 0;
    for (kin__keepsake *each; (each = kin__part_keepsake_next(part, &at)) != NULL;)
        if (each->id == id)
            note_use(first_uses, *(void *const *)kin__keepsake_value(each), KIN__SHARED_KEPT | each->slot);
}

// Values are numbered, and visited, in an order that depends on all changes so far; files and hashes have it by the
// first use of each value.
static void note_first_uses(kin__context_snapshot *part)
{
    uint32_t *first_uses = part->first_uses.at;
    const void *const *values = part->shared.at;
    for (uint32_t id = 0; part->shared.size > 0 && id < part->info->component_count; id++) {
        uint32_t limit = part->limits[id];
        uint32_t count = 0;
        for (uint32_t i = 0; i < limit; i++) {
            first_uses[i] = KIN__SHARED_FREE;
            count += values[i] != NULL;
        }
        if (note_entities(part, (kin_component_id)id, first_uses, count) > 0)
            note_keepsakes(part, (kin_component_id)id, first_uses);
        first_uses += limit;
        values += limit;
    }
}

static bool save_shared(kin_context *context, kin__context_snapshot *part, bool is_alone)
{
    (void)is_alone;
    uint32_t count = 0;
    if (part->limits == NULL)
        return true;
    if (!reserve_pins(context, &count) || !kin__part_reserve_shared(part, count))
        return false;
    const void **values = part->shared.at;
    kin__part_append_shared(part, count);
    for (uint32_t id = 0; count > 0 && id < context->info->component_count; id++)
        values = save_numbers(context, part, (kin_component_id)id, values);
    note_first_uses(part);
    return true;
}

// ---- copying

static bool copy_shared(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    const void *const *value = part->shared.at;
    if (!kin__part_reserve_shared(own, kin__part_shared_count(part)))
        return false;
    if (part->shared.size > 0)
        memcpy(own->first_uses.at, part->first_uses.at, part->first_uses.size);
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++)
        for (uint32_t i = 0; i < part->limits[id]; i++, value++) {
            const void *copy = *value == NULL ? NULL : kin__shared_adopt(context, (kin_component_id)id, *value);
            if (copy == NULL && *value != NULL)
                return false;
            ((const void **)own->shared.at)[kin__part_shared_count(own)] = copy;
            kin__part_append_shared(own, 1);
            own->limits[id]++;
        }
    return true;
}

// ---- restoring

static bool reserve_shared(kin_context *context, const kin__context_snapshot *part)
{
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++)
        if (part->limits[id] > 0 && !kin__shared_numbers_reserve(context, (kin_component_id)id, part->limits[id]))
            return false;
    return true;
}

static void restore_shared(kin_context *context, const kin__context_snapshot *part)
{
    const void *const *values = part->shared.at;
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++) {
        uint32_t limit = part->limits[id];
        if (kin__is_shared(context, (kin_component_id)id) &&
            (limit > 0 || kin__shared_limit(context, (kin_component_id)id) > 0))
            kin__shared_numbers_restore(context, (kin_component_id)id, values, limit);
        values = limit == 0 ? values : values + limit; // `values` is NULL if no value is shared
    }
}

// ---- releasing

static void let_go_of_shared(kin_context *context, kin__context_snapshot *part)
{
    const void *const *value = part->shared.at;
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++)
        for (; part->limits[id] > 0; part->limits[id]--, value++)
            if (*value != NULL)
                kin__shared_image_unpin(context, (kin_component_id)id, *value);
}

// ---- numbers

kin__part_numbers kin__part_numbers_of(const kin__context_snapshot *part, kin_component_id id)
{
    size_t before = 0;
    if (part->limits == NULL || part->limits[id] == 0)
        return (kin__part_numbers){NULL, NULL, 0};
    for (uint32_t i = 0; i < id; i++)
        before += part->limits[i];
    kin__part_numbers numbers = {.values = (const void *const *)part->shared.at + before,
                                 .first_uses = (const uint32_t *)part->first_uses.at + before,
                                 .count = part->limits[id]};
    while (numbers.count > 0 && numbers.first_uses[numbers.count - 1] == KIN__SHARED_FREE)
        numbers.count--;
    return numbers;
}

bool kin__part_numbers_are_sorted(const kin__part_numbers *numbers)
{
    for (uint32_t i = 0; i < numbers->count; i++)
        if (numbers->first_uses[i] == KIN__SHARED_FREE ||
            (i > 0 && numbers->first_uses[i] < numbers->first_uses[i - 1]))
            return false;
    return true;
}

bool kin__part_reserve_shared(kin__context_snapshot *part, uint32_t count)
{
    return kin__bytes_reserve(part->context, &part->shared, kin__bytes_of(count, sizeof(void *))) &&
           kin__bytes_reserve(part->context, &part->first_uses, kin__bytes_of(count, sizeof(uint32_t)));
}

void kin__part_append_shared(kin__context_snapshot *part, uint32_t count)
{
    part->shared.size += count * sizeof(void *);
    part->first_uses.size += count * sizeof(uint32_t);
    KIN_ASSERT(part->shared.size <= part->shared.capacity && part->first_uses.size <= part->first_uses.capacity);
}

// ---- comparing

// Returns whether the shared values of a component have the same order in files and hashes.
static bool are_numbers_equal(const kin__context_snapshot *before, const kin__context_snapshot *after,
                              kin_component_id id)
{
    kin__part_numbers one = kin__part_numbers_of(before, id);
    kin__part_numbers other = kin__part_numbers_of(after, id);
    uint32_t rows = kin__shared_rows(before, id);
    if (rows != kin__shared_rows(after, id))
        return false;
    return rows == 0 || (one.count == other.count &&
                         memcmp(one.first_uses, other.first_uses, one.count * sizeof *one.first_uses) == 0);
}

static uint64_t count_orders(const kin__context_snapshot *before, const kin__context_snapshot *after)
{
    uint64_t count = 0;
    if (before == NULL || after == NULL)
        return 0;
    for (uint32_t id = 0; id < before->info->component_count; id++)
        if (kin__component_is_saved(&before->info->components[id]))
            count += !are_numbers_equal(before, after, (kin_component_id)id);
    return count;
}

const kin__section kin__shared_section = {
    .name = "shared values",
    .fields = {KIN__PART_FIELD(limits), KIN__PART_BYTES(shared), KIN__PART_BYTES(first_uses)},
    .block_kinds = 1u << KIN__BLOCK_SHARED,
    .save = save_shared,
    .copy = copy_shared,
    .let_go = let_go_of_shared,
    .reserve = reserve_shared,
    .restore = restore_shared,
    .count_differences = count_orders,
    .differs_with_others = true,
};
