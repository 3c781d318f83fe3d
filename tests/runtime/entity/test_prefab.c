// Prefabs and parts as values (CNT-03, CNT-04, CNT-10, CNT-11): blueprints that are made at run time, and slots.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <fort/fort.h>
#include <kin/prefab.h>
#include <kin/reflect.h>

#include <string.h>

CASE(game)

static void watch_all(int watched, kin_listener *handler)
{
    if (watched == 1)
        kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, handler, NULL);
}

static uint32_t blueprint_of(const char *name)
{
    for (uint32_t i = 0; i < game_info.blueprint_count; i++)
        if (strcmp(game_info.blueprints[i].name, name) == 0)
            return i;
    ck_abort_msg("no blueprint %s", name);
    return 0;
}

// ---- parts as values

static void ck_barrels(const game_cannon_parts *gun)
{
    const Barrels *barrels = game_get_barrels(game, gun->head.entity);
    ck_assert_ptr_nonnull(barrels);
    ck_assert_entity(barrels->left, gun->head.left.entity);
    ck_assert_entity(barrels->right, gun->head.right.entity);
}

static void remember_barrels(const kin_change *change, void *user)
{
    const Barrels *barrels = change->value;
    if (change->component == GAME_BARRELS)
        *(Barrels *)user = *barrels;
}

START_TEST(cnt_11_values_name_the_parts_of_their_spawn)
{
    game_cannon_parts gun;
    watch_all(_i, count_call);
    game_spawn_cannon_parts(game, &gun);
    ck_barrels(&gun);
    game_big_cannon_parts big;
    game_spawn_big_cannon_parts(game, &big);
    ck_assert_entity(game_get_barrels(game, big.head.entity)->left, big.head.left.entity);
}
END_TEST

START_TEST(cnt_11_listeners_see_the_parts_that_come_later)
{
    game_cannon_parts gun;
    Barrels seen = {.left = GAME_NO_ENTITY};
    kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, remember_barrels, &seen);
    game_spawn_cannon_parts(game, &gun);
    ck_assert_entity(seen.left, gun.head.left.entity);
    ck_assert_entity(seen.right, gun.head.right.entity);
}
END_TEST

// Takes the slots that the spawn expects.
static void make_another(const kin_change *change, void *user)
{
    (void)user;
    if (change->component == GAME_GUN)
        game_create_entity(game);
}

START_TEST(cnt_11_a_listener_that_makes_entities_moves_the_parts)
{
    game_cannon_parts gun;
    kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, make_another, NULL);
    game_spawn_cannon_parts(game, &gun);
    ck_barrels(&gun);
}
END_TEST

START_TEST(cnt_11_relations_and_values_in_arrays_name_parts)
{
    game_tower_parts tower;
    watch_all(_i, count_call);
    game_spawn_tower_parts(game, &tower);
    const Watch *watch = game_get_watch(game, tower.entity);
    ck_assert_entity(watch->by, tower.gun.head.entity);
    ck_assert_entity(watch->sights[0].target, tower.gun.head.left.entity);
    ck_assert_entity(watch->sights[1].target, tower.entity);
    ck_assert_float_eq(watch->sights[1].range, 2);
    ck_barrels(&tower.gun);
    game_destroy_entity(game, tower.gun.head.entity);
    ck_assert_entity(game_get_watch(game, tower.entity)->by, GAME_NO_ENTITY);
}
END_TEST

START_TEST(cnt_11_a_relation_names_the_entity_that_has_it)
{
    static kin_slot_info slots[3];
    kin_prefab_info info = {.entity = game_info.blueprints[blueprint_of("Tower")]};
    kin_entity made[8];
    info.children = game_info.children;
    info.child_count = game_info.child_count;
    for (uint32_t i = 0; i < 3; i++) {
        slots[i] = info.entity.slots[i];
        slots[i].part = 0;
    }
    info.entity.slots = slots;
    info.entity.slot_count = 3;
    watch_all(_i, count_call);
    kin_prefab tower = kin_prefab_make(&game->base, &info, NULL);
    ck_assert_uint_eq(kin_prefab_entity_count(&game->base, tower), 7);
    ck_assert_int_eq(kin_prefab_spawn(&game->base, tower, NULL, made), KIN_OK);
    const Watch *watch = kin_get(&game->base, made[0], GAME_WATCH);
    ck_assert_uint_eq(watch->by.id, made[0]);
    ck_assert_uint_eq(watch->sights[0].target.id, made[0]);
}
END_TEST

