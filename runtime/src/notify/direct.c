#include "notify/direct.h"

#include "notify/mask.h"

// The one of a group that has not ended, where there is one and it is told of a replace once. To a collector twice is
// once.
static const kin__subscriber *find_only(const kin_group *group)
{
    const kin__subscriber *each = group->subscriber_count == 1 ? group->subscribers.first : NULL;
    while (each != NULL && each->serial == 0)
        each = each->next;
    if (each == NULL || (each->events & KIN__EVENTS_OF_GROUPS) == 0)
        return NULL;
    return (each->events & (each->events - 1)) == 0 || each->collects ? each : NULL;
}

static bool may_have_one(const kin_context *context, uint32_t id)
{
    const kin__watch *watch = &context->core->watches[id];
    return id < context->info->component_count && context->row_words == 1 && watch->is_fast &&
           watch->size <= sizeof watch->direct->value;
}

// The only one who is told of a replace of the component: one group watches it, whose match one compare of a word
// settles, and nobody listens to an entity.
static const kin__subscriber *only_of(const kin_context *context, uint32_t id)
{
    const kin__watch *watch = &context->core->watches[id];
    const uint64_t *mask = watch->masks.elements;
    if (!may_have_one(context, id) || watch->count != 1 || (mask[0] & KIN__MASK_LOOK) != 0 ||
        context->core->events.entity_subscribers > 0)
        return NULL;
    return find_only(*(kin_group *const *)watch->groups.elements);
}

static void make_ready(kin__direct *direct, const kin__subscriber *only)
{
    direct->change.group = only->group;
    direct->change.previous = only->events == KIN__EVENT_ADDED ? NULL : direct->previous;
    direct->change.value = only->events == KIN__EVENT_REMOVED ? NULL : direct->value;
    direct->listener = only->listener;
    direct->user = only->user;
}

// How a replace goes that concerns nobody but the only one, whose group has the mask.
static uintptr_t path_to(kin__direct *direct, const kin__subscriber *only, const uint64_t *mask, uint32_t id)
{
    uint64_t care = mask[1 + KIN__MASK_MEMBER * 2], want = mask[2 + KIN__MASK_MEMBER * 2];
    if ((want & ~care) != 0)
        return KIN__PATH_LIBRARY; // the group contains nobody
    direct->care = care | (uint64_t)1 << id;
    direct->want = want | (uint64_t)1 << id;
    uintptr_t collector = only->collects ? KIN__PATH_COLLECTOR : 0;
    return (uintptr_t)direct | collector | (care == 0 ? 0 : KIN__PATH_MEMBERS);
}

void kin__direct_refresh(kin_context *context, uint32_t id)
{
    kin__component *component = &context->components[id];
    const kin__watch *watch = &context->core->watches[id];
    if (id == context->info->component_count)
        return;
    const kin__subscriber *only = only_of(context, id);
    component->replace_path = component->watchers == 0 ? 0 : KIN__PATH_LIBRARY;
    if (only == NULL)
        return;
    if (context->depth > 0) { // what lies ready may be shown now
        context->unsettled = context->core->dispatch.direct_waits = true;
        return;
    }
    make_ready(watch->direct, only);
    component->replace_path = path_to(watch->direct, only, watch->masks.elements, id);
}

void kin__direct_refresh_all(kin_context *context)
{
    context->core->dispatch.direct_waits = false;
    for (uint32_t id = 0; id < context->info->component_count; id++)
        kin__direct_refresh(context, id);
}

bool kin__direct_reserve(kin_context *context, uint32_t id)
{
    kin__watch *watch = &context->core->watches[id];
    if (watch->direct != NULL || !may_have_one(context, id))
        return true;
    watch->direct = kin__allocate_zero(&context->core->group_memory, sizeof *watch->direct);
    if (watch->direct == NULL)
        return false;
    watch->direct->change = (kin_change){.context = context, .component = (kin_component_id)id};
    return true;
}

static bool is_ready(const kin__direct *direct, const kin__subscriber *only)
{
    return direct->listener == only->listener && direct->user == only->user && direct->change.group == only->group &&
           (direct->change.previous == NULL) == (only->events == KIN__EVENT_ADDED) &&
           (direct->change.value == NULL) == (only->events == KIN__EVENT_REMOVED);
}

bool kin__direct_is_valid(const kin_context *context, uint32_t id)
{
    const kin__component *component = &context->components[id];
    const kin__watch *watch = &context->core->watches[id];
    if (component->watchers == 0 || component->replace_path == 0)
        return component->replace_path == 0 && (component->watchers == 0 || id == context->info->component_count);
    const kin__subscriber *only = only_of(context, id);
    if (component->replace_path == KIN__PATH_LIBRARY)
        return only == NULL || context->depth > 0 ||
               path_to(watch->direct, only, watch->masks.elements, id) == KIN__PATH_LIBRARY;
    return only != NULL && is_ready(watch->direct, only) &&
           path_to(watch->direct, only, watch->masks.elements, id) == component->replace_path;
}
