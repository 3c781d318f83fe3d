#include "reading/internal.h"

#include "store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NO_POOL = UINT16_MAX, MOST_CHUNKS = 1 << 15 };

static bool wrong(kin__reading *reading, const char *what)
{
    return kin__block_reader_fault(reading->blocks, 1307, "%s", what);
}

// ---- CTXT

static uint32_t number_of(const kin_context_info *info, const char *blueprint, size_t size)
{
    for (uint32_t i = 0; i < info->blueprint_count; i++)
        if (strlen(info->blueprints[i].name) == size && memcmp(info->blueprints[i].name, blueprint, size) == 0)
            return i + 1;
    if (size == 0)
        return 0;
    return KIN__NO_POOL;
}

static bool read_pool(kin__reading *reading, kin__decoder *decoder, kin__file_pool *pool)
{
    size_t size;
    const char *name = kin__decode_text(decoder, &size);
    if (name != NULL)
        pool->number = number_of(reading->context->info, name, size);
    pool->fresh = kin__decode_32(decoder);
    pool->fresh_end = kin__decode_32(decoder);
    for (uint32_t word = 0; pool->fresh_end % KIN__CHUNK_SLOTS != 0 && word < KIN__CHUNK_WORDS; word++)
        pool->usable[word] = kin__decode_64(decoder);
    pool->free_count = kin__decode_32(decoder);
    if (decoder->is_short || pool->free_count > kin__decoder_left(decoder) / sizeof(uint32_t))
        return wrong(reading, "its counts exceed its size");
    pool->free = kin__heap_take(&reading->heap, pool->free_count, sizeof *pool->free);
    for (uint32_t i = 0; pool->free != NULL && i < pool->free_count; i++)
        pool->free[i] = kin__decode_32(decoder);
    for (const kin__file_pool *other = reading->pools; other < pool; other++)
        if (other->number == pool->number && pool->number != KIN__NO_POOL)
            return kin__block_reader_fault(reading->blocks, 1308, "a pool is there twice");
    return pool->free != NULL;
}

static bool read_pools(kin__reading *reading, kin__decoder *decoder)
{
    reading->pool_count = kin__decode_16(decoder);
    if (reading->pool_count > kin__decoder_left(decoder) / 14)
        return wrong(reading, "its counts exceed its size");
    reading->pools = kin__heap_take(&reading->heap, reading->pool_count, sizeof *reading->pools);
    for (uint32_t i = 0; reading->pools != NULL && i < reading->pool_count; i++)
        if (!read_pool(reading, decoder, &reading->pools[i]))
            return false;
    return reading->pools != NULL;
}

// Chunks without a pool come after all others, and have no entities in a file.
static bool read_chunk_pools(kin__reading *reading, kin__decoder *decoder, uint32_t chunk_count)
{
    uint32_t assigned = 0;
    reading->chunk_pools = kin__heap_take(&reading->heap, chunk_count, sizeof *reading->chunk_pools);
    for (uint32_t chunk = 0; reading->chunk_pools != NULL && chunk < chunk_count; chunk++) {
        uint16_t number = reading->chunk_pools[chunk] = kin__decode_16(decoder);
        if (number == NO_POOL)
            continue;
        if (number >= reading->pool_count || assigned != chunk)
            return wrong(reading, "a chunk names a missing pool");
        assigned++;
    }
    reading->part->counts.assigned_chunks = assigned;
    reading->chunk_count = chunk_count;
    if (reading->chunk_pools == NULL)
        return false;
    uint32_t most = assigned;
    if (reading->has_systems)
        most = chunk_count;
    if (!kin__part_reserve(reading->part, most))
        return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for its chunks; free some and try again");
    return true;
}

static bool take_part(kin__reading *reading)
{
    KIN_ASSERT(reading->part == NULL);
    if (kin__store_reserve(reading->context, 0))
        reading->part = kin__part_take(reading->context);
    return reading->part != NULL ||
           kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY, "no memory for a snapshot; free some and try again");
}

