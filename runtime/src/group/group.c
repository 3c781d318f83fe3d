#include "group/group.h"
#include "notify/subscriber.h"

#include "base/assertion.h"
#include "notify/dispatch.h"
#include "notify/notify.h"
#include "notify/watch.h"
#include "report/describe.h"
#include "report/error.h"
#include "storage/canary.h"
#include "storage/chunk.h"

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
    if (context->core->events.groups > 0 && !kin__dispatch_may_nest(context)) {
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

// ---- members

kin_matcher kin_group_matcher(const kin_group *group)
{
    return group->matcher;
}

// Counts the members in the chunks that can have any, and writes the first `capacity` of them to `entities`.
static uint32_t walk_members(const kin_group *group, kin_entity *entities, uint32_t capacity)
{
    const kin_context *context = group->context;
    uint64_t match[KIN__CHUNK_WORDS];
    uint32_t count = 0;
    for (uint32_t word = 0; word * 64 < context->chunk_count; word++)
        for (uint64_t chunks = kin__chunks_present(context, &group->matcher, word); chunks != 0; chunks &= chunks - 1) {
            kin__chunk *chunk = context->chunks[word * 64 + kin__lowest_bit(chunks)];
            KIN_VALIDATE(kin__chunk_is_intact(context, word * 64 + kin__lowest_bit(chunks)));
            kin__matcher_chunk(&group->matcher, context->row_words, chunk, match);
            uint32_t left = count < capacity ? capacity - count : 0;
            if (left > 0)
                count += kin__entities_of_words(chunk, match, entities + count, left);
            else
                for (uint32_t i = 0; i < KIN__CHUNK_WORDS; i++)
                    count += kin__count_bits(match[i]);
        }
    return count;
}

// Returns whether a cache can have been made at a stamp: invariant 3.
static bool is_past(uint64_t stamp, uint64_t now)
{
    return stamp == KIN__NEVER || stamp <= now;
}

// A cache: no part of the group's visible state.
static void store_count(const kin_group *group, uint32_t count, uint64_t stamp)
{
    kin_group *cache = (kin_group *)(uintptr_t)group;
    KIN_ASSERT(is_past(group->counted_at, stamp)); // invariant 3
    cache->count = count;
    cache->counted_at = stamp;
}

uint32_t kin_group_count(const kin_group *group)
{
    if (group == NULL)
        return 0;
    uint64_t now = kin__group_stamp(group);
    if (group->counted_at != now)
        store_count(group, walk_members(group, NULL, 0), now);
    return group->count;
}

static bool has_member(const kin_group *group, kin__chunk *chunk)
{
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        if (kin__matcher_word(&group->matcher, group->context->row_words, chunk, word) != 0)
            return true;
    return false;
}

bool kin__group_is_empty(const kin_group *group)
{
    const kin_context *context = group->context;
    uint64_t now = kin__group_stamp(group);
    if (group->counted_at == now)
        return group->count == 0;
    for (uint32_t word = 0; word * 64 < context->chunk_count; word++)
        for (uint64_t chunks = kin__chunks_present(context, &group->matcher, word); chunks != 0; chunks &= chunks - 1)
            if (has_member(group, context->chunks[word * 64 + kin__lowest_bit(chunks)]))
                return false;
    store_count(group, 0, now);
    return true;
}

bool kin_group_contains(const kin_group *group, kin_entity entity)
{
    if (group == NULL)
        return false;
    const kin_context *context = group->context;
    return kin__chunk_of(context, entity) != NULL &&
           kin__matcher_holds(&group->matcher, kin__row_of(context, kin_entity_slot(entity)), context->row_words);
}

bool kin_matches(const kin_context *context, kin_matcher matcher, kin_entity entity)
{
    const char *reason = NULL;
    if (kin__chunk_of(context, entity) == NULL || kin__matcher_check(&matcher, context->info, &reason) != KIN_OK)
        return false;
    kin_matcher normal = kin__matcher_normalise(&matcher);
    return kin__matcher_holds(&normal, kin__row_of(context, kin_entity_slot(entity)), context->row_words);
}

const kin_entity *kin_group_entities(kin_group *group, uint32_t *count)
{
    *count = 0;
    if (group == NULL)
        return NULL;
    kin__members *members = group->members;
    KIN_ASSERT(members->group == NULL || members->group == group);
    uint64_t now = kin__group_stamp(group);
    KIN_ASSERT(is_past(members->listed_at, now)); // invariant 3
    if (members->listed_at != now) {
        uint32_t found = kin_group_count(group);
        if (!kin__array_reserve(&group->context->core->group_memory, &group->list, found, sizeof(kin_entity))) {
            kin__attempt attempt = {.verb = "list the entities of a group"};
            kin__report_error(group->context, KIN_ERROR_NO_MEMORY, &attempt);
            return NULL;
        }
        members->count = walk_members(group, group->list.elements, found);
        KIN_ASSERT(members->count == found);
        members->entities = members->count == 0 ? NULL : group->list.elements;
        members->listed_at = now;
    }
    KIN_ASSERT(members->count <= group->list.capacity); // invariant 4
    *count = members->count;
    return members->entities;
}

uint32_t kin_group_copy_entities(kin_group *group, kin_entity *entities, uint32_t capacity)
{
    return group == NULL ? 0 : walk_members(group, entities, capacity);
}

kin_status kin__group_report_null(const char *verb)
{
    kin__attempt attempt = {.verb = verb, .reason = "the group is NULL; check the result of the call that made it"};
    return kin__report_error_to(NULL, KIN_ERROR_INVALID, &attempt, 0);
}

kin_status kin_group_single(kin_group *group, kin_entity *entity)
{
    *entity = 0;
    if (group == NULL)
        return kin__group_report_null("find the single member of a group");
    kin_entity first = 0;
    uint32_t count = walk_members(group, &first, 1);
    *entity = count == 1 ? first : 0;
    if (count <= 1)
        return KIN_OK;
    char reason[96], verb[256] = "find the single member of the group ";
    kin__matcher_describe(group->context->info, &group->matcher, verb + strlen(verb), sizeof verb - strlen(verb));
    snprintf(reason, sizeof reason, "it has %" PRIu32 " members; use its array of entities", count);
    kin__attempt attempt = {.verb = verb, .reason = reason};
    return kin__report_error(group->context, KIN_ERROR_NOT_SINGLE, &attempt);
}

// ---- validation

// Invariants 1 and 2. Of two groups with equal matchers only one is found.
static bool is_found(const kin__core *core, const kin_group *group, uint32_t number)
{
    return group->number == number && kin__matcher_is_normal(&group->matcher) &&
           group->hash == kin__matcher_hash(&group->matcher) && find(core, &group->matcher, group->hash) == group;
}

// Invariants 3 and 4.
static bool is_cache_valid(const kin_group *group)
{
    const kin__members *members = group->members;
    uint64_t now = kin__group_stamp(group);
    bool is_counted = group->counted_at == now, is_listed = members->listed_at == now;
    uint32_t count = is_counted || is_listed ? walk_members(group, NULL, 0) : 0;
    return is_past(group->counted_at, now) && is_past(members->listed_at, now) &&
           (!is_counted || group->count == count) && (!is_listed || members->count == count) &&
           members->count <= group->list.capacity;
}

bool kin__groups_are_valid(const kin_context *context)
{
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t i = 0; i < context->core->group_count; i++)
        if (!is_found(context->core, groups[i], i) || !is_cache_valid(groups[i]))
            return false;
    return true;
}
