#include "tree/marks.h"

#include "base/base.h"
#include "group/group.h"
#include "notify/notify.h"

#include <string.h>

// ---- marking

static void mark(const kin_change *change, void *user)
{
    kin__marks *marks = user;
    uint32_t slot = kin_entity_slot(change->entity), word = slot / 64, capacity = marks->words.capacity;
    if (word >= capacity) {
        if (!kin__array_reserve(marks->memory, &marks->words, word + 1, sizeof(uint64_t))) {
            marks->has_all = true;
            return;
        }
        memset((uint64_t *)marks->words.elements + capacity, 0, (marks->words.capacity - capacity) * sizeof(uint64_t));
    }
    kin__bits_add(marks->words.elements, slot);
}

void kin__marks_clear(kin__marks *marks)
{
    marks->has_all = false;
    if (marks->words.capacity > 0)
        memset(marks->words.elements, 0, marks->words.capacity * sizeof(uint64_t));
}

// ---- beginning

static bool needs(const kin_matcher *matcher, kin_component_id id)
{
    for (uint32_t i = 0; i < matcher->count; i++)
        for (uint32_t j = 0; j < matcher->rules[i].count; j++)
            if (matcher->rules[i].kind == KIN_RULE_ALL && matcher->rules[i].ids[j] == id)
                return true;
    return false;
}

// False when out of memory.
static bool subscribe(kin__marks *marks, kin_group *group, uint32_t events)
{
    kin__subscriber *subscriber = kin__watch_reserve(group) ? kin__subscriber_make(group->context) : NULL;
    if (subscriber == NULL)
        return false;
    *subscriber = (kin__subscriber){.events = events, .listener = mark, .user = marks, .group = group};
    kin__group_subscriber_begin(subscriber);
    KIN_ASSERT(marks->subscription_count < marks->capacity);
    marks->subscriptions[marks->subscription_count++] = (kin_subscription){subscriber, subscriber->serial};
    return true;
}

static bool subscribe_component(kin__marks *marks, kin_context *context, kin_component_id id, kin_group_event event)
{
    kin_matcher matcher = {.count = 1, .rules = {{.kind = KIN_RULE_ALL, .count = 1, .ids = {id}}}};
    kin_status status;
    const char *reason;
    kin_group *group = kin__group_find_or_make(context, &matcher, &status, &reason);
    return group != NULL && subscribe(marks, group, kin__event_bits(event));
}

// A component that all members need changes only the group when it is added or removed.
static bool subscribe_read(kin__marks *marks, const kin_group *group, kin_component_id id)
{
    return subscribe_component(marks, group->context, id,
                               needs(&group->matcher, id) ? KIN_MODIFIED : KIN_ADDED_OR_REMOVED);
}

bool kin__marks_begin(kin__marks *marks, kin_group *group, const kin__tree_info *info, kin__memory *memory)
{
    kin_component_id holder = group->context->info->relations[info->relation].component;
    *marks = (kin__marks){.memory = memory, .has_all = true, .capacity = info->read_count + 2};
    marks->subscriptions = kin__allocate(memory, marks->capacity * sizeof *marks->subscriptions);
    bool begins = marks->subscriptions != NULL && subscribe(marks, group, KIN__EVENT_ENTERED) &&
                  subscribe_component(marks, group->context, holder, KIN_ADDED_OR_REMOVED);
    for (uint32_t i = 0; begins && i < info->read_count; i++)
        begins = info->reads[i] == holder || subscribe_read(marks, group, info->reads[i]);
    if (!begins && memory->refused == 0)
        memory->refused = group->context->core->memory.refused;
    return begins;
}

void kin__marks_release(kin__marks *marks)
{
    for (uint32_t i = 0; i < marks->subscription_count; i++)
        kin_unsubscribe(marks->subscriptions[i]);
    if (marks->memory == NULL)
        return;
    kin__release(marks->memory, marks->subscriptions, marks->capacity * sizeof *marks->subscriptions);
    kin__array_release(marks->memory, &marks->words, sizeof(uint64_t));
}
