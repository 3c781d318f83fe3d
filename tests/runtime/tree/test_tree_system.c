// Systems over trees: what they visit, beside a recursion over the children, and what they show of each entity.
#include "suites.h"

#include <orrery/orrery.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 60, MOST = 2048, ROUNDS = 300 };

typedef struct visit {
    uint64_t entity, parent; // the parent: 0 unless its values were shown
    uint32_t depth;
} visit;

typedef struct visits {
    visit all[MOST];
    uint32_t count;
    uint32_t turns;
} visits;

static orrery_world *orrery;
static space_context *space;
static space_entity bodies[BODIES];
static visits propagated, refreshed, docked, shone, warned;
static uint32_t state;

// What the next update does at its `acts_at`-th visit.
static uint32_t acts_at;
static void (*act)(space_entity entity);
static bool has_acted;
static bool skips; // the branches of entities in odd slots

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
}

static void note(visits *visits, space_entity entity, uint32_t depth, space_entity parent)
{
    ck_assert_uint_lt(visits->count, MOST);
    visits->all[visits->count++] = (visit){entity.id, parent.id, depth};
    if (act != NULL && visits->count == acts_at) {
        has_acted = true;
        act(entity);
    }
}

static space_entity center_of(space_entity entity)
{
    const Orbits *orbits = space_get_orbits(space, entity);
    return orbits == NULL ? SPACE_NO_ENTITY : orbits->center;
}

static space_entity host_of(space_entity entity)
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
static visits levelled;

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

// ---- what they should visit

typedef uint32_t copy(const space_context *space, space_entity parent, space_entity *entities, uint32_t capacity);

typedef struct tree {
    copy *copy;
    space_entity (*parent_of)(space_entity entity);
    const kin_group *group;
    const bool *changed; // by slot; NULL: all members are visited
} tree;

static visits expected;

static bool is_member(const tree *tree, space_entity entity)
{
    return kin_group_contains(tree->group, entity.id);
}

// Notes an entity if it is to be visited. Returns whether the members below are, and in `*goes_on` whether any may be.
static bool expect(const tree *tree, space_entity entity, uint32_t depth, bool follows, bool *goes_on)
{
    space_entity parent = tree->parent_of(entity);
    *goes_on = true;
    if (!is_member(tree, entity))
        return follows;
    if (!follows && tree->changed != NULL && !tree->changed[kin_entity_slot(entity.id)])
        return false;
    *goes_on = !skips || kin_entity_slot(entity.id) % 2 == 0;
    expected.all[expected.count++] = (visit){entity.id, is_member(tree, parent) ? parent.id : 0, depth};
    return true;
}

static void expect_branch(const tree *tree, space_entity entity, uint32_t depth, bool follows)
{
    bool goes_on;
    space_entity below[BODIES];
    follows = expect(tree, entity, depth, follows, &goes_on);
    uint32_t count = goes_on ? tree->copy(space, entity, below, BODIES) : 0;
    for (uint32_t i = 0; i < count; i++)
        expect_branch(tree, below[i], depth + 1, follows);
}

static int compare_slots(const void *a, const void *b)
{
    uint32_t left = kin_entity_slot(((const space_entity *)a)->id),
             right = kin_entity_slot(((const space_entity *)b)->id);
    return (left > right) - (left < right);
}

// Lists the entities without a parent, by slot.
static uint32_t list_roots(const tree *tree, space_entity roots[BODIES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < BODIES; i++)
        if (space_entity_is_alive(space, bodies[i]) && tree->parent_of(bodies[i]).id == 0)
            roots[count++] = bodies[i];
    qsort(roots, count, sizeof *roots, compare_slots);
    return count;
}

static void expect_deep(const tree *tree)
{
    space_entity roots[BODIES];
    uint32_t count = list_roots(tree, roots);
    expected.count = 0;
    for (uint32_t i = 0; i < count; i++)
        expect_branch(tree, roots[i], 0, false);
}