bool kin__context_block_read(kin__reading *reading, kin__decoder *decoder)
{
    if (!take_part(reading))
        return false;
    kin__context_snapshot *part = reading->part;
    part->counts.next_creation_index = kin__decode_64(decoder);
    part->counts.first_creation_index = kin__decode_64(decoder);
    uint32_t chunk_count = kin__decode_32(decoder);
    if (part->counts.first_creation_index == 0 ||
        part->counts.next_creation_index < part->counts.first_creation_index ||
        part->counts.next_creation_index > (uint64_t)KIN__MAX_CREATION_INDEX + 1)
        return wrong(reading, "its creation indices are out of range");
    if (!read_pools(reading, decoder))
        return false;
    if (chunk_count > MOST_CHUNKS || chunk_count > kin__decoder_left(decoder) / sizeof(uint16_t))
        return wrong(reading, "it has too many chunks");
    return read_chunk_pools(reading, decoder, chunk_count) && kin__decoder_end(decoder, reading->blocks);
}

// ---- SLOT

static kin__image *make_head(kin__reading *reading, uint32_t chunk)
{
    kin_context *context = reading->context;
    kin__image *head = kin__store_take(context, kin__head_number(context->info));
    if (head == NULL) {
        kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY, "no memory for a chunk; free some and try again");
        return NULL;
    }
    memset(head->bytes, 0, kin__image_size(context->info, head->number));
    if (chunk == 0)
        ((kin_entity *)(void *)head->bytes)[0] = kin__free_handle(0);
    kin__part_put(reading->part, chunk, head);
    return head;
}

bool kin__slots_read(kin__reading *reading, kin__decoder *decoder, uint32_t chunk)
{
    if (!kin__migrating_next(reading, chunk))
        return false;
    kin__image *head = make_head(reading, chunk);
    if (head == NULL)
        return false;
    kin_entity *ids = (kin_entity *)(uintptr_t)kin__image_ids(head);
    uint64_t *alive = (uint64_t *)(uintptr_t)kin__image_alive(head);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        alive[word] = kin__decode_64(decoder);
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        if (!kin__bits_have(alive, place))
            continue;
        uint64_t index = kin__decode_32(decoder);
        index |= (uint64_t)kin__decode_8(decoder) << 32;
        if (index < reading->part->counts.first_creation_index || index >= reading->part->counts.next_creation_index)
            return wrong(reading, "a creation index is out of range");
        ids[place] = index << 24 | (chunk * KIN__CHUNK_SLOTS + place);
        reading->report.entities++;
    }
    return kin__decoder_end(decoder, reading->blocks);
}

// ---- free slots

static uint32_t slot_count_of(const kin__reading *reading)
{
    return reading->part->chunk_count * KIN__CHUNK_SLOTS;
}

static void link_free(const kin__reading *reading, uint32_t number, uint32_t slot)
{
    kin__pool *pool = &reading->part->pools[number];
    KIN_ASSERT(slot < slot_count_of(reading) && !reading->seen[slot]);
    uint32_t last = reading->last_free[number];
    kin__reading_row(reading, kin__reading_head(reading, slot / KIN__CHUNK_SLOTS), slot % KIN__CHUNK_SLOTS)[0] =
        KIN__NO_SLOT;
    if (pool->free_slot == KIN__NO_SLOT)
        pool->free_slot = slot;
    else
        kin__reading_row(reading, kin__reading_head(reading, last / KIN__CHUNK_SLOTS), last % KIN__CHUNK_SLOTS)[0] =
            slot;
    reading->last_free[number] = slot;
    reading->seen[slot] = 1;
}

// Whether a slot is one of the pool that nothing else has.
static bool may_have(const kin__reading *reading, uint32_t pool, uint32_t slot)
{
    bool is_of_pool = slot < slot_count_of(reading) && reading->chunk_pools[slot / KIN__CHUNK_SLOTS] == pool;
    return is_of_pool && !reading->seen[slot];
}

static bool note_fresh(kin__reading *reading, uint32_t number, const kin__file_pool *pool)
{
    uint32_t end = (pool->fresh_end + KIN__CHUNK_SLOTS - 1) / KIN__CHUNK_SLOTS * KIN__CHUNK_SLOTS;
    bool is_in_range = pool->fresh_end > 0 && pool->fresh_end <= slot_count_of(reading);
    bool is_of_one_chunk = pool->fresh <= pool->fresh_end && pool->fresh + KIN__CHUNK_SLOTS >= end;
    if (!is_in_range || !is_of_one_chunk)
        return wrong(reading, "its fresh slots are out of range");
    for (uint32_t slot = pool->fresh; slot < end; slot++) {
        if (slot >= pool->fresh_end && !kin__bits_have(pool->usable, slot % KIN__CHUNK_SLOTS))
            continue;
        if (!may_have(reading, number, slot))
            return wrong(reading, "a fresh slot is not of its pool, or in use");
        reading->seen[slot] = 1;
    }
    return true;
}

