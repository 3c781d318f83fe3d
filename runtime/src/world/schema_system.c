// Schema systems: creating and destroying them, and opening what they receive between turns.
#include "world/world.h"

#include <kin/generated/grid.h>
#include <string.h>

// ---- inboxes

// Adds the inbox at the end of the list of its message, so that lists are in order of the systems.
static void subscribe(kin__world *world, kin__inbox *inbox)
{
    KIN_ASSERT(inbox->info->message < world->info->message_count && inbox->next == NULL);
    kin__inbox **link = &world->subscribers[inbox->info->message];
    while (*link != NULL)
        link = &(*link)->next;
    *link = inbox;
}

static void unsubscribe(kin__world *world, const kin__inbox *inbox)
{
    kin__inbox **link = &world->subscribers[inbox->info->message];
    while (*link != inbox)
        link = &(*link)->next;
    *link = inbox->next;
}

static size_t largest_message(const kin__schema_system *schema_system)
{
    size_t largest = 1;
    for (uint32_t i = 0; i < schema_system->info->inbox_count; i++) {
        size_t size = schema_system->world->info->messages[schema_system->info->inboxes[i].message].size;
        largest = size > largest ? size : largest;
    }
    return largest;
}

static bool make_inboxes(kin__schema_system *schema_system)
{
    const kin__system_info *info = schema_system->info;
    kin__world *world = schema_system->world;
    if (info->inbox_count == 0)
        return true;
    schema_system->message = kin__allocate(&world->memory, largest_message(schema_system));
    schema_system->inbox_count = info->inbox_count;
    if (schema_system->message != NULL)
        schema_system->inboxes = kin__allocate_zero(&world->memory, info->inbox_count * sizeof *schema_system->inboxes);
    if (schema_system->inboxes == NULL)
        return false;
    for (uint32_t i = 0; i < info->inbox_count; i++) {
        const kin__inbox_info *inbox = &info->inboxes[i];
        schema_system->inboxes[i] =
            kin__inbox_of(inbox, info->name, world->info->messages[inbox->message].size, &world->memory);
        subscribe(world, &schema_system->inboxes[i]);
    }
    return true;
}

static void release_inboxes(kin__schema_system *schema_system)
{
    kin__world *world = schema_system->world;
    uint32_t count = schema_system->info->inbox_count;
    for (uint32_t i = 0; schema_system->inboxes != NULL && i < count; i++) {
        unsubscribe(world, &schema_system->inboxes[i]);
        kin__inbox_release(&schema_system->inboxes[i]);
    }
    kin__release(&world->memory, schema_system->inboxes, count * sizeof *schema_system->inboxes);
    if (schema_system->message != NULL)
        kin__release(&world->memory, schema_system->message, largest_message(schema_system));
}

// ---- leave values

static kin_status make_leave_values(kin__schema_system *schema_system)
{
    const kin__system_info *info = schema_system->info;
    kin__world *world = schema_system->world;
    kin_status status = KIN_OK;
    if (info->kept_count == 0)
        return KIN_OK;
    KIN_ASSERT(info->has_group && info->entity_calls[KIN_ROLE_LEAVE] != NULL);
    schema_system->leave_values =
        kin__allocate_zero(&world->memory, info->kept_count * sizeof *schema_system->leave_values);
    if (schema_system->leave_values == NULL)
        return KIN_ERROR_NO_MEMORY;
    for (uint32_t i = 0; i < info->kept_count; i++)
        schema_system->leave_values[i].memory = &world->memory;
    for (uint32_t i = 0; i < info->kept_count && status == KIN_OK; i++)
        status = kin__leave_values_make(&schema_system->leave_values[i], schema_system->membership.group->context,
                                        info->kept[i], info->name);
    if (status != KIN_OK)
        world->memory.refused = schema_system->membership.group->context->core->memory.refused;
    return status;
}

// Returns KIN_OK for a system without `tree`.
static kin_status make_order(kin__schema_system *schema_system)
{
    const kin__system_info *info = schema_system->info;
    if (info->tree == NULL)
        return KIN_OK;
    schema_system->order =
        kin__tree_order_create(schema_system->membership.group, info->tree, &schema_system->world->memory);
    return schema_system->order == NULL ? KIN_ERROR_NO_MEMORY : KIN_OK;
}

static void release_leave_values(kin__schema_system *schema_system)
{
    uint32_t count = schema_system->info->kept_count;
    for (uint32_t i = 0; schema_system->leave_values != NULL && i < count; i++)
        kin__leave_values_release(&schema_system->leave_values[i]);
    kin__release(&schema_system->world->memory, schema_system->leave_values,
                 count * sizeof *schema_system->leave_values);
}

// ---- picked members

static bool asks(const kin__world *world, const kin__system_info *info)
{
    const kin_context_info *context = world->contexts[info->group.context]->info;
    return info->has_group && context->groups[info->group.group].question_count > 0;
}

