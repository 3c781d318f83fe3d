// Destroys all members of a group, one by one unless the fast path applies.
#include "entity/entity.h"

#include <string.h>

// Lists the members first: an entity that becomes a member meanwhile is not destroyed.
static kin_status destroy_each(kin_group *group, const kin__attempt *attempt)
{
    kin_context *context = group->context;
    uint32_t count = kin_group_count(group);
    kin_entity *members = count == 0 ? NULL : kin__allocate(&context->core->group_memory, count * sizeof *members);
    if (count > 0 && members == NULL)
        return kin__report_error(context, KIN_ERROR_NO_MEMORY, attempt);
    kin_group_copy_entities(group, members, count);
    uint64_t epoch = context->core->dispatch.epoch;
    for (uint32_t i = 0; i < count && context->core->dispatch.epoch == epoch; i++)
        if (kin_group_contains(group, members[i]) && !kin__is_about_to_be_destroyed(context, members[i]))
            kin__entity_destroy_fast(context, members[i]); // reports a refusal, and goes on
    kin__release(&context->core->group_memory, members, count * sizeof *members);
    return KIN_OK;
}

static bool group_destroy_fast(kin_group *group);

kin_status kin_group_destroy_entities(kin_group *group)
{
    kin__attempt attempt = {.verb = "destroy the entities of a group"};
    if (group == NULL)
        return kin__group_report_null(attempt.verb);
    if (!kin__dispatch_may_nest(group->context))
        return kin__report_error(group->context, KIN_ERROR_LIMIT, &attempt);
    return group_destroy_fast(group) ? KIN_OK : destroy_each(group, &attempt);
}

// Destroys all members of a group where nothing is notified (entity.h): bits by words, slots one by one.

// Calls `visit` for each chunk that has members, with their bits. Returns false as soon as one call does.
static bool visit_members(const kin_group *group,
                          bool (*visit)(kin_context *context, uint32_t number, const uint64_t match[KIN__CHUNK_WORDS]))
{
    kin_context *context = group->context;
    uint64_t match[KIN__CHUNK_WORDS];
    for (uint32_t word = 0; word * 64 < context->chunk_count; word++)
        for (uint64_t chunks = kin__chunks_present(context, &group->matcher, word); chunks != 0; chunks &= chunks - 1) {
            uint32_t number = word * 64 + kin__lowest_bit(chunks);
            kin__matcher_chunk(&group->matcher, context, number, match);
            if (!visit(context, number, match))
                return false;
        }
    return true;
}

static bool meets(const kin__column *column, const uint64_t match[KIN__CHUNK_WORDS])
{
    uint64_t both = 0;
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        both |= column->has[word] & match[word];
    return both != 0;
}

static bool is_unwatched(kin_context *context, uint32_t number, const uint64_t match[KIN__CHUNK_WORDS])
{
    EACH_OF_ROW(id, kin__chunk_present(context->chunks[number], context->row_words), context->row_words)
    {
        const kin__component *component = &context->components[id];
        if (component->watchers != 0 && meets(component->columns[number], match))
            return false;
    }
    return true;
}

// Whether destroying the members concerns slots and bits alone (entity.h).
static bool is_fast(const kin_group *group)
{
    const kin__core *core = group->context->core;
    return core->alive->watchers == 0 && core->events.destroy_subscribers == 0 && core->listeners.count == 0 &&
           core->slots.about_to_be_destroyed == 0 && visit_members(group, is_unwatched);
}

static void clear_columns(kin_context *context, uint32_t number, const uint64_t match[KIN__CHUNK_WORDS])
{
    EACH_OF_ROW(id, kin__chunk_present(context->chunks[number], context->row_words), context->row_words)
    {
        uint64_t *has = kin__chunk_column(context, number, id)->has;
        uint64_t lost = 0;
        for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
            lost += kin__count_bits(has[word] & match[word]);
            has[word] &= ~match[word];
        }
        context->components[id].changes += lost;
    }
}

// The slot of a held entity becomes free when its last owner releases it. Returns the bits of the held slots of a word.
static uint64_t keep_held(kin_context *context, kin__chunk *chunk, uint32_t first, uint64_t bits)
{
    if (chunk->holders == NULL || bits == 0)
        return 0;
    uint64_t held = kin__collected_word(context, kin_entity_slot(chunk->ids[first + kin__lowest_bit(bits)])) & bits;
    for (; bits != 0; bits &= bits - 1) {
        uint32_t bit = kin__lowest_bit(bits);
        held |= (uint64_t)(chunk->holders[first + bit] > 0) << bit;
    }
    for (uint64_t left = held; left != 0; left &= left - 1) {
        uint32_t place = first + kin__lowest_bit(left);
        kin_entity entity = chunk->ids[place];
        memset(kin__chunk_row(chunk, context->row_words, place), 0, context->row_words * sizeof(uint64_t));
        chunk->ids[place] = kin__free_handle(kin_entity_slot(entity));
        context->core->slots.pending++;
        kin__slot_free(context, entity);
    }
    return held;
}

// Frees slots in the order of one kin__pool_put after the other: each row links to the slot before.
static inline void free_slots(kin__chunk *chunk, uint32_t row_words, uint32_t first, uint64_t bits)
{
    uint32_t last = chunk->pool->free_slot;
    uint64_t *row = kin__chunk_row(chunk, row_words, first);
    for (; bits != 0; bits &= bits - 1) {
        uint32_t bit = kin__lowest_bit(bits);
        uint32_t slot = kin_entity_slot(chunk->ids[first + bit]);
        chunk->ids[first + bit] = kin__free_handle(slot);
        row[(size_t)bit * row_words] = last;
        for (uint32_t word = 1; word < row_words; word++)
            row[(size_t)bit * row_words + word] = 0;
        last = slot;
    }
    chunk->pool->free_slot = last;
}

// A chunk without a pool was allocated for an entity that was refused later: it has no members.
static bool destroy_members(kin_context *context, uint32_t number, const uint64_t match[KIN__CHUNK_WORDS])
{
    kin__chunk *chunk = context->chunks[number];
    if (chunk->pool == NULL)
        return true;
    clear_columns(context, number, match);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++) {
        KIN_ASSERT((match[word] & ~chunk->alive[word]) == 0);
        chunk->alive[word] &= ~match[word];
        context->core->slots.deaths += kin__count_bits(match[word]);
        uint64_t held = keep_held(context, chunk, word * 64, match[word]);
        if (context->row_words == 1) // a constant, so that finding the next row takes no multiplication
            free_slots(chunk, 1, word * 64, match[word] & ~held);
        else
            free_slots(chunk, context->row_words, word * 64, match[word] & ~held);
    }
    return true;
}

// Destroys all members of the group, or returns false and does nothing if that is not fast.
static bool group_destroy_fast(kin_group *group)
{
    if (!is_fast(group))
        return false;
    visit_members(group, destroy_members);
    return true;
}
