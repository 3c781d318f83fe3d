// Blueprints with children (REL-16, REL-17): what is spawned, what is checked before the first write, and what
// becomes of it without memory.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <garage/garage.h>
#include <kin/inventory.h>
#include <kin/reflect.h>

#include <string.h>

CASE(fleet)

static void watch_all(kin_listener *handler)
{
    kin_context_subscribe(&fleet->base, KIN_COMPONENT_CHANGED, handler, NULL);
    kin_context_subscribe(&fleet->base, KIN_ENTITY_CREATED, handler, NULL);
}

static fleet_entity parent_of(fleet_entity entity)
{
    const ChildOf *child_of = fleet_get_child_of(fleet, entity);
    return child_of == NULL ? FLEET_NO_ENTITY : child_of->parent;
}

static void ck_local(fleet_entity entity, float x, float y)
{
    const Local *local = fleet_get_local(fleet, entity);
    ck_assert_ptr_nonnull(local);
    ck_assert_float_eq(local->x, x);
    ck_assert_float_eq(local->y, y);
}

static void ck_truck(const fleet_truck_parts *truck)
{
    ck_assert_str_eq(fleet_get_label(fleet, truck->entity)->text, "truck");
    ck_local(truck->entity, 0, 0);
    ck_local(truck->front_left.entity, -1, 1.5F);
    ck_local(truck->front_right.entity, 1, 2);
    ck_local(truck->rear_right.entity, 1, -1.5F);
    ck_assert_float_eq(fleet_get_world(fleet, truck->front_left.entity)->x, 7);
    ck_assert_float_eq(fleet_get_world(fleet, truck->rear_left.entity)->x, 0);
    ck_assert(fleet_is_painted(fleet, truck->front_left.entity) && !fleet_is_painted(fleet, truck->rear_left.entity));
    ck_assert_str_eq(fleet_get_label(fleet, truck->trailer.entity)->text, "trailer");
    ck_assert(fleet_is_dirty(fleet, truck->trailer.axle.entity));
    ck_assert_uint_eq(fleet_children_count(fleet, truck->entity), 5);
    ck_assert_uint_eq(parent_of(truck->trailer.axle.entity).id, truck->trailer.entity.id);
}

// ---- what is spawned. Each test runs without a listener, and with one of all changes.

static void begin_watched(int watched)
{
    if (watched == 1)
        watch_all(count_call);
}

START_TEST(rel_16_the_children_are_spawned_depth_first_in_order_of_the_schema)
{
    fleet_truck_parts truck;
    begin_watched(_i);
    fleet_entity root = fleet_spawn_truck_parts(fleet, &truck);
    const fleet_entity *all = &truck.entity;
    ck_assert_uint_eq(root.id, truck.entity.id);
    for (size_t i = 0; i < sizeof truck / sizeof root; i++)
        ck_assert_uint_eq(kin_entity_creation_index(all[i].id), 1 + i);
    ck_truck(&truck);
    fleet_entity each = fleet_children_first(fleet, root);
    for (size_t i = 1; i < 6; i++, each = fleet_children_next(fleet, each)) {
        ck_assert_uint_eq(each.id, all[i].id);
        ck_assert_uint_eq(parent_of(each).id, root.id);
    }
    ck_assert_uint_eq(each.id, 0);
    ck_assert_uint_eq(parent_of(root).id, 0);
}
END_TEST

START_TEST(rel_16_slots_are_those_of_the_blueprint_of_each)
{
    fleet_car_parts car;
    begin_watched(_i);
    fleet_entity wheel = fleet_spawn_wheel(fleet), other = fleet_create_entity(fleet);
    fleet_spawn_car_parts(fleet, &car);
    ck_assert_uint_eq(kin_entity_slot(car.front_left.entity.id), kin_entity_slot(wheel.id) + 1);
    ck_assert_uint_eq(kin_entity_slot(car.rear_right.entity.id), kin_entity_slot(wheel.id) + 4);
    ck_assert_uint_ne(kin_entity_slot(car.entity.id) / 512, kin_entity_slot(wheel.id) / 512);
    fleet_truck_parts truck;
    fleet_spawn_truck_parts(fleet, &truck);
    ck_assert_uint_eq(kin_entity_slot(truck.trailer.entity.id), kin_entity_slot(other.id) + 1);
    ck_assert_uint_eq(kin_entity_slot(truck.trailer.axle.entity.id), kin_entity_slot(wheel.id) + 7);
}
END_TEST

