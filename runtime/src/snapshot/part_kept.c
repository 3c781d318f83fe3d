#include "snapshot/snapshot.h"

#include "snapshot/internal.h"

#include <string.h>

// ---- saving

static size_t kept_lists_size(const kin_context *context, const kin__bytes *keepsakes, size_t size)
{
    size_t lists = 0;
    size_t at = 0;
    for (kin__keepsake *each; (each = kin__keepsake_next(context, keepsakes->at, size, &at)) != NULL;)
        if (kin__is_owned(context, each->id))
            lists += kin__lists_size(&context->info->components[each->id], kin__keepsake_value(each));
    return lists;
}

// Reserves what pinning the shared ones among the keepsakes needs. False when out of memory.
static bool reserve_pins(kin_context *context, const kin__context_snapshot *part, size_t size)
{
    size_t at = 0;
    for (const kin__keepsake *each; (each = kin__keepsake_next(context, part->keepsakes.at, size, &at)) != NULL;)
        if (kin__is_shared(context, each->id) && !kin__shared_images_reserve(context, each->id))
            return false;
    return true;
}

static void pin_keepsakes(const kin_context *context, kin__context_snapshot *part)
{
    char *elements = part->kept_lists.at;
    size_t at = 0;
    for (kin__keepsake *each; (each = kin__part_keepsake_next(part, &at)) != NULL;) {
        if (kin__is_shared(context, each->id))
            kin__shared_image_pin(*(void *const *)kin__keepsake_value(each));
        else
            kin__owned_block_pin(each->owned_block);
        if (kin__is_owned(context, each->id))
            elements = kin__lists_detach(&context->info->components[each->id], kin__keepsake_value(each), elements);
    }
}

static bool save_kept(kin_context *context, kin__context_snapshot *part, bool is_alone)
{
    size_t size = kin__keepsakes_size(context, is_alone);
    if (!kin__bytes_reserve(context, &part->keepsakes, size))
        return false;
    if (size > 0)
        kin__keepsakes_save(context, is_alone, part->keepsakes.at);
    size_t lists = kept_lists_size(context, &part->keepsakes, size);
    if (!kin__bytes_reserve(context, &part->kept_lists, lists) || !reserve_pins(context, part, size))
        return false;
    part->keepsakes.size = size;
    part->kept_lists.size = lists;
    pin_keepsakes(context, part);
    return true;
}

// ---- copying

static bool copy_keepsake(kin_context *context, kin__keepsake *keepsake)
{
    void *value = kin__keepsake_value(keepsake);
    if (!kin__is_shared(context, keepsake->id))
        return kin__image_own(context, keepsake->id, value, &keepsake->owned_block);
    const void *shared = kin__shared_adopt(context, keepsake->id, *(void *const *)value);
    memcpy(value, &shared, sizeof shared);
    return shared != NULL;
}

// The size of `own` grows with each copied keepsake, so that releasing the part releases them.
static bool copy_kept(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own)
{
    size_t size = part->keepsakes.size;
    size_t at = 0;
    if (!kin__bytes_reserve(context, &own->keepsakes, size) ||
        !kin__bytes_reserve(context, &own->kept_lists, part->kept_lists.size))
        return false;
    if (size > 0)
        memcpy(own->keepsakes.at, part->keepsakes.at, size);
    for (kin__keepsake *each; (each = kin__keepsake_next(context, own->keepsakes.at, size, &at)) != NULL;) {
        if (!copy_keepsake(context, each))
            return false;
        own->keepsakes.size = at;
    }
    char *elements = own->kept_lists.at;
    own->kept_lists.size = part->kept_lists.size;
    for (at = 0; at < size;) {
        kin__keepsake *each = kin__keepsake_next(context, own->keepsakes.at, size, &at);
        if (kin__is_owned(context, each->id))
            elements = kin__lists_detach(&context->info->components[each->id], kin__keepsake_value(each), elements);
    }
    return true;
}

// ---- restoring

// Reserves the boxes of columns and of last values together, as both come from one slab. Boxes that become free are
// not subtracted: their chunks may be restored later.
static bool reserve_boxes(kin_context *context, const kin__context_snapshot *part)
{
    for (uint32_t i = 0; i < context->info->component_count; i++) {
        kin_component_id id = (kin_component_id)i;
        if (!context->info->components[id].is_boxed || context->info->components[id].is_shared)
            continue;
        uint32_t count = kin__keepsakes_cells(context, part->keepsakes.at, part->keepsakes.size, id);
        for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
            const kin__image *image = kin__part_image(part, chunk, id);
            count += image == NULL ? 0 : kin__column_restore_boxes(context, chunk, image);
        }
        if (count > 0 && !kin__slab_reserve_cells(context, id, count))
            return false;
    }
    return true;
}

static bool reserve_kept(kin_context *context, const kin__context_snapshot *part)
{
    return kin__keepsakes_reserve(context, part->keepsakes.at, part->keepsakes.size) && reserve_boxes(context, part);
}

static void leave_kept(kin_context *context, const kin__context_snapshot *part)
{
    (void)part;
    kin__keepsakes_clear(context);
}

