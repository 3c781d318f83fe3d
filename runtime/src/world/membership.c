#include "world/membership.h"

#include "base/base.h"
#include "lookup/lookup.h"

#include <string.h>

kin__membership kin__membership_of(kin_group *group, kin__memory *memory)
{
    kin__listing none = {.stamp = KIN__NEVER};
    return (kin__membership){.group = group, .memory = memory, .before = none, .now = none};
}

static bool is_current(const kin__listing *listing, const kin_group *group)
{
    return listing->stamp == kin__group_stamp(group) && listing->epoch == group->context->core->dispatch.epoch;
}

// Lists the current members in `now`. Returns false when out of memory.
static bool list(kin__membership *membership)
{
    kin__listing *now = &membership->now;
    if (is_current(now, membership->group))
        return true;
    uint32_t count = kin_group_count(membership->group);
    if (!kin__array_reserve(membership->memory, &now->array, count, sizeof(kin_entity)))
        return false;
    now->count = kin_group_copy_entities(membership->group, now->array.elements, count);
    KIN_ASSERT(now->count == count);
    now->stamp = kin__group_stamp(membership->group);
    now->epoch = membership->group->context->core->dispatch.epoch;
    return true;
}

// Merges both arrays by slot. A slot with another entity than before is in both results.
static void compare(kin__membership *membership)
{
    const kin_entity *before = membership->before.array.elements, *now = membership->now.array.elements;
    kin_entity *left = membership->left.elements, *entered = membership->entered.elements;
    KIN_ASSERT(membership->left_count == 0 && membership->entered_count == 0);
    membership->is_reset = membership->before.epoch != membership->now.epoch;
    uint32_t b = 0, n = 0;
    while (b < membership->before.count || n < membership->now.count) {
        uint32_t old_slot = b < membership->before.count ? kin_entity_slot(before[b]) : KIN__NO_SLOT;
        uint32_t new_slot = n < membership->now.count ? kin_entity_slot(now[n]) : KIN__NO_SLOT;
        bool stays = old_slot == new_slot && before[b] == now[n] && !membership->is_reset;
        if (old_slot <= new_slot && !stays)
            left[membership->left_count++] = before[b];
        if (new_slot <= old_slot && !stays)
            entered[membership->entered_count++] = now[n];
        b += old_slot <= new_slot;
        n += new_slot <= old_slot;
    }
    KIN_ASSERT(membership->left_count <= membership->before.count);
    KIN_ASSERT(membership->entered_count <= membership->now.count);
}

// `now` then has counters of the past, so it is not mistaken for a current listing.
static void swap(kin__membership *membership)
{
    kin__listing former = membership->before;
    membership->before = membership->now;
    membership->now = former;
}

bool kin__membership_turn(kin__membership *membership)
{
    membership->left_count = membership->entered_count = 0;
    if (is_current(&membership->before, membership->group))
        return true;
    if (!list(membership) ||
        !kin__array_reserve(membership->memory, &membership->left, membership->before.count, sizeof(kin_entity)) ||
        !kin__array_reserve(membership->memory, &membership->entered, membership->now.count, sizeof(kin_entity)))
        return false;
    compare(membership);
    swap(membership);
    return true;
}

void kin__membership_undo(kin__membership *membership)
{
    membership->left_count = membership->entered_count = 0;
    swap(membership);
}

bool kin__membership_reserve_leave(kin__membership *membership)
{
    return kin__array_reserve(membership->memory, &membership->left, membership->before.count, sizeof(kin_entity));
}

void kin__membership_leave_all(kin__membership *membership)
{
    kin__listing *before = &membership->before;
    KIN_ASSERT(before->count == 0 || membership->left.capacity >= before->count);
    if (before->count > 0)
        memcpy(membership->left.elements, before->array.elements, before->count * sizeof(kin_entity));
    membership->left_count = before->count;
    membership->entered_count = 0;
    membership->is_reset = before->epoch != membership->group->context->core->dispatch.epoch;
    before->count = 0;
    before->stamp = KIN__NEVER;
}

bool kin__membership_list(kin__membership *membership, const kin_entity **entities, uint32_t *count)
{
    const kin__listing *listing =
        is_current(&membership->before, membership->group) ? &membership->before : &membership->now;
    if (listing == &membership->now && !list(membership))
        return false;
    *entities = listing->array.elements;
    *count = listing->count;
    return true;
}

// ---- snapshots

static uint64_t epoch_of(const kin__membership *membership)
{
    return membership->group->context->core->dispatch.epoch;
}

bool kin__membership_save(const kin__membership *membership, kin__state *state)
{
    const kin__listing *before = &membership->before;
    kin__state_put_count(state, before->count);
    kin__state_put(state, before->array.elements, before->count * sizeof(kin_entity));
    return before->epoch == epoch_of(membership);
}

bool kin__membership_reserve(kin__membership *membership, kin__state *state)
{
    uint32_t count = (uint32_t)kin__state_take_count(state);
    kin__state_take(state, count * sizeof(kin_entity));
    return kin__array_reserve(membership->memory, &membership->before.array, count, sizeof(kin_entity));
}

void kin__membership_restore(kin__membership *membership, kin__state *state, bool is_current)
{
    kin__listing *before = &membership->before;
    uint32_t count = (uint32_t)kin__state_take_count(state);
    const kin_entity *members = kin__state_take(state, count * sizeof *members);
    bool is_anew = state->mode == KIN_RESTORE_ANEW;
    before->stamp = membership->now.stamp = KIN__NEVER;
    before->epoch = is_current && !is_anew ? epoch_of(membership) : KIN__NEVER;
    if (is_anew)
        return;
    KIN_ASSERT(count <= before->array.capacity);
    before->count = count;
    if (count > 0)
        memcpy(before->array.elements, members, count * sizeof *members);
}

void kin__membership_release(kin__membership *membership)
{
    kin__array *const arrays[] = {&membership->before.array, &membership->now.array, &membership->left,
                                  &membership->entered};
    for (uint32_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        kin__array_release(membership->memory, arrays[i], sizeof(kin_entity));
}