static void expect_broad(const tree *tree)
{
    space_entity level[BODIES], next[BODIES];
    bool follows[BODIES] = {false}, next_follows[BODIES];
    uint32_t count = list_roots(tree, level);
    expected.count = 0;
    for (uint32_t depth = 0, next_count; count > 0; depth++, count = next_count) {
        next_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            bool goes_on, followed = expect(tree, level[i], depth, follows[i], &goes_on);
            uint32_t added = goes_on ? tree->copy(space, level[i], next + next_count, BODIES - next_count) : 0;
            for (uint32_t j = 0; j < added; j++)
                next_follows[next_count++] = followed;
        }
        memcpy(level, next, sizeof level);
        memcpy(follows, next_follows, sizeof follows);
    }
}

static void compare(const visits *visits, const char *what, bool has_parents)
{
    for (uint32_t i = 0; i < visits->count && i < expected.count; i++) {
        const visit *found = &visits->all[i], *wanted = &expected.all[i];
        if (found->entity != wanted->entity || found->depth != wanted->depth ||
            (has_parents && found->parent != wanted->parent))
            ck_abort_msg("%s: visit %u is slot %u at depth %u, not slot %u at depth %u", what, i,
                         kin_entity_slot(found->entity), found->depth, kin_entity_slot(wanted->entity), wanted->depth);
    }
    if (visits->count != expected.count)
        ck_abort_msg("%s: %u visits, not %u", what, visits->count, expected.count);
}

// ---- random forests

static void clear_visits(void)
{
    propagated.count = refreshed.count = docked.count = shone.count = warned.count = levelled.count = 0;
}

static void begin(void)
{
    orrery = orrery_world_create(NULL, NULL);
    space = orrery->contexts->space;
    memset(bodies, 0, sizeof bodies);
    clear_visits();
    propagated.turns = refreshed.turns = docked.turns = shone.turns = warned.turns = levelled.turns = 0;
    act = NULL;
    skips = has_acted = false;
}

static void end(void)
{
    orrery_world_destroy(orrery);
}

static bool changed[512], alarmed[512]; // by slot: for Refresh and for Warn

static void mark(space_entity entity, bool of_refresh, bool of_warn)
{
    uint32_t slot = kin_entity_slot(entity.id);
    changed[slot] = changed[slot] || of_refresh;
    alarmed[slot] = alarmed[slot] || of_warn;
}

// Adds what lacks for the group of Propagate and Refresh, or removes a part of it.
static void toggle_place(space_entity entity)
{
    bool has_local = space_has_local(space, entity), has_world = space_has_world(space, entity);
    if (has_local && has_world && draw(2) == 0) {
        ck_assert_int_eq(space_remove_world(space, entity), KIN_OK);
        return;
    }
    if (!has_local)
        space_add_local(space, entity, (Local){(float)draw(9), (float)draw(9)});
    if (!has_world)
        space_add_world(space, entity, (World){0, 0});
    mark(entity, !has_local || !has_world, false);
}

static void toggle_light(space_entity entity)
{
    if (space_has_light(space, entity))
        space_remove_light(space, entity);
    else
        space_add_light(space, entity, (Light){.brightness = (float)draw(100), .color = {1, 2, (uint8_t)draw(200)}});
    if (draw(2) == 0 && !space_has_fuel(space, entity))
        space_add_fuel(space, entity, (Fuel){(double)draw(100)});
    else if (draw(2) == 0 && space_has_fuel(space, entity))
        space_remove_fuel(space, entity);
    if (draw(3) == 0 && !space_has_heat(space, entity))
        space_add_heat(space, entity, (Heat){(float)draw(100)});
}

// Members of Warn have Alarm or Hidden. Adding the second of both is no entry, but adding Alarm is a change all the same.
static void toggle_flags(space_entity entity)
{
    bool is_alarm = draw(2) == 0, was_member = space_is_alarm(space, entity) || space_is_hidden(space, entity);
    if (is_alarm)
        space_set_alarm(space, entity, !space_is_alarm(space, entity));
    else
        space_set_hidden(space, entity, !space_is_hidden(space, entity));
    mark(entity, is_alarm, is_alarm || !was_member);
}

static void move(space_entity entity, space_entity parent)
{
    bool is_orbit = draw(2) == 0;
    if (is_orbit && draw(6) == 0 && space_has_orbits(space, entity)) {
        ck_assert_int_eq(space_remove_orbits(space, entity), KIN_OK);
        mark(entity, true, false);
    } else if (is_orbit && space_replace_orbits(space, entity, (Orbits){parent}) == KIN_OK) {
        mark(entity, true, false);
    } else if (!is_orbit && space_replace_docked_to(space, entity, (DockedTo){parent}) == KIN_OK) {
        mark(entity, false, true);
    }
}

