#include "read/slots.h"

#include "storage/chunk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NO_POOL = UINT16_MAX, MOST_CHUNKS = 1 << 15 };

static bool wrong(kin__reading *reading, const char *what)
{
    return kin__block_reader_fault(&reading->blocks, 1307, "%s", what);
}

// ---- CTXT

static uint32_t number_of(const kin_context_info *info, const char *blueprint, size_t size)
{
    for (uint32_t i = 0; i < info->blueprint_count; i++)
        if (strlen(info->blueprints[i].name) == size && memcmp(info->blueprints[i].name, blueprint, size) == 0)
            return i + 1;
    return size == 0 ? 0 : KIN__NO_POOL;
}

static bool read_pool(kin__reading *reading, kin__decoder *decoder, kin__file_pool *pool)
{
    size_t size;
    const char *name = kin__decode_text(decoder, &size);
    pool->number = name == NULL ? 0 : number_of(reading->context->info, name, size);
    pool->fresh = kin__decode_32(decoder);
    pool->fresh_end = kin__decode_32(decoder);
    for (uint32_t word = 0; pool->fresh_end % KIN__CHUNK_SLOTS != 0 && word < KIN__CHUNK_WORDS; word++)
        pool->usable[word] = kin__decode_64(decoder);
    pool->free_count = kin__decode_32(decoder);
    if (decoder->is_short || pool->free_count > kin__decoder_left(decoder) / sizeof(uint32_t))
        return wrong(reading, "it counts more than it has");
    pool->free = kin__heap_take(&reading->heap, pool->free_count, sizeof *pool->free);
    for (uint32_t i = 0; pool->free != NULL && i < pool->free_count; i++)
        pool->free[i] = kin__decode_32(decoder);
    for (const kin__file_pool *other = reading->pools; other < pool; other++)
        if (other->number == pool->number && pool->number != KIN__NO_POOL)
            return kin__block_reader_fault(&reading->blocks, 1308, "a pool is there twice");
    return pool->free != NULL;
}

static bool read_pools(kin__reading *reading, kin__decoder *decoder)
{
    reading->pool_count = kin__decode_16(decoder);
    if (reading->pool_count > kin__decoder_left(decoder) / 14)
        return wrong(reading, "it counts more than it has");
    reading->pools = kin__heap_take(&reading->heap, reading->pool_count, sizeof *reading->pools);
    for (uint32_t i = 0; reading->pools != NULL && i < reading->pool_count; i++)
        if (!read_pool(reading, decoder, &reading->pools[i]))
            return false;
    return reading->pools != NULL;
}

// Chunks of no pool are behind all others, and have no entities in a file.
static bool read_chunk_pools(kin__reading *reading, kin__decoder *decoder, uint32_t chunk_count)
{
    uint32_t assigned = 0;
    reading->chunk_pools = kin__heap_take(&reading->heap, chunk_count, sizeof *reading->chunk_pools);
    for (uint32_t chunk = 0; reading->chunk_pools != NULL && chunk < chunk_count; chunk++) {
        uint16_t number = reading->chunk_pools[chunk] = kin__decode_16(decoder);
        if (number != NO_POOL && (number >= reading->pool_count || assigned != chunk))
            return wrong(reading, "a chunk is of a pool that there is not");
        assigned += number != NO_POOL;
    }
    reading->part->assigned_chunks = assigned;
    if (reading->chunk_pools == NULL)
        return false;
    if (!kin__part_reserve(reading->part, assigned))
        return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for its chunks; free some and try again");
    return true;
}

static bool take_part(kin__reading *reading)
{
    reading->part = kin__store_reserve(reading->context, 0) ? kin__part_take(reading->context) : NULL;
    if (reading->part != NULL) {
        reading->part->created_before = 0;
        reading->part->pending = 0;
        reading->part->is_held_outside = false;
    }
    return reading->part != NULL ||
           kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY, "no memory for a snapshot; free some and try again");
}

