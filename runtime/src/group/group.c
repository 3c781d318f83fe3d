#include "group/group.h"
#include "store/store.h"
#include "notify/notify.h"

#include "base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- finding

static void put_into_bucket(kin__core *core, kin_group *group)
{
    kin_group **bucket = &core->buckets[group->hash & (core->bucket_count - 1)];
    KIN_ASSERT(core->bucket_count > 0 && (core->bucket_count & (core->bucket_count - 1)) == 0);
    KIN_ASSERT(((kin_group *const *)core->groups.elements)[group->number] == group); // invariant 1
    group->next_in_bucket = *bucket;
    *bucket = group;
}

// Reserves at least as many buckets as there are groups. False when out of memory.
static bool reserve_buckets(kin__core *core)
{
    if (core->group_count < core->bucket_count)
        return true;
    uint32_t count = core->bucket_count == 0 ? 16 : core->bucket_count * 2;
    kin_group **buckets = kin__allocate_zero(&core->group_memory, count * sizeof(kin_group *));
    if (buckets == NULL)
        return false;
    kin__release(&core->group_memory, core->buckets, core->bucket_count * sizeof(kin_group *));
    core->buckets = buckets;
    core->bucket_count = count;
    kin_group *const *groups = core->groups.elements;
    for (uint32_t i = 0; i < core->group_count; i++)
        put_into_bucket(core, groups[i]);
    return true;
}

static kin_group *find(const kin__core *core, const kin_matcher *normal, uint64_t hash)
{
    if (core->bucket_count == 0)
        return NULL;
    kin_group *group = core->buckets[hash & (core->bucket_count - 1)];
    while (group != NULL && (group->hash != hash || memcmp(&group->matcher, normal, sizeof *normal) != 0))
        group = group->next_in_bucket;
    KIN_ASSERT(group == NULL || group->number < core->group_count); // invariant 1
    return group;
}

// ---- the components whose changes can change a group

static bool contains(const kin_component_id *ids, uint32_t count, kin_component_id id)
{
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

// Writes the ids that the rules name, each once, and returns how many there are.
static uint32_t list_named(const kin_matcher *normal, kin_component_id *ids)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < normal->count; i++)
        for (uint32_t k = 0; k < normal->rules[i].count; k++)
            if (!contains(ids, count, normal->rules[i].ids[k]))
                ids[count++] = normal->rules[i].ids[k];
    KIN_ASSERT(count > 0 && count <= KIN_MATCHER_MAX_RULES * KIN_RULE_MAX_IDS);
    return count;
}

// Notes the components whose changes can change the members of a new group. False when out of memory.
static bool list_components(kin_group *group)
{
    kin_component_id ids[KIN_MATCHER_MAX_RULES * KIN_RULE_MAX_IDS];
    const kin_context *context = group->context;
    group->counts_alive = kin__matcher_allows_empty(&group->matcher);
    if (kin__matcher_is_exact(&group->matcher)) {
        group->named_count = context->info->component_count;
        return true;
    }
    uint32_t count = list_named(&group->matcher, ids);
    group->named = kin__allocate(&context->core->group_memory, count * sizeof *ids);
    if (group->named == NULL)
        return false;
    memcpy(group->named, ids, count * sizeof *ids);
    group->named_count = count;
    return true;
}

static void release_components(kin_group *group)
{
    if (group->named != NULL)
        kin__release(&group->context->core->group_memory, group->named, group->named_count * sizeof *group->named);
}

// ---- making

