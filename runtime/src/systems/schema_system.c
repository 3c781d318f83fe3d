// Declared systems: making and ending them, and what reaches them between turns.

#include "systems/schema_system.h"

#include <string.h>

// ---- inboxes

static void subscribe(kin__world *world, kin__inbox *inbox)
{
    kin__inbox **place = &world->subscribers[inbox->info->message];
    while (*place != NULL)
        place = &(*place)->next;
    *place = inbox;
}

static void unsubscribe(kin__world *world, const kin__inbox *inbox)
{
    kin__inbox **place = &world->subscribers[inbox->info->message];
    while (*place != inbox)
        place = &(*place)->next;
    *place = inbox->next;
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

// ---- the group

static kin_status make_leave_values(kin__schema_system *schema_system)
{
    const kin__system_info *info = schema_system->info;
    kin__world *world = schema_system->world;
    kin_status status = KIN_OK;
    if (info->kept_count == 0)
        return KIN_OK;
    schema_system->leave_values =
        kin__allocate_zero(&world->memory, info->kept_count * sizeof *schema_system->leave_values);
    if (schema_system->leave_values == NULL)
        return KIN_ERROR_NO_MEMORY;
    for (uint32_t i = 0; i < info->kept_count; i++)
        schema_system->leave_values[i].memory = &world->memory;
    for (uint32_t i = 0; i < info->kept_count && status == KIN_OK; i++)
        status = kin__leave_values_make(&schema_system->leave_values[i], schema_system->membership.group->context,
                                        info->kept[i]);
    if (status != KIN_OK)
        world->memory.refused = schema_system->membership.group->context->core->memory.refused;
    return status;
}

static void release_leave_values(kin__schema_system *schema_system)
{
    uint32_t count = schema_system->info->kept_count;
    for (uint32_t i = 0; schema_system->leave_values != NULL && i < count; i++)
        kin__leave_values_release(&schema_system->leave_values[i]);
    kin__release(&schema_system->world->memory, schema_system->leave_values,
                 count * sizeof *schema_system->leave_values);
}

// ---- making and ending

kin__schema_system *kin__schema_system_create(kin__world *world, uint32_t number)
{
    const kin__system_info *info = &world->info->systems[number];
    kin__schema_system *schema_system = kin__allocate_zero(&world->memory, sizeof *schema_system);
    kin_status status = KIN_ERROR_NO_MEMORY;
    if (schema_system != NULL) {
        schema_system->info = info;
        schema_system->world = world;
        schema_system->execute = info->execute;
        schema_system->has_group = info->has_group;
        schema_system->compares = info->tells[KIN_ROLE_LEAVE] != NULL || info->tells[KIN_ROLE_ENTER] != NULL;
        if (info->has_group)
            schema_system->membership =
                kin__membership_of(world->contexts[info->group.context]->groups[info->group.group], &world->memory);
        status = make_inboxes(schema_system) ? make_leave_values(schema_system) : KIN_ERROR_NO_MEMORY;
    }
    if (status == KIN_OK)
        return world->schema_system[number] = schema_system;
    kin__schema_system_destroy(schema_system);
    kin__world_refuse(world, status, "make the system", info->name, NULL);
    return NULL;
}

void kin__schema_system_destroy(kin__schema_system *schema_system)
{
    if (schema_system == NULL)
        return;
    kin__world *world = schema_system->world;
    world->schema_system[schema_system->info - world->info->systems] = NULL;
    release_leave_values(schema_system);
    release_inboxes(schema_system);
    if (schema_system->info->has_group)
        kin__membership_release(&schema_system->membership);
    kin__release(&world->memory, schema_system, sizeof *schema_system);
}

void kin__schema_system_set_open(kin__schema_system *schema_system, bool open)
{
    for (uint32_t i = 0; i < schema_system->info->inbox_count; i++)
        kin__inbox_set_open(&schema_system->inboxes[i], open);
    for (uint32_t i = 0; i < schema_system->info->kept_count; i++)
        if (open)
            kin_collector_activate(schema_system->leave_values[i].collector);
        else
            kin_collector_deactivate(schema_system->leave_values[i].collector);
}

kin__roles kin__schema_system_roles(const kin__schema_system *schema_system)
{
    const kin__system_info *info = schema_system->info;
    kin__roles roles = (kin__roles)(info->inbox_count > 0) << KIN_ROLE_INBOX;
    for (uint32_t role = 0; role < KIN_ROLE_COUNT; role++)
        roles |= (kin__roles)(info->calls[role] != NULL || info->tells[role] != NULL) << role;
    if (info->execute != NULL || info->react != NULL)
        roles |= (kin__roles)1 << (info->has_group ? KIN_ROLE_UPDATE : KIN_ROLE_EXECUTE);
    return roles;
}