bool kin__schema_system_is_empty(const kin__schema_system *schema_system)
{
    const kin__system_info *info = schema_system->info;
    if (!schema_system->asks)
        return kin__group_is_empty(schema_system->membership.group);
    return kin__pick_is_empty(schema_system->world->contexts[info->group.context], info->group.group);
}

static kin__sorter sorter_of(kin__world *world, const kin__system_info *info)
{
    if (info->order == 0 || info->trigger_count == 0)
        return (kin__sorter){.order = 0};
    return (kin__sorter){
        .context = world->contexts[info->triggers[0].place.context], .order = info->order, .memory = &world->memory};
}

static void release_picked(kin__schema_system *schema_system)
{
    kin__sorter *sorter = &schema_system->sorter;
    kin__array_release(&schema_system->world->memory, &schema_system->picked, sizeof(kin_entity));
    if (sorter->copy.capacity > 0)
        kin__array_release(sorter->memory, &sorter->copy, kin__pick_sort_size(sorter->context, sorter->order));
}

// Lists the members for which the questions of the group hold, in order. Returns false when out of memory.
static bool list_picked(kin__schema_system *schema_system, const kin_entity **entities, uint32_t *count)
{
    const kin__system_info *info = schema_system->info;
    const kin_context *context = schema_system->world->contexts[info->group.context];
    kin__array *picked = &schema_system->picked;
    uint32_t room = kin_group_count(schema_system->membership.group);
    if (!kin__array_reserve(&schema_system->world->memory, picked, room, sizeof(kin_entity)))
        return false;
    *count = kin__pick_members(context, info->group.group, info->order, picked->elements, room);
    *entities = picked->elements;
    return true;
}

// ---- creating and destroying

kin__schema_system *kin__schema_system_create(kin__world *world, uint32_t number)
{
    KIN_ASSERT(number < world->info->system_count && world->schema_systems[number] == NULL);
    const kin__system_info *info = &world->info->systems[number];
    kin__schema_system *schema_system = kin__allocate_zero(&world->memory, sizeof *schema_system);
    kin_status status = KIN_ERROR_NO_MEMORY;
    if (schema_system != NULL) {
        schema_system->info = info;
        schema_system->world = world;
        schema_system->execute = info->execute;
        schema_system->has_group = info->has_group;
        schema_system->asks = asks(world, info);
        schema_system->sorter = sorter_of(world, info);
        schema_system->compares =
            info->entity_calls[KIN_ROLE_LEAVE] != NULL || info->entity_calls[KIN_ROLE_ENTER] != NULL;
        if (info->has_group)
            schema_system->membership =
                kin__membership_of(world->contexts[info->group.context]->groups[info->group.group], &world->memory);
        status = make_inboxes(schema_system) ? make_leave_values(schema_system) : KIN_ERROR_NO_MEMORY;
        status = status == KIN_OK ? make_order(schema_system) : status;
        if (status == KIN_OK && info->batch != 0 && !kin__parallel_create(schema_system))
            status = KIN_ERROR_NO_MEMORY;
    }
    if (status == KIN_OK)
        return world->schema_systems[number] = schema_system;
    kin__schema_system_destroy(schema_system);
    kin__world_report_error(world, status, "create the system", info->name, NULL);
    return NULL;
}

void kin__schema_system_destroy(kin__schema_system *schema_system)
{
    if (schema_system == NULL)
        return;
    kin__world *world = schema_system->world;
    KIN_ASSERT(!schema_system->in_turn || world->is_abandoned);
    world->schema_systems[schema_system->info - world->info->systems] = NULL;
    kin__parallel_destroy(schema_system);
    kin__tree_order_destroy(schema_system->order);
    release_leave_values(schema_system);
    release_inboxes(schema_system);
    release_picked(schema_system);
    if (schema_system->info->has_group)
        kin__membership_release(&schema_system->membership);
    kin__release(&world->memory, schema_system, sizeof *schema_system);
}

// ---- the node

static void set_open(void *object, bool open)
{
    const kin__schema_system *schema_system = object;
    for (uint32_t i = 0; i < schema_system->info->inbox_count; i++)
        kin__inbox_set_open(&schema_system->inboxes[i], open);
    for (uint32_t i = 0; i < schema_system->info->kept_count; i++)
        if (open)
            kin_collector_activate(schema_system->leave_values[i].collector);
        else
            kin_collector_deactivate(schema_system->leave_values[i].collector);
}

static void clear(void *object)
{
    const kin__schema_system *schema_system = object;
    for (uint32_t i = 0; i < schema_system->info->inbox_count; i++)
        kin__inbox_clear(&schema_system->inboxes[i]);
    for (uint32_t i = 0; i < schema_system->info->kept_count; i++)
        kin_collector_clear(schema_system->leave_values[i].collector);
}

