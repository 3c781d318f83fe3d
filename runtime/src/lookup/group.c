#include "lookup/lookup.h"
#include "notify/notify.h"

#include <kin/inventory.h>

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

kin_group *kin__group_find_or_make(kin_context *context, const kin_matcher *matcher, const kin_component_id *off,
                                   kin_status *status, const char **reason)
{
    *status = kin__matcher_check(matcher, context->info, reason);
    if (*status != KIN_OK)
        return NULL;
    kin_matcher normal = kin__matcher_normalise(matcher);
    *status = kin__matcher_leave_out(&normal, off, reason);
    if (*status != KIN_OK)
        return NULL;
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
    kin_group *group = kin__group_find_or_make(context, &matcher, context->info->off, &status, &reason);
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
    if (group->number != number || !kin__matcher_is_normal(&group->matcher))
        return false;
    return group->hash == kin__matcher_hash(&group->matcher) && find(core, &group->matcher, group->hash) == group;
}

static bool group_members_are_valid(const kin_group *group);

bool kin__groups_are_valid(const kin_context *context)
{
    kin_group *const *groups = context->core->groups.elements;
    for (uint32_t i = 0; i < context->core->group_count; i++)
        if (!is_found(context->core, groups[i], i) || !group_members_are_valid(groups[i]))
            return false;
    return true;
}

// Lists of groups for tools (kin/inventory.h).

uint32_t kin_context_groups(const kin_context *context, kin_group **groups, uint32_t capacity)
{
    uint32_t count = context->core->group_count;
    uint32_t copied = kin__min_32(count, capacity);
    KIN_ASSERT(groups != NULL || capacity == 0);
    if (copied > 0)
        memcpy(groups, context->core->groups.elements, copied * sizeof *groups);
    return count;
}

const char *kin_group_name(const kin_group *group)
{
    for (uint32_t i = 0; group != NULL && i < group->context->info->group_count; i++)
        if (group->context->groups[i] == group && group->context->info->groups[i].question_count == 0)
            return group->context->info->groups[i].name; // one with questions has fewer members
    return NULL;
}

kin_context *kin_group_context(const kin_group *group)
{
    return group == NULL ? NULL : group->context;
}

uint32_t kin_group_listener_count(const kin_group *group)
{
    uint32_t count = 0;
    const kin__subscriber *each = group == NULL ? NULL : group->subscribers.first;
    for (; each != NULL; each = each->next)
        count += each->serial != 0 && !each->collects;
    return count;
}

enum {
    FEW_CHANGES = KIN__JOURNAL_ENTRIES / 2, // of one component
    MEMBERS_PER_CHANGE = 8,                 // with fewer it is faster to make the array anew
    CALLS_UNTIL_JOURNAL = 2,
};

// Patching the array of a group: correcting the places of the entities that changed instead of making it anew.
//
//   list   [ gap | m0 | m1 | … | room ]       m0, m1, …: the array, in ascending slot
//
// A group whose array is asked for several times, each time after few changes, begins the journals of the components
// that it names (notify.h). From then on the entries since the last call are the slots where the array can be wrong.
// An entity that enters or leaves moves the members before it or those after it, whichever are fewer. The array is made
// anew when a journal misses a change, when there are many, or when the list has no room.
//
// Only groups that a change of their named components alone can change are patched: without an `only` rule, and with a
// rule other than `none`.
//
// Invariants, checked by kin__groups_are_valid():
//   1. while the array is current, seen[i] is the number of changes of named[i] when it was made or patched
//   2. an entity that has entered, left or been replaced by another one in its slot since then has changed one of
//      these components since then
//   3. gap + the number of members ≤ capacity of the list; gap is 0 for an empty array
//
// Cost: a step for each change since the last call, a search for each of them, and for each that entered or left
// moving at most half of the members.

static bool can_patch(const kin_group *group)
{
    return group->named != NULL && group->named_count <= KIN__PATCHED_COMPONENTS && !group->counts_alive;
}

static kin_entity *array_of(const kin_group *group)
{
    return (kin_entity *)group->list.elements + group->patching.gap;
}

// ---- correcting the array

