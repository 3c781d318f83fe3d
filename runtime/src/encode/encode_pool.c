#include "encode/encode_pool.h"

#include "base/base.h"

enum { NO_POOL = UINT16_MAX };

// A pool without a chunk has no slots.
static bool has_chunks(const kin__pool *pool)
{
    return pool->fresh_end > 0;
}

static uint32_t next_of(const kin__context_snapshot *part, uint32_t slot)
{
    const kin__image *head = kin__part_image(part, slot / KIN__CHUNK_SLOTS, kin__head_number(part->info));
    uint32_t row_words = part->info->component_count == 0 ? 1 : (part->info->component_count + 63) / 64;
    KIN_ASSERT(head != NULL);
    return (uint32_t)kin__image_row(head, row_words, slot % KIN__CHUNK_SLOTS)[0];
}

static void encode_free_slots(kin__encoder *encoder, const kin__context_snapshot *part, const kin__pool *pool)
{
    uint32_t count = 0;
    for (uint32_t slot = pool->free_slot; slot != KIN__NO_SLOT; slot = next_of(part, slot))
        count++;
    kin__encode_32(encoder, count);
    for (uint32_t slot = pool->free_slot; slot != KIN__NO_SLOT; slot = next_of(part, slot))
        kin__encode_32(encoder, slot);
}

static void encode_pool(kin__encoder *encoder, const kin__context_snapshot *part, uint32_t number)
{
    const kin__pool *pool = &part->pools[number];
    kin__encode_name(encoder, number == 0 ? "" : part->info->blueprints[number - 1].name);
    kin__encode_32(encoder, pool->fresh);
    kin__encode_32(encoder, pool->fresh_end);
    if (pool->fresh_end % KIN__CHUNK_SLOTS != 0)
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
            kin__encode_64(encoder, pool->usable[word]);
    encode_free_slots(encoder, part, pool);
}

// Returns how many pools with chunks come before pool `number`.
static uint32_t count_before(const kin__context_snapshot *part, uint32_t number)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < number; i++)
        count += has_chunks(&part->pools[i]);
    return count;
}

void kin__encode_context(kin__encoder *encoder, const kin__context_snapshot *part)
{
    uint32_t pool_count = kin__part_pool_count(part->info);
    kin__encode_64(encoder, part->next_creation_index);
    kin__encode_64(encoder, part->first_creation_index);
    kin__encode_32(encoder, part->chunk_count);
    kin__encode_16(encoder, (uint16_t)count_before(part, pool_count));
    for (uint32_t number = 0; number < pool_count; number++)
        if (has_chunks(&part->pools[number]))
            encode_pool(encoder, part, number);
    for (uint32_t chunk = 0; chunk < part->chunk_count; chunk++) {
        uint32_t number = kin__part_pool(part, chunk);
        bool has_pool = number != KIN__NO_POOL && chunk < part->assigned_chunks;
        kin__encode_16(encoder, has_pool ? (uint16_t)count_before(part, number) : NO_POOL);
    }
}

static bool add_bytes(const void *bytes, size_t size, void *user)
{
    kin__xxh64_add(user, bytes, size);
    return true;
}

uint64_t kin__hash_context(const kin__context_snapshot *part)
{
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__encoder encoder;
    kin__encoder_begin(&encoder, add_bytes, &hash);
    kin__encode_context(&encoder, part);
    kin__encoder_flush(&encoder);
    return kin__xxh64_end(&hash);
}