START_TEST(cnt_11_a_value_of_the_caller_that_names_an_entity_stays)
{
    game_entity other = game_create_entity(game);
    Watch watch = {.by = other};
    game_entity tower = game_spawn_tower_with(game, (game_tower_value){.watch = watch, .given = {.watch = true}});
    ck_assert_entity(game_get_watch(game, tower)->by, other);
}
END_TEST

// Returns the place of a component among those of all entities of a blueprint.
static uint32_t place_of(const kin_blueprint_info *info, uint32_t entity, kin_component_id id)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i <= entity; i++) {
        const kin_blueprint_info *of = i == 0 ? info : &game_info.children[info->descendants[i - 1].child].entity;
        for (uint32_t k = 0; k < of->component_count; k++, place++)
            if (i == entity && of->components[k] == id)
                return place;
    }
    ck_abort_msg("entity %u lacks the component", (unsigned)entity);
    return 0;
}

START_TEST(cnt_11_a_value_of_a_batch_that_names_an_entity_stays)
{
    enum { HEAD = 3, ENTITIES = 6 };
    const kin_blueprint_info *cannon = &game_info.blueprints[blueprint_of("Cannon")];
    kin_prefab_info info = {.entity = *cannon, .children = game_info.children, .child_count = game_info.child_count};
    kin_prefab number = kin_prefab_make(&game->base, &info, NULL);
    game_entity other = game_create_entity(game);
    Barrels barrels = {.left = other};
    const void *values[64] = {NULL};
    kin_prefab_batch batch = {1, values};
    kin_entity made[ENTITIES];
    values[place_of(cannon, HEAD, GAME_BARRELS)] = &barrels;
    watch_all(_i, count_call);
    ck_assert_uint_eq(kin_prefab_entity_count(&game->base, number), ENTITIES);
    for (int i = 0; i < 2; i++) { // the first one makes room for the second one, which is written fast
        ck_assert_int_eq(kin_prefab_spawn(&game->base, number, &batch, made), KIN_OK);
        const Barrels *given = kin_get(&game->base, made[HEAD], GAME_BARRELS);
        ck_assert_entity(given->left, other);
        ck_assert_uint_eq(given->right.id, made[HEAD + 2]);
    }
}
END_TEST

START_TEST(cnt_11_many_spawns_name_each_their_own_parts)
{
    game_entity guns[3];
    watch_all(_i, count_call);
    ck_assert_int_eq(game_spawn_many_cannon(game, 3, guns), KIN_OK);
    for (uint32_t i = 0; i < 3; i++) {
        game_entity head = game_parts_first(game, guns[i]);
        head = game_parts_next(game, game_parts_next(game, head));
        ck_assert_entity(game_get_barrels(game, head)->left, game_parts_first(game, head));
    }
}
END_TEST

// ---- prefabs

// FastCannon: the tables of Cannon under another name, with one entity more.
static kin_prefab_info fast_tables(void)
{
    static kin_child_info children[6];
    static kin_descendant_info descendants[6];
    const kin_blueprint_info *cannon = &game_info.blueprints[blueprint_of("Cannon")];
    static const kin_component_id flag[] = {GAME_BOX, GAME_CHILD_OF, GAME_LOCAL, GAME_ORIGIN};
    kin_prefab_info info = {.entity = *cannon, .children = children, .child_count = 6};
    for (uint32_t i = 0; i < 5; i++) {
        children[i] = game_info.children[cannon->descendants[i].child];
        descendants[i] = (kin_descendant_info){i, cannon->descendants[i].parent};
    }
    children[5] = (kin_child_info){
        {.name = "FastCannon.flag", .components = flag, .component_count = 4}, blueprint_of("Block"), 0};
    descendants[5] = (kin_descendant_info){5, 3};
    info.entity.name = "FastCannon";
    info.entity.extends = 1 + blueprint_of("Cannon");
    info.entity.descendants = descendants;
    info.entity.descendant_count = 6;
    return info;
}

