// Saved names: the tables of a package say under which names saves have it, and what is in no save. The functions that
// save and load opaque values are called through the tables.
#include "suites.h"

#include <veteran/veteran.h>
#include <veteran/veteran_world.h>

#include <check.h>
#include <stdint.h>
#include <string.h>

// The tables, not the turns, are tested here.
void march_update(veteran_world *world, march_iter *it, const kin_tick *tick)
{
    (void)world, (void)it, (void)tick;
}

void march_on_hit(veteran_world *world, const Hit *message)
{
    (void)world, (void)message;
}

static const kin_component_info *component(kin_component_id id)
{
    return &veteran_info.components[id];
}

static const kin_field_info *field(const kin_field_info *fields, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    ck_abort_msg("no field '%s'", name);
    return NULL;
}

static const kin_field_info *field_of(kin_component_id id, const char *name)
{
    return field(component(id)->fields, component(id)->field_count, name);
}

START_TEST(what_was_renamed_has_an_identity_and_all_else_has_none)
{
    ck_assert_str_eq(veteran_info.identity, "soldier");
    ck_assert_ptr_null(pension_info.identity);
    ck_assert_str_eq(component(VETERAN_VELOCITY)->identity, "Speed");
    ck_assert_str_eq(component(VETERAN_FROZEN)->identity, "Iced"); // a flag
    ck_assert_ptr_null(component(VETERAN_HEALTH)->identity);
    ck_assert_str_eq(field_of(VETERAN_HEALTH, "points")->identity, "hp");
    ck_assert_ptr_null(field_of(VETERAN_HEALTH, "shield")->identity);
    ck_assert_str_eq(field_of(VETERAN_SWAPPED, "a")->identity, "b");
    ck_assert_str_eq(field_of(VETERAN_SWAPPED, "b")->identity, "a");
    const kin_field_info *by = field_of(VETERAN_VELOCITY, "by");
    ck_assert_str_eq(by->identity, "v");
    ck_assert_str_eq(field(by->of->fields, by->of->field_count, "east")->identity, "x");
    ck_assert_ptr_null(field(by->of->fields, by->of->field_count, "y")->identity);
}
END_TEST

START_TEST(values_of_enums_have_identities)
{
    const kin_type_info *side = field_of(VETERAN_TEAM, "side")->of, *tone = field_of(VETERAN_TEAM, "tones")->of;
    ck_assert_uint_eq(side->value_count, 3);
    ck_assert_ptr_null(side->values[0].identity);
    ck_assert_str_eq(side->values[1].identity, "Red");
    ck_assert_int_eq(side->values[1].value, 1);
    ck_assert_ptr_null(side->values[2].identity);
    ck_assert_int_eq(tone->values[0].value, -1);
    ck_assert_int_eq(tone->values[1].value, 4);
    ck_assert_str_eq(tone->values[1].identity, "High");
    ck_assert_int_eq(tone->values[2].value, 9);
}
END_TEST

START_TEST(messages_and_systems_have_identities)
{
    veteran_world *world = veteran_world_create(NULL, NULL);
    const kin_world_info *info = kin_world_info_of(veteran_world_base(world));
    ck_assert_uint_eq(info->message_count, 1);
    ck_assert_str_eq(info->messages[0].identity, "Hurt");
    ck_assert_ptr_null(info->messages[0].fields[0].identity);
    ck_assert_str_eq(info->messages[0].fields[1].identity, "amount");
    ck_assert_uint_eq(info->system_count, 1);
    ck_assert_str_eq(info->systems[0].identity, "Walk");
    veteran_world_destroy(world);
}
END_TEST

START_TEST(what_is_in_no_save_says_so)
{
    ck_assert(!veteran_info.is_unsaved);
    ck_assert(pension_info.is_unsaved);
    for (kin_component_id id = 0; id < VETERAN_COMPONENT_COUNT; id++) {
        ck_assert(component(id)->is_unsaved == (id == VETERAN_TRAIL));
        ck_assert(component(id)->is_unwritable == (id == VETERAN_PURSE));
    }
    ck_assert(!field_of(VETERAN_PATH, "goal")->is_unsaved);
    ck_assert(field_of(VETERAN_PATH, "cache")->is_unsaved);
    ck_assert(field_of(VETERAN_POCKET, "token")->is_unsaved);
    const kin_type_info *corner = field_of(VETERAN_POCKET, "corners")->of;
    ck_assert(field(corner->fields, corner->field_count, "cached")->is_unsaved);
    ck_assert(!field(corner->fields, corner->field_count, "y")->is_unsaved);
}
END_TEST

START_TEST(the_package_has_a_version_and_what_it_gives_up)
{
    static const char *const removed[] = {"Mana", "Health.armor", "Team.side.Purple", "Speed.v.up"};
    const kin_package_info *package = veteran_info.package;
    ck_assert_str_eq(package->name, "veteran");
    ck_assert_uint_eq(package->version, 7);
    ck_assert_uint_eq(package->removed_count, 4);
    for (uint32_t i = 0; i < package->removed_count; i++)
        ck_assert_str_eq(package->removed[i], removed[i]);
    ck_assert_uint_eq(pension_info.package->version, 7);
    ck_assert_uint_eq(pension_info.package->removed_count, 4);
}
END_TEST

START_TEST(opaque_values_are_saved_and_loaded_through_the_table)
{
    const kin_type_info *sprite = component(VETERAN_LOOK)->fields[0].of,
                        *token = component(VETERAN_PURSE)->fields[0].of;
    int anything;
    struct sprite *value = (struct sprite *)(void *)&anything, *loaded = NULL;
    unsigned char bytes[sizeof value];
    ck_assert_uint_eq(sprite->save(&value, NULL, 0), sizeof value);
    ck_assert_uint_eq(sprite->save(&value, bytes, sizeof bytes), sizeof value);
    ck_assert(!sprite->load(&loaded, bytes, sizeof bytes - 1));
    ck_assert_ptr_null(loaded);
    ck_assert(sprite->load(&loaded, bytes, sizeof bytes));
    ck_assert_ptr_eq(loaded, value);
    ck_assert(token->save == NULL && token->load == NULL);
}
END_TEST

Suite *runtime_saved_names_suite(void)
{
    Suite *suite = suite_create("runtime_saved_names");
    TCase *tests = tcase_create("runtime_saved_names");
    tcase_add_test(tests, what_was_renamed_has_an_identity_and_all_else_has_none);
    tcase_add_test(tests, values_of_enums_have_identities);
    tcase_add_test(tests, messages_and_systems_have_identities);
    tcase_add_test(tests, what_is_in_no_save_says_so);
    tcase_add_test(tests, the_package_has_a_version_and_what_it_gives_up);
    tcase_add_test(tests, opaque_values_are_saved_and_loaded_through_the_table);
    suite_add_tcase(suite, tests);
    return suite;
}
