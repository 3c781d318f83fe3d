// What systems over trees visit in random forests, beside a recursion over the children. Between updates the world is
// saved and restored, with the marks of what has changed.
#include "runtime/support/environment.h"
#include "runtime/support/orrery_case.h"
#include "suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MOMENTS = 4 };
enum { STEPS = 40000, GAMES = 12, SKIPPING = 4 }; // SKIPPING of the games leave out branches

static uint32_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
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

// Members of Warn have Alarm or Hidden. Adding the second of both is no entry, but adding Alarm is a change all the
// same.
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

// ---- snapshots

typedef struct moment {
    kin_snapshot *snapshot; // NULL: none
    space_entity bodies[BODIES];
    bool changed[512], alarmed[512];
} moment;

static moment moments[MOMENTS];

static void save(moment *moment)
{
    ck_assert_int_eq(orrery_world_save(orrery, &moment->snapshot), KIN_OK);
    memcpy(moment->bodies, bodies, sizeof moment->bodies);
    memcpy(moment->changed, changed, sizeof changed);
    memcpy(moment->alarmed, alarmed, sizeof alarmed);
}

static void go_back(const moment *moment)
{
    if (moment->snapshot == NULL)
        return;
    ck_assert_int_eq(orrery_world_restore(orrery, moment->snapshot, KIN_RESTORE_EXACTLY), KIN_OK);
    memcpy(bodies, moment->bodies, sizeof moment->bodies);
    memcpy(changed, moment->changed, sizeof changed);
    memcpy(alarmed, moment->alarmed, sizeof alarmed);
}

static void take_moment(void)
{
    moment *moment = &moments[draw(MOMENTS)];
    if (draw(2) == 0)
        save(moment);
    else
        go_back(moment);
}

static void end_moments(void)
{
    for (int i = 0; i < MOMENTS; i++) {
        kin_snapshot_destroy(moments[i].snapshot);
        moments[i].snapshot = NULL;
    }
}

// ---- games

static void play(uint32_t game, bool with_skips)
{
    uint64_t steps = environment_steps(STEPS, GAMES);
    state = (uint32_t)environment_seed(game, GAMES);
    skips = with_skips;
    memset(changed, 0, sizeof changed);
    memset(alarmed, 0, sizeof alarmed);
    for (uint64_t step = 0; step < steps; step++) {
        for (uint32_t changes = draw(2) == 0 ? draw(3) : draw(40); changes > 0; changes--, step++)
            change();
        if (draw(4) == 0)
            take_moment();
        clear_visits();
        orrery_world_update(orrery, 1);
        compare_all();
        memset(changed, 0, sizeof changed);
        memset(alarmed, 0, sizeof alarmed);
    }
    end_moments();
}

START_TEST(rel_20_rel_21_rel_22_snp_01_systems_visit_what_a_recursion_visits)
{
    play((uint32_t)_i, false);
}
END_TEST

START_TEST(rel_20_rel_21_rel_22_a_skipped_branch_is_not_visited)
{
    play(GAMES - SKIPPING + (uint32_t)_i, true);
}
END_TEST

Suite *runtime_tree_random_suite(void)
{
    Suite *suite = suite_create("runtime_tree_random");
    TCase *tests = tcase_create("forests");
    tcase_set_timeout(tests, 0);
    tcase_add_checked_fixture(tests, orrery_begin_silent, orrery_end);
    tcase_add_loop_test(tests, rel_20_rel_21_rel_22_snp_01_systems_visit_what_a_recursion_visits, 0, GAMES - SKIPPING);
    tcase_add_loop_test(tests, rel_20_rel_21_rel_22_a_skipped_branch_is_not_visited, 0, SKIPPING);
    suite_add_tcase(suite, tests);
    return suite;
}