START_TEST(cnt_10_a_prefab_uses_the_slots_of_what_its_entities_are_of)
{
    kin_prefab_info info = fast_tables();
    kin_entity made[7];
    watch_all(_i, count_call);
    kin_prefab prefab = kin_prefab_make(&game->base, &info, NULL);
    ck_assert_uint_ne(prefab, KIN_NO_PREFAB);
    ck_assert_uint_eq(kin_prefab_entity_count(&game->base, prefab), 7);
    ck_assert_int_eq(kin_prefab_spawn(&game->base, prefab, NULL, made), KIN_OK);
    game_entity block = game_spawn_block(game), cannon = game_spawn_cannon(game);
    ck_assert_uint_eq(kin_entity_slot(block.id), kin_entity_slot(made[6]) + 1);
    ck_assert_uint_eq(kin_entity_slot(cannon.id), kin_entity_slot(made[0]) + 1);
    ck_assert_uint_eq(game_get_barrels(game, game_entity_of(made[3]))->left.id, made[4]);
    ck_assert_uint_eq(game_get_child_of(game, game_entity_of(made[6]))->parent.id, made[3]);
    ck_assert_float_eq(game_get_box(game, game_entity_of(made[6]))->height, 1);
    ck_assert_int_eq(game_get_health(game, game_entity_of(made[0]))->points, 100);
    ck_assert_int_eq(kin_prefab_release(&game->base, prefab), KIN_OK);
    ck_assert(game_entity_is_alive(game, game_entity_of(made[0])));
}
END_TEST

START_TEST(cnt_03_values_of_a_batch_and_of_the_prefab_override_defaults)
{
    kin_prefab_info info = fast_tables();
    const Health weak = {.points = 5};
    const Local places[] = {{.at = {1, 2, 3}}, {.at = {4, 5, 6}}};
    const Box flags[] = {{3, 4}, {5, 6}};
    const void *values[40] = {&weak};
    const void *given[40] = {NULL};
    kin_entity made[14];
    watch_all(_i, count_call);
    info.entity.write_values = NULL;
    kin_prefab prefab = kin_prefab_make(&game->base, &info, values);
    uint32_t flag = 0;
    for (uint32_t i = 0; i < 5; i++)
        flag += info.children[i].entity.component_count;
    flag += info.entity.component_count;
    given[1] = places;
    given[flag] = flags;
    kin_prefab_batch batch = {.count = 2, .values = given};
    ck_assert_int_eq(kin_prefab_spawn(&game->base, prefab, &batch, made), KIN_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const kin_entity *spawn = made + i * (size_t)7;
        ck_assert_int_eq(game_get_health(game, game_entity_of(spawn[0]))->points, 5);
        ck_assert_float_eq(game_get_local(game, game_entity_of(spawn[0]))->at.y, places[i].at.y);
        ck_assert_float_eq(game_get_box(game, game_entity_of(spawn[6]))->width, flags[i].width);
        ck_assert_uint_eq(game_get_barrels(game, game_entity_of(spawn[3]))->right.id, spawn[5]);
    }
    ck_assert_int_eq(((const Health *)kin_prefab_value(&game->base, prefab, 0, GAME_HEALTH))->points, 5);
    ck_assert_ptr_null(kin_prefab_value(&game->base, prefab, 0, GAME_BOX));
    ck_assert_ptr_null(kin_prefab_value(&game->base, prefab, 7, GAME_BOX));
}
END_TEST

START_TEST(cnt_10_prefabs_are_watched_as_blueprints_are)
{
    kin_prefab_info info = fast_tables();
    kin_prefab prefab = kin_prefab_make(&game->base, &info, NULL);
    kin_group_subscribe(game_guns_group(game), KIN_ADDED, count_call, NULL);
    ck_assert_int_eq(kin_prefab_spawn(&game->base, prefab, NULL, NULL), KIN_OK);
    ck_assert_uint_eq(call_count, 1);
}
END_TEST