START_TEST(rel_16_spawn_many_gives_the_roots)
{
    fleet_entity roots[300];
    begin_watched(_i);
    ck_assert_int_eq(fleet_spawn_many_truck(fleet, 300, roots), KIN_OK);
    ck_assert_uint_eq(fleet_entity_count(fleet), 300 * 7);
    for (size_t i = 0; i < 300; i++) {
        ck_assert_uint_eq(kin_entity_creation_index(roots[i].id), 1 + 7 * i);
        ck_assert_uint_eq(fleet_children_count(fleet, roots[i]), 5);
    }
    Label labels[2] = {{"one"}, {"two"}};
    ck_assert_int_eq(fleet_spawn_many_truck_with(fleet, 2, &(fleet_truck_values){.label = labels}, roots), KIN_OK);
    ck_assert_str_eq(fleet_get_label(fleet, roots[1])->text, "two");
    ck_assert_str_eq(fleet_get_label(fleet, fleet_children_last(fleet, roots[1]))->text, "trailer");
    ck_assert_int_eq(fleet_spawn_many_truck(fleet, 0, NULL), KIN_OK);
    ck_assert_int_eq(fleet_spawn_many_truck(fleet, 2, NULL), KIN_OK);
}
END_TEST

START_TEST(rel_16_values_are_those_of_the_root)
{
    begin_watched(_i);
    fleet_entity root = fleet_spawn_car_with(fleet, (fleet_car_value){.local = {3, 4}, .given = {.local = true}});
    ck_local(root, 3, 4);
    ck_local(fleet_children_first(fleet, root), -1, 1.5F);
    kin_entity by_id = kin_spawn(&fleet->base, 1);
    ck_assert_str_eq(fleet_info.blueprints[1].name, "Car");
    ck_local(fleet_entity_of(by_id), 0, 0);
    ck_assert_uint_eq(fleet_children_count(fleet, fleet_entity_of(by_id)), 4);
}
END_TEST

START_TEST(rel_16_apply_leaves_children_alone)
{
    begin_watched(_i);
    fleet_entity entity = fleet_create_entity(fleet), root = fleet_spawn_car(fleet);
    ck_assert_int_eq(fleet_apply_car(fleet, entity), KIN_OK);
    ck_assert_int_eq(fleet_apply_truck(fleet, root), KIN_OK);
    ck_assert_uint_eq(fleet_children_count(fleet, entity), 0);
    ck_assert_uint_eq(fleet_children_count(fleet, root), 4);
}
END_TEST

START_TEST(rel_16_the_parent_is_named_in_any_storage)
{
    begin_watched(_i);
    fleet_crew_parts crew;
    fleet_spawn_crew_parts(fleet, &crew);
    const WorksFor *works = fleet_get_works_for(fleet, crew.driver.entity);
    ck_assert_uint_eq(works->boss.id, crew.entity.id);
    ck_assert_int_eq(works->wage, 3);
    ck_assert_uint_eq(fleet_staff_last(fleet, crew.entity).id, crew.mechanic.entity.id);
    ck_assert_uint_eq(fleet_unique_chief_entity(fleet).id, crew.mechanic.entity.id);
    ck_assert_int_eq(fleet_get_engine(fleet, crew.driver.entity)->power, 2);
}
END_TEST

