#include "family_typed.h"

#include <kin/reflect.h>

#include <string.h>

#define TYPED(component, type)                                                                                         \
    static kin_status set_##component(clan_context *clan, clan_entity entity, const void *value)                       \
    {                                                                                                                  \
        type copy;                                                                                                     \
        memcpy(&copy, value, sizeof copy);                                                                             \
        return clan_has_##component(clan, entity) ? clan_replace_##component(clan, entity, copy)                       \
                                                  : clan_add_##component(clan, entity, copy);                          \
    }                                                                                                                  \
    static kin_status remove_##component(clan_context *clan, clan_entity entity)                                       \
    {                                                                                                                  \
        return clan_remove_##component(clan, entity);                                                                  \
    }

TYPED(child_of, ChildOf)
TYPED(works_for, WorksFor)
TYPED(rides_on, RidesOn)
TYPED(follows, Follows)
TYPED(shadow, Shadow)
TYPED(lease, Lease)

static const struct {
    kin_component_id id;
    kin_status (*set)(clan_context *clan, clan_entity entity, const void *value);
    kin_status (*remove)(clan_context *clan, clan_entity entity);
} typed[] = {
    {CLAN_CHILD_OF, set_child_of, remove_child_of}, {CLAN_WORKS_FOR, set_works_for, remove_works_for},
    {CLAN_RIDES_ON, set_rides_on, remove_rides_on}, {CLAN_FOLLOWS, set_follows, remove_follows},
    {CLAN_SHADOW, set_shadow, remove_shadow},       {CLAN_LEASE, set_lease, remove_lease},
};
enum { COUNT = sizeof typed / sizeof *typed };

kin_status family_typed_set(clan_context *clan, kin_entity entity, kin_component_id id, const void *value)
{
    for (int i = 0; i < COUNT; i++)
        if (typed[i].id == id)
            return typed[i].set(clan, clan_entity_of(entity), value);
    return kin_replace(&clan->base, entity, id, value);
}

kin_status family_typed_remove(clan_context *clan, kin_entity entity, kin_component_id id)
{
    for (int i = 0; i < COUNT; i++)
        if (typed[i].id == id)
            return typed[i].remove(clan, clan_entity_of(entity));
    return kin_remove(&clan->base, entity, id);
}