static kin__roles roles_of(const kin__node *node)
{
    const kin__schema_system *schema_system = node->object;
    const kin__system_info *info = schema_system->info;
    kin__roles roles = (kin__roles)(info->inbox_count > 0) << KIN_ROLE_INBOX;
    for (uint32_t role = 0; role < KIN_ROLE_COUNT; role++)
        roles |= (kin__roles)(info->calls[role] != NULL || info->entity_calls[role] != NULL) << role;
    bool has_jobs = info->run != NULL || info->run_react != NULL;
    if (has_jobs || info->execute != NULL || info->react != NULL)
        roles |= (kin__roles)1 << (info->has_group ? KIN_ROLE_UPDATE : KIN_ROLE_EXECUTE);
    if (info->play != NULL)
        roles |= (kin__roles)1 << KIN_ROLE_COMMANDS;
    return roles;
}

static void destroy(void *object)
{
    kin__schema_system_destroy(object);
}

static kin_system_kind kind_of(const kin__node *node)
{
    const kin__schema_system *schema_system = node->object;
    if (schema_system->has_group)
        return KIN_SYSTEM_GROUP;
    return node->reactive.collector != NULL ? KIN_SYSTEM_REACTIVE : KIN_SYSTEM_PLAIN;
}

static kin_collector *schema_system_collector(void *object, uint32_t number);

static void schema_system_save(const void *object, kin__saved_node *saved, kin__state *state);

static bool schema_system_reserve(void *object, const kin__saved_node *saved, kin__state *state);

static void schema_system_restore(void *object, const kin__saved_node *saved, kin__state *state);

#define SCHEMA_TYPE(run_role)                                                                                          \
    {                                                                                                                  \
        .run = (run_role), .kind = kind_of, .roles = roles_of, .set_open = set_open, .clear = clear,                   \
        .destroy = destroy, .collector = schema_system_collector, .save = schema_system_save,                          \
        .reserve = schema_system_reserve, .restore = schema_system_restore                                             \
    }

static void schema_system_run(kin__node *node, kin_role role, const kin_tick *tick);

static void schema_system_run_parallel(kin__node *node, kin_role role, const kin_tick *tick);

static const kin__node_type schema_type = SCHEMA_TYPE(schema_system_run);
static const kin__node_type parallel_type = SCHEMA_TYPE(schema_system_run_parallel);

kin__schema_system *kin__schema_system_of(const kin__node *node)
{
    return node->type == &schema_type || node->type == &parallel_type ? node->object : NULL;
}

const struct kin__parallel *kin__schema_system_parallel(const kin__node *node)
{
    const kin__schema_system *schema_system = kin__schema_system_of(node);
    return schema_system == NULL ? NULL : schema_system->parallel;
}

// The commands of a parallel system run at the end of its stage of the node.
static void run_commands(void *world)
{
    kin__world_play(world);
}

// A tree is ordered before an update. The messages of a parallel system are read while others of its batch are
// prepared.
static kin__roles open_roles(const kin__schema_system *schema_system)
{
    if (schema_system->parallel != NULL)
        return (kin__roles)1 << KIN_ROLE_START;
    return schema_system->order == NULL ? KIN__OPEN_ROLES : KIN__OPEN_ROLES & ~((kin__roles)1 << KIN_ROLE_UPDATE);
}

bool kin__schema_system_add(kin_systems *systems, kin__schema_system *schema_system, kin_collector *collector)
{
    const kin__system_info *info = schema_system->info;
    KIN_ASSERT(schema_system->node == NULL);
    KIN_ASSERT((collector != NULL) == (info->trigger_count > 0));
    kin__node *node = kin__node_create(systems, info->name);
    if (node == NULL)
        return false;
    node->type = schema_system->parallel == NULL ? &schema_type : &parallel_type;
    node->object = schema_system;
    node->open = open_roles(schema_system);
    schema_system->node = node;
    kin__collector_borrow_name(collector, node->name);
    for (uint32_t i = 0; i < info->kept_count; i++)
        kin__collector_borrow_name(schema_system->leave_values[i].collector, node->name);
    if (!info->has_group && collector == NULL && info->inbox_count == 0)
        node->execute = info->execute; // no other step in its turn
    node->self = schema_system->world->typed;
    node->reactive = (kin__reactive){.collector = collector, .filter = info->filter, .execute = info->react};
    if (collector != NULL && info->order != 0)
        node->reactive.sorter = &schema_system->sorter;
    kin__systems_append(systems, node);
    if (schema_system->parallel != NULL)
        kin__systems_set_stages(systems, run_commands, schema_system->world);
    return true;
}

// Returns the collectors of the leave values; NULL behind the last one.
static kin_collector *schema_system_collector(void *object, uint32_t number)
{
    const kin__schema_system *schema_system = object;
    return number < schema_system->info->kept_count ? schema_system->leave_values[number].collector : NULL;
}