// Returns the place of the first member whose slot is not below `slot`.
static uint32_t find_in_array(const kin_entity *members, uint32_t count, uint32_t slot)
{
    uint32_t low = 0;
    uint32_t high = count;
    if (count > 0 && kin_entity_slot(members[0]) >= slot)
        return 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (kin_entity_slot(members[middle]) < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// False if the list has no room.
static bool insert(kin_group *group, uint32_t place, kin_entity entity)
{
    kin__members *members = group->members;
    kin_entity *array = array_of(group);
    bool has_room_after = group->patching.gap + members->count < group->list.capacity;
    if (group->patching.gap == 0 && !has_room_after)
        return false;
    if (group->patching.gap > 0 && (place < members->count / 2 || !has_room_after)) {
        group->patching.gap--;
        memmove(array - 1, array, place * sizeof *array);
        array--;
    } else {
        memmove(array + place + 1, array + place, (members->count - place) * sizeof *array);
    }
    array[place] = entity;
    members->count++;
    return true;
}

static void withdraw(kin_group *group, uint32_t place)
{
    kin__members *members = group->members;
    kin_entity *array = array_of(group);
    members->count--;
    if (place < members->count / 2) {
        memmove(array + 1, array, place * sizeof *array);
        group->patching.gap++;
    } else {
        memmove(array + place, array + place + 1, (members->count - place) * sizeof *array);
    }
    if (members->count == 0)
        group->patching.gap = 0;
}

static bool matches(const kin_group *group, const uint64_t *row)
{
    const kin__patching *patching = &group->patching;
    return patching->compares ? (row[0] & patching->compared) == patching->expected
                              : kin__matcher_holds(&group->matcher, row, group->context->row_words);
}

// Returns the member in a slot, or 0.
static kin_entity member_in(const kin_group *group, uint32_t slot)
{
    const kin_context *context = group->context;
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    bool is_member =
        kin__chunk_is_alive(chunk, place) && matches(group, kin__chunk_row(chunk, context->row_words, place));
    return is_member ? chunk->ids[place] : 0;
}

// Corrects the array at a slot. False if the list has no room.
static bool correct(kin_group *group, uint32_t slot)
{
    kin_entity *array = array_of(group);
    kin_entity member = member_in(group, slot);
    uint32_t place = find_in_array(array, group->members->count, slot);
    bool was_member = place < group->members->count && kin_entity_slot(array[place]) == slot;
    if (!was_member)
        return member == 0 || insert(group, place, member);
    if (member != 0)
        array[place] = member;
    else
        withdraw(group, place);
    return true;
}

// ---- the changes since the last call

// Returns how many changes the journals have since the last call; KIN__NEVER if they miss one.
static uint64_t count_noted(const kin_group *group)
{
    const kin_context *context = group->context;
    uint64_t count = 0;
    for (uint32_t i = 0; i < group->named_count; i++) {
        kin_component_id id = group->named[i];
        uint64_t seen = group->patching.seen[i];
        uint64_t now = context->components[id].changes;
        if (seen != now && !kin__journal_has(context, id, seen, now))
            return KIN__NEVER;
        count += now - seen;
    }
    return count;
}

// Corrects the array at the changes of named[i] since the last call, and marks them as read. False if the list has no
// room.
static bool read_journal(kin_group *group, uint32_t i, uint64_t now)
{
    kin__journal *journal = group->context->core->journals[group->named[i]];
    for (uint64_t number = group->patching.seen[i] + 1; number <= now; number++)
        if (!correct(group, kin__journal_slot(journal, number)))
            return false;
    group->patching.seen[i] = journal->read_at = now;
    return true;
}

// Corrects the array by the journals. False if it must be made anew; its elements are then undefined.
static bool group_patch(kin_group *group)
{
    kin__members *members = group->members;
    if (group->patching.calls < CALLS_UNTIL_JOURNAL)
        return false;
    if (count_noted(group) > members->count / MEMBERS_PER_CHANGE + 1)
        return false;
    for (uint32_t i = 0; i < group->named_count; i++) {
        uint64_t now = group->context->components[group->named[i]].changes;
        if (group->patching.seen[i] != now && !read_journal(group, i, now))
            return false;
    }
    members->entities = members->count == 0 ? NULL : array_of(group);
    return true;
}

// Marks all changes as seen. Returns whether there were few since the last call.
static bool see_changes(kin_group *group)
{
    const kin_context *context = group->context;
    uint64_t count = 0;
    bool were_few = true;
    for (uint32_t i = 0; i < group->named_count; i++) {
        uint64_t now = context->components[group->named[i]].changes;
        uint64_t changes = now - group->patching.seen[i];
        were_few = were_few && changes <= FEW_CHANGES;
        count += changes;
        group->patching.seen[i] = now;
    }
    return were_few && count <= group->members->count / MEMBERS_PER_CHANGE;
}

// Finds out whether one compare of a row decides if it matches, and which.
static void find_compare(kin_group *group)
{
    uint64_t mask[1 + 4];
    if (group->context->row_words > 1)
        return;
    kin__mask_make(mask, &group->matcher, group->context->info->component_count, 1);
    group->patching.compares = (mask[0] & KIN__MASK_INEXACT) == 0;
    group->patching.compared = mask[1 + KIN__MASK_MEMBER * 2];
    group->patching.expected = mask[2 + KIN__MASK_MEMBER * 2];
}

// The array was made anew at the start of the list. Begins the journals if few changes preceded this call too.
static void group_relisted(kin_group *group)
{
    group->patching.gap = 0;
    if (!can_patch(group))
        return;
    group->patching.calls = see_changes(group) ? group->patching.calls + 1 : 0;
    if (group->patching.calls < CALLS_UNTIL_JOURNAL)
        return;
    group->patching.calls = CALLS_UNTIL_JOURNAL;
    find_compare(group);
    for (uint32_t i = 0; i < group->named_count; i++)
        kin__journal_begin(group->context, group->named[i]);
}

// Checks invariant 3, and that nothing from the future was seen.
static bool group_patching_is_valid(const kin_group *group)
{
    const kin__patching *patching = &group->patching;
    const kin_component_id *named = group->named;
    for (uint32_t i = 0; can_patch(group) && i < group->named_count; i++)
        if (patching->seen[i] > group->context->components[named[i]].changes)
            return false;
    return patching->gap + group->members->count <= group->list.capacity &&
           (group->members->count > 0 || patching->gap == 0);
}

// The members of groups: their count, their array, and single ones.

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
            uint32_t number = word * 64 + kin__lowest_bit(chunks);
            KIN_VALIDATE(kin__chunk_is_intact(context, number));
            kin__matcher_chunk(&group->matcher, context, number, match);
            uint32_t left = count < capacity ? capacity - count : 0;
            if (left > 0)
                count += kin__entities_of_words(context->chunks[number], match, entities + count, left);
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

static bool has_member(const kin_group *group, uint32_t chunk)
{
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        if (kin__matcher_word(&group->matcher, group->context, chunk, word) != 0)
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
            if (has_member(group, word * 64 + kin__lowest_bit(chunks)))
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
        uint64_t match = kin__matcher_word(&group->matcher, context, slot / KIN__CHUNK_SLOTS, place / 64);
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

// Invariants 3 and 4, and those of patching.
static bool group_members_are_valid(const kin_group *group)
{
    const kin__members *members = group->members;
    uint64_t now = kin__group_stamp(group);
    if (kin__context_is_shared(group->context))
        return true; // arrays are hidden
    if (!is_past(group->counted_at, now) || !is_past(members->listed_at, now))
        return false;
    if (group->counted_at == now && group->count != walk_members(group, NULL, 0))
        return false;
    if (members->listed_at == now && !is_array_right(group))
        return false;
    return members->count <= group->list.capacity && group_patching_is_valid(group);
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
    group_relisted(group);
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
        if (!group_patch(group) && !list(group)) {
            kin__attempt attempt = {.verb = "list the entities of a group"};
            kin__report_error(group->context, KIN_ERROR_NO_MEMORY, &attempt);
            return NULL;
        }
        members->listed_at = now;
        store_count(group, members->count, now);
        KIN_VALIDATE(group_members_are_valid(group));
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
