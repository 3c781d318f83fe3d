// Schema systems: creating and destroying them, and opening what they receive between turns.

#include "world/schema_system.h"

#include "base/base.h"
#include "world/jobs.h"
#include "world/schema_system_state.h"

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
    if (info->execute != NULL || info->react != NULL || info->run != NULL || info->run_react != NULL)
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

#define SCHEMA_TYPE(run_role)                                                                                          \
    {                                                                                                                  \
        .run = (run_role), .kind = kind_of, .roles = roles_of, .set_open = set_open, .clear = clear,                   \
        .destroy = destroy, .collector = kin__schema_system_collector, .save = kin__schema_system_save,                \
        .reserve = kin__schema_system_reserve, .restore = kin__schema_system_restore                                   \
    }

static const kin__node_type schema_type = SCHEMA_TYPE(kin__schema_system_run);
static const kin__node_type parallel_type = SCHEMA_TYPE(kin__schema_system_run_parallel);

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
    kin__systems_append(systems, node);
    if (schema_system->parallel != NULL)
        kin__systems_set_stages(systems, run_commands, schema_system->world);
    return true;
}
