// Schema systems: their turns, and the other roles.

#include "world/schema_system.h"

#include "base/base.h"
#include "lookup/lookup.h"
#include "world/jobs.h"

// ---- calling functions of the system

static void call(const kin__schema_system *schema_system, kin_role role)
{
    kin__profile *profile = schema_system->node->profile;
    if (schema_system->info->calls[role] == NULL)
        return;
    uint64_t began = kin__profile_begin(profile, role);
    schema_system->info->calls[role](schema_system->world->typed);
    kin__profile_end(profile, role, began);
}

// Reports the error and returns false when out of memory: the update is skipped.
static bool prepare_order(const kin__schema_system *schema_system)
{
    if (schema_system->order == NULL || kin__tree_order_prepare(schema_system->order))
        return true;
    kin__world_report_error(schema_system->world, KIN_ERROR_NO_MEMORY, "order the tree of", schema_system->info->name,
                            NULL);
    return false;
}

static bool has_members(const kin__schema_system *schema_system)
{
    return !kin__group_is_empty(schema_system->membership.group);
}

// A probe may have emptied the group of an update, or changed its tree.
static void call_profiled(const kin__schema_system *schema_system, kin__profile *profile, kin_role role,
                          const kin_tick *tick)
{
    uint64_t began = kin__profile_begin(profile, role);
    if (role != KIN_ROLE_UPDATE || (has_members(schema_system) && prepare_order(schema_system)))
        schema_system->execute(schema_system->world->typed, tick);
    kin__profile_end(profile, role, began);
}

static void call_tick(const kin__schema_system *schema_system, kin_role role, const kin_tick *tick)
{
    kin__profile *profile = schema_system->node->profile;
    if (schema_system->execute == NULL)
        return;
    if (profile != NULL)
        call_profiled(schema_system, profile, role, tick);
    else if (prepare_order(schema_system))
        schema_system->execute(schema_system->world->typed, tick);
}

static void call_entities(const kin__schema_system *schema_system, kin_role role, const kin_entity *entities,
                          uint32_t count)
{
    kin__profile *profile = schema_system->node->profile;
    if (schema_system->info->entity_calls[role] == NULL || count == 0)
        return;
    uint64_t began = kin__profile_begin(profile, role);
    schema_system->info->entity_calls[role](schema_system->world->typed, entities, count);
    kin__profile_end(profile, role, began);
}

// Calls a function with the current members. Reports the error and returns false when out of memory.
static bool call_members(kin__schema_system *schema_system, kin_role role)
{
    const kin_entity *entities = NULL;
    uint32_t count = 0;
    if (schema_system->info->entity_calls[role] == NULL)
        return true;
    if (!kin__membership_list(&schema_system->membership, &entities, &count)) {
        kin__world_report_error(schema_system->world, KIN_ERROR_NO_MEMORY, "list the group of",
                                schema_system->info->name, NULL);
        return false;
    }
    call_entities(schema_system, role, entities, count);
    return true;
}

// ---- entities that left and entered

static void leave(kin__schema_system *schema_system)
{
    const kin__membership *membership = &schema_system->membership;
    uint32_t count = schema_system->info->kept_count;
    for (uint32_t i = 0; i < count; i++)
        kin__leave_values_begin(&schema_system->leave_values[i], membership);
    KIN_ASSERT(!schema_system->is_leaving);
    schema_system->is_leaving = true;
    call_entities(schema_system, KIN_ROLE_LEAVE, membership->left.elements, membership->left_count);
    schema_system->is_leaving = false;
    for (uint32_t i = 0; i < count; i++)
        kin__leave_values_end(&schema_system->leave_values[i], membership);
}

// Returns false when out of memory.
static bool reserve_leave_values(const kin__schema_system *schema_system)
{
    for (uint32_t i = 0; schema_system->leave_values != NULL && i < schema_system->info->kept_count; i++)
        if (!kin__leave_values_reserve(&schema_system->leave_values[i], schema_system->membership.left_count))
            return false;
    return true;
}

// Finds what left and entered. Returns false, with nothing changed, when out of memory.
static bool compare_members(kin__schema_system *schema_system)
{
    if (!kin__membership_turn(&schema_system->membership))
        return false;
    if (reserve_leave_values(schema_system))
        return true;
    kin__membership_undo(&schema_system->membership);
    return false;
}

// Calls `leave` and `enter`. Reports the error and returns false when out of memory: the turn is skipped.
static bool leave_and_enter(kin__schema_system *schema_system)
{
    if (!schema_system->compares)
        return true;
    if (!compare_members(schema_system)) {
        kin__world_report_error(schema_system->world, KIN_ERROR_NO_MEMORY, "begin the turn of",
                                schema_system->info->name, NULL);
        return false;
    }
    const kin__membership *membership = &schema_system->membership;
    if (membership->left_count > 0 || schema_system->leave_values != NULL)
        leave(schema_system);
    if (membership->entered_count > 0)
        call_entities(schema_system, KIN_ROLE_ENTER, membership->entered.elements, membership->entered_count);
    return true;
}

bool kin__schema_system_reserve_leave(kin__schema_system *schema_system)
{
    kin__membership *membership = &schema_system->membership;
    if (!schema_system->compares)
        return true;
    if (!kin__membership_reserve_leave(membership))
        return false;
    for (uint32_t i = 0; i < schema_system->info->kept_count; i++)
        if (!kin__leave_values_reserve(&schema_system->leave_values[i], membership->before.count))
            return false;
    return true;
}