// Copies the lists of last values from the memory of the part to that of the values.
static void restore_kept_lists(kin_context *context, const kin__context_snapshot *part)
{
    size_t at = 0;
    for (kin__keepsake *each; (each = kin__part_keepsake_next(part, &at)) != NULL;) {
        const kin__last_values *last_values = kin__last_values_of(context, each->id);
        if (!context->info->components[each->id].has_lists || !kin__is_owned(context, each->id) || last_values == NULL)
            continue;
        kin__value_storage storage = kin__last_value_storage(context, last_values, each->slot);
        kin__lists_attach(&context->info->components[each->id], (void *)(uintptr_t)storage.value, storage.owned_block);
    }
}

static void restore_kept(kin_context *context, const kin__context_snapshot *part)
{
    kin__keepsakes_restore(context, part->keepsakes.at, part->keepsakes.size);
    restore_kept_lists(context, part);
}

static void settle_kept(kin_context *context, const kin__context_snapshot *part)
{
    (void)part;
    kin__keepsakes_settle(context);
}

// ---- releasing

static void let_go_of_kept(kin_context *context, kin__context_snapshot *part)
{
    size_t at = 0;
    size_t size = part->keepsakes.size;
    part->keepsakes.size = part->kept_lists.size = 0;
    for (kin__keepsake *each; (each = kin__keepsake_next(context, part->keepsakes.at, size, &at)) != NULL;)
        if (kin__is_shared(context, each->id))
            kin__shared_image_unpin(context, each->id, *(void *const *)kin__keepsake_value(each));
        else
            kin__owned_block_unpin(context, each->owned_block);
}

// ---- finding

bool kin__kept_components(const kin__context_snapshot *part, uint32_t chunk, uint64_t components[KIN__COMPONENT_WORDS])
{
    size_t at = 0;
    if (part->keepsakes.size == 0)
        return false;
    memset(components, 0, KIN__COMPONENT_WORDS * sizeof *components);
    for (const kin__keepsake *each; (each = kin__part_keepsake_next(part, &at)) != NULL;)
        if (each->slot / KIN__CHUNK_SLOTS == chunk)
            kin__bits_add(components, each->id);
    return true;
}

void kin__kept_find(const kin__context_snapshot *part, uint32_t chunk, kin_component_id id, kin__kept *kept)
{
    bool is_shared = part->info->components[id].is_shared;
    size_t at = 0;
    *kept = (kin__kept){0};
    for (kin__keepsake *each; (each = kin__part_keepsake_next(part, &at)) != NULL;) {
        uint32_t place = each->slot % KIN__CHUNK_SLOTS;
        if (each->slot / KIN__CHUNK_SLOTS != chunk || each->id != id)
            continue;
        const void *value = kin__keepsake_value(each);
        kept->values[place] = is_shared ? *(void *const *)value : value;
        kin__bits_add(kept->has, place);
        if (each->is_stashed)
            kin__bits_add(kept->stashed, place);
    }
}

// ---- comparing

// Walks through the last values of a part, in ascending component, then slot.
typedef struct walk {
    const kin__context_snapshot *part;
    size_t at;
    kin__keepsake *now; // NULL after the last one
} walk;

static void advance(walk *walk)
{
    const kin__context_snapshot *part = walk->part;
    if (part == NULL)
        return;
    do
        walk->now = kin__part_keepsake_next(part, &walk->at);
    while (walk->now != NULL && part->info->components[walk->now->id].is_unsaved);
}

// Negative if the value of the first walk comes first, 0 if both have the same component and slot.
static int order_of(const walk *one, const walk *other)
{
    const kin__keepsake *first = one->now;
    const kin__keepsake *second = other->now;
    if (first == NULL || second == NULL)
        return first == NULL ? 1 : -1;
    if (first->id != second->id)
        return first->id < second->id ? -1 : 1;
    return first->slot < second->slot ? -1 : first->slot > second->slot;
}

static bool is_same(const walk *one, const walk *other)
{
    const kin_component_info *component = &one->part->info->components[one->now->id];
    const void *first = kin__keepsake_value(one->now);
    const void *second = kin__keepsake_value(other->now);
    if (component->is_shared) {
        first = *(void *const *)first;
        second = *(void *const *)second;
    }
    return one->now->is_stashed == other->now->is_stashed &&
           kin__fields_are_same(component->fields, component->field_count, first, second);
}

// Returns how many last values differ or are in one part only. A part that is NULL has none.
static uint64_t count_kept(const kin__context_snapshot *before, const kin__context_snapshot *after)
{
    walk one = {.part = before};
    walk other = {.part = after};
    uint64_t count = 0;
    advance(&one);
    advance(&other);
    while (one.now != NULL || other.now != NULL) {
        int order = order_of(&one, &other);
        count += order != 0 || !is_same(&one, &other);
        if (order <= 0)
            advance(&one);
        if (order >= 0)
            advance(&other);
    }
    return count;
}

const kin__section kin__kept_section = {
    .name = "last values",
    .fields = {KIN__PART_BYTES(keepsakes), KIN__PART_BYTES(kept_lists)},
    .block_kinds = 1u << KIN__BLOCK_KEPT,
    .save = save_kept,
    .copy = copy_kept,
    .let_go = let_go_of_kept,
    .reserve = reserve_kept,
    .leave = leave_kept,
    .restore = restore_kept,
    .settle = settle_kept,
    .count_differences = count_kept,
};
