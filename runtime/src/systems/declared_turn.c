// Declared systems: their turn, and what else they are called for.

#include "systems/declared.h"

static void call(const kin__declared *declared, kin_role role)
{
    kin__profile *profile = declared->node->profile;
    if (declared->info->calls[role] == NULL)
        return;
    uint64_t began = kin__profile_begin(profile);
    declared->info->calls[role](declared->world->typed);
    kin__profile_end(profile, role, began);
}

static void call_tick(const kin__declared *declared, kin_role role, const kin_tick *tick)
{
    kin__profile *profile = declared->node->profile;
    if (declared->execute == NULL)
        return;
    uint64_t began = kin__profile_begin(profile);
    declared->execute(declared->world->typed, tick);
    kin__profile_end(profile, role, began);
}

static void tell(const kin__declared *declared, kin_role role, const kin_entity *entities, uint32_t count)
{
    kin__profile *profile = declared->node->profile;
    if (declared->info->tells[role] == NULL || count == 0)
        return;
    uint64_t began = kin__profile_begin(profile);
    declared->info->tells[role](declared->world->typed, entities, count);
    kin__profile_end(profile, role, began);
}

// The members of now. False without memory.
static bool tell_members(kin__declared *declared, kin_role role)
{
    const kin_entity *entities = NULL;
    uint32_t count = 0;
    if (declared->info->tells[role] == NULL)
        return true;
    if (!kin__roster_list(&declared->roster, &entities, &count)) {
        kin__world_refuse(declared->world, KIN_ERROR_NO_MEMORY, "list the group of", declared->info->name, NULL);
        return false;
    }
    tell(declared, role, entities, count);
    return true;
}

// ---- who left and entered

static void part(kin__declared *declared)
{
    const kin__roster *roster = &declared->roster;
    uint32_t count = declared->info->kept_count;
    for (uint32_t i = 0; i < count; i++)
        kin__farewell_begin(&declared->farewells[i], roster);
    declared->is_leaving = true;
    tell(declared, KIN_ROLE_LEAVE, roster->left.elements, roster->left_count);
    declared->is_leaving = false;
    for (uint32_t i = 0; i < count; i++)
        kin__farewell_end(&declared->farewells[i], roster);
}

static bool reserve_farewells(const kin__declared *declared)
{
    for (uint32_t i = 0; declared->farewells != NULL && i < declared->info->kept_count; i++)
        if (!kin__farewell_reserve(&declared->farewells[i], declared->roster.left_count))
            return false;
    return true;
}

static bool begin_turn(kin__declared *declared)
{
    if (!kin__roster_turn(&declared->roster))
        return false;
    if (reserve_farewells(declared))
        return true;
    kin__roster_undo(&declared->roster);
    return false;
}

static bool meet(kin__declared *declared)
{
    if (!declared->compares)
        return true;
    if (!begin_turn(declared)) {
        kin__world_refuse(declared->world, KIN_ERROR_NO_MEMORY, "begin the turn of", declared->info->name, NULL);
        return false;
    }
    const kin__roster *roster = &declared->roster;
    if (roster->left_count > 0 || declared->farewells != NULL)
        part(declared);
    if (roster->entered_count > 0)
        tell(declared, KIN_ROLE_ENTER, roster->entered.elements, roster->entered_count);
    return true;
}

// ---- messages

// The one to read next: the first that was published, before `end`.
static kin__inbox *next_inbox(const kin__declared *declared, uint64_t end)
{
    kin__inbox *next = NULL;
    for (uint32_t i = 0; i < declared->inbox_count; i++) {
        kin__inbox *inbox = &declared->inboxes[i];
        uint64_t serial = inbox->count == 0 ? end : kin__inbox_serial(inbox);
        if (serial >= end)
            continue;
        end = serial;
        next = inbox;
    }
    return next;
}

// What is shown is a copy: whoever reads it may publish, and so have the ring move.
static void read_messages(kin__declared *declared)
{
    uint64_t end = declared->world->published;
    kin__inbox *inbox = next_inbox(declared, end);
    if (inbox == NULL)
        return;
    kin__profile *profile = declared->node->profile;
    uint64_t began = kin__profile_begin(profile);
    for (; inbox != NULL; inbox = next_inbox(declared, end)) {
        inbox->is_warned = false;
        kin__inbox_take(inbox, declared->message);
        inbox->info->receive(declared->world->typed, declared->message);
    }
    kin__profile_end(profile, KIN_ROLE_INBOX, began);
}

// ---- turns

// Whether there is an update now, with the first one behind it.
static bool begin_update(kin__declared *declared)
{
    if (declared->has_updated || kin_group_count(declared->roster.group) == 0)
        return declared->has_updated;
    if (!tell_members(declared, KIN_ROLE_FIRST_UPDATE))
        return false;
    declared->has_updated = true;
    return true;
}

static void update(kin__declared *declared, const kin_tick *tick)
{
    if (begin_update(declared) && kin_group_count(declared->roster.group) > 0)
        call_tick(declared, KIN_ROLE_UPDATE, tick);
}

static void turn(kin__declared *declared, const kin_tick *tick)
{
    if (declared->has_group && !meet(declared))
        return;
    read_messages(declared);
    if (declared->has_group)
        update(declared, tick);
    else if (declared->node->reactive.collector != NULL)
        kin__node_react(declared->node);
    else
        call_tick(declared, KIN_ROLE_EXECUTE, tick);
}

static bool is_turn(const kin__declared *declared, kin_role role)
{
    return role == KIN_ROLE_EXECUTE || (role == KIN_ROLE_DRAW && declared->has_group);
}

void kin__declared_run(kin__declared *declared, kin_role role, const kin_tick *tick)
{
    if (!is_turn(declared, role)) {
        call(declared, role);
        return;
    }
    if (declared->in_turn)
        return;
    declared->in_turn = true;
    if (role == KIN_ROLE_DRAW)
        tell_members(declared, role);
    else
        turn(declared, tick);
    declared->in_turn = false;
}
