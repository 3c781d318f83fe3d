#include "orrery_case.h"

#include "case.h"

#include <check.h>
#include <string.h>

orrery_world *orrery;
space_context *space;
space_entity bodies[BODIES];
visits propagated, refreshed, docked, shone, warned, levelled, tinted;
uint32_t acts_at;
void (*act)(space_entity entity);
bool has_acted, skips;

static void note(visits *visits, space_entity entity, uint32_t depth, space_entity parent)
{
    ck_assert_uint_lt(visits->count, MOST);
    visits->all[visits->count++] = (visit){entity.id, parent.id, depth};
    if (act != NULL && visits->count == acts_at) {
        has_acted = true;
        act(entity);
    }
}

space_entity center_of(space_entity entity)
{
    const Orbits *orbits = space_get_orbits(space, entity);
    return orbits == NULL ? SPACE_NO_ENTITY : orbits->center;
}

space_entity host_of(space_entity entity)
{
    const DockedTo *docked_to = space_get_docked_to(space, entity);
    return docked_to == NULL ? SPACE_NO_ENTITY : docked_to->host;
}

// ---- the systems

// A parent that was moved in this update is the one from before.
static void check_values(const propagate_iter *it, space_entity center)
{
    if (it->local != space_get_local(space, it->entity) || it->world != space_get_world(space, it->entity) ||
        (it->parent_world == NULL) != (it->parent_local == NULL))
        ck_abort_msg("the values of another entity");
    if (it->parent_world != NULL && !has_acted &&
        (it->parent_world != space_get_world(space, center) || it->parent_local != space_get_local(space, center)))
        ck_abort_msg("the values of another parent");
}

void propagate_update(orrery_world *world, propagate_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    propagated.turns++;
    while (propagate_next(it)) {
        space_entity center = center_of(it->entity), parent = it->parent_world == NULL ? SPACE_NO_ENTITY : center;
        check_values(it, center);
        it->world->x = it->local->x + (it->parent_world == NULL ? 0 : it->parent_world->x);
        it->world->y = it->local->y + (it->parent_world == NULL ? 0 : it->parent_world->y);
        if (skips && kin_entity_slot(it->entity.id) % 2 == 1)
            propagate_skip(it);
        note(&propagated, it->entity, it->depth, parent);
    }
    ck_assert(!propagate_next(it));
}

void refresh_update(orrery_world *world, refresh_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    refreshed.turns++;
    while (refresh_next(it)) {
        note(&refreshed, it->entity, it->depth, it->parent_world == NULL ? SPACE_NO_ENTITY : center_of(it->entity));
        if (skips && kin_entity_slot(it->entity.id) % 2 == 1)
            refresh_skip(it);
    }
}

void dock_update(orrery_world *world, dock_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    docked.turns++;
    while (dock_next(it)) {
        ck_assert_ptr_eq(it->name, space_get_name(space, it->entity));
        ck_assert_ptr_eq(it->fuel, space_get_fuel(space, it->entity));
        note(&docked, it->entity, it->depth, it->parent_world == NULL ? SPACE_NO_ENTITY : host_of(it->entity));
    }
}

void dock_enter(orrery_world *world, const space_entity *entities, uint32_t count)
{
    (void)world, (void)entities, (void)count;
}

void dock_leave(orrery_world *world, const space_entity *entities, uint32_t count)
{
    (void)world, (void)entities, (void)count;
}

static Light light_of(space_entity entity)
{
    Light light;
    ck_assert(space_read_light(space, entity, &light));
    return light;
}

static Heat heat_of(space_entity entity)
{
    Heat heat;
    ck_assert(space_read_heat(space, entity, &heat));
    return heat;
}

