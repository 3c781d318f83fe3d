#include "collect/gather.h"

#include "notify/mask.h"

static void gather_group(const kin_group *group, uint32_t events, kin_entity entity)
{
    for (const kin__subscriber *each = group->subscribers.first; each != NULL; each = each->next) {
        KIN_ASSERT(each->collects || each->serial == 0);
        if (each->serial != 0 && (each->events & events) != 0)
            kin__collect_entity(each->user, entity);
    }
}

void kin__gather_members(const kin_context *context, kin_component_id id, const uint64_t *row, uint32_t events,
                         kin_entity entity)
{
    const kin__watch *watch = &context->core->watches[id];
    kin_group *const *groups = watch->groups.elements;
    for (uint32_t i = 0; i < watch->count; i++) {
        const uint64_t *mask = kin__mask_at(watch, i, context->row_words);
        if ((groups[i]->subscribers.events & events) != 0 &&
            kin__mask_passes(mask, KIN__MASK_MEMBER, row, context->row_words) &&
            ((mask[0] & KIN__MASK_INEXACT) == 0 || kin__matcher_holds(&groups[i]->matcher, row, context->row_words)))
            gather_group(groups[i], events, entity);
    }
}

// Whether the group matches an entity's row with and without a component: bit 0 now, bit 1 before it was added or
// removed. The row is the same afterwards.
static uint32_t find_matches(const kin_context *context, const kin_group *group, uint64_t *row, kin_component_id id)
{
    uint32_t matches = kin__matcher_holds(&group->matcher, row, context->row_words);
    kin__bits_flip(row, id);
    matches |= (uint32_t)kin__matcher_holds(&group->matcher, row, context->row_words) << 1;
    kin__bits_flip(row, id);
    return matches;
}

void kin__gather_crossed(const kin_context *context, kin_component_id id, uint64_t *row, bool added, kin_entity entity)
{
    const kin__watch *watch = &context->core->watches[id];
    kin_group *const *groups = watch->groups.elements;
    for (uint32_t i = 0; i < watch->count; i++) {
        const uint64_t *mask = kin__mask_at(watch, i, context->row_words);
        if (!kin__mask_passes(mask, KIN__MASK_CROSSED, row, context->row_words))
            continue;
        bool matches_now = ((mask[0] & KIN__MASK_ENTERS) != 0) == added;
        if ((mask[0] & KIN__MASK_INEXACT) != 0) {
            uint32_t matches = find_matches(context, groups[i], row, id);
            if (matches == 0 || matches == 3)
                continue;
            matches_now = matches == 1;
        }
        gather_group(groups[i],
                     matches_now ? KIN__EVENT_ADDED | KIN__EVENT_ENTERED
                     : added     ? KIN__EVENT_REMOVED
                                 : KIN__EVENT_REMOVED | KIN__EVENT_LOST,
                     entity);
    }
}
