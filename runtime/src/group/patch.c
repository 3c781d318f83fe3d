#include "group/patch.h"

#include "base/base.h"
#include "notify/notify.h"
#include "store/store.h"

#include <string.h>

enum {
    FEW_CHANGES = KIN__JOURNAL_ENTRIES / 2, // of one component
    MEMBERS_PER_CHANGE = 8,                 // with fewer it is faster to make the array anew
    CALLS_UNTIL_JOURNAL = 2,
};

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
static uint32_t find(const kin_entity *members, uint32_t count, uint32_t slot)
{
    uint32_t low = 0, high = count;
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
    kin_entity *array = array_of(group), member = member_in(group, slot);
    uint32_t place = find(array, group->members->count, slot);
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
        uint64_t seen = group->patching.seen[i], now = context->components[id].changes;
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

bool kin__group_patch(kin_group *group)
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
        uint64_t now = context->components[group->named[i]].changes, changes = now - group->patching.seen[i];
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

void kin__group_relisted(kin_group *group)
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

bool kin__group_patching_is_valid(const kin_group *group)
{
    const kin__patching *patching = &group->patching;
    const kin_component_id *named = group->named;
    for (uint32_t i = 0; can_patch(group) && i < group->named_count; i++)
        if (patching->seen[i] > group->context->components[named[i]].changes)
            return false;
    return patching->gap + group->members->count <= group->list.capacity &&
           (group->members->count > 0 || patching->gap == 0);
}