START_TEST(cnt_10_a_number_can_stand_for_another_prefab)
{
    kin_prefab_info info = fast_tables(), other = {.entity = game_info.blueprints[blueprint_of("Block")]};
    kin_prefab a = kin_prefab_make(&game->base, &info, NULL), b = kin_prefab_make(&game->base, &other, NULL);
    ck_assert_int_eq(kin_prefab_swap(&game->base, a, b), KIN_OK);
    ck_assert_uint_eq(kin_prefab_entity_count(&game->base, a), 1);
    ck_assert_uint_eq(kin_prefab_entity_count(&game->base, b), 7);
    kin_prefab_release(&game->base, a);
    kin_prefab_release(&game->base, a);
    ck_assert_uint_eq(kin_prefab_make(&game->base, &other, NULL), a);
    ck_assert_int_eq(kin_prefab_swap(&game->base, a, 9), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_prefab_spawn(&game->base, 9, NULL, NULL), KIN_ERROR_INVALID);
    error_log_clear(&errors);
}
END_TEST

START_TEST(cnt_10_tables_that_do_not_fit_are_refused)
{
    static const kin_component_id unknown[] = {9999}, twice[] = {GAME_BOX, GAME_BOX};
    static const kin_slot_info slot = {0, 9, GAME_LOCAL, 0};
    kin_prefab_info info = fast_tables();
    kin_prefab_info bad[6];
    for (size_t i = 0; i < 6; i++)
        bad[i] = info;
    bad[0].entity.components = unknown;
    bad[0].entity.component_count = 1;
    bad[1].entity.components = twice;
    bad[1].entity.component_count = 2;
    bad[2].entity.slots = &slot;
    bad[2].entity.slot_count = 1;
    bad[3].child_count = 5;
    bad[4].entity.extends = 99;
    bad[5].entity.name = NULL;
    for (size_t i = 0; i < 6; i++)
        ck_assert_uint_eq(kin_prefab_make(&game->base, &bad[i], NULL), KIN_NO_PREFAB);
    ck_assert_uint_eq(errors.count, 6);
    error_log_clear(&errors);
}
END_TEST

static void release_it(const kin_change *change, void *user)
{
    (void)change;
    ck_assert_int_eq(kin_prefab_release(&game->base, *(kin_prefab *)user), KIN_ERROR_INVALID);
    error_log_clear(&errors);
}

START_TEST(cnt_10_a_prefab_is_not_released_in_a_listener)
{
    kin_prefab_info info = fast_tables();
    kin_prefab prefab = kin_prefab_make(&game->base, &info, NULL);
    kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, release_it, &prefab);
    ck_assert_int_eq(kin_prefab_spawn(&game->base, prefab, NULL, NULL), KIN_OK);
}
END_TEST

static kin_prefab_info tables;

static void make_it(const kin_change *change, void *user)
{
    kin_prefab *made = user;
    if (change->component != GAME_GUN || *made != KIN_NO_PREFAB)
        return;
    *made = kin_prefab_make(&game->base, &tables, NULL);
    ck_assert_int_eq(kin_prefab_spawn(&game->base, *made, NULL, NULL), KIN_OK);
}

START_TEST(cnt_10_a_prefab_may_be_made_and_spawned_in_a_listener)
{
    kin_prefab made = KIN_NO_PREFAB;
    tables = fast_tables();
    kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, make_it, &made);
    game_spawn_cannon(game);
    ck_assert_uint_ne(made, KIN_NO_PREFAB);
    ck_assert_uint_eq(game_entity_count(game), 6 + 7); // a cannon, and the prefab
}
END_TEST

// ---- values of blueprints