void kin__schema_system_leave_all(kin__schema_system *schema_system)
{
    const kin__node *node = schema_system->node;
    bool is_enabled = node->enabled && !node->removed && !node->owner->is_off;
    if (!is_enabled || !schema_system->compares || !kin__schema_system_reserve_leave(schema_system))
        return;
    KIN_ASSERT(!schema_system->in_turn);
    schema_system->in_turn = true;
    kin__membership_leave_all(&schema_system->membership);
    leave(schema_system);
    schema_system->in_turn = false;
}

// ---- messages

// Returns the inbox with the next message: the one with the lowest serial below `end`. NULL: none.
static kin__inbox *next_inbox(const kin__schema_system *schema_system, uint64_t end)
{
    kin__inbox *next = NULL;
    for (uint32_t i = 0; i < schema_system->inbox_count; i++) {
        kin__inbox *inbox = &schema_system->inboxes[i];
        uint64_t serial = inbox->count == 0 ? end : kin__inbox_serial(inbox);
        if (serial >= end)
            continue;
        end = serial;
        next = inbox;
    }
    return next;
}

// The system gets a copy of the message, because it may publish, which may reallocate the ring.
static void read_messages(kin__schema_system *schema_system)
{
    uint64_t end = schema_system->world->published;
    kin__inbox *inbox = next_inbox(schema_system, end);
    if (inbox == NULL)
        return;
    kin__profile *profile = schema_system->node->profile;
    uint64_t began = kin__profile_begin(profile, KIN_ROLE_INBOX);
    if (profile != NULL)
        inbox = next_inbox(schema_system, end); // a probe may have changed what waits
    for (; inbox != NULL; inbox = next_inbox(schema_system, end)) {
        inbox->is_warned = false;
        kin__inbox_take(inbox, schema_system->message);
        inbox->info->receive(schema_system->world->typed, schema_system->message);
    }
    kin__profile_end(profile, KIN_ROLE_INBOX, began);
}

// ---- turns

// Calls the first update when the group has its first member. Returns whether it has been called.
static bool begin_update(kin__schema_system *schema_system)
{
    if (schema_system->has_updated || kin__group_is_empty(schema_system->membership.group))
        return schema_system->has_updated;
    if (!call_members(schema_system, KIN_ROLE_FIRST_UPDATE))
        return false;
    schema_system->has_updated = true;
    return true;
}

static void update(kin__schema_system *schema_system, const kin_tick *tick)
{
    if (begin_update(schema_system) && has_members(schema_system))
        call_tick(schema_system, KIN_ROLE_UPDATE, tick);
}

kin__tree_place kin__tree_begin(const kin__world *world, uint32_t system)
{
    KIN_ASSERT(world->schema_systems[system]->in_turn);
    return kin__tree_order_begin(world->schema_systems[system]->order);
}

kin__tree_place kin__tree_begin_job(const kin__job *job)
{
    kin__tree_order *order = job->system->order;
    KIN_ASSERT(job->system->in_turn);
    if (order->info->is_divided)
        return kin__tree_order_begin_piece(order, job->piece);
    prepare_order(job->system);
    return kin__tree_order_begin(order);
}

void kin__schema_system_restart(kin__schema_system *schema_system)
{
    schema_system->has_updated = false;
    if (schema_system->order != NULL)
        kin__tree_order_reset(schema_system->order);
}

static void take_turn(kin__schema_system *schema_system, const kin_tick *tick)
{
    if (schema_system->has_group && !leave_and_enter(schema_system))
        return;
    read_messages(schema_system);
    if (schema_system->has_group)
        update(schema_system, tick);
    else if (schema_system->node->reactive.collector != NULL)
        kin__node_react(schema_system->node);
    else
        call_tick(schema_system, KIN_ROLE_EXECUTE, tick);
}

bool kin__schema_system_prepare(kin__schema_system *schema_system)
{
    const kin__system_info *info = schema_system->info;
    if (schema_system->has_group && !leave_and_enter(schema_system))
        return false;
    read_messages(schema_system);
    if (info->run_react != NULL)
        return kin__reactive_begin(schema_system->node);
    if (!schema_system->has_group)
        return info->run != NULL;
    return begin_update(schema_system) && info->run != NULL && !kin__group_is_empty(schema_system->membership.group);
}

// Runs the batch of a parallel system, unless it ran in that of an earlier one.
static void run_batch(kin__schema_system *schema_system, const kin_tick *tick)
{
    if (!schema_system->parallel->is_done)
        kin__batch_run(schema_system, tick);
    schema_system->parallel->is_done = false;
}

// Returns whether the role is one that is skipped while a turn is in progress.
static bool is_turn(const kin__schema_system *schema_system, kin_role role)
{
    return role == KIN_ROLE_EXECUTE || (role == KIN_ROLE_DRAW && schema_system->has_group);
}

void kin__schema_system_run(kin__node *node, kin_role role, const kin_tick *tick)
{
    kin__schema_system *schema_system = node->object;
    KIN_ASSERT(schema_system->node == node);
    if (!is_turn(schema_system, role)) {
        call(schema_system, role);
        return;
    }
    if (schema_system->in_turn)
        return;
    schema_system->in_turn = true;
    if (role == KIN_ROLE_DRAW)
        call_members(schema_system, role);
    else
        take_turn(schema_system, tick);
    schema_system->in_turn = false;
}

void kin__schema_system_run_parallel(kin__node *node, kin_role role, const kin_tick *tick)
{
    const kin__schema_system *schema_system = node->object;
    if (role != KIN_ROLE_EXECUTE)
        kin__schema_system_run(node, role, tick);
    else if (!schema_system->in_turn)
        run_batch(node->object, tick);
}