// Of a blueprint that is no more, all slots that are not in use are free ones of entities without a blueprint.
static bool finish_pool(kin__reading *reading, uint32_t number)
{
    const kin__file_pool *pool = &reading->pools[number];
    if (pool->number == KIN__NO_POOL)
        return true;
    kin__pool *now = &reading->part->pools[pool->number];
    if (!note_fresh(reading, number, pool))
        return false;
    for (uint32_t i = 0; i < pool->free_count; i++) {
        if (!may_have(reading, number, pool->free[i]))
            return wrong(reading, "a free slot is not of its pool, or in use");
        link_free(reading, pool->number, pool->free[i]);
    }
    now->fresh = pool->fresh;
    now->fresh_end = pool->fresh_end;
    memcpy(now->usable, pool->usable, sizeof now->usable);
    return true;
}

static bool finish_chunk(kin__reading *reading, uint32_t chunk)
{
    uint32_t number = reading->pools[reading->chunk_pools[chunk]].number;
    kin__image *head = kin__reading_head(reading, chunk);
    if (number == KIN__NO_POOL)
        number = 0;
    KIN_ASSERT(number < kin__part_pool_count(reading->context->info));
    ((uint32_t *)reading->part->chunk_pools.at)[chunk] = number;
    if (head == NULL && (head = make_head(reading, chunk)) == NULL)
        return false;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_alive(head), place))
            reading->seen[chunk * KIN__CHUNK_SLOTS + place] = 1;
    return true;
}

