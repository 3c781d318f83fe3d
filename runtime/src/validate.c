#include "validate.h"

#include "chunk.h"
#include "dispatch.h"
#include "index.h"
#include "keepsake.h"
#include "listener.h"
#include "owned.h"

static bool is_alive(const kin__chunk *chunk, uint32_t place)
{
    return (chunk->alive[place / 64] >> (place % 64) & 1) != 0;
}

bool kin__slot_is_valid(const kin_context *context, uint32_t slot)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    const uint64_t *row = kin__chunk_row(chunk, context->row_words, place);
    kin__column *const *columns = kin__chunk_columns(chunk, context->row_words);
    bool alive = is_alive(chunk, place);
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (kin__column_has(columns[id], place) != (alive && (row[id / 64] >> (id % 64) & 1) != 0) ||
            (kin__column_has(columns[id], place) && !kin__owned_is_valid(context, slot, (kin_component_id)id)))
            return false;
    kin_entity entity = chunk->ids[place];
    return alive == (kin_entity_creation_index(entity) != 0) && (!alive || kin_entity_slot(entity) == slot);
}

// A chunk has the bit of a component exactly when it has a column for it.
static bool chunk_is_valid(const kin_context *context, uint32_t number)
{
    const kin__slots *slots = &context->core->slots;
    kin__column *const *columns = kin__chunk_columns(context->chunks[number], context->row_words);
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        uint64_t word = slots->present[(size_t)id * slots->present_words + number / 64];
        if ((columns[id] != context->empty) != ((word >> (number % 64) & 1) != 0))
            return false;
    }
    return (context->chunks[number]->holders != NULL) == slots->holding;
}

// The free list visits only dead slots, and ends.
static bool free_list_is_valid(const kin_context *context)
{
    const kin__slots *slots = &context->core->slots;
    uint32_t count = 0, most = context->chunk_count * KIN__CHUNK_SLOTS;
    for (uint32_t slot = context->free_slot; slot != KIN__NO_SLOT; slot = (uint32_t)kin__row_of(context, slot)[0])
        if (slot / KIN__CHUNK_SLOTS >= slots->given || ++count > most ||
            is_alive(kin__chunk_of_slot(context, slot), slot % KIN__CHUNK_SLOTS))
            return false;
    return true;
}

// Who has groups to tell has watchers, so that changes come by the library; the groups stand in order of creation.
static bool watches_are_valid(const kin_context *context)
{
    for (uint32_t id = 0; id <= context->info->component_count; id++) {
        const kin__watch *watch = &context->core->watches[id];
        kin_group *const *groups = watch->groups.elements;
        if (watch->count > 0 && context->components[id].watchers == 0)
            return false;
        for (uint32_t i = 0; i < watch->count; i++)
            if (groups[i]->subscriber_count == 0 || (i > 0 && groups[i - 1]->number >= groups[i]->number))
                return false;
    }
    return true;
}

bool kin__context_is_valid(const kin_context *context)
{
    uint32_t living = 0;
    for (uint32_t number = 0; number < context->chunk_count; number++) {
        if (!chunk_is_valid(context, number))
            return false;
        for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
            living += is_alive(context->chunks[number], place);
            if (!kin__slot_is_valid(context, number * KIN__CHUNK_SLOTS + place))
                return false;
        }
    }
    const kin__dispatch *dispatch = &context->core->dispatch;
    bool outgrown = dispatch->kept != NULL && dispatch->kept->next != NULL;
    bool settled = dispatch->depth > 0 || (!outgrown && dispatch->ended == NULL && dispatch->first_gone == NULL);
    return settled && living == kin__living(context) && free_list_is_valid(context) && watches_are_valid(context) &&
           kin__indices_are_valid(context) && kin__listeners_are_valid(context) && kin__keepsakes_are_valid(context);
}