START_TEST(rel_17_a_child_of_the_same_name_is_changed_in_its_place)
{
    fleet_convoy_parts convoy;
    begin_watched(_i);
    fleet_spawn_convoy_parts(fleet, &convoy);
    ck_truck(&convoy.first);
    ck_assert_uint_eq(fleet_entity_count(fleet), 21);
    ck_assert_str_eq(fleet_get_label(fleet, convoy.second.trailer.entity)->text, "longer");
    ck_local(convoy.second.trailer.entity, 0, -9);
    ck_local(convoy.second.trailer.axle.entity, 3, 0);
    ck_assert(fleet_is_dirty(fleet, convoy.second.trailer.axle.entity));
    ck_assert(fleet_is_painted(fleet, convoy.second.trailer.hook.entity));
    ck_assert_uint_eq(parent_of(convoy.last.rear_left.entity).id, convoy.last.entity.id);
    ck_assert_uint_eq(parent_of(convoy.last.entity).id, convoy.entity.id);
    fleet_destroy_entity(fleet, convoy.entity);
    ck_assert_uint_eq(fleet_entity_count(fleet), 0);
}
END_TEST

// ---- refusals

static void ck_refused(fleet_entity spawned, kin_status status, const char *part_of_message)
{
    ck_assert_uint_eq(spawned.id, 0);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_str_eq(kin_status_name(errors.entries[0].status), kin_status_name(status));
    if (strstr(errors.entries[0].message, part_of_message) == NULL)
        ck_abort_msg("'%s' is not in '%s'", part_of_message, errors.entries[0].message);
    error_log_clear(&errors);
    ck_assert_uint_eq(call_count, 0);
}

START_TEST(rel_16_keys_are_checked_across_all_entities)
{
    fleet_pair_parts pair;
    watch_all(count_call);
    memset(&pair, 1, sizeof pair);
    ck_refused(fleet_spawn_pair_parts(fleet, &pair), KIN_ERROR_DUPLICATE_KEY, "Pair.two with Serial");
    ck_assert_uint_eq(pair.entity.id | pair.one.entity.id | pair.two.entity.id, 0);
    ck_refused(fleet_spawn_rack(fleet), KIN_ERROR_DUPLICATE_KEY, "Rack.two");
    ck_assert_uint_eq(fleet_spawn_shelf(fleet).id >> 24, 1);
    ck_assert_uint_ne(fleet_spawn_shelf(fleet).id, 0); // the parent is in the key
    ck_assert_int_eq(fleet_spawn_many_shelf(fleet, 20, NULL), KIN_OK);
    call_count = 0;
    fleet_entity roots[2] = {{1}, {1}};
    ck_assert_int_eq(fleet_spawn_many_pair(fleet, 2, roots), KIN_ERROR_DUPLICATE_KEY);
    ck_refused(roots[1], KIN_ERROR_DUPLICATE_KEY, "Pair.two");
}
END_TEST

START_TEST(rel_16_keys_are_checked_against_other_entities)
{
    fleet_entity other = fleet_create_entity(fleet);
    fleet_add_serial(fleet, other, (Serial){5});
    watch_all(count_call);
    ck_refused(fleet_spawn_pair(fleet), KIN_ERROR_DUPLICATE_KEY, "Pair.one with Serial");
    ck_assert_uint_eq(fleet_entity_count(fleet), 1);
}
END_TEST

START_TEST(rel_16_unique_components_are_checked_across_all_entities)
{
    watch_all(count_call);
    ck_refused(fleet_spawn_twins(fleet), KIN_ERROR_UNIQUE, "Twins.two with Chief");
    ck_assert_int_eq(fleet_spawn_many_crew(fleet, 2, NULL), KIN_ERROR_UNIQUE);
    ck_refused(FLEET_NO_ENTITY, KIN_ERROR_UNIQUE, "Crew.mechanic with Chief");
    ck_assert_uint_eq(fleet_entity_count(fleet), 0);
    ck_assert_uint_ne(fleet_spawn_crew(fleet).id, 0);
    call_count = 0;
    ck_refused(fleet_spawn_crew(fleet), KIN_ERROR_UNIQUE, "Crew.mechanic with Chief");
}
END_TEST