START_TEST(cnt_04_a_context_has_its_own_values_of_blueprints)
{
    uint32_t cannon = blueprint_of("Cannon"), sign = blueprint_of("Sign");
    const Gun fast = {.interval = 0.125F, .side = SIDE_GREEN};
    const Health weak = {.points = 3};
    const Title title = {"another"};
    game_cannon_parts gun;
    ck_assert_float_eq(((const Gun *)kin_blueprint_value(&game->base, cannon, 3, GAME_GUN))->interval, 0.25F);
    ck_assert_int_eq(kin_blueprint_set_value(&game->base, cannon, 3, GAME_GUN, &fast), KIN_OK);
    ck_assert_int_eq(kin_blueprint_set_value(&game->base, cannon, 0, GAME_HEALTH, &weak), KIN_OK);
    ck_assert_int_eq(kin_blueprint_set_value(&game->base, sign, 0, GAME_TITLE, &title), KIN_OK);
    game_spawn_cannon_parts(game, &gun);
    ck_assert_float_eq(game_get_gun(game, gun.head.entity)->interval, 0.125F);
    ck_assert_int_eq(game_get_health(game, gun.entity)->points, 3);
    ck_assert_str_eq(game_get_title(game, game_spawn_sign(game))->text, "another");
    ck_assert_int_eq(kin_blueprint_set_value(&game->base, cannon, 1, GAME_GUN, &fast), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_blueprint_set_value(&game->base, 99, 0, GAME_GUN, &fast), KIN_ERROR_INVALID);
    error_log_clear(&errors);
    game_context *other = game_context_create(NULL);
    game_spawn_cannon_parts(other, &gun);
    ck_assert_float_eq(game_get_gun(other, gun.head.entity)->interval, 0.25F);
    game_context_destroy(other);
}
END_TEST

START_TEST(cnt_04_entities_of_blueprints_have_their_origin)
{
    game_cannon_parts gun;
    game_spawn_cannon_parts(game, &gun);
    const Origin *first = game_get_origin(game, gun.entity);
    const Origin *left = game_get_origin(game, gun.head.left.entity);
    ck_assert_uint_eq(first->part, 0);
    ck_assert_uint_eq(first->place, 0);
    ck_assert_uint_eq(first->prefab, left->prefab);
    ck_assert_uint_ne(left->part, 0);
    ck_assert_uint_ne(left->part, game_get_origin(game, gun.head.right.entity)->part);
}
END_TEST

Suite *runtime_prefab_suite(void)
{
    Suite *suite = suite_create("runtime_prefab");
    TCase *tests = tcase_create("runtime_prefab");
    tcase_add_checked_fixture(tests, game_begin, game_end);
    tcase_add_loop_test(tests, cnt_11_values_name_the_parts_of_their_spawn, 0, 2);
    tcase_add_test(tests, cnt_11_listeners_see_the_parts_that_come_later);
    tcase_add_test(tests, cnt_11_a_listener_that_makes_entities_moves_the_parts);
    tcase_add_loop_test(tests, cnt_11_relations_and_values_in_arrays_name_parts, 0, 2);
    tcase_add_loop_test(tests, cnt_11_a_relation_names_the_entity_that_has_it, 0, 2);
    tcase_add_test(tests, cnt_11_a_value_of_the_caller_that_names_an_entity_stays);
    tcase_add_loop_test(tests, cnt_11_a_value_of_a_batch_that_names_an_entity_stays, 0, 2);
    tcase_add_loop_test(tests, cnt_11_many_spawns_name_each_their_own_parts, 0, 2);
    tcase_add_loop_test(tests, cnt_10_a_prefab_uses_the_slots_of_what_its_entities_are_of, 0, 2);
    tcase_add_loop_test(tests, cnt_03_values_of_a_batch_and_of_the_prefab_override_defaults, 0, 2);
    tcase_add_test(tests, cnt_10_prefabs_are_watched_as_blueprints_are);
    tcase_add_test(tests, cnt_10_a_number_can_stand_for_another_prefab);
    tcase_add_test(tests, cnt_10_tables_that_do_not_fit_are_refused);
    tcase_add_test(tests, cnt_10_a_prefab_is_not_released_in_a_listener);
    tcase_add_test(tests, cnt_10_a_prefab_may_be_made_and_spawned_in_a_listener);
    tcase_add_test(tests, cnt_04_a_context_has_its_own_values_of_blueprints);
    tcase_add_test(tests, cnt_04_entities_of_blueprints_have_their_origin);
    suite_add_tcase(suite, tests);
    return suite;
}
