// Declared systems: making and ending them, and what reaches them between turns.

#include "systems/declared.h"

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

static size_t largest_message(const kin__declared *declared)
{
    size_t largest = 1;
    for (uint32_t i = 0; i < declared->info->inbox_count; i++) {
        size_t size = declared->world->info->messages[declared->info->inboxes[i].message].size;
        largest = size > largest ? size : largest;
    }
    return largest;
}

static bool make_inboxes(kin__declared *declared)
{
    const kin__system_info *info = declared->info;
    kin__world *world = declared->world;
    if (info->inbox_count == 0)
        return true;
    declared->message = kin__allocate(&world->memory, largest_message(declared));
    declared->inbox_count = info->inbox_count;
    if (declared->message != NULL)
        declared->inboxes = kin__allocate_zero(&world->memory, info->inbox_count * sizeof *declared->inboxes);
    if (declared->inboxes == NULL)
        return false;
    for (uint32_t i = 0; i < info->inbox_count; i++) {
        const kin__inbox_info *inbox = &info->inboxes[i];
        declared->inboxes[i] =
            kin__inbox_of(inbox, info->name, world->info->messages[inbox->message].size, &world->memory);
        subscribe(world, &declared->inboxes[i]);
    }
    return true;
}

static void release_inboxes(kin__declared *declared)
{
    kin__world *world = declared->world;
    uint32_t count = declared->info->inbox_count;
    for (uint32_t i = 0; declared->inboxes != NULL && i < count; i++) {
        unsubscribe(world, &declared->inboxes[i]);
        kin__inbox_release(&declared->inboxes[i]);
    }
    kin__release(&world->memory, declared->inboxes, count * sizeof *declared->inboxes);
    if (declared->message != NULL)
        kin__release(&world->memory, declared->message, largest_message(declared));
}

// ---- the group

static kin_status make_farewells(kin__declared *declared)
{
    const kin__system_info *info = declared->info;
    kin__world *world = declared->world;
    kin_status status = KIN_OK;
    if (info->kept_count == 0)
        return KIN_OK;
    declared->farewells = kin__allocate_zero(&world->memory, info->kept_count * sizeof *declared->farewells);
    if (declared->farewells == NULL)
        return KIN_ERROR_NO_MEMORY;
    for (uint32_t i = 0; i < info->kept_count; i++)
        declared->farewells[i].memory = &world->memory;
    for (uint32_t i = 0; i < info->kept_count && status == KIN_OK; i++)
        status = kin__farewell_make(&declared->farewells[i], declared->roster.group->context, info->kept[i]);
    if (status != KIN_OK)
        world->memory.refused = declared->roster.group->context->core->memory.refused;
    return status;
}

static void release_farewells(kin__declared *declared)
{
    uint32_t count = declared->info->kept_count;
    for (uint32_t i = 0; declared->farewells != NULL && i < count; i++)
        kin__farewell_release(&declared->farewells[i]);
    kin__release(&declared->world->memory, declared->farewells, count * sizeof *declared->farewells);
}

// ---- making and ending

kin__declared *kin__declared_create(kin__world *world, uint32_t number)
{
    const kin__system_info *info = &world->info->systems[number];
    kin__declared *declared = kin__allocate_zero(&world->memory, sizeof *declared);
    kin_status status = KIN_ERROR_NO_MEMORY;
    if (declared != NULL) {
        declared->info = info;
        declared->world = world;
        declared->execute = info->execute;
        declared->has_group = info->has_group;
        declared->compares = info->tells[KIN_ROLE_LEAVE] != NULL || info->tells[KIN_ROLE_ENTER] != NULL;
        if (info->has_group)
            declared->roster =
                kin__roster_of(world->contexts[info->group.context]->groups[info->group.group], &world->memory);
        status = make_inboxes(declared) ? make_farewells(declared) : KIN_ERROR_NO_MEMORY;
    }
    if (status == KIN_OK)
        return world->declared[number] = declared;
    kin__declared_destroy(declared);
    kin__world_refuse(world, status, "make the system", info->name, NULL);
    return NULL;
}

void kin__declared_destroy(kin__declared *declared)
{
    if (declared == NULL)
        return;
    kin__world *world = declared->world;
    world->declared[declared->info - world->info->systems] = NULL;
    release_farewells(declared);
    release_inboxes(declared);
    if (declared->info->has_group)
        kin__roster_release(&declared->roster);
    kin__release(&world->memory, declared, sizeof *declared);
}

void kin__declared_set_open(kin__declared *declared, bool open)
{
    for (uint32_t i = 0; i < declared->info->inbox_count; i++)
        kin__inbox_set_open(&declared->inboxes[i], open);
    for (uint32_t i = 0; i < declared->info->kept_count; i++)
        if (open)
            kin_collector_activate(declared->farewells[i].collector);
        else
            kin_collector_deactivate(declared->farewells[i].collector);
}

kin__roles kin__declared_roles(const kin__declared *declared)
{
    const kin__system_info *info = declared->info;
    kin__roles roles = (kin__roles)(info->inbox_count > 0) << KIN_ROLE_INBOX;
    for (uint32_t role = 0; role < KIN_ROLE_COUNT; role++)
        roles |= (kin__roles)(info->calls[role] != NULL || info->tells[role] != NULL) << role;
    if (info->execute != NULL || info->react != NULL)
        roles |= (kin__roles)1 << (info->has_group ? KIN_ROLE_UPDATE : KIN_ROLE_EXECUTE);
    return roles;
}
