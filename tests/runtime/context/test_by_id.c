// Components by id (RFL-01 to RFL-03): the same results, values, calls and drops as the typed functions have, and what
// only an id can get wrong. The package closet has a component of each kind of storage.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <closet/closet.h>
#include <kin/reflect.h>
#include <relay/relay.h>

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- one context

CASE(closet)

static kin_context *base;
static kin_entity one;

static Trunk trunk_of(uint32_t number)
{
    Trunk trunk = {.name = "chest"};
    trunk.weights[number % 40] = (int32_t)number;
    return trunk;
}

static void begin(void)
{
    drops();
    closet_begin();
    base = &closet->base;
    one = kin_create(base);
}

START_TEST(rfl_01_get_returns_the_address_of_the_value_and_null_where_there_is_none)
{
    Trunk trunk = trunk_of(5);
    closet_entity entity = {one};
    kin_add(base, one, CLOSET_CELL, &(Cell){3, 4});
    kin_add(base, one, CLOSET_TRUNK, &trunk);
    kin_add(base, one, CLOSET_TRAIL, &(Trail){1.5f, 7});
    kin_add(base, one, CLOSET_LOCKED, NULL);
    ck_assert_ptr_eq(kin_get(base, one, CLOSET_CELL), closet_get_cell(closet, entity));
    ck_assert_ptr_eq(kin_get(base, one, CLOSET_TRUNK), closet_get_trunk(closet, entity));
    ck_assert_ptr_null(kin_get(base, one, CLOSET_TRAIL));
    ck_assert_ptr_null(kin_get(base, one, CLOSET_LOCKED));
    ck_assert_ptr_null(kin_get(base, one, CLOSET_COAT));
    ck_assert_ptr_null(kin_get(base, one, CLOSET_COMPONENT_COUNT));
    ck_assert_ptr_null(kin_get(base, 0, CLOSET_CELL));
    kin_destroy(base, one);
    ck_assert_ptr_null(kin_get(base, one, CLOSET_CELL));
    ck_assert_ptr_null(kin_get(base, one, CLOSET_TRUNK));
}
END_TEST

START_TEST(rfl_01_the_components_of_an_entity_are_listed_by_id)
{
    kin_component_id ids[4] = {99, 99, 99, 99};
    ck_assert_uint_eq(kin_entity_components(base, one, ids, 4), 0);
    kin_set_flag(base, one, CLOSET_LOCKED, true);
    kin_add(base, one, CLOSET_TRAIL, &(Trail){1, 2});
    kin_add(base, one, CLOSET_CELL, &(Cell){3, 4});
    ck_assert_uint_eq(kin_entity_components(base, one, ids, 2), 3);
    ck_assert_uint_eq(ids[0], CLOSET_CELL);
    ck_assert_uint_eq(ids[1], CLOSET_LOCKED);
    ck_assert_uint_eq(ids[2], 99);
    ck_assert_uint_eq(kin_entity_components(base, one, NULL, 0), 3);
    kin_destroy(base, one);
    ck_assert_uint_eq(kin_entity_components(base, one, ids, 4), 0);
}
END_TEST

START_TEST(rfl_01_names_find_ids)
{
    const kin_context_info *info = kin_context_info_of(base);
    ck_assert_ptr_eq(info, &closet_info);
    for (uint32_t id = 0; id < info->component_count; id++)
        ck_assert_uint_eq(kin_component_find(info, info->components[id].name), id);
    ck_assert_uint_eq(kin_component_find(info, "Cel"), KIN_NO_COMPONENT);
    ck_assert_uint_eq(kin_component_find(info, "Zebra"), KIN_NO_COMPONENT);
    ck_assert_uint_eq(kin_component_find(info, ""), KIN_NO_COMPONENT);
    ck_assert_uint_eq(kin_component_find(info, NULL), KIN_NO_COMPONENT);
    ck_assert_uint_eq(kin_component_find(&(kin_context_info){0}, "Cell"), KIN_NO_COMPONENT);
}
END_TEST

START_TEST(rfl_02_an_id_out_of_range_is_refused)
{
    Cell cell = {0};
    static const kin_component_id ids[] = {CLOSET_COMPONENT_COUNT, KIN_NO_COMPONENT};
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_int_eq(kin_add(base, one, ids[i], &cell), KIN_ERROR_INVALID);
        ck_assert_uint_eq(errors.entries[0].entity, one);
        ck_assert_reported(&errors, KIN_ERROR_INVALID);
        ck_assert_refused(&errors, kin_replace(base, one, ids[i], &cell), KIN_ERROR_INVALID);
        ck_assert_refused(&errors, kin_remove(base, 0, ids[i]), KIN_ERROR_INVALID);
        ck_assert_refused(&errors, kin_set_flag(base, one, ids[i], true), KIN_ERROR_INVALID);
    }
}
END_TEST