// Shows a soa component, optional components, and those of the parent.
void shine_update(orrery_world *world, shine_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    shone.turns++;
    while (shine_next(it)) {
        space_entity center = center_of(it->entity);
        Light light = light_of(it->entity);
        ck_assert(*it->light.brightness == light.brightness);
        ck_assert_uint_eq((*it->light.color)[2], light.color[2]);
        ck_assert_ptr_eq(it->fuel, space_get_fuel(space, it->entity));
        ck_assert_ptr_eq(it->local, space_get_local(space, it->entity));
        ck_assert_ptr_eq(it->parent_fuel, it->parent_world == NULL ? NULL : space_get_fuel(space, center));
        ck_assert_ptr_eq(it->parent_local, it->parent_world == NULL ? NULL : space_get_local(space, center));
        ck_assert_int_eq(it->heat.kelvin != NULL, space_has_heat(space, it->entity));
        if (it->heat.kelvin != NULL)
            ck_assert(*it->heat.kelvin == heat_of(it->entity).kelvin);
        if (it->parent_world != NULL)
            ck_assert(*it->parent_light.brightness == light_of(center).brightness);
        note(&shone, it->entity, it->depth, it->parent_world == NULL ? SPACE_NO_ENTITY : center);
        *it->light.brightness += 1;
        if (skips && kin_entity_slot(it->entity.id) % 2 == 1)
            shine_skip(it);
    }
}

void warn_update(orrery_world *world, warn_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    warned.turns++;
    while (warn_next(it)) {
        note(&warned, it->entity, it->depth, SPACE_NO_ENTITY);
        if (skips && kin_entity_slot(it->entity.id) % 2 == 1)
            warn_skip(it);
    }
}

// Shows a shared and a boxed component, also of the parent.
void tint_update(orrery_world *world, tint_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    tinted.turns++;
    while (tint_next(it)) {
        space_entity center = center_of(it->entity);
        ck_assert_ptr_eq(it->paint, space_get_paint(space, it->entity));
        ck_assert_ptr_eq(it->fuel, space_get_fuel(space, it->entity));
        ck_assert_ptr_eq(it->local, space_get_local(space, it->entity));
        if (it->parent_local != NULL) {
            ck_assert_ptr_eq(it->parent_paint, space_get_paint(space, center));
            ck_assert_ptr_eq(it->parent_fuel, space_get_fuel(space, center));
            ck_assert_ptr_eq(it->parent_local, space_get_local(space, center));
        }
        note(&tinted, it->entity, it->depth, it->parent_local == NULL ? SPACE_NO_ENTITY : center);
    }
}

void count_update(orrery_world *world, count_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (count_next(it))
        ck_assert(!space_is_hidden(space, it->entity));
}

void hide_update(orrery_world *world, hide_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (hide_next(it))
        ck_assert_int_eq(it->space_entity->number, space_get_space_entity(space, it->entity)->number);
}

void arrive_enter(orrery_world *world, const space_entity *entities, uint32_t count)
{
    (void)world, (void)entities, (void)count;
}

void show_update(orrery_world *world, show_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (show_next(it))
        ck_assert_ptr_nonnull(it->world);
}

// Not used by the tests below: visits each entity of a tree level by level.

// Visits the second tree level by level.
void level_update(orrery_world *world, level_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    levelled.turns++;
    while (level_next(it)) {
        if (skips && kin_entity_slot(it->entity.id) % 2 == 1)
            level_skip(it);
        note(&levelled, it->entity, it->depth, it->parent_world == NULL ? SPACE_NO_ENTITY : host_of(it->entity));
    }
}

// ---- the world

void clear_visits(void)
{
    propagated.count = refreshed.count = docked.count = shone.count = warned.count = levelled.count = 0;
    tinted.count = 0;
}

static void begin(const kin_context_options *options)
{
    orrery = orrery_world_create(options, NULL);
    space = orrery->contexts->space;
    memset(bodies, 0, sizeof bodies);
    clear_visits();
    propagated.turns = refreshed.turns = docked.turns = shone.turns = warned.turns = levelled.turns = 0;
    tinted.turns = 0;
    act = NULL;
    skips = has_acted = false;
}

void orrery_begin(void)
{
    begin(NULL);
}

void orrery_begin_silent(void)
{
    begin(&(kin_context_options){.on_error = ignore_error});
}

void orrery_end(void)
{
    orrery_world_destroy(orrery);
}