static int compare_indices(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one;
    uint64_t b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static bool check_indices(kin__reading *reading)
{
    uint64_t *indices = kin__heap_take(&reading->heap, (size_t)reading->report.entities, sizeof *indices);
    size_t count = 0;
    if (indices == NULL)
        return false;
    for (uint32_t chunk = 0; chunk < reading->part->chunk_count; chunk++) {
        const kin__image *head = kin__reading_head(reading, chunk);
        for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
            if (kin__bits_have(kin__image_alive(head), place))
                indices[count++] = kin_entity_creation_index(kin__image_ids(head)[place]);
    }
    KIN_ASSERT(count == reading->report.entities);
    qsort(indices, count, sizeof *indices, compare_indices);
    for (size_t i = 1; i < count; i++)
        if (indices[i] == indices[i - 1])
            return kin__block_reader_fault(reading->blocks, 1308, "two entities have the creation index %" PRIu64,
                                           indices[i]);
    return true;
}

bool kin__slots_check(kin__reading *reading)
{
    kin__heap *heap = &reading->heap;
    reading->seen = kin__heap_take(heap, slot_count_of(reading), 1);
    reading->last_free = kin__heap_take(heap, kin__part_pool_count(reading->context->info), sizeof(uint32_t));
    uint32_t most_held = 0;
    if (reading->has_systems)
        most_held = slot_count_of(reading);
    reading->held = kin__heap_take(heap, most_held, sizeof(kin_entity));
    bool has_pools = reading->seen != NULL && reading->last_free != NULL;
    if (!has_pools || reading->held == NULL)
        return false;
    for (uint32_t i = 0; i < kin__part_pool_count(reading->context->info); i++)
        reading->part->pools[i] = (kin__pool){.free_slot = KIN__NO_SLOT};
    for (uint32_t chunk = 0; chunk < reading->part->counts.assigned_chunks; chunk++)
        if (!finish_chunk(reading, chunk))
            return false;
    for (uint32_t i = 0; i < reading->pool_count; i++)
        if (!finish_pool(reading, i))
            return false;
    return true;
}

// ---- slots of dead entities

void kin__slots_destroy(kin__reading *reading, uint32_t slot)
{
    kin__image *head = kin__reading_head(reading, slot / KIN__CHUNK_SLOTS);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    KIN_ASSERT(kin__bits_have(kin__image_alive(head), place) && reading->report.entities > 0);
    kin__bits_remove((uint64_t *)(uintptr_t)kin__image_alive(head), place);
    ((kin_entity *)(uintptr_t)kin__image_ids(head))[place] = kin__free_handle(slot);
    reading->report.entities--;
}

// Whether the slot has a living entity.
static bool is_alive(const kin__reading *reading, uint32_t slot)
{
    const kin__image *head = kin__reading_head(reading, slot / KIN__CHUNK_SLOTS);
    return head != NULL && kin__bits_have(kin__image_alive(head), slot % KIN__CHUNK_SLOTS);
}

bool kin__slots_check_entity(kin__reading *reading, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    if (slot >= slot_count_of(reading))
        return wrong(reading, "a system has collected an entity without a slot");
    bool is_right = !reading->seen[slot];
    if (is_alive(reading, slot)) {
        const kin__image *head = kin__reading_head(reading, slot / KIN__CHUNK_SLOTS);
        is_right = kin__image_ids(head)[slot % KIN__CHUNK_SLOTS] == entity;
    }
    return is_right || wrong(reading, "a system has collected an entity whose slot is free, or has another one");
}

bool kin__slots_hold(kin__reading *reading, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(reading->has_systems && slot < slot_count_of(reading));
    if (is_alive(reading, slot))
        return true;
    if (reading->held[slot] != 0 && reading->held[slot] != entity)
        return wrong(reading, "systems have collected two dead entities with one slot");
    reading->held[slot] = entity;
    return true;
}

// Chunks that no pool has stay if a slot in them is held. They keep a former pool, as a chunk with one has its rows
// cleared when a pool gets it again.
static bool finish_unassigned(kin__reading *reading)
{
    kin__context_snapshot *part = reading->part;
    bool is_any_held = false;
    uint32_t slot = part->counts.assigned_chunks * KIN__CHUNK_SLOTS;
    for (; reading->has_systems && slot < slot_count_of(reading); slot++)
        is_any_held = is_any_held || reading->held[slot] != 0;
    if (!is_any_held)
        kin__part_cut(part, part->counts.assigned_chunks);
    for (uint32_t chunk = part->counts.assigned_chunks; chunk < part->chunk_count; chunk++) {
        ((uint32_t *)part->chunk_pools.at)[chunk] = 0;
        if (make_head(reading, chunk) == NULL)
            return false;
    }
    return true;
}

static bool put_held(kin__reading *reading)
{
    kin__context_snapshot *part = reading->part;
    uint32_t count = 0;
    for (uint32_t slot = 0; reading->has_systems && slot < slot_count_of(reading); slot++)
        count += reading->held[slot] != 0;
    if (!kin__bytes_reserve(reading->context, &part->held, count * sizeof(kin_entity)))
        return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for collected entities; free some and try again");
    for (uint32_t slot = 0; count > 0 && slot < slot_count_of(reading); slot++) {
        if (reading->held[slot] == 0)
            continue;
        const kin__image *head = kin__reading_head(reading, slot / KIN__CHUNK_SLOTS);
        kin__reading_row(reading, head, slot % KIN__CHUNK_SLOTS)[0] = reading->held[slot];
        ((kin_entity *)part->held.at)[kin__part_held_count(part)] = reading->held[slot];
        part->held.size += sizeof(kin_entity);
        reading->seen[slot] = 1;
    }
    KIN_ASSERT(kin__part_held_count(part) == count);
    part->counts.pending = count;
    return true;
}

bool kin__slots_finish(kin__reading *reading)
{
    kin__context_snapshot *part = reading->part;
    if (!finish_unassigned(reading) || !put_held(reading))
        return false;
    for (uint32_t slot = 0; slot < part->counts.assigned_chunks * KIN__CHUNK_SLOTS; slot++)
        if (!reading->seen[slot])
            link_free(reading, kin__part_pool(part, slot / KIN__CHUNK_SLOTS), slot);
    part->counts.created_before = 0;
    part->counts.is_held_outside = false;
    part->counts.deaths =
        part->counts.next_creation_index - part->counts.first_creation_index - reading->report.entities;
    return check_indices(reading);
}

bool kin__slots_make_empty(kin__reading *reading)
{
    if (!take_part(reading))
        return false;
    reading->part->counts.first_creation_index = reading->part->counts.next_creation_index =
        reading->context->core->options.first_creation_index;
    return read_chunk_pools(reading, &(kin__decoder){NULL, NULL, false}, 0);
}