// Docked entities whose host is destroyed have another place in their tree.
static void destroy(space_entity entity)
{
    for (uint32_t i = 0; i < BODIES; i++)
        for (space_entity host = bodies[i]; space_entity_is_alive(space, host); host = center_of(host))
            if (space_entity_is_alive(space, bodies[i]) && host.id == entity.id)
                for (uint32_t j = 0; j < BODIES; j++)
                    if (host_of(bodies[j]).id == bodies[i].id)
                        mark(bodies[j], false, true);
    ck_assert_int_eq(space_destroy_entity(space, entity), KIN_OK);
}

static void change(void)
{
    uint32_t number = draw(BODIES);
    space_entity entity = bodies[number];
    if (!space_entity_is_alive(space, entity)) {
        bodies[number] = entity = space_create_entity(space);
        changed[kin_entity_slot(entity.id)] = alarmed[kin_entity_slot(entity.id)] = false;
        toggle_place(entity);
        return;
    }
    switch (draw(9)) {
    case 0:
        toggle_place(entity);
        break;
    case 1:
        toggle_light(entity);
        break;
    case 2:
        toggle_flags(entity);
        break;
    case 3:
        if (draw(3) == 0)
            destroy(entity);
        break;
    case 4: {
        Local *local = space_edit_local(space, entity); // silent
        if (local != NULL)
            local->x += 1;
        break;
    }
    case 5:
        mark(entity, space_has_local(space, entity) && space_replace_local(space, entity, (Local){1, 2}) == KIN_OK,
             false);
        break;
    case 6:
        mark(entity, space_has_local(space, entity) && space_touch_local(space, entity) == KIN_OK, false);
        break;
    default:
        move(entity, draw(9) == 0 ? SPACE_NO_ENTITY : bodies[draw(BODIES)]);
        break;
    }
}

static void compare_all(void)
{
    const tree orbiters = {space_copy_orbiters, center_of, space_placed_group(space), NULL};
    const tree docks = {space_copy_docked, host_of, space_placed_group(space), NULL};
    tree each = orbiters;
    expect_deep(&each);
    compare(&propagated, "Propagate", true);
    each.changed = changed;
    expect_deep(&each);
    compare(&refreshed, "Refresh", true);
    each = orbiters;
    each.group = space_bodies_group(space);
    expect_deep(&each);
    compare(&shone, "Shine", true);
    each = docks;
    expect_broad(&each);
    compare(&levelled, "Level", true);
    each.group = space_marked_group(space);
    each.changed = alarmed;
    expect_broad(&each);
    compare(&warned, "Warn", false);
}

static void play(uint32_t seed, bool with_skips)
{
    state = seed;
    skips = with_skips;
    memset(changed, 0, sizeof changed);
    memset(alarmed, 0, sizeof alarmed);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t changes = draw(2) == 0 ? draw(3) : draw(40); changes > 0; changes--)
            change();
        clear_visits();
        orrery_world_update(orrery, 1);
        compare_all();
        memset(changed, 0, sizeof changed);
        memset(alarmed, 0, sizeof alarmed);
    }
}

START_TEST(rel_20_rel_21_rel_22_systems_visit_what_a_recursion_visits)
{
    play((uint32_t)_i, false);
}
END_TEST

START_TEST(rel_20_rel_21_rel_22_a_skipped_branch_is_not_visited)
{
    play(100 + (uint32_t)_i, true);
}
END_TEST

// ---- changes during an update

static space_entity body(space_entity center)
{
    space_entity entity = space_create_entity(space);
    space_add_local(space, entity, (Local){1, 1});
    space_add_world(space, entity, (World){0, 0});
    space_add_orbits(space, entity, (Orbits){center});
    return entity;
}

// A tree: 0 has 1 and 2, 1 has 3 and 4, 2 has 5. All are placed.
static void make_tree(void)
{
    static const uint32_t centers[] = {0, 0, 0, 1, 1, 2};
    for (uint32_t i = 0; i < 6; i++)
        bodies[i] = body(i == 0 ? SPACE_NO_ENTITY : bodies[centers[i]]);
}

