// Copies the state of a part to a context. Everything was reserved, so nothing here can fail.
#include "snapshot/restore.h"

#include "base/base.h"
#include "notify/notify.h"
#include "context/validate.h"
#include "lookup/lookup.h"
#include "image/copy_block.h"
#include "image/pin.h"
#include "image/store.h"
#include "snapshot/adopt.h"
#include "snapshot/column_restore.h"
#include "store/store.h"

#include <kin/generated/blueprint.h>

#include <string.h>

static const kin__image *head_of(const kin__context_snapshot *part, uint32_t chunk)
{
    return kin__part_image(part, chunk, kin__head_number(part->info));
}

// ---- indices and groups, before blocks are written

// Marks the slots that have the component before and after the restore, with different values.
static void mark_values(kin_context *context, uint32_t chunk, const kin__image *image)
{
    kin_component_id id = (kin_component_id)image->number;
    const kin__column *column = kin__column_of(context, chunk * KIN__CHUNK_SLOTS, id);
    uint64_t differ[KIN__CHUNK_WORDS] = {0}, any = 0;
    if (kin__image_equals(context, chunk, image))
        return;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        uint64_t both = column->has[word] & kin__image_has(image)[word];
        for (uint64_t bits = both; bits != 0; bits &= bits - 1)
            if (!kin__image_value_equals(context, chunk, image, word * 64 + kin__lowest_bit(bits)))
                differ[word] |= bits & -bits;
        any |= differ[word];
    }
    if (any != 0)
        kin__indices_restore_mark(context, id, chunk, differ);
}

// Whether the head of a chunk equals its image.
static bool head_equals(const kin_context *context, uint32_t chunk, const kin__image *head, bool heads_stand)
{
    bool is_last = kin__store_last(context->core->store, chunk, head->number) == head;
    return (is_last && heads_stand) || kin__image_equals(context, chunk, head);
}

static void mark_chunk(kin_context *context, const kin__context_snapshot *part, uint32_t chunk, bool heads_stand)
{
    const kin__image *head = head_of(part, chunk);
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        if (image != NULL && kin__indices_name(context, id))
            mark_values(context, chunk, image);
    }
    if (head == NULL)
        kin__indices_restore_mark_heads(context, chunk, NULL, NULL, NULL);
    else if (!head_equals(context, chunk, head, heads_stand))
        kin__indices_restore_mark_heads(context, chunk, kin__image_ids(head), kin__image_alive(head),
                                        kin__image_row(head, context->row_words, 0));
}

static void leave_indices(kin_context *context, const kin__context_snapshot *part)
{
    if (context->core->indices == NULL)
        return;
    bool heads_stand = kin__store_heads_stand(context);
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        mark_chunk(context, part, chunk, heads_stand);
    kin__indices_restore_leave(context);
}

static void end_listeners(kin_context *context, const kin__context_snapshot *part)
{
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++) {
        const kin__image *head = head_of(part, chunk);
        kin__listeners_restore(context, chunk, head == NULL ? NULL : kin__image_ids(head),
                               head == NULL ? NULL : kin__image_alive(head));
    }
}

// ---- blocks

// Empties a chunk that the snapshot does not contain.
static void clear_head(const kin_context *context, uint32_t number)
{
    kin__chunk *chunk = context->chunks[number];
    memset(chunk->ids, 0, sizeof chunk->ids);
    memset(chunk->alive, 0, sizeof chunk->alive);
    memset(kin__chunk_row(chunk, context->row_words, 0), 0,
           (size_t)KIN__CHUNK_SLOTS * context->row_words * sizeof(uint64_t));
    if (number == 0)
        chunk->ids[0] = kin__free_handle(0);
}

static void restore_head(kin_context *context, uint32_t number, const kin__image *head)
{
    kin__chunk *chunk = context->chunks[number];
    if (head == NULL) {
        clear_head(context, number);
        return;
    }
    memcpy(chunk->ids, kin__image_ids(head), sizeof chunk->ids);
    memcpy(chunk->alive, kin__image_alive(head), sizeof chunk->alive);
    memcpy(kin__chunk_row(chunk, context->row_words, 0), kin__image_row(head, context->row_words, 0),
           (size_t)KIN__CHUNK_SLOTS * context->row_words * sizeof(uint64_t));
}

// Restores a block unless it equals its image.
static void restore_block(kin_context *context, uint32_t chunk, uint32_t number, kin__image *image, bool heads_stand)
{
    const kin_context_info *info = context->info;
    if (number == kin__head_number(info)) {
        if (image == NULL || !head_equals(context, chunk, image, heads_stand))
            restore_head(context, chunk, image);
    } else if (image == NULL
                   ? kin__block_exists(context, chunk, number)
                   : !kin__block_exists(context, chunk, number) || !kin__image_equals(context, chunk, image)) {
        if (number < info->component_count)
            kin__column_restore(context, chunk, (kin_component_id)number, image);
        else
            kin__relations_restore_block(context, number - kin__links_number(info, 0), chunk,
                                         image == NULL ? NULL : kin__image_links(image));
    }
    kin__store_set_last(context, chunk, number, image);
}