static kin_group *make(kin_context *context, const kin_matcher *normal, uint64_t hash)
{
    kin__core *core = context->core;
    if (!reserve_buckets(core) ||
        !kin__array_reserve(&core->group_memory, &core->groups, core->group_count + 1, sizeof(kin_group *)))
        return NULL;
    kin_group *group = kin__allocate_zero(&core->group_memory, sizeof *group);
    if (group == NULL)
        return NULL;
    KIN_ASSERT(normal->count > 0 && find(core, normal, hash) == NULL); // invariant 2
    group->context = context;
    group->number = core->group_count;
    group->serial = ++core->dispatch.serial;
    group->matcher = *normal;
    group->hash = hash;
    group->counted_at = KIN__NEVER;
    group->members = &group->own;
    group->own.listed_at = KIN__NEVER;
    if (!list_components(group)) {
        kin__release(&core->group_memory, group, sizeof *group);
        return NULL;
    }
    ((kin_group **)core->groups.elements)[core->group_count++] = group;
    put_into_bucket(core, group);
    return group;
}

kin_group *kin__group_find_or_make(kin_context *context, const kin_matcher *matcher, kin_status *status,
                                   const char **reason)
{
    *status = kin__matcher_check(matcher, context->info, reason);
    if (*status != KIN_OK)
        return NULL;
    kin_matcher normal = kin__matcher_normalise(matcher);
    uint64_t hash = kin__matcher_hash(&normal);
    kin_group *group = find(context->core, &normal, hash);
    if (group != NULL)
        return group;
    bool is_refused =
        kin__context_is_shared(context) || (context->core->events.groups > 0 && !kin__dispatch_may_nest(context));
    if (is_refused) {
        *status = KIN_ERROR_LIMIT;
        return NULL;
    }
    group = make(context, &normal, hash);
    if (group == NULL)
        *status = KIN_ERROR_NO_MEMORY;
    return group;
}

kin_group *kin_context_group(kin_context *context, kin_matcher matcher)
{
    kin_status status = KIN_OK;
    const char *reason = NULL;
    uint32_t count = context->core->group_count;
    kin_group *group = kin__group_find_or_make(context, &matcher, &status, &reason);
    if (group != NULL && context->core->group_count > count && context->core->events.groups > 0)
        kin__notify_group_created(group);
    if (group == NULL) {
        kin__attempt attempt = {.verb = "make a group", .reason = reason};
        kin__report_error(context, status, &attempt);
    }
    return group;
}

static void release(kin_context *context, kin_group *group)
{
    kin__subscriber_list_release(context, &group->subscribers);
    kin__array_release(&context->core->group_memory, &group->list, sizeof(kin_entity));
    release_components(group);
    kin__release(&context->core->group_memory, group, sizeof *group);
}

void kin__groups_truncate(kin_context *context, uint32_t count)
{
    kin__core *core = context->core;
    while (core->group_count > count) {
        kin_group *group = ((kin_group **)core->groups.elements)[--core->group_count];
        KIN_ASSERT(group->subscribers.first == NULL && group->subscriber_count == 0);
        KIN_ASSERT(group->number == core->group_count); // invariant 1
        kin_group **place = &core->buckets[group->hash & (core->bucket_count - 1)];
        while (*place != group) {
            KIN_ASSERT(*place != NULL); // invariant 1
            place = &(*place)->next_in_bucket;
        }
        *place = group->next_in_bucket;
        kin__watch_unreserve(group);
        release(context, group);
    }
}

void kin__groups_release(kin_context *context)
{
    kin__core *core = context->core;
    kin_group **groups = core->groups.elements;
    for (uint32_t i = 0; i < core->group_count; i++)
        release(context, groups[i]);
    kin__array_release(&core->group_memory, &core->groups, sizeof(kin_group *));
    kin__release(&core->group_memory, core->buckets, core->bucket_count * sizeof(kin_group *));
}

// ---- validation

// Invariants 1 and 2. Of two groups with equal matchers only one is found.
static bool is_found(const kin__core *core, const kin_group *group, uint32_t number)
{
    return group->number == number && kin__matcher_is_normal(&group->matcher) &&
           group->hash == kin__matcher_hash(&group->matcher) && find(core, &group->matcher, group->hash) == group;
}

bool kin__groups_are_valid(const kin_context *context)
{
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t i = 0; i < context->core->group_count; i++)
        if (!is_found(context->core, groups[i], i) || !kin__group_members_are_valid(groups[i]))
            return false;
    return true;
}