static void check_visits(const visits *visits, const char *numbers)
{
    char found[64] = "";
    for (uint32_t i = 0; i < visits->count; i++)
        for (uint32_t j = 0; j < 10; j++)
            if (visits->all[i].entity == bodies[j].id)
                found[i] = (char)('0' + j);
    ck_assert_str_eq(found, numbers);
}

static void act_in_update(uint32_t at, void (*action)(space_entity))
{
    acts_at = at;
    act = action;
    clear_visits();
    orrery_world_update(orrery, 1);
    act = NULL;
    has_acted = false;
}

static void destroy_2(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_destroy_entity(space, bodies[2]), KIN_OK);
    act = NULL;
}

static void leave_2(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_remove_world(space, bodies[2]), KIN_OK);
    act = NULL;
}

static void move_2_below_1(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_replace_orbits(space, bodies[2], (Orbits){bodies[1]}), KIN_OK);
    act = NULL;
}

static void replace_2(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_destroy_entity(space, bodies[2]), KIN_OK);
    bodies[6] = body(bodies[0]);
    bodies[7] = body(bodies[0]);
    act = NULL;
}

START_TEST(rel_20_a_member_that_was_destroyed_is_not_visited)
{
    make_tree();
    act_in_update(3, destroy_2);
    check_visits(&propagated, "0134");
}
END_TEST

START_TEST(rel_20_a_member_that_left_the_group_is_not_visited_nor_shown_as_a_parent)
{
    make_tree();
    act_in_update(3, leave_2);
    check_visits(&propagated, "01345");
    ck_assert_uint_eq(propagated.all[4].parent, 0);
}
END_TEST

START_TEST(rel_20_a_move_in_the_update_is_seen_in_the_next_turn)
{
    make_tree();
    act_in_update(3, move_2_below_1);
    check_visits(&propagated, "013425");
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&propagated, "013425");
    ck_assert_uint_eq(propagated.all[4].depth, 2);
    ck_assert_uint_eq(propagated.all[4].parent, bodies[1].id);
}
END_TEST

START_TEST(rel_20_a_member_that_entered_in_the_update_is_visited_in_the_next_turn)
{
    make_tree();
    act_in_update(3, replace_2);
    check_visits(&propagated, "0134");
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&propagated, "013467");
}
END_TEST

START_TEST(rel_20_values_flow_from_parents_to_children_in_one_turn)
{
    make_tree();
    orrery_world_update(orrery, 1);
    ck_assert(space_get_world(space, bodies[0])->x == 1);
    ck_assert(space_get_world(space, bodies[2])->x == 2);
    ck_assert(space_get_world(space, bodies[5])->x == 3);
}
END_TEST

// ---- only what has changed

static void touch_5(space_entity entity)
{
    (void)entity;
    ck_assert_int_eq(space_touch_local(space, bodies[5]), KIN_OK);
    act = NULL;
}

START_TEST(rel_21_the_first_turn_visits_all_and_the_next_one_nothing)
{
    make_tree();
    orrery_world_update(orrery, 1);
    ck_assert_uint_eq(refreshed.count, 6);
    clear_visits();
    orrery_world_update(orrery, 1);
    ck_assert_uint_eq(refreshed.count, 0);
    ck_assert_uint_eq(refreshed.turns, 2);
}
END_TEST

START_TEST(rel_21_a_change_of_a_component_that_is_not_read_counts_for_nothing)
{
    make_tree();
    orrery_world_update(orrery, 1);
    clear_visits();
    space_replace_world(space, bodies[1], (World){5, 5});
    space_touch_world(space, bodies[0]);
    space_edit_local(space, bodies[2])->x = 7;
    orrery_world_update(orrery, 1);
    ck_assert_uint_eq(refreshed.count, 0);
}
END_TEST

START_TEST(rel_21_a_change_during_the_update_counts_for_the_next_turn)
{
    make_tree();
    act_in_update(1, NULL);
    clear_visits();
    space_touch_local(space, bodies[0]);
    act_in_update(6, touch_5); // in the update of Propagate, which runs before
    check_visits(&refreshed, "013425");
    space_touch_local(space, bodies[1]);
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "134");
}
END_TEST

static void touch_1_in_refresh(space_entity entity)
{
    (void)entity;
    if (refreshed.count == 0)
        return;
    ck_assert_int_eq(space_touch_local(space, bodies[1]), KIN_OK);
    act = NULL;
}