START_TEST(rel_16_the_limit_counts_all_entities)
{
    fleet_end();
    fleet_begin_with(&(kin_context_options){.max_entities = 20});
    begin_watched(_i);
    ck_refused(fleet_spawn_convoy(fleet), KIN_ERROR_LIMIT, "spawn Convoy");
    ck_assert_int_eq(fleet_spawn_many_car(fleet, 5, NULL), KIN_ERROR_LIMIT);
    ck_refused(FLEET_NO_ENTITY, KIN_ERROR_LIMIT, "spawn 5 of Car");
    ck_assert_int_eq(fleet_spawn_many_truck(fleet, UINT32_MAX, NULL), KIN_ERROR_LIMIT);
    ck_refused(FLEET_NO_ENTITY, KIN_ERROR_LIMIT, "max_entities");
    ck_assert_int_eq(fleet_spawn_many_car(fleet, 4, NULL), KIN_OK);
    call_count = 0;
    ck_refused(fleet_spawn_shelf(fleet), KIN_ERROR_LIMIT, "max_entities");
    ck_assert_uint_eq(fleet_create_entity(fleet).id, 0);
    error_log_clear(&errors);
    ck_assert_uint_eq(fleet_entity_count(fleet), 20);
}
END_TEST

// ---- memory

static fleet_entity spawn(int number)
{
    fleet_entity roots[3] = {FLEET_NO_ENTITY};
    fleet_crew_parts crew;
    fleet_convoy_parts convoy;
    switch (number) {
    case 0:
        return fleet_spawn_convoy_parts(fleet, &convoy);
    case 1:
        return fleet_spawn_crew_parts(fleet, &crew);
    case 2:
        return fleet_spawn_shelf(fleet);
    case 3:
        fleet_spawn_many_convoy(fleet, 3, roots);
        return roots[2];
    case 4:
        return fleet_spawn_truck_with(fleet, (fleet_truck_value){.label = {"mine"}, .given = {.label = true}});
    default:
        return fleet_spawn_car(fleet);
    }
}
enum { SPAWNS = 6 };

// The test number is that of the spawn, once without and once with a listener, and twice: one request fails, or all.
START_TEST(rel_16_without_memory_nothing_changes)
{
    begin_watched(_i / SPAWNS % 2);
    uint32_t failed = 0;
    for (uint64_t number = 1;; number++) {
        guard_fail(&memory, number, _i / SPAWNS > 1);
        fleet_entity spawned = spawn(_i % SPAWNS);
        bool has_failed = guard_has_failed(&memory);
        guard_fail(&memory, 0, false);
        ck_assert_int_eq(has_failed, spawned.id == 0);
        ck_assert(kin__context_is_valid(&fleet->base));
        if (!has_failed)
            break;
        failed++;
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert_uint_eq(fleet_entity_count(fleet) + call_count, 0);
    }
    ck_assert_uint_ge(failed, 3);
}
END_TEST

Suite *runtime_spawn_tree_suite(void)
{
    Suite *suite = suite_create("runtime_spawn_tree");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 120);
    tcase_add_checked_fixture(rules, fleet_begin, fleet_end);
    tcase_add_loop_test(rules, rel_16_the_children_are_spawned_depth_first_in_order_of_the_schema, 0, 2);
    tcase_add_loop_test(rules, rel_16_slots_are_those_of_the_blueprint_of_each, 0, 2);
    tcase_add_loop_test(rules, rel_16_spawn_many_gives_the_roots, 0, 2);
    tcase_add_loop_test(rules, rel_16_values_are_those_of_the_root, 0, 2);
    tcase_add_loop_test(rules, rel_16_apply_leaves_children_alone, 0, 2);
    tcase_add_loop_test(rules, rel_16_the_parent_is_named_in_any_storage, 0, 2);
    tcase_add_loop_test(rules, rel_17_a_child_of_the_same_name_is_changed_in_its_place, 0, 2);
    tcase_add_test(rules, rel_16_keys_are_checked_across_all_entities);
    tcase_add_test(rules, rel_16_keys_are_checked_against_other_entities);
    tcase_add_test(rules, rel_16_unique_components_are_checked_across_all_entities);
    tcase_add_loop_test(rules, rel_16_the_limit_counts_all_entities, 0, 2);
    tcase_add_loop_test(rules, rel_16_without_memory_nothing_changes, 0, 4 * SPAWNS);
    suite_add_tcase(suite, rules);
    return suite;
}
