// Spawning one entity with values of the caller (CPY-09): inlined where nothing is notified, and in the general case.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <nursery/nursery.h>
#include <string.h>

CASE(nursery)

static float seen; // the y of the triple that the last call passed

static void begin(void)
{
    nursery_begin();
    seen = -1;
}

// Spawns with two of the four values given. Members that are set without being given are not read.
static nursery_entity spawn_grain(void)
{
    return nursery_spawn_grain_with(
        nursery, (nursery_grain_value){
                     .triple = {1, 2, 3}, .weight = {9}, .byte = {77}, .given = {.triple = true, .weight = true}});
}

static void check_grain(nursery_entity entity)
{
    ck_assert(nursery_entity_is_alive(nursery, entity) && nursery_is_marked(nursery, entity));
    ck_assert(nursery_get_triple(nursery, entity)->y == 2 && nursery_get_weight(nursery, entity)->grams == 9);
    ck_assert_int_eq(nursery_get_byte(nursery, entity)->value, 3);
    ck_assert_int_eq(nursery_get_wide(nursery, entity)->values[2], 0);
}

START_TEST(cpy_09_given_values_replace_those_of_the_blueprint_and_others_stay)
{
    for (int i = 0; i < 600; i++) // the first one of a chunk makes its columns
        check_grain(spawn_grain());
    ck_assert_uint_eq(nursery_entity_count(nursery), 600);
}
END_TEST

START_TEST(cpy_09_without_given_values_it_is_a_spawn)
{
    for (int i = 0; i < 2; i++) {
        nursery_entity entity = nursery_spawn_grain_with(nursery, (nursery_grain_value){.weight = {9}});
        nursery_entity other = nursery_spawn_grain(nursery);
        ck_assert_int_eq(nursery_get_weight(nursery, entity)->grams, 5);
        ck_assert(nursery_get_triple(nursery, entity)->z == nursery_get_triple(nursery, other)->z);
    }
}
END_TEST

static void note(const kin_change *change, void *user)
{
    (void)user;
    call_count++;
    if (change->component == NURSERY_TRIPLE && change->value != NULL)
        seen = ((const Triple *)change->value)->y;
    ck_assert_int_eq(nursery_get_byte(nursery, nursery_entity_of(change->entity))->value, 3);
}

START_TEST(cpy_09_listeners_see_the_given_values_and_no_replace)
{
    kin_group *group = nursery_group(nursery, KIN_MATCHER(KIN_ALL(NURSERY_TRIPLE)));
    kin_group_subscribe(group, KIN_ADDED, note, NULL);
    kin_group_subscribe(group, KIN_MODIFIED, note, NULL);
    check_grain(spawn_grain());
    ck_assert_uint_eq(call_count, 1);
    ck_assert(seen == 2);
    check_grain(spawn_grain());
    ck_assert_uint_eq(call_count, 2);
}
END_TEST

START_TEST(cpy_09_strings_are_copied)
{
    char text[] = "birch";
    nursery_entity entity =
        nursery_spawn_sapling_with(nursery, (nursery_sapling_value){.label = {text}, .given = {.label = true}});
    text[0] = 'x';
    ck_assert_str_eq(nursery_get_label(nursery, entity)->value, "birch");
    ck_assert_str_eq(nursery_get_row(nursery, entity)->value, "first");
}
END_TEST

START_TEST(cpy_09_given_keys_are_checked_in_place_of_those_of_the_blueprint)
{
    nursery_ticket_value value = {.number = {1}, .scale = {1.5}, .given = {.number = true, .scale = true}};
    nursery_entity one = nursery_spawn_ticket_with(nursery, value);
    nursery_entity other = nursery_spawn_ticket(nursery);
    ck_assert_uint_eq(nursery_entity_with_number_value(nursery, 1).id, one.id);
    ck_assert_uint_eq(nursery_entity_with_number_value(nursery, 5).id, other.id);

    value.scale.value = 2.5;
    ck_assert_uint_eq(nursery_spawn_ticket_with(nursery, value).id, 0);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "cannot spawn Ticket with Number"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(nursery_entity_count(nursery), 2);
}
END_TEST

START_TEST(cpy_09_a_unique_component_is_refused_a_second_time)
{
    nursery_chief_value value = {.leader = {8}, .given = {.leader = true}};
    nursery_entity chief = nursery_spawn_chief_with(nursery, value);
    ck_assert_int_eq(nursery_get_unique_leader(nursery)->rank, 8);
    ck_assert_uint_eq(nursery_spawn_chief_with(nursery, value).id, 0);
    ck_assert_reported(&errors, KIN_ERROR_UNIQUE);
    ck_assert_uint_eq(nursery_unique_leader_entity(nursery).id, chief.id);
}
END_TEST

START_TEST(cpy_09_at_a_limit_it_is_refused)
{
    kin_context_options options = {.max_entities = 1, .on_error = error_log_append, .error_user = &errors};
    nursery_context *small = nursery_context_create(&options);
    nursery_grain_value value = {.weight = {9}, .given = {.weight = true}};
    ck_assert_uint_ne(nursery_spawn_grain_with(small, value).id, 0);
    ck_assert_uint_eq(nursery_spawn_grain_with(small, value).id, 0);
    ck_assert_reported(&errors, KIN_ERROR_LIMIT);
    nursery_context_destroy(small);
}
END_TEST

Suite *runtime_spawn_with_suite(void)
{
    Suite *suite = suite_create("runtime_spawn_with");
    TCase *tests = tcase_create("values");
    tcase_add_checked_fixture(tests, begin, nursery_end);
    tcase_add_test(tests, cpy_09_given_values_replace_those_of_the_blueprint_and_others_stay);
    tcase_add_test(tests, cpy_09_without_given_values_it_is_a_spawn);
    tcase_add_test(tests, cpy_09_listeners_see_the_given_values_and_no_replace);
    tcase_add_test(tests, cpy_09_strings_are_copied);
    tcase_add_test(tests, cpy_09_given_keys_are_checked_in_place_of_those_of_the_blueprint);
    tcase_add_test(tests, cpy_09_a_unique_component_is_refused_a_second_time);
    tcase_add_test(tests, cpy_09_at_a_limit_it_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