bool kin__context_block_read(kin__reading *reading, kin__decoder *decoder)
{
    if (!take_part(reading))
        return false;
    kin__context_snapshot *part = reading->part;
    part->next_creation_index = kin__decode_64(decoder);
    part->first_creation_index = kin__decode_64(decoder);
    uint32_t chunk_count = kin__decode_32(decoder);
    if (part->first_creation_index == 0 || part->next_creation_index < part->first_creation_index ||
        part->next_creation_index > (uint64_t)KIN__MAX_CREATION_INDEX + 1)
        return wrong(reading, "its creation indices are out of range");
    if (!read_pools(reading, decoder))
        return false;
    if (chunk_count > MOST_CHUNKS || chunk_count > kin__decoder_left(decoder) / sizeof(uint16_t))
        return wrong(reading, "it has too many chunks");
    return read_chunk_pools(reading, decoder, chunk_count) && kin__decoder_end(decoder, &reading->blocks);
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
        if (index < reading->part->first_creation_index || index >= reading->part->next_creation_index)
            return wrong(reading, "a creation index is out of range");
        ids[place] = index << 24 | (chunk * KIN__CHUNK_SLOTS + place);
        reading->report.entities++;
    }
    return kin__decoder_end(decoder, &reading->blocks);
}

// ---- free slots

// The pools of a part, while free slots are linked behind each other.
typedef struct linking {
    kin__reading *reading;
    unsigned char *seen; // by slot
    uint32_t slot_count;
    uint32_t *last; // by pool of the part: the slot that was linked last
} linking;

static void link_free(linking *linking, uint32_t number, uint32_t slot)
{
    const kin__reading *reading = linking->reading;
    kin__pool *pool = &reading->part->pools[number];
    uint32_t last = linking->last[number];
    kin__reading_row(reading, kin__reading_head(reading, slot / KIN__CHUNK_SLOTS), slot % KIN__CHUNK_SLOTS)[0] =
        KIN__NO_SLOT;
    if (pool->free_slot == KIN__NO_SLOT)
        pool->free_slot = slot;
    else
        kin__reading_row(reading, kin__reading_head(reading, last / KIN__CHUNK_SLOTS), last % KIN__CHUNK_SLOTS)[0] =
            slot;
    linking->last[number] = slot;
    linking->seen[slot] = 1;
}

// Whether a slot is one of the pool that nothing else has.
static bool may_have(const linking *linking, uint32_t pool, uint32_t slot)
{
    return slot < linking->slot_count && linking->reading->chunk_pools[slot / KIN__CHUNK_SLOTS] == pool &&
           !linking->seen[slot];
}

static bool note_fresh(linking *linking, uint32_t number, const kin__file_pool *pool)
{
    uint32_t end = (pool->fresh_end + KIN__CHUNK_SLOTS - 1) / KIN__CHUNK_SLOTS * KIN__CHUNK_SLOTS;
    if (pool->fresh > pool->fresh_end || pool->fresh_end > linking->slot_count || pool->fresh_end == 0 ||
        pool->fresh + KIN__CHUNK_SLOTS < end)
        return wrong(linking->reading, "its fresh slots are out of range");
    for (uint32_t slot = pool->fresh; slot < end; slot++) {
        if (slot >= pool->fresh_end && !kin__bits_have(pool->usable, slot % KIN__CHUNK_SLOTS))
            continue;
        if (!may_have(linking, number, slot))
            return wrong(linking->reading, "a fresh slot is not of its pool, or in use");
        linking->seen[slot] = 1;
    }
    return true;
}

// The slots of dead entities that the systems have collected. They are neither alive nor free.
static bool hold_slots(linking *linking)
{
    kin__reading *reading = linking->reading;
    kin__context_snapshot *part = reading->part;
    if (!kin__array_reserve(&reading->context->core->snapshot_memory, &part->held, reading->held_count,
                            sizeof(kin_entity)))
        return kin__fault_note(reading->fault, KIN_ERROR_NO_MEMORY, "no memory for its slots; free some and try again");
    for (part->held_count = 0; part->held_count < reading->held_count; part->held_count++) {
        kin_entity entity = reading->held[part->held_count];
        uint32_t slot = kin_entity_slot(entity);
        if (slot >= linking->slot_count || linking->seen[slot])
            return wrong(reading, "a system has collected an entity that there is not");
        kin__reading_row(reading, kin__reading_head(reading, slot / KIN__CHUNK_SLOTS), slot % KIN__CHUNK_SLOTS)[0] =
            entity;
        ((kin_entity *)part->held.elements)[part->held_count] = entity;
        linking->seen[slot] = 1;
    }
    part->pending = part->held_count;
    return true;
}

