// All that a merge can be refused for, in this order: unique components, keys, limits, memory. Nothing that can be seen
// changes.
#include "merge/merging.h"

#include "lookup/lookup.h"
#include "store/store.h"

#include <string.h>

static kin_status report(const kin__merging *merging, kin_status status, const char *reason)
{
    return kin__report_error(merging->context, status,
                             &(kin__attempt){.verb = KIN__MERGE_VERB, .reason = reason, .is_unique = true});
}

// ---- room

static uint32_t pool_count_of(const kin__merging *merging)
{
    return kin__part_pool_count(merging->context->info);
}

// Counts what the entities of a slot needs.
static void measure_slot(kin__merging *merging, uint32_t slot)
{
    merging->count++;
    EACH_OF_ROW(id, kin__merging_row(merging, slot), merging->context->row_words)
    {
        if (!kin__is_merged(merging->context->info, id))
            continue;
        merging->part_count++;
        merging->values_size += kin__merging_value_size(merging, slot, (kin_component_id)id);
    }
}

static bool is_alive(const kin__merging *merging, uint32_t slot)
{
    const kin__image *head = kin__merging_head(merging, slot);
    return head != NULL && kin__bits_have(kin__image_alive(head), slot % KIN__CHUNK_SLOTS);
}

static void measure(kin__merging *merging)
{
    merging->slot_count = kin__part_slot_count(merging->part);
    for (uint32_t slot = 0; slot < merging->slot_count; slot++)
        if (is_alive(merging, slot))
            measure_slot(merging, slot);
}

static void *take(char **room, size_t count, size_t size)
{
    void *taken = *room;
    *room += kin__round_up(count * size);
    return taken;
}

// Lays the arrays out from `room` on, and returns their end.
static char *lay_out(kin__merging *merging, char *room)
{
    size_t count = merging->count, components = merging->context->info->component_count;
    merging->entities = take(&room, count, sizeof *merging->entities);
    merging->firsts = take(&room, count + 1, sizeof *merging->firsts);
    merging->slots = take(&room, count, sizeof *merging->slots);
    merging->numbers = take(&room, merging->slot_count, sizeof *merging->numbers);
    merging->chunk_pools = take(&room, merging->part->chunk_count, sizeof *merging->chunk_pools);
    merging->entries = take(&room, components, sizeof *merging->entries);
    merging->previews = take(&room, pool_count_of(merging), sizeof *merging->previews);
    merging->parts = take(&room, merging->part_count, sizeof *merging->parts);
    merging->homes = take(&room, merging->reference_count, sizeof *merging->homes);
    merging->row = take(&room, merging->context->row_words, sizeof *merging->row);
    merging->items = take(&room, 4 * components, sizeof *merging->items);
    merging->values = take(&room, merging->values_size, 1);
    return room;
}

static bool make_room(kin__merging *merging)
{
    char *room = NULL, nothing;
    size_t size = (size_t)(lay_out(merging, &nothing) - &nothing);
    if (!kin__plan_begin(&merging->plan, merging->part_count, size, &room))
        return false;
    lay_out(merging, room);
    memset(merging->numbers, 0, merging->slot_count * sizeof *merging->numbers);
    memset(merging->entries, 0, merging->context->info->component_count * sizeof *merging->entries);
    memset(merging->previews, 0, pool_count_of(merging) * sizeof *merging->previews);
    memset(merging->row, 0, merging->context->row_words * sizeof *merging->row);
    memcpy(merging->chunk_pools, merging->part->chunk_pools.elements,
           merging->part->chunk_count * sizeof *merging->chunk_pools);
    return true;
}

// ---- entities

static void list_entities(kin__merging *merging)
{
    uint32_t number = 0;
    size_t first = 0;
    for (uint32_t slot = 0; slot < merging->slot_count; slot++) {
        if (!is_alive(merging, slot))
            continue;
        merging->slots[number] = slot;
        merging->firsts[number++] = first;
        merging->numbers[slot] = number;
        EACH_OF_ROW(id, kin__merging_row(merging, slot), merging->context->row_words)
        {
            if (!kin__is_merged(merging->context->info, id))
                continue;
            kin__bits_add(merging->row, id);
            first++;
        }
    }
    merging->firsts[number] = first;
    KIN_ASSERT(number == merging->count && first == merging->part_count);
}

static kin__pool_preview *preview_of(kin__merging *merging, uint32_t number)
{
    kin__pool *pool = kin__merging_pool(merging, number);
    kin__pool_preview *preview = &merging->previews[kin__pool_number(merging->context, pool)];
    if (preview->context == NULL)
        *preview = kin__pool_preview_begin(merging->context, pool);
    return preview;
}

// Computes the entities that will be made if no listener makes others. Each pool takes the next chunk when it needs
// one.
static kin_status expect(kin__merging *merging)
{
    uint32_t next_chunk = merging->context->core->slots.assigned_chunks;
    kin_status status = KIN_OK;
    merging->first = merging->context->next_creation_index;
    for (uint32_t i = 0; status == KIN_OK && i < merging->count; i++) {
        kin__pool_preview *preview = preview_of(merging, i);
        kin__run run = {.count = 0};
        preview->number = next_chunk;
        status = kin__pool_preview_next(preview, 1, &run);
        next_chunk = preview->number;
        merging->entities[i] = (merging->first + i) << 24 | run.first;
    }
    return status;
}

