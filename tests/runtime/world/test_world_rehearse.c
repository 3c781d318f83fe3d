// Rehearsing updates (RPL-02), and contexts that are not saved (SNP-23).
#include "runtime/support/twice_case.h"
#include "suites.h"

#include <opera/opera.h>

static int32_t called;

static void create_citizen(town_world *world)
{
    (void)world;
    town_citizen(3);
}

static void count_calls(town_world *world)
{
    people_edit_age(world->contexts->people, citizen_of(0))->years += called++;
}

static void publish_calls(town_world *world)
{
    town_publish_gossip(world, (Gossip){called++});
}

START_TEST(rpl_02_an_update_that_depends_on_the_state_alone_is_the_same_twice)
{
    kin_divergence first = {.frame = 77};
    named_citizen(1);
    town_do("Mayor:execute", create_citizen);
    for (uint32_t i = 0; i < 20; i++) {
        town_publish_greeting(town, (Greeting){.words = "hi"});
        ck_assert_int_eq(town_world_rehearse(town, 0.1, &first), KIN_OK);
    }
    ck_assert_uint_eq(first.frame, 0);
    ck_assert_uint_eq(people_entity_count(people), 21);
    ck_assert_uint_eq(town_world_tick(town).frame, 19);
    ck_assert_int_eq(town_world_rehearse(town, 0.1, NULL), KIN_OK);
}
END_TEST

START_TEST(rpl_02_the_field_that_a_static_variable_changes_is_named)
{
    kin_divergence first;
    named_citizen(1);
    update();
    town_do("Mayor:execute", count_calls);
    called = 4;
    log_begin();
    ck_assert_int_eq(town_world_rehearse(town, 0.1, &first), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
    ck_assert_ptr_eq(first.context, people->base.info);
    ck_assert_uint_eq(first.entity, citizen_of(0).id);
    ck_assert_uint_eq(first.component, PEOPLE_AGE);
    ck_assert_uint_eq(first.frame, 1);
    ck_assert_has(first.text, "frame 1: people 1@0");
    ck_assert_has(first.text, "Age.years");
    ck_assert_uint_eq(town_world_tick(town).frame, 1); // it stands after the second update
    ck_assert_int_eq(people_get_age(people, citizen_of(0))->years, 6);
}
END_TEST

START_TEST(rpl_02_a_difference_of_systems_is_one_too)
{
    kin_divergence first;
    town_do("Strict:execute", publish_calls);
    log_begin();
    ck_assert_int_eq(town_world_rehearse(town, 0.1, &first), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
    ck_assert_ptr_null(first.context);
    ck_assert_str_eq(first.text, "frame 0: the state of systems differs");
}
END_TEST

static void try_to_rehearse(town_world *world)
{
    ck_assert_int_eq(town_world_rehearse(world, 0.1, NULL), KIN_ERROR_INVALID);
}

START_TEST(rpl_02_a_rehearsal_is_refused_like_a_save)
{
    log_begin();
    ck_assert_int_eq(town_world_rehearse(NULL, 0.1, NULL), KIN_ERROR_INVALID);
    town_do("Mayor:execute", try_to_rehearse);
    update();
    ck_assert_log("!INVALID ");
    ck_assert_int_eq(town_world_rehearse(town, 1.0 / (double)(people_entity_count(people)), NULL), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
    ck_assert_uint_eq(town_world_tick(town).frame, 0);
}
END_TEST

START_TEST(rpl_02_without_memory_a_rehearsal_says_so)
{
    for (uint64_t number = 1;; number++) {
        named_citizen(1);
        town_publish_gossip(town, (Gossip){1});
        guard_fail(&town_memory, number, false);
        kin_status status = town_world_rehearse(town, 0.1, NULL);
        bool failed = guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        ck_assert(status == KIN_OK || (failed && status == KIN_ERROR_NO_MEMORY) ||
                  (failed && status == KIN_ERROR_INVALID));
        if (!failed)
            break;
        twice_end();
        twice_begin();
    }
}
END_TEST

// ---- package opera

static uint32_t applauded;

void sing_update(opera_world *world, sing_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (sing_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->note[i].pitch++;
}

void applaud_execute_libretto(opera_world *world, const libretto_entity *entities, uint32_t count)
{
    (void)world, (void)entities;
    applauded += count;
}

void applaud_execute_backstage(opera_world *world, const backstage_entity *entities, uint32_t count)
{
    (void)world, (void)entities;
    applauded += 100 * count;
}

START_TEST(snp_23_contexts_that_are_not_saved_are_not_looked_at)
{
    kin_snapshot *saved = NULL;
    opera_world *opera = opera_world_create(NULL, NULL);
    backstage_context *backstage = opera->contexts->backstage;
    libretto_context *libretto = opera->contexts->libretto;
    backstage_entity singer = backstage_create_entity(backstage), second = backstage_create_entity(backstage);
    backstage_add_singer(backstage, singer, (Singer){5});
    libretto_entity note = libretto_create_entity(libretto);
    libretto_add_note(libretto, note, (Note){1, second});
    ck_assert_int_eq(opera_world_save(opera, &saved), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_count(saved, libretto->base.info), 1);
    ck_assert_uint_eq(kin_snapshot_count(saved, backstage->base.info), 0);
    backstage_replace_singer(backstage, singer, (Singer){7});
    backstage_destroy_entity(backstage, second);
    libretto_destroy_entity(libretto, note);
    ck_assert_int_eq(opera_world_restore(opera, saved, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_int_eq(backstage_get_singer(backstage, singer)->breath, 7);
    ck_assert_uint_eq(libretto_get_note(libretto, note)->singer.id, second.id);
    ck_assert(!backstage_entity_is_alive(backstage, second));
    applauded = 0;
    opera_world_update(opera, 1);
    ck_assert_uint_eq(applauded, 101); // what was collected in the other context is still there
    kin_snapshot_destroy(saved);
    opera_world_destroy(opera);
}
END_TEST

Suite *runtime_world_rehearse_suite(void)
{
    Suite *suite = suite_create("runtime_world_rehearse");
    TCase *cases = tcase_create("world rehearse");
    tcase_add_checked_fixture(cases, twice_begin, twice_end);
    tcase_add_test(cases, rpl_02_an_update_that_depends_on_the_state_alone_is_the_same_twice);
    tcase_add_test(cases, rpl_02_the_field_that_a_static_variable_changes_is_named);
    tcase_add_test(cases, rpl_02_a_difference_of_systems_is_one_too);
    tcase_add_test(cases, rpl_02_a_rehearsal_is_refused_like_a_save);
    tcase_add_test(cases, rpl_02_without_memory_a_rehearsal_says_so);
    tcase_add_test(cases, snp_23_contexts_that_are_not_saved_are_not_looked_at);
    suite_add_tcase(suite, cases);
    return suite;
}