// Of a blueprint that is no more, all slots that are not in use are free ones of entities without a blueprint.
static bool finish_pool(linking *linking, uint32_t number)
{
    const kin__file_pool *pool = &linking->reading->pools[number];
    if (pool->number == KIN__NO_POOL)
        return true;
    kin__pool *now = &linking->reading->part->pools[pool->number];
    if (!note_fresh(linking, number, pool))
        return false;
    for (uint32_t i = 0; i < pool->free_count; i++) {
        if (!may_have(linking, number, pool->free[i]))
            return wrong(linking->reading, "a free slot is not of its pool, or in use");
        link_free(linking, pool->number, pool->free[i]);
    }
    now->fresh = pool->fresh;
    now->fresh_end = pool->fresh_end;
    memcpy(now->usable, pool->usable, sizeof now->usable);
    return true;
}

static bool finish_chunk(linking *linking, uint32_t chunk)
{
    kin__reading *reading = linking->reading;
    uint32_t number = reading->pools[reading->chunk_pools[chunk]].number;
    kin__image *head = kin__reading_head(reading, chunk);
    if (number == KIN__NO_POOL)
        number = 0;
    ((uint32_t *)reading->part->chunk_pools.elements)[chunk] = number;
    if (head == NULL && (head = make_head(reading, chunk)) == NULL)
        return false;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__bits_have(kin__image_alive(head), place))
            linking->seen[chunk * KIN__CHUNK_SLOTS + place] = 1;
    return true;
}

static int compare_indices(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

static bool check_indices(kin__reading *reading)
{
    uint64_t *indices = kin__heap_take(&reading->heap, reading->report.entities, sizeof *indices);
    uint64_t count = 0;
    if (indices == NULL)
        return false;
    for (uint32_t chunk = 0; chunk < reading->part->chunk_count; chunk++) {
        const kin__image *head = kin__reading_head(reading, chunk);
        for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
            if (kin__bits_have(kin__image_alive(head), place))
                indices[count++] = kin_entity_creation_index(kin__image_ids(head)[place]);
    }
    qsort(indices, count, sizeof *indices, compare_indices);
    for (uint64_t i = 1; i < count; i++)
        if (indices[i] == indices[i - 1])
            return kin__block_reader_fault(&reading->blocks, 1308, "two entities have the creation index %" PRIu64,
                                           indices[i]);
    return true;
}

static void reset_pools(kin__reading *reading)
{
    for (uint32_t i = 0; i < kin__part_pool_count(reading->context->info); i++)
        reading->part->pools[i] = (kin__pool){.free_slot = KIN__NO_SLOT};
}

bool kin__slots_finish(kin__reading *reading)
{
    linking linking = {.reading = reading, .slot_count = reading->part->chunk_count * KIN__CHUNK_SLOTS};
    linking.seen = kin__heap_take(&reading->heap, linking.slot_count, 1);
    linking.last = kin__heap_take(&reading->heap, kin__part_pool_count(reading->context->info), sizeof *linking.last);
    if (linking.seen == NULL || linking.last == NULL)
        return false;
    reset_pools(reading);
    for (uint32_t chunk = 0; chunk < reading->part->chunk_count; chunk++)
        if (!finish_chunk(&linking, chunk))
            return false;
    if (!hold_slots(&linking))
        return false;
    for (uint32_t i = 0; i < reading->pool_count; i++)
        if (!finish_pool(&linking, i))
            return false;
    for (uint32_t slot = 0; slot < linking.slot_count; slot++)
        if (!linking.seen[slot])
            link_free(&linking, kin__part_pool(reading->part, slot / KIN__CHUNK_SLOTS), slot);
    reading->part->deaths =
        reading->part->next_creation_index - reading->part->first_creation_index - reading->report.entities;
    return check_indices(reading);
}
