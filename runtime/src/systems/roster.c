#include "systems/roster.h"

#include "group/group.h"

kin__roster kin__roster_of(kin_group *group, kin__memory *memory)
{
    kin__listing none = {.stamp = KIN__NEVER};
    return (kin__roster){.group = group, .memory = memory, .before = none, .now = none};
}

static bool is_current(const kin__listing *listing, const kin_group *group)
{
    return listing->stamp == kin__group_stamp(group) && listing->life == group->context->core->dispatch.life;
}

static bool list(kin__roster *roster)
{
    kin__listing *now = &roster->now;
    if (is_current(now, roster->group))
        return true;
    uint32_t count = kin_group_count(roster->group);
    if (!kin__array_reserve(roster->memory, &now->array, count, sizeof(kin_entity)))
        return false;
    now->count = kin_group_copy_entities(roster->group, now->array.elements, count);
    now->stamp = kin__group_stamp(roster->group);
    now->life = roster->group->context->core->dispatch.life;
    return true;
}

// Both are by slot, and a slot that has another entity now stands in both.
static void compare(kin__roster *roster)
{
    const kin_entity *before = roster->before.array.elements, *now = roster->now.array.elements;
    kin_entity *left = roster->left.elements, *entered = roster->entered.elements;
    roster->is_reset = roster->before.life != roster->now.life;
    uint32_t b = 0, n = 0;
    while (b < roster->before.count || n < roster->now.count) {
        uint32_t old_slot = b < roster->before.count ? kin_entity_slot(before[b]) : KIN__NO_SLOT;
        uint32_t new_slot = n < roster->now.count ? kin_entity_slot(now[n]) : KIN__NO_SLOT;
        bool stays = old_slot == new_slot && before[b] == now[n] && !roster->is_reset;
        if (old_slot <= new_slot && !stays)
            left[roster->left_count++] = before[b];
        if (new_slot <= old_slot && !stays)
            entered[roster->entered_count++] = now[n];
        b += old_slot <= new_slot;
        n += new_slot <= old_slot;
    }
}

// The former listing's counters are in the past, so that it is not taken for the current one.
static void swap(kin__roster *roster)
{
    kin__listing former = roster->before;
    roster->before = roster->now;
    roster->now = former;
}

bool kin__roster_turn(kin__roster *roster)
{
    roster->left_count = roster->entered_count = 0;
    if (is_current(&roster->before, roster->group))
        return true;
    if (!list(roster) || !kin__array_reserve(roster->memory, &roster->left, roster->before.count, sizeof(kin_entity)) ||
        !kin__array_reserve(roster->memory, &roster->entered, roster->now.count, sizeof(kin_entity)))
        return false;
    compare(roster);
    swap(roster);
    return true;
}

void kin__roster_undo(kin__roster *roster)
{
    roster->left_count = roster->entered_count = 0;
    swap(roster);
}

bool kin__roster_list(kin__roster *roster, const kin_entity **entities, uint32_t *count)
{
    const kin__listing *listing = is_current(&roster->before, roster->group) ? &roster->before : &roster->now;
    if (listing == &roster->now && !list(roster))
        return false;
    *entities = listing->array.elements;
    *count = listing->count;
    return true;
}

void kin__roster_release(kin__roster *roster)
{
    kin__array *const arrays[] = {&roster->before.array, &roster->now.array, &roster->left, &roster->entered};
    for (uint32_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        kin__array_release(roster->memory, arrays[i], sizeof(kin_entity));
}