START_TEST(rfl_02_a_message_names_the_id_and_the_limit)
{
    kin_remove(base, one, 77);
    ck_assert_str_eq(errors.entries[0].message,
                     "closet: cannot change entity 1 in slot 0: the context has no component 77; use an id below 9");
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
}
END_TEST

START_TEST(rfl_02_a_value_that_does_not_fit_the_component_is_refused)
{
    ck_assert_int_eq(kin_add(base, one, CLOSET_CELL, NULL), KIN_ERROR_INVALID);
    ck_assert_str_eq(errors.entries[0].component, "Cell");
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_replace(base, one, CLOSET_TRUNK, NULL), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_set_flag(base, one, CLOSET_CELL, true), KIN_ERROR_INVALID);
    ck_assert_refused(&errors, kin_set_flag(base, one, CLOSET_CELL, false), KIN_ERROR_INVALID);
    ck_assert_uint_eq(kin_entity_components(base, one, NULL, 0), 0);
}
END_TEST

START_TEST(rfl_01_flags_are_added_replaced_and_removed_too)
{
    call_log_subscribe(closet_group(closet, KIN_MATCHER(KIN_ALL(CLOSET_LOCKED))), KIN_ADDED_OR_REMOVED, "L");
    ck_assert_int_eq(kin_add(base, one, CLOSET_LOCKED, NULL), KIN_OK);
    ck_assert_refused(&errors, kin_add(base, one, CLOSET_LOCKED, &(Cell){0}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_int_eq(kin_replace(base, one, CLOSET_LOCKED, NULL), KIN_OK);
    ck_assert_int_eq(kin_set_flag(base, one, CLOSET_LOCKED, true), KIN_OK);
    ck_assert_int_eq(kin_remove(base, one, CLOSET_LOCKED), KIN_OK);
    ck_assert_refused(&errors, kin_remove(base, one, CLOSET_LOCKED), KIN_ERROR_NO_COMPONENT);
    ck_assert_int_eq(kin_replace(base, one, CLOSET_LOCKED, NULL), KIN_OK);
    ck_assert_str_eq(call_log_labels(), "L L L ");
    ck_assert(closet_is_locked(closet, (closet_entity){one}));
}
END_TEST

START_TEST(rfl_02_a_dead_entity_is_refused)
{
    kin_destroy(base, one);
    ck_assert_refused(&errors, kin_destroy(base, one), KIN_ERROR_NOT_ALIVE);
    ck_assert_refused(&errors, kin_add(base, one, CLOSET_CELL, &(Cell){0}), KIN_ERROR_NOT_ALIVE);
    ck_assert_refused(&errors, kin_replace(base, 0, CLOSET_CELL, &(Cell){0}), KIN_ERROR_NOT_ALIVE);
    ck_assert_refused(&errors, kin_set_flag(base, one, CLOSET_LOCKED, true), KIN_ERROR_NOT_ALIVE);
    ck_assert_uint_eq(kin_clone(base, one), 0);
    ck_assert_reported(&errors, KIN_ERROR_NOT_ALIVE);
}
END_TEST

// A listener that changes the component again must not change what later listeners of the first change are shown.
static void change_again(const kin_change *change, void *user)
{
    uint32_t *times = user;
    if ((*times)-- > 0)
        kin_replace(change->context, change->entity, change->component, &(Cell){9, 9});
}

START_TEST(rfl_03_a_component_may_be_replaced_by_the_value_that_get_returned)
{
    uint32_t times = 1;
    Coin coin = {{5}};
    kin_group *cells = closet_cells_group(closet);
    kin_add(base, one, CLOSET_CELL, &(Cell){3, 4});
    kin_group_subscribe(cells, KIN_MODIFIED, change_again, &times);
    call_log_subscribe(cells, KIN_MODIFIED, "M");
    ck_assert_int_eq(kin_replace(base, one, CLOSET_CELL, kin_get(base, one, CLOSET_CELL)), KIN_OK);
    ck_assert_str_eq(call_log_labels(), "M M ");
    ck_assert_mem_eq(calls.calls[1].value, (&(Cell){3, 4}), sizeof(Cell)); // the outer change, notified last
    kin_add(base, one, CLOSET_COIN, &coin);
    kin_replace(base, one, CLOSET_COIN, kin_get(base, one, CLOSET_COIN));
    ck_assert_str_eq(drops(), "");
}
END_TEST

START_TEST(rfl_03_a_value_by_id_is_owned_as_a_typed_one)
{
    char name[] = "loden";
    kin_add(base, one, CLOSET_COAT, &(Coat){name, 50});
    name[0] = 'x';
    ck_assert_str_eq(((const Coat *)kin_get(base, one, CLOSET_COAT))->name, "loden");
    ck_assert_refused(&errors, kin_add(base, one, CLOSET_COAT, &(Coat){name, 50}), KIN_ERROR_HAS_COMPONENT);
    kin_add(base, one, CLOSET_COIN, &(Coin){{1}});
    ck_assert_refused(&errors, kin_add(base, one, CLOSET_COIN, &(Coin){{2}}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_str_eq(drops(), "");
    kin_replace(base, one, CLOSET_COIN, &(Coin){{3}});
    ck_assert_str_eq(drops(), "1 ");
    kin_remove(base, one, CLOSET_COIN);
    ck_assert_str_eq(drops(), "3 ");
}
END_TEST

// ---- from inside a listener

typedef struct deed {
    kin_context *spawner; // spawns need memory there
    kin_entity source;
    bool done;
} deed;

// Makes each change that may need memory.
static void do_all(const kin_change *change, void *user)
{
    deed *deed = user;
    if (deed->done)
        return;
    deed->done = true;
    ck_assert_int_eq(kin_replace(change->context, deed->source, CLOSET_COAT, &(Coat){"jute", 2}), KIN_OK);
    ck_assert_uint_ne(kin_clone(change->context, deed->source), 0);
    ck_assert_uint_ne(kin_spawn(deed->spawner, 1), 0);
    ck_assert_int_eq(kin_set_flag(change->context, change->entity, CLOSET_LOCKED, true), KIN_OK);
    for (uint32_t i = 0; i < 600; i++)
        ck_assert_uint_ne(kin_create(change->context), 0);
    ck_assert_int_eq(kin_add(change->context, change->entity, CLOSET_COAT, &(Coat){"wool", 1}), KIN_OK);
    ck_assert_int_eq(kin_destroy(change->context, change->entity), KIN_OK);
}

START_TEST(rfl_01_a_listener_may_make_every_change_by_id)
{
    guard other;
    kin_context_options options = {
        .allocator = guard_begin(&other), .on_error = error_log_append, .error_user = &errors};
    relay_context *relay = relay_context_create(&options);
    deed deed = {.spawner = &relay->base, .source = kin_create(base)};
    kin_add(base, deed.source, CLOSET_COAT, &(Coat){"loden", 50});
    kin_add(base, one, CLOSET_CELL, &(Cell){1, 2});
    kin_group_subscribe(closet_cells_group(closet), KIN_MODIFIED, do_all, &deed);
    ck_assert_int_eq(kin_replace(base, one, CLOSET_CELL, &(Cell){3, 4}), KIN_OK);
    ck_assert(deed.done && !kin_entity_is_alive(base, one));
    ck_assert_str_eq(((const Coat *)kin_get(base, deed.source, CLOSET_COAT))->name, "jute");
    ck_assert_uint_eq(closet_entity_count(closet), 602);
    relay_context_destroy(relay);
    guard_end(&other);
}
END_TEST

// ---- blueprints

START_TEST(rfl_04_an_entity_is_created_from_a_blueprint_by_number)
{
    relay_context *relay =
        relay_context_create(&(kin_context_options){.on_error = error_log_append, .error_user = &errors});
    kin_entity trio = kin_create_in(&relay->base, 1), empty = kin_create_in(&relay->base, KIN_NO_BLUEPRINT);
    ck_assert_int_eq(relay_get_c(relay, relay_entity_of(trio))->value, 3);
    ck_assert(kin_entity_is_alive(&relay->base, empty));
    ck_assert_uint_eq(kin_entity_components(&relay->base, empty, NULL, 0), 0);
    ck_assert_uint_eq(kin_create_in(&relay->base, 2), 0);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_uint_eq(kin_spawn(&relay->base, KIN_NO_BLUEPRINT), 0);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_uint_ne(kin_spawn(&relay->base, 0), 0);
    relay_context_destroy(relay);
}
END_TEST

Suite *runtime_by_id_suite(void)
{
    Suite *suite = suite_create("runtime_by_id");
    TCase *tests = tcase_create("one");
    tcase_add_checked_fixture(tests, begin, closet_end);
    tcase_add_test(tests, rfl_01_get_returns_the_address_of_the_value_and_null_where_there_is_none);
    tcase_add_test(tests, rfl_01_the_components_of_an_entity_are_listed_by_id);
    tcase_add_test(tests, rfl_01_names_find_ids);
    tcase_add_test(tests, rfl_02_an_id_out_of_range_is_refused);
    tcase_add_test(tests, rfl_02_a_message_names_the_id_and_the_limit);
    tcase_add_test(tests, rfl_02_a_value_that_does_not_fit_the_component_is_refused);
    tcase_add_test(tests, rfl_01_flags_are_added_replaced_and_removed_too);
    tcase_add_test(tests, rfl_02_a_dead_entity_is_refused);
    tcase_add_test(tests, rfl_03_a_component_may_be_replaced_by_the_value_that_get_returned);
    tcase_add_test(tests, rfl_03_a_value_by_id_is_owned_as_a_typed_one);
    tcase_add_test(tests, rfl_01_a_listener_may_make_every_change_by_id);
    tcase_add_test(tests, rfl_04_an_entity_is_created_from_a_blueprint_by_number);
    suite_add_tcase(suite, tests);
    return suite;
}
