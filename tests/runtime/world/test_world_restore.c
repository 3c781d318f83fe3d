// What the restore of a world does to collectors and listeners, and to other worlds (SNP-08, 11, 18 to 22).
#include "runtime/support/twice_case.h"
#include "suites.h"

// ---- collectors of others

static void write_released(const kin_change *change, void *user)
{
    (void)change, (void)user;
    log_write("released ");
}

START_TEST(snp_08_a_save_says_when_a_slot_is_held_from_outside)
{
    people_entity entity = town_citizen(1);
    kin_trigger trigger = {people_citizens_group(people), KIN_ADDED_OR_REMOVED};
    update();
    kin_collector *collector = kin_collector_create(&trigger, 1);
    people_destroy_entity(people, entity);
    update(); // the systems let go of it
    ck_assert_int_eq(town_world_save(town, &saved_town), KIN_ERROR_RETAINED);
    town_citizen(2);
    ck_assert_int_eq(town_world_restore(town, saved_town, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    ck_assert_uint_eq(kin_context_retained_count(&people->base), 0);
    save();
    kin_collector_destroy(collector);
}
END_TEST

START_TEST(snp_18_collectors_of_the_world_hold_what_they_held_and_others_are_cleared_silently)
{
    people_entity entity = town_citizen(1);
    kin_trigger trigger = {people_citizens_group(people), KIN_ADDED_OR_REMOVED};
    kin_collector *collector = kin_collector_create(&trigger, 1);
    update();
    people_destroy_entity(people, entity); // held by Watch and Lamps
    kin_collector_clear(collector);
    save();
    ck_assert_uint_eq(kin_context_retained_count(&people->base), 1);
    update();
    kin_collector_clear(collector);
    entity = town_citizen(2);
    kin_entity_subscribe(&people->base, entity.id, KIN_ENTITY_RELEASED, write_released, NULL);
    people_destroy_entity(people, entity);
    ck_assert_uint_gt(kin_collector_count(collector), 0);
    log_begin();
    restore(KIN_RESTORE_EXACTLY);
    ck_assert_log("");
    ck_assert_uint_eq(kin_collector_count(collector), 0);
    ck_assert_uint_eq(kin_context_retained_count(&people->base), 1);
    update();
    ck_assert_uint_eq(kin_context_retained_count(&people->base), 0);
    kin_collector_destroy(collector);
}
END_TEST

// ---- running again

static void update_once(void)
{
    town_world_update(town, 0.5);
}

START_TEST(snp_20_the_delta_of_the_next_update_is_that_of_the_caller_and_systems_are_called_again)
{
    town_citizen(1);
    update();
    town_publish_bell(town);
    const char *log = play_twice(update_once);
    ck_assert_has(log, "Mayor:execute(0.5,0.6,1)");
    restore(KIN_RESTORE_EXACTLY);
    town_listen("Mayor Crier");
    town_world_update(town, 2);
    ck_assert_log("Mayor:execute(2,2.1,1) Crier:on_bell Mayor:cleanup ");
}
END_TEST

START_TEST(snp_21_anew_collectors_hold_the_members_and_group_systems_are_told_of_all)
{
    for (int32_t i = 0; i < 3; i++)
        town_citizen(i);
    kin_trigger added = {people_citizens_group(people), KIN_ADDED},
                removed = {people_citizens_group(people), KIN_REMOVED};
    update();
    save();
    people_destroy_entity(people, citizen_of(1));
    update();
    town_citizen(8);
    kin_collector *adds = kin_collector_create(&added, 1), *removes = kin_collector_create(&removed, 1),
                  *passive = kin_collector_create(&added, 1);
    kin_collector_deactivate(passive);
    town_listen("Registry Watch Lamps");
    restore(KIN_RESTORE_ANEW);
    uint32_t count = 0;
    const kin_entity *entities = kin_collector_entities(adds, &count);
    ck_assert_uint_eq(count, 3);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(entities[i], citizen_of(i).id);
    ck_assert_uint_eq(kin_collector_count(removes), 0);
    ck_assert_uint_eq(kin_collector_count(passive), 0);
    update();
    ck_assert_has(log_text(), "Registry:leave(1,3) Registry:enter(1,2,3) Registry:update");
    ck_assert_has(log_text(), "Watch:execute(1,2,3)");
    ck_assert_ptr_null(strstr(log_text(), "Lamps:execute"));
    kin_collector_destroy(adds);
    kin_collector_destroy(removes);
    kin_collector_destroy(passive);
}
END_TEST

// ---- other worlds

START_TEST(snp_22_a_snapshot_is_restored_in_another_world_of_the_schema)
{
    for (int32_t i = 0; i < 3; i++)
        named_citizen(i);
    update();
    people_destroy_entity(people, citizen_of(0));
    people_remove_name(people, citizen_of(0));
    town_publish_greeting(town, (Greeting){.words = "hi"});
    town_do("Undertaker:leave", write_names);
    save();
    town_world *former = twice_other();
    char first_log[4096];
    town_citizen(77);
    restore(KIN_RESTORE_EXACTLY);
    listen_to_all();
    change_and_update();
    ck_assert_uint_lt(strlen(log_text()), sizeof first_log);
    strcpy(first_log, log_text());
    twice_back(former);
    listen_to_all();
    change_and_update();
    ck_assert_str_eq(log_text(), first_log);
    ck_assert_has(first_log, "Ada");
}
END_TEST

START_TEST(snp_11_a_snapshot_is_empty_when_its_world_has_ended)
{
    town_citizen(1);
    save();
    town_world_destroy(town);
    ck_assert_uint_eq(kin_snapshot_count(saved_town, &people_info), 0);
    kin_snapshot_destroy(saved_town);
    saved_town = NULL;
    town = NULL;
}
END_TEST

Suite *runtime_world_restore_suite(void)
{
    Suite *suite = suite_create("runtime_world_restore");
    TCase *cases = tcase_create("world restore");
    tcase_add_checked_fixture(cases, twice_begin, twice_end);
    tcase_add_test(cases, snp_08_a_save_says_when_a_slot_is_held_from_outside);
    tcase_add_test(cases, snp_11_a_snapshot_is_empty_when_its_world_has_ended);
    tcase_add_test(cases, snp_18_collectors_of_the_world_hold_what_they_held_and_others_are_cleared_silently);
    tcase_add_test(cases, snp_20_the_delta_of_the_next_update_is_that_of_the_caller_and_systems_are_called_again);
    tcase_add_test(cases, snp_21_anew_collectors_hold_the_members_and_group_systems_are_told_of_all);
    tcase_add_test(cases, snp_22_a_snapshot_is_restored_in_another_world_of_the_schema);
    suite_add_tcase(suite, cases);
    return suite;
}
