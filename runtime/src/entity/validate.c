#include "entity/entity.h"

#include <string.h>

// The same column is found by chunk and by component. It is not empty exactly when the component's bit is set in
// kin__chunk_present, and the chunk's bit in slots.present. Every chunk has counts of holders if the context counts
// them.
static bool chunk_is_valid(const kin_context *context, uint32_t number)
{
    const kin__slots *slots = &context->core->slots;
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        uint64_t word = slots->present[(size_t)id * slots->present_words + number / 64];
        uint64_t present = kin__chunk_present(context->chunks[number], context->row_words)[id / 64];
        const kin__column *column = kin__chunk_columns(context->chunks[number], context->row_words)[id];
        bool has_column = column != context->empty;
        if (column != kin__chunk_column(context, number, id))
            return false;
        if (has_column != ((word >> (number % 64) & 1) != 0) || has_column != ((present >> (id % 64) & 1) != 0))
            return false;
    }
    return !slots->counts_holders || context->chunks[number]->holders != NULL;
}

// Whether the masks of the groups that watch a component agree with their matchers for the entity in a slot. Overwrites
// the row that the dispatch has for the next change.
static bool masks_are_valid(const kin_context *context, const kin__watch *watch, uint32_t id, uint32_t slot)
{
    kin_group *const *groups = watch->groups.elements;
    uint32_t words = context->row_words;
    uint64_t *row = kin__dispatch_row(context);
    memcpy(row, kin__row_of(context, slot), words * sizeof *row);
    for (uint32_t i = 0; i < watch->count; i++) {
        const uint64_t *mask = kin__mask_at(watch, i, words);
        if (!kin__mask_is_valid(mask, &groups[i]->matcher, id, row, words))
            return false;
    }
    return true;
}

static bool slot_masks_are_valid(const kin_context *context, uint32_t slot)
{
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (!masks_are_valid(context, &context->core->watches[id], id, slot))
            return false;
    return true;
}

// The events of a list include those of each of its subscribers.
static bool subscribers_are_valid(const kin__subscriber_list *subscribers)
{
    for (const kin__subscriber *each = subscribers->first; each != NULL; each = each->next)
        if ((each->events & ~subscribers->events) != 0 || each->list != subscribers)
            return false;
    return true;
}

// Returns how many live subscribers of the group are not collectors.
static uint32_t count_listeners(const kin_group *group)
{
    uint32_t count = 0;
    for (const kin__subscriber *each = group->subscribers.first; each != NULL; each = each->next)
        count += each->serial != 0 && !each->collects;
    return count;
}

static bool is_listened_valid(const kin__watch *watch)
{
    kin_group *const *groups = watch->groups.elements;
    uint32_t listeners = 0;
    for (uint32_t i = 0; i < watch->count; i++) {
        if (count_listeners(groups[i]) != groups[i]->listener_count)
            return false;
        listeners += groups[i]->listener_count;
    }
    return (listeners == 0) == (watch->listened == 0);
}

static bool is_known_to_be_watched(const kin_context *context, uint32_t id)
{
    bool is_watched = context->components[id].watchers > 0;
    return id == context->info->component_count || kin__bits_have(context->watched, id) == is_watched;
}

// The groups have subscribers, and are in order of creation.
static bool are_groups_valid(const kin__watch *watch)
{
    kin_group *const *groups = watch->groups.elements;
    for (uint32_t i = 0; i < watch->count; i++) {
        if (groups[i]->subscriber_count == 0 || !subscribers_are_valid(&groups[i]->subscribers))
            return false;
        if (i > 0 && groups[i - 1]->number >= groups[i]->number)
            return false;
    }
    return true;
}

// A component with groups to notify has watchers, so that its changes call the library.
static bool watches_are_valid(const kin_context *context)
{
    for (uint32_t id = 0; id <= context->info->component_count; id++) {
        const kin__watch *watch = &context->core->watches[id];
        if (watch->count > 0 && context->components[id].watchers == 0)
            return false;
        if (!kin__direct_is_valid(context, id) || !is_known_to_be_watched(context, id))
            return false;
        if (!is_listened_valid(watch) || !are_groups_valid(watch))
            return false;
        if (!kin__journal_is_valid(context, (kin_component_id)id))
            return false;
    }
    return kin__notes_are_valid(context);
}

// The entries of the directory, context.chunks, after the last chunk are the first chunk.
static bool directory_is_valid(const kin_context *context)
{
    uint32_t number = context->chunk_count;
    while (number > 0 && number <= context->chunk_mask && context->chunks[number] == context->chunks[0])
        number++;
    return number == 0 || number == context->chunk_mask + 1;
}

// Checks all slots of a chunk, and adds the living entities to `*living`.
static bool slots_are_valid(const kin_context *context, uint32_t number, uint32_t *living)
{
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++) {
        uint32_t slot = number * KIN__CHUNK_SLOTS + place;
        bool alive = kin__chunk_is_alive(context->chunks[number], place);
        *living += alive;
        if (!kin__slot_is_valid(context, slot))
            return false;
        if (alive && kin__dispatch_may_nest(context) && !slot_masks_are_valid(context, slot))
            return false;
    }
    return true;
}

// What a dispatch leaves to be freed is noted while it is under way, and nothing is left afterwards.
static bool is_settled(const kin_context *context)
{
    const kin__dispatch *dispatch = &context->core->dispatch;
    bool has_outgrown = dispatch->kept != NULL && dispatch->kept->next != NULL;
    bool has_retired = dispatch->first_retired != NULL && dispatch->loans == 0;
    bool is_left = has_outgrown || has_retired || dispatch->ended != NULL;
    return !is_left || (context->depth > 0 && context->unsettled);
}

bool kin__context_is_valid(const kin_context *context)
{
    static bool (*const checks[])(const kin_context *context) = {
        is_settled,
        kin__frames_are_valid,
        kin__pools_are_valid,
        kin__holds_are_valid,
        watches_are_valid,
        kin__groups_are_valid,
        kin__indices_are_valid,
        kin__relations_are_valid,
        kin__listeners_are_valid,
        kin__last_values_are_valid,
        kin__shared_all_are_valid,
        kin__blueprints_are_valid,
        kin__clone_list_is_valid,
    };
    uint32_t living = 0;
    if (!directory_is_valid(context))
        return false;
    for (uint32_t number = 0; number < context->chunk_count; number++)
        if (!chunk_is_valid(context, number) || !slots_are_valid(context, number, &living))
            return false;
    for (uint32_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!checks[i](context))
            return false;
    return living == kin__living(context);
}
