#include "systems/sweeper.h"

#include "notify/dispatch.h"
#include "report/error.h"
#include "storage/chunk.h"

#include <string.h>

static bool reserve(kin__follower *follower, uint32_t slot_count)
{
    kin__sweeper *sweeper = (kin__sweeper *)(void *)follower;
    if (slot_count <= sweeper->slot_count)
        return true;
    uint32_t least = slot_count < sweeper->slot_count * 2 ? sweeper->slot_count * 2 : slot_count;
    uint64_t *marked = kin__allocate(&sweeper->memory, least / 64 * sizeof *marked);
    if (marked == NULL)
        return false;
    if (sweeper->slot_count > 0)
        memcpy(marked, sweeper->marked, sweeper->slot_count / 64 * sizeof *marked);
    kin__release(&sweeper->memory, sweeper->marked, sweeper->slot_count / 64 * sizeof *marked);
    sweeper->marked = marked;
    sweeper->slot_count = least;
    return true;
}

static void forget(kin__follower *follower)
{
    kin__sweeper *sweeper = (kin__sweeper *)(void *)follower;
    sweeper->context = NULL;
    kin__memory_leave(&sweeper->memory);
}

static size_t used(const kin__follower *follower)
{
    const kin__sweeper *sweeper = (const kin__sweeper *)(const void *)follower;
    return sizeof *sweeper + sweeper->context->chunk_count * KIN__CHUNK_WORDS * sizeof *sweeper->marked;
}

kin__sweeper *kin__sweeper_create(kin_context *context, kin__cleanup cleanup)
{
    kin__memory memory = kin__memory_part(&context->core->collector_memory);
    kin__sweeper *sweeper = kin__allocate_zero(&memory, sizeof *sweeper);
    if (sweeper == NULL)
        return NULL;
    *sweeper = (kin__sweeper){.follower = {.reserve = reserve, .forget = forget, .used = used},
                              .memory = memory,
                              .context = context,
                              .cleanup = cleanup};
    if (!reserve(&sweeper->follower, context->chunk_count * KIN__CHUNK_SLOTS)) {
        memory = sweeper->memory;
        kin__release(&memory, sweeper, sizeof *sweeper);
        return NULL;
    }
    kin__follow(context, &sweeper->follower);
    return sweeper;
}

void kin__sweeper_destroy(kin__sweeper *sweeper)
{
    if (sweeper == NULL)
        return;
    if (sweeper->context != NULL)
        kin__unfollow(sweeper->context, &sweeper->follower);
    kin__memory memory = sweeper->memory;
    kin__release(&memory, sweeper->marked, sweeper->slot_count / 64 * sizeof *sweeper->marked);
    kin__release(&memory, sweeper, sizeof *sweeper);
}

static uint32_t mark(const kin__sweeper *sweeper)
{
    const kin_context *context = sweeper->context;
    for (uint32_t i = 0; i < context->chunk_count; i++) {
        const kin__column *column = kin__chunk_columns(context->chunks[i], context->row_words)[sweeper->cleanup.id];
        memcpy(sweeper->marked + (size_t)i * KIN__CHUNK_WORDS, column->has, sizeof column->has);
    }
    return context->chunk_count * KIN__CHUNK_WORDS;
}

// Who has died or lost the component since is passed over, and so is who was born since.
static void sweep(const kin__sweeper *sweeper, uint32_t slot, uint64_t end)
{
    kin_context *context = sweeper->context;
    kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
    if (kin_entity_creation_index(entity) >= end || !kin_has(context, entity, sweeper->cleanup.id))
        return;
    if (!sweeper->cleanup.destroys)
        kin__component_remove(context, entity, sweeper->cleanup.id);
    else if (!kin__is_leaving(context, entity))
        kin__entity_destroy(context, entity);
}

void kin__sweeper_run(void *self)
{
    const kin__sweeper *sweeper = self;
    if (sweeper->context == NULL)
        return;
    uint64_t end = sweeper->context->next_creation_index, life = sweeper->context->core->dispatch.life;
    uint32_t words = mark(sweeper);
    for (uint32_t word = 0; word < words; word++)
        for (uint64_t bits = sweeper->marked[word]; bits != 0; bits &= bits - 1) {
            if (sweeper->context->core->dispatch.life != life)
                return; // a listener has reset the context: nothing is left of this cleanup
            sweep(sweeper, word * 64 + kin__lowest_bit(bits), end);
        }
}