// Lists the holders to move. False when out of memory.
static bool list_moves(kin__merging *merging)
{
    merging->move_count = kin__merging_list_moves(merging, NULL);
    if (merging->move_count == 0)
        return true;
    merging->moves =
        kin__allocate(&merging->context->core->memory, kin__bytes_of(merging->move_count, sizeof *merging->moves));
    return merging->moves != NULL && kin__merging_list_moves(merging, merging->moves) == merging->move_count;
}

static kin_status make_room_for_all(kin__merging *merging)
{
    if (merging->part == NULL)
        return KIN_OK;
    measure(merging);
    if (merging->count == 0)
        return KIN_OK;
    kin_status status = make_room(merging) ? KIN_OK : KIN_ERROR_NO_MEMORY;
    if (status == KIN_OK) {
        list_entities(merging);
        status = list_moves(merging) ? expect(merging) : KIN_ERROR_NO_MEMORY;
    }
    return status == KIN_OK ? KIN_OK : report(merging, status, status == KIN_ERROR_LIMIT ? KIN__NO_SLOT_LEFT : NULL);
}

// ---- checks

// Returns a use that spawns the entity alone.
static const kin__blueprint_use *use_of(void *data, uint32_t number, kin__entity_role role)
{
    kin__merging *merging = data;
    size_t first = merging->firsts[number], next = merging->firsts[number + 1];
    uint32_t slot = merging->slots[number];
    merging->blueprints[role] =
        (kin__blueprint){.parts = merging->parts + first,
                         .part_count = (uint32_t)(next - first),
                         .items = merging->items + 2 * role * merging->context->info->component_count};
    merging->uses[role] = merging->whole;
    merging->uses[role].blueprint = &merging->blueprints[role];
    merging->uses[role].merged = kin__image_ids(kin__merging_head(merging, slot))[slot % KIN__CHUNK_SLOTS];
    return &merging->uses[role];
}

static kin_status check_unique(kin__merging *merging)
{
    const kin_context *context = merging->context;
    bool has_carrier = false;
    kin_status status = KIN_OK;
    EACH_OF_ROW(id, merging->row, context->row_words)
    {
        has_carrier = has_carrier || context->carriers[id] != 0;
    }
    for (uint32_t i = 0; has_carrier && status == KIN_OK && i < merging->count; i++)
        status = kin__blueprint_use_check_unique(context, use_of(merging, i, KIN__CURRENT_ENTITY));
    return status;
}

static kin_status check(kin__merging *merging)
{
    char text[KIN__LIMIT_SIZE];
    if (merging->count == 0)
        return KIN_OK;
    merging->batch = (kin__batch){.count = 1};
    merging->whole =
        (kin__blueprint_use){.blueprint = &merging->blueprints[0], .batch = &merging->batch, .merges = true};
    kin_status status = check_unique(merging);
    kin__entity_list list = {merging->count, merging->row, &merging->whole, use_of, merging};
    if (status == KIN_OK && merging->context->core->indices != NULL)
        status = kin__entity_list_check_keys(merging->context, &list);
    if (status != KIN_OK)
        return status;
    const char *limit = kin__entities_find_limit(merging->context, merging->count, text);
    return limit == NULL ? KIN_OK : report(merging, KIN_ERROR_LIMIT, limit);
}

// ---- memory

static bool reserve_part(kin__merging *merging, uint32_t number, const kin__part *part)
{
    kin_context *context = merging->context;
    uint32_t slot = kin_entity_slot(merging->entities[number]);
    kin__step step = {KIN__STEP_ADD, 0, part->id, part->value};
    return kin__change_reserve_entries(context, slot, part->id, ++merging->entries[part->id]) &&
           kin__relations_reserve_targets(context, part->id, part->value) &&
           kin__plan_append(&merging->plan, &step, KIN__NO_SLOT);
}

static kin_status reserve(kin__merging *merging)
{
    bool reserved = true;
    for (uint32_t i = 0; reserved && i < merging->count; i++)
        for (size_t at = merging->firsts[i]; reserved && at < merging->firsts[i + 1]; at++)
            reserved = reserve_part(merging, i, &merging->parts[at]);
    return reserved ? KIN_OK : report(merging, KIN_ERROR_NO_MEMORY, NULL);
}

// ---- all of it

kin_status kin__merge_prepare(kin__merge *merge)
{
    kin_status status = KIN_OK;
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = make_room_for_all(&merge->mergings[i]);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        if (merge->mergings[i].count > 0)
            kin__merging_write_values(&merge->mergings[i]);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = check(&merge->mergings[i]);
    for (uint32_t i = 0; status == KIN_OK && i < merge->count; i++)
        status = reserve(&merge->mergings[i]);
    return status;
}
