#include "notify/direct.h"

#include "base/base.h"
#include "notify/journal.h"
#include "notify/mask.h"

static bool are_of_one_collector(const kin__subscriber *left, const kin__subscriber *right)
{
    return left->collects && right->collects && left->user == right->user;
}

// Returns the first live subscriber that a replace calls, if it calls no other one and this one once; else NULL. A
// collector ignores the second call, also of another of its triggers.
static const kin__subscriber *find_single(const kin_group *group)
{
    const kin__subscriber *single = NULL;
    for (const kin__subscriber *each = group->subscribers.first; each != NULL; each = each->next) {
        if (each->serial == 0 || (each->events & KIN__EVENTS_OF_GROUPS) == 0)
            continue;
        if (single != NULL && !are_of_one_collector(single, each))
            return NULL;
        single = single == NULL ? each : single;
    }
    if (single == NULL)
        return NULL;
    return (single->events & (single->events - 1)) == 0 || single->collects ? single : NULL;
}

// Whether replaces must call the library: the component has watchers other than its journal.
static bool has_replace_watchers(const kin_context *context, uint32_t id)
{
    return context->components[id].watchers > (uint32_t)kin__journal_is_on(&context->core->watches[id]);
}

// Whether replaces of the component can ever be direct calls.
static bool allows_direct(const kin_context *context, uint32_t id)
{
    const kin__watch *watch = &context->core->watches[id];
    bool is_fast = watch->is_fast || (watch->side_effects & KIN__SIDE_EFFECT_NOTED_FAST) != 0;
    return id < context->info->component_count && context->row_words == 1 && is_fast &&
           watch->size <= sizeof watch->direct->value;
}

// Returns the only subscriber that a replace of the component notifies, if one compare of a word decides whether it
// does; else NULL.
static const kin__subscriber *direct_subscriber_of(const kin_context *context, uint32_t id)
{
    const kin__watch *watch = &context->core->watches[id];
    const uint64_t *mask = watch->masks.elements;
    if (!allows_direct(context, id) || watch->count != 1 || (mask[0] & KIN__MASK_INEXACT) != 0 ||
        context->core->events.change_subscribers > 0 || (watch->side_effects & KIN__SIDE_EFFECT_NOTED) != 0)
        return NULL;
    return find_single(*(kin_group *const *)watch->groups.elements);
}

// Sets the constant part of the change: the caller of a replace fills in entity and values.
static void prepare(kin__direct *direct, const kin__subscriber *subscriber)
{
    KIN_ASSERT(subscriber->serial != 0 && subscriber->group->context == direct->change.context);
    direct->change.group = subscriber->group;
    direct->change.previous = subscriber->events == KIN__EVENT_ADDED ? NULL : direct->previous;
    direct->change.value = subscriber->events == KIN__EVENT_REMOVED ? NULL : direct->value;
    direct->listener = subscriber->listener;
    direct->user = subscriber->user;
}

// Returns the replace path that leads to the subscriber, and sets the rows that match its group's mask.
static uintptr_t path_to(kin__direct *direct, const kin__subscriber *subscriber, const uint64_t *mask, uint32_t id)
{
    uint64_t compared = mask[1 + KIN__MASK_MEMBER * 2], expected = mask[2 + KIN__MASK_MEMBER * 2];
    uint64_t bit = (uint64_t)1 << id;
    if ((expected & ~compared) != 0 || (compared & ~expected & bit) != 0)
        return KIN__PATH_LIBRARY; // no entity matches, or none that has the component
    direct->compared = compared | bit;
    direct->expected = expected | bit;
    uintptr_t collector = subscriber->collects ? KIN__PATH_COLLECTOR : 0;
    return (uintptr_t)direct | collector | (compared == 0 ? 0 : KIN__PATH_MEMBERS);
}

void kin__direct_refresh(kin_context *context, uint32_t id)
{
    kin__component *component = &context->components[id];
    const kin__watch *watch = &context->core->watches[id];
    if (id == context->info->component_count)
        return;
    const kin__subscriber *subscriber = direct_subscriber_of(context, id);
    component->replace_path = has_replace_watchers(context, id) ? KIN__PATH_LIBRARY : 0;
    if (subscriber == NULL)
        return;
    if (context->depth > 0) { // a listener may be looking at the change in `direct`
        context->unsettled = context->core->dispatch.direct_waits = true;
        return;
    }
    KIN_ASSERT(watch->direct != NULL && component->watchers > 0);
    prepare(watch->direct, subscriber);
    component->replace_path = path_to(watch->direct, subscriber, watch->masks.elements, id);
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
    if (watch->direct != NULL || !allows_direct(context, id))
        return true;
    watch->direct = kin__allocate_zero(&context->core->group_memory, sizeof *watch->direct);
    if (watch->direct == NULL)
        return false;
    watch->direct->change = (kin_change){.context = context, .component = (kin_component_id)id};
    return true;
}

static bool is_prepared(const kin__direct *direct, const kin__subscriber *subscriber)
{
    return direct->listener == subscriber->listener && direct->user == subscriber->user &&
           direct->change.group == subscriber->group &&
           (direct->change.previous == NULL) == (subscriber->events == KIN__EVENT_ADDED) &&
           (direct->change.value == NULL) == (subscriber->events == KIN__EVENT_REMOVED);
}

bool kin__direct_is_valid(const kin_context *context, uint32_t id)
{
    const kin__component *component = &context->components[id];
    const kin__watch *watch = &context->core->watches[id];
    if (!has_replace_watchers(context, id) || component->replace_path == 0)
        return component->replace_path == 0 &&
               (!has_replace_watchers(context, id) || id == context->info->component_count);
    const kin__subscriber *subscriber = direct_subscriber_of(context, id);
    if (component->replace_path == KIN__PATH_LIBRARY)
        return subscriber == NULL || context->depth > 0 ||
               path_to(watch->direct, subscriber, watch->masks.elements, id) == KIN__PATH_LIBRARY;
    return subscriber != NULL && is_prepared(watch->direct, subscriber) &&
           path_to(watch->direct, subscriber, watch->masks.elements, id) == component->replace_path;
}