// ---- saving

static void save_order(const kin__tree_order *order, kin__state *state)
{
    size_t size = kin__tree_order_saved_size(order);
    kin__state_put_count(state, size);
    void *bytes = kin__state_take(state, size);
    if (bytes != NULL)
        kin__tree_order_save(order, bytes);
}

static void schema_system_save(const void *object, kin__saved_node *saved, kin__state *state)
{
    const kin__schema_system *schema_system = object;
    KIN_ASSERT(!schema_system->in_turn);
    saved->flags |= schema_system->has_updated ? KIN__SAVED_UPDATED : 0;
    saved->flags |= schema_system->compares ? KIN__SAVED_MEMBERS : 0;
    saved->flags |= schema_system->order != NULL ? KIN__SAVED_ORDER : 0;
    if (schema_system->compares && kin__membership_save(&schema_system->membership, state))
        saved->flags |= KIN__SAVED_CURRENT;
    saved->inbox_count = schema_system->inbox_count;
    for (uint32_t i = 0; i < schema_system->inbox_count; i++)
        kin__inbox_save(&schema_system->inboxes[i], state);
    if (schema_system->order != NULL)
        save_order(schema_system->order, state);
}

// ---- restoring

static bool schema_system_reserve(void *object, const kin__saved_node *saved, kin__state *state)
{
    kin__schema_system *schema_system = object;
    KIN_ASSERT(saved->inbox_count == schema_system->inbox_count);
    if (schema_system->compares && !kin__membership_reserve(&schema_system->membership, state))
        return false;
    for (uint32_t i = 0; i < saved->inbox_count; i++)
        if (!kin__inbox_reserve(&schema_system->inboxes[i], state))
            return false;
    return schema_system->order == NULL ||
           kin__tree_order_restore_reserve(schema_system->order, (size_t)kin__state_take_count(state));
}

static void restore_order(kin__tree_order *order, kin__state *state)
{
    size_t size = (size_t)kin__state_take_count(state);
    kin__tree_order_restore(order, kin__state_take(state, size), size);
    if (state->mode == KIN_RESTORE_ANEW)
        kin__tree_order_reset(order);
}

static void schema_system_restore(void *object, const kin__saved_node *saved, kin__state *state)
{
    kin__schema_system *schema_system = object;
    KIN_ASSERT(!schema_system->in_turn);
    schema_system->has_updated = (saved->flags & KIN__SAVED_UPDATED) != 0;
    if (schema_system->compares)
        kin__membership_restore(&schema_system->membership, state, (saved->flags & KIN__SAVED_CURRENT) != 0);
    for (uint32_t i = 0; i < saved->inbox_count; i++)
        kin__inbox_restore(&schema_system->inboxes[i], state);
    if (schema_system->order != NULL)
        restore_order(schema_system->order, state);
}

// Schema systems: their turns, and the other roles.

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
    return !kin__schema_system_is_empty(schema_system);
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
    bool is_picked = schema_system->asks || schema_system->info->order != 0;
    bool is_listed = is_picked ? list_picked(schema_system, &entities, &count)
                               : kin__membership_list(&schema_system->membership, &entities, &count);
    if (!is_listed) {
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
    kin_systems *owner = schema_system->node->owner;
    kin__systems_pin(owner); // `leave` may remove this system, which is destroyed after it
    schema_system->in_turn = true;
    kin__membership_leave_all(&schema_system->membership);
    leave(schema_system);
    schema_system->in_turn = false;
    kin__systems_unpin(owner);
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
    if (schema_system->has_updated || kin__schema_system_is_empty(schema_system))
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

void kin__schema_system_refresh(const kin__schema_system *schema_system)
{
    const kin__system_info *info = schema_system->info;
    for (uint32_t i = 0; i < info->refresh_count; i++)
        kin__index_refresh(schema_system->world->contexts[info->refreshes[i].context], info->refreshes[i].index);
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
    return begin_update(schema_system) && info->run != NULL && has_members(schema_system);
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

// Runs one role of a node: initialize, start, execute (its turn), draw, cleanup, tear down or dispose.
//
static void schema_system_run(kin__node *node, kin_role role, const kin_tick *tick)
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
    if (role == KIN_ROLE_EXECUTE)
        kin__schema_system_refresh(schema_system);
    schema_system->in_turn = false;
}

// Runs a role of a parallel system, whose turn is part of a batch.
static void schema_system_run_parallel(kin__node *node, kin_role role, const kin_tick *tick)
{
    const kin__schema_system *schema_system = node->object;
    if (role != KIN_ROLE_EXECUTE)
        schema_system_run(node, role, tick);
    else if (!schema_system->in_turn)
        run_batch(node->object, tick);
}
