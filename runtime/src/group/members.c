// The members of groups: their count, their array, and single ones.

#include "base/base.h"
#include "store/store.h"
#include "group/group.h"
#include "group/patch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Makes a stamp one that no sum of changes reaches.
static const uint64_t hidden_stamp = (uint64_t)1 << 63;

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
                count += kin__count_chunk_bits(match);
        }
    return count;
}

// Returns whether a cache can have been made at a stamp: invariant 3.
static bool is_past(uint64_t stamp, uint64_t now)
{
    return stamp == KIN__NEVER || stamp <= now;
}

// A cache: no part of the group's visible state. It is not written while other threads may count. Returns the count.
static uint32_t store_count(const kin_group *group, uint32_t count, uint64_t stamp)
{
    kin_group *cache = (kin_group *)(uintptr_t)group;
    if (kin__context_is_shared(group->context))
        return count;
    KIN_ASSERT(is_past(group->counted_at, stamp)); // invariant 3
    cache->counted_at = stamp;
    return cache->count = count;
}

uint32_t kin_group_count(const kin_group *group)
{
    if (group == NULL)
        return 0;
    uint64_t now = kin__group_stamp(group);
    return group->counted_at == now ? group->count : store_count(group, walk_members(group, NULL, 0), now);
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

// Whether the array has exactly the members, in order. Walks the bits.
static bool is_array_right(const kin_group *group)
{
    const kin_context *context = group->context;
    const kin__members *members = group->members;
    uint32_t found = 0;
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        uint32_t place = slot % KIN__CHUNK_SLOTS;
        uint64_t match = kin__matcher_word(&group->matcher, context->row_words, chunk, place / 64);
        if ((match >> (place % 64) & 1) == 0)
            continue;
        if (found == members->count || members->entities[found] != chunk->ids[place])
            return false;
        found++;
    }
    return found == members->count;
}

// The members of the declared groups are one array, after the components.
void kin__groups_toggle_lists(kin_context *context)
{
    for (uint32_t i = 0; i < context->info->group_count; i++)
        context->groups[0]->members[i].listed_at ^= hidden_stamp;
}

bool kin__group_members_are_valid(const kin_group *group)
{
    const kin__members *members = group->members;
    uint64_t now = kin__group_stamp(group);
    if (kin__context_is_shared(group->context))
        return true; // arrays are hidden
    return is_past(group->counted_at, now) && is_past(members->listed_at, now) &&
           (group->counted_at != now || group->count == walk_members(group, NULL, 0)) &&
           (members->listed_at != now || is_array_right(group)) && members->count <= group->list.capacity &&
           kin__group_patching_is_valid(group);
}

// Makes the array anew. False, with the old one lost, when out of memory.
static bool list(kin_group *group)
{
    kin__members *members = group->members;
    kin__array *list = &group->list;
    uint32_t found = walk_members(group, list->elements, list->capacity);
    if (found > list->capacity) {
        members->count = group->patching.gap = group->patching.calls = 0;
        members->entities = NULL;
        if (!kin__array_reserve(&group->context->core->group_memory, list, found, sizeof(kin_entity)))
            return false;
        walk_members(group, list->elements, found);
    }
    members->count = found;
    members->entities = found == 0 ? NULL : list->elements;
    kin__group_relisted(group);
    return true;
}

const kin_entity *kin_group_entities(kin_group *group, uint32_t *count)
{
    *count = 0;
    if (group == NULL)
        return NULL;
    if (kin__context_is_shared(group->context)) {
        kin__refuse_shared(group->context);
        return NULL;
    }
    kin__members *members = group->members;
    KIN_ASSERT(members->group == NULL || members->group == group);
    uint64_t now = kin__group_stamp(group);
    KIN_ASSERT(is_past(members->listed_at, now)); // invariant 3
    if (members->listed_at != now) {
        if (!kin__group_patch(group) && !list(group)) {
            kin__attempt attempt = {.verb = "list the entities of a group"};
            kin__report_error(group->context, KIN_ERROR_NO_MEMORY, &attempt);
            return NULL;
        }
        members->listed_at = now;
        store_count(group, members->count, now);
        KIN_VALIDATE(kin__group_members_are_valid(group));
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
