#include "clan_case.h"

#include "entity/entity.h"

#include <stdio.h>

clan_context *clan;
guard clan_memory;
clan_entity sun, earth, moon, mars;

clan_entity child_of(clan_entity parent)
{
    clan_entity entity = clan_create_entity(clan);
    ck_assert_int_eq(clan_add_child_of(clan, entity, (ChildOf){parent}), KIN_OK);
    return entity;
}

void clan_begin_empty(void)
{
    kin_context_options options = {.allocator = guard_begin(&clan_memory), .on_error = log_error};
    log_begin();
    clan = clan_context_create(&options);
}

void clan_begin(void)
{
    clan_begin_empty();
    sun = clan_create_entity(clan);
    earth = child_of(sun);
    mars = child_of(sun);
    moon = child_of(earth);
}

void clan_end(void)
{
    ck_assert(kin__context_is_valid(&clan->base));
    clan_context_destroy(clan);
    guard_end(&clan_memory);
}

static void note(const kin_change *change, void *user)
{
    static const char signs[] = {
        [KIN_COMPONENT_ADDED] = '+', [KIN_COMPONENT_REMOVED] = '-', [KIN_COMPONENT_REPLACED] = '='};
    (void)user;
    log_write("%c%c%u ", signs[change->event], change->context->info->components[change->component].name[0],
              kin_entity_slot(change->entity));
}

static void note_beginning(const kin_change *change, void *user)
{
    (void)user;
    log_write("!%u ", kin_entity_slot(change->entity));
}

static void note_end(const kin_change *change, void *user)
{
    (void)user;
    log_write("x%u ", kin_entity_slot(change->entity));
}

void clan_note_all(void)
{
    kin_context_subscribe(&clan->base, KIN_COMPONENT_CHANGED, note, NULL);
    kin_context_subscribe(&clan->base, KIN_ENTITY_WILL_BE_DESTROYED, note_beginning, NULL);
    kin_context_subscribe(&clan->base, KIN_ENTITY_WAS_DESTROYED, note_end, NULL);
}

void ck_children(clan_entity parent, const char *expected)
{
    char text[200] = "";
    size_t size = 0;
    for (clan_entity each = clan_children_first(clan, parent); each.id != 0; each = clan_children_next(clan, each))
        size += (size_t)snprintf(text + size, sizeof text - size, "%u ", kin_entity_slot(each.id));
    ck_assert_str_eq(text, expected);
    ck_assert_uint_eq(clan_copy_children(clan, parent, NULL, 0), clan_children_count(clan, parent));
}
