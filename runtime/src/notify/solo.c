#include "notify/solo.h"

#include "notify/mask.h"

// The one of a group that has not ended, where there is one and it is told of a replace once. To a collector twice is
// once.
static const kin__subscriber *find_only(const kin_group *group)
{
    const kin__subscriber *each = group->subscriber_count == 1 ? group->audience.first : NULL;
    while (each != NULL && each->serial == 0)
        each = each->next;
    if (each == NULL || (each->events & KIN__EVENTS_OF_GROUPS) == 0)
        return NULL;
    return (each->events & (each->events - 1)) == 0 || each->collects ? each : NULL;
}

static bool may_have_one(const kin_context *context, uint32_t id)
{
    const kin__watch *watch = &context->core->watches[id];
    return id < context->info->component_count && context->row_words == 1 && watch->is_plain &&
           watch->size <= sizeof watch->solo->value;
}

// The only one who is told of a replace of the component: one group watches it, whose match one compare of a word
// settles, and nobody listens to an entity.
static const kin__subscriber *only_of(const kin_context *context, uint32_t id)
{
    const kin__watch *watch = &context->core->watches[id];
    const uint64_t *mask = watch->masks.elements;
    if (!may_have_one(context, id) || watch->count != 1 || (mask[0] & KIN__MASK_LOOK) != 0 ||
        context->core->events.observers > 0)
        return NULL;
    return find_only(*(kin_group *const *)watch->groups.elements);
}

static void make_ready(kin__solo *solo, const kin__subscriber *only)
{
    solo->change.group = only->group;
    solo->change.previous = only->events == KIN__EVENT_ADDED ? NULL : solo->previous;
    solo->change.value = only->events == KIN__EVENT_REMOVED ? NULL : solo->value;
    solo->listener = only->listener;
    solo->user = only->user;
}

// How a replace goes that concerns nobody but the only one, whose group has the mask.
static uintptr_t way_to(kin__solo *solo, const kin__subscriber *only, const uint64_t *mask, uint32_t id)
{
    uint64_t care = mask[1 + KIN__MASK_HELD * 2], want = mask[2 + KIN__MASK_HELD * 2];
    if ((want & ~care) != 0)
        return KIN__WAY_LIBRARY; // the group contains nobody
    solo->care = care | (uint64_t)1 << id;
    solo->want = want | (uint64_t)1 << id;
    uintptr_t collector = only->collects ? KIN__WAY_COLLECTOR : 0;
    return (uintptr_t)solo | collector | (care == 0 ? 0 : KIN__WAY_SOME);
}

void kin__solo_refresh(kin_context *context, uint32_t id)
{
    kin__component *component = &context->components[id];
    const kin__watch *watch = &context->core->watches[id];
    if (id == context->info->component_count)
        return;
    const kin__subscriber *only = only_of(context, id);
    component->way = component->watchers == 0 ? 0 : KIN__WAY_LIBRARY;
    if (only == NULL)
        return;
    if (context->depth > 0) { // what lies ready may be shown now
        context->unsettled = context->core->dispatch.solos_wait = true;
        return;
    }
    make_ready(watch->solo, only);
    component->way = way_to(watch->solo, only, watch->masks.elements, id);
}

void kin__solos_refresh(kin_context *context)
{
    context->core->dispatch.solos_wait = false;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        kin__solo_refresh(context, id);
}

bool kin__solo_reserve(kin_context *context, uint32_t id)
{
    kin__watch *watch = &context->core->watches[id];
    if (watch->solo != NULL || !may_have_one(context, id))
        return true;
    watch->solo = kin__allocate_zero(&context->core->group_memory, sizeof *watch->solo);
    if (watch->solo == NULL)
        return false;
    watch->solo->change = (kin_change){.context = context, .component = (kin_component_id)id};
    return true;
}

static bool is_ready(const kin__solo *solo, const kin__subscriber *only)
{
    return solo->listener == only->listener && solo->user == only->user && solo->change.group == only->group &&
           (solo->change.previous == NULL) == (only->events == KIN__EVENT_ADDED) &&
           (solo->change.value == NULL) == (only->events == KIN__EVENT_REMOVED);
}

bool kin__solo_is_valid(const kin_context *context, uint32_t id)
{
    const kin__component *component = &context->components[id];
    const kin__watch *watch = &context->core->watches[id];
    if (component->watchers == 0 || component->way == 0)
        return component->way == 0 && (component->watchers == 0 || id == context->info->component_count);
    const kin__subscriber *only = only_of(context, id);
    if (component->way == KIN__WAY_LIBRARY)
        return only == NULL || context->depth > 0 ||
               way_to(watch->solo, only, watch->masks.elements, id) == KIN__WAY_LIBRARY;
    return only != NULL && is_ready(watch->solo, only) &&
           way_to(watch->solo, only, watch->masks.elements, id) == component->way;
}