static void restore_blocks(kin_context *context, const kin__context_snapshot *part)
{
    uint32_t numbers = kin__image_numbers(context->info);
    bool heads_stand = kin__store_heads_stand(context);
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        for (uint32_t number = 0; number < numbers; number++)
            restore_block(context, chunk, number, kin__part_image(part, chunk, number), heads_stand);
}

// ---- counts and caches

// `created_before` depends on the first creation index, which may differ in this context.
static void restore_counts(kin_context *context, const kin__context_snapshot *part)
{
    kin__slots *slots = &context->core->slots;
    uint64_t stamp = kin__population_stamp(context);
    slots->assigned_chunks = part->assigned_chunks;
    slots->created_before =
        part->created_before + context->core->options.first_creation_index - part->first_creation_index;
    slots->deaths = part->deaths;
    slots->pending = part->pending;
    context->next_creation_index = part->next_creation_index;
    context->fast_end = 0;
    slots->rewinds = 0;
    slots->rewinds = stamp + 1 - kin__population_stamp(context);
    context->pool = part->pools[0];
    for (uint32_t i = 0; i < context->info->blueprint_count; i++)
        context->blueprints[i].pool = part->pools[i + 1];
    for (uint32_t chunk = 0; chunk < context->chunk_count; chunk++)
        context->chunks[chunk]->pool =
            chunk < part->chunk_count ? kin__pool_at(context, kin__part_pool(part, chunk)) : NULL;
}

static void restore_carrier(kin_context *context, const kin__context_snapshot *part, uint32_t id)
{
    context->carriers[id] = 0;
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        const kin__image *image = kin__part_image(part, chunk, id);
        for (uint32_t word = 0; image != NULL && word < KIN__CHUNK_WORDS; word++)
            if (kin__image_has(image)[word] != 0)
                context->carriers[id] =
                    kin__image_ids(head_of(part, chunk))[word * 64 + kin__lowest_bit(kin__image_has(image)[word])];
    }
}

// Counts more changes than any journal has room for, so that every cache that was computed before is out of date.
static void forget_caches(kin_context *context)
{
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t id = 0; id <= context->info->component_count; id++)
        context->components[id].changes += KIN__JOURNAL_ENTRIES + 1;
    for (uint32_t i = 0; i < context->core->group_count; i++) {
        groups[i]->counted_at = KIN__NEVER;
        groups[i]->members->listed_at = KIN__NEVER;
    }
    context->core->listed_at = KIN__NEVER;
}

// ---- state outside blocks

// Copies the lists of last values from the memory of the part to that of the values.
static void restore_kept_lists(kin_context *context, const kin__context_snapshot *part)
{
    size_t at = 0;
    for (kin__keepsake *each;
         (each = kin__keepsake_next(context, part->keepsakes.at, part->keepsakes.size, &at)) != NULL;) {
        const kin__last_values *last_values = kin__last_values_of(context, each->id);
        if (!context->info->components[each->id].has_lists || !kin__is_owned(context, each->id) || last_values == NULL)
            continue;
        kin__value_storage storage = kin__last_value_storage(context, last_values, each->slot);
        kin__lists_attach(&context->info->components[each->id], (void *)(uintptr_t)storage.value, storage.owned_block);
    }
}

static void restore_shared(kin_context *context, const kin__context_snapshot *part)
{
    const void *const *values = part->shared.elements;
    for (uint32_t id = 0; part->limits != NULL && id < context->info->component_count; id++) {
        uint32_t limit = part->limits[id];
        if (kin__is_shared(context, (kin_component_id)id) &&
            (limit > 0 || kin__shared_limit(context, (kin_component_id)id) > 0))
            kin__shared_numbers_restore(context, (kin_component_id)id, values, limit);
        values = limit == 0 ? values : values + limit; // `values` is NULL if no value is shared
    }
}

// ---- the whole context

void kin__restore_commit(kin_context *context, const kin__context_snapshot *saved)
{
    const kin__context_snapshot *part = kin__adopted(context, saved);
    KIN_ASSERT(context->depth == 0 && context->chunk_count >= part->chunk_count);
    kin__collectors_restore_clear(context);
    kin__keepsakes_clear(context);
    leave_indices(context, part);
    end_listeners(context, part);
    restore_blocks(context, part);
    restore_counts(context, part);
    kin__keepsakes_restore(context, part->keepsakes.at, part->keepsakes.size);
    restore_kept_lists(context, part);
    restore_shared(context, part);
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (context->info->components[id].is_unique)
            restore_carrier(context, part, id);
    if (context->core->indices != NULL) {
        kin__index_plan plan = kin__restore_index_plan(context, part);
        kin__indices_restore_enter(context, &plan);
    }
    kin__relations_restore_end(context);
    forget_caches(context);
    kin__store_note_heads(context);
}

void kin__restore_settle(kin_context *context, const kin__context_snapshot *saved)
{
    const kin__context_snapshot *part = kin__adopted(context, saved);
    kin__holds_restore(context, part->owners.elements, part->owner_count, part->held.elements, part->held_count);
    kin__keepsakes_settle(context);
    kin__adopted_release(context);
    KIN_VALIDATE(kin__context_is_valid(context));
}

void kin__restore_tell(kin_context *context)
{
    kin__notify_restored(context);
}