START_TEST(rel_21_a_change_in_its_own_update_counts_for_the_next_turn)
{
    make_tree();
    orrery_world_update(orrery, 1);
    space_touch_local(space, bodies[2]);
    act_in_update(2, touch_1_in_refresh);
    check_visits(&refreshed, "25");
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "134");
}
END_TEST

START_TEST(rel_21_an_entity_that_left_and_entered_again_has_changed)
{
    make_tree();
    orrery_world_update(orrery, 1);
    space_remove_world(space, bodies[1]);
    space_add_world(space, bodies[1], (World){0, 0});
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "134");
}
END_TEST

START_TEST(rel_21_the_first_turn_after_a_reset_visits_all)
{
    make_tree();
    orrery_world_update(orrery, 1);
    ck_assert_int_eq(orrery_world_reset(orrery), KIN_OK);
    make_tree();
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "013425");
}
END_TEST

START_TEST(rel_21_a_disabled_system_gets_what_has_changed_when_it_is_enabled)
{
    make_tree();
    orrery_world_update(orrery, 1);
    kin_systems_set_enabled(orrery_world_systems(orrery), "Refresh", false);
    space_touch_local(space, bodies[2]);
    orrery_world_update(orrery, 1);
    kin_systems_set_enabled(orrery_world_systems(orrery), "Refresh", true);
    clear_visits();
    orrery_world_update(orrery, 1);
    check_visits(&refreshed, "25");
}
END_TEST

// ---- deep trees

START_TEST(rel_20_a_chain_of_a_hundred_thousand_is_visited_without_recursion)
{
    enum { DEPTH = 100000 };
    static space_entity chain[DEPTH];
    for (uint32_t i = 0; i < DEPTH; i++) {
        chain[i] = space_create_entity(space);
        if (i > 0)
            space_add_orbits(space, chain[i], (Orbits){chain[i - 1]});
    }
    space_add_local(space, chain[DEPTH - 1], (Local){1, 1});
    space_add_world(space, chain[DEPTH - 1], (World){0, 0});
    orrery_world_update(orrery, 1);
    ck_assert_uint_eq(propagated.count, 1);
    ck_assert_uint_eq(propagated.all[0].depth, DEPTH - 1);
}
END_TEST

Suite *runtime_tree_system_suite(void)
{
    Suite *suite = suite_create("runtime_tree_system");
    TCase *tests = tcase_create("visits");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_loop_test(tests, rel_20_rel_21_rel_22_systems_visit_what_a_recursion_visits, 0, 8);
    tcase_add_loop_test(tests, rel_20_rel_21_rel_22_a_skipped_branch_is_not_visited, 0, 4);
    tcase_add_test(tests, rel_20_a_member_that_was_destroyed_is_not_visited);
    tcase_add_test(tests, rel_20_a_member_that_left_the_group_is_not_visited_nor_shown_as_a_parent);
    tcase_add_test(tests, rel_20_a_move_in_the_update_is_seen_in_the_next_turn);
    tcase_add_test(tests, rel_20_a_member_that_entered_in_the_update_is_visited_in_the_next_turn);
    tcase_add_test(tests, rel_20_values_flow_from_parents_to_children_in_one_turn);
    tcase_add_test(tests, rel_20_a_chain_of_a_hundred_thousand_is_visited_without_recursion);
    suite_add_tcase(suite, tests);
    tests = tcase_create("only what has changed");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, rel_21_the_first_turn_visits_all_and_the_next_one_nothing);
    tcase_add_test(tests, rel_21_a_change_of_a_component_that_is_not_read_counts_for_nothing);
    tcase_add_test(tests, rel_21_a_change_during_the_update_counts_for_the_next_turn);
    tcase_add_test(tests, rel_21_a_change_in_its_own_update_counts_for_the_next_turn);
    tcase_add_test(tests, rel_21_an_entity_that_left_and_entered_again_has_changed);
    tcase_add_test(tests, rel_21_the_first_turn_after_a_reset_visits_all);
    tcase_add_test(tests, rel_21_a_disabled_system_gets_what_has_changed_when_it_is_enabled);
    suite_add_tcase(suite, tests);
    return suite;
}
