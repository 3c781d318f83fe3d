// Messages and refused calls as viewers see them: messages.read and errors.read.
#include "inspect_case.h"
#include "suites.h"

#include "runtime/support/forge_case.h"
#include "runtime/support/hive_case.h"
#include "runtime/support/support.h"
#include "runtime/support/town_case.h"

#include "feature/internal.h"
#include "host/host.h"
#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>

static kin__host *host(void)
{
    return &inspector->service.sites.hosts[0];
}

// ---- messages

static void greet(town_world *world)
{
    people_entity citizen = town_citizen(30);
    town_publish_greeting(world, (Greeting){.from = citizen, .mood = MOOD_ANGRY, .words = "<hello>"});
}

static void ring(town_world *world)
{
    town_publish_bell(world);
}

START_TEST(ins_r1_messages_have_their_publisher_readers_and_fields)
{
    expect_in_answer("messages.read", "{}",
                     "'world':'town','began':true,'lost':0,'next':'0','types':[{'name':'Bell',"
                     "'doc':'Says only that it rings.','handles':{},'readers':['Crier','Lamps','Strict']},");
    expect_in_answer("messages.read", "{}", "'messages':[]");
    town_do("Mayor:execute", greet);
    town_do("Clock:execute", ring);
    town_world_update(town, 0.125);
    expect_in_answer("messages.read", "{}",
                     "'messages':[{'n':'0','frame':0,'step':0,'publisher':'Mayor','role':'execute',"
                     "'message':'Greeting','readers':['Registry','Patient'],"
                     "'fields':{'from':'1:0','mood':'Angry','words':'<hello>'},'cut':false}]");
    town_world_update(town, 0.125); // a fixed step
    expect_in_answer("messages.read", "{'after':'2','limit':2}", "'began':false,'lost':0,'next':'4','types':");
    expect_in_answer("messages.read", "{'after':'2','limit':2}", "'messages':[{'n':'2','frame':");
    expect_in_answer("messages.read", "{'after':'2','limit':2}",
                     "'step':1,'publisher':'Clock','role':'execute','message':'Bell',"
                     "'readers':['Crier','Lamps','Strict'],'fields':{},'cut':false}]");
}
END_TEST

START_TEST(ins_r1_messages_outside_of_systems_are_so)
{
    inspect_ask("messages.read", "{}");
    town_publish_gossip(town, (Gossip){-1});
    expect_in_answer("messages.read", "{}",
                     "{'n':'0','frame':0,'step':0,'publisher':'outside','role':null,'message':'Gossip',"
                     "'readers':['Patient','Hurried','Strict'],'fields':{'number':'-1'},'cut':false}");
}
END_TEST

static void ring_on_change(const kin_change *change, void *user)
{
    (void)change;
    town_publish_bell(user);
}

START_TEST(ins_r1_messages_that_answer_a_change_of_a_viewer_are_by_the_inspector)
{
    inspect_ask("messages.read", "{}");
    kin_context_subscribe(&town->contexts->people->base, KIN_ENTITY_CREATED, ring_on_change, town);
    inspect_ask("entities.create", "{'context':'people'}");
    expect_in_answer("messages.read", "{}", "'publisher':'inspector','role':null,'message':'Bell'");
}
END_TEST

START_TEST(ins_r1_messages_are_filtered)
{
    inspect_ask("messages.read", "{}");
    town_do("Mayor:execute", greet);
    town_publish_bell(town);
    town_world_update(town, 0.125);
    expect_in_answer("messages.read", "{'message':'Bell'}", "'messages':[{'n':'0'");
    expect_in_answer("messages.read", "{'publisher':'Mayor'}", "'messages':[{'n':'1'");
    expect_in_answer("messages.read", "{'publisher':'Clock'}", "'messages':[]");
    expect_in_answer("messages.read", "{'message':'Bel'}",
                     "error -32602: town has no message 'Bel' {'did_you_mean':['Bell']}");
    expect_in_answer("messages.read", "{'after':'-1'}", "error -32602: 'after' must be the 'next' of an answer");
    expect_in_answer("messages.read", "{'limit':1025}", "error -33102:");
}
END_TEST

START_TEST(ins_r1_the_newest_messages_stay_and_lost_ones_are_counted)
{
    inspect_ask("messages.read", "{}");
    for (int64_t i = 0; i < KIN__KEPT_MESSAGES + 7; i++)
        town_publish_gossip(town, (Gossip){i});
    expect_in_answer("messages.read", "{'after':'0','limit':1}", "'lost':7,'next':'8',");
    expect_in_answer("messages.read", "{'after':'0','limit':1}", "'fields':{'number':'7'}");
    expect_in_answer("messages.read", "{'limit':1}", "'lost':7,'next':'1031',");
    expect_in_answer("messages.read", "{'limit':1}", "'messages':[{'n':'1030',");
    expect_in_answer("messages.read", "{'limit':1024}", "'messages':[{'n':'7',");
}
END_TEST

START_TEST(ins_05_messages_end_ten_seconds_after_the_last_ask)
{
    inspect_ask("entities.query", "{'context':'people'}");
    size_t used = inspector->service.heap.used;
    inspect_ask("messages.read", "{}");
    ck_assert_uint_gt(inspector->service.heap.used, used);
    town_world_update(town, 1);
    ck_assert_ptr_nonnull(host()->messages);
    host()->messages->until = kin__inspect_now() - 1;
    host()->last_request = 0;
    town_world_update(town, 1);
    ck_assert_ptr_null(host()->messages);
    town_publish_bell(town);
    town_world_update(town, 1);
    ck_assert_uint_eq(host()->attention, 0);
    expect_in_answer("messages.read", "{}", "'began':true,'lost':0,'next':'0'");
}
END_TEST

START_TEST(ins_05_a_world_may_end_while_messages_and_errors_are_recorded)
{
    inspect_ask("messages.read", "{}");
    inspect_ask("errors.read", "{}");
    town_do("Mayor:execute", ring);
    town_do("Mayor:tear_down", ring);
    town_world_update(town, 1);
}
END_TEST

START_TEST(ins_02_systems_receive_the_same_with_a_viewer_of_messages)
{
    char alone[256];
    town_listen("Crier Patient Hurried Strict");
    for (int i = 0; i < 2; i++) {
        log_begin();
        for (int64_t n = 0; n < 3; n++)
            town_publish_gossip(town, (Gossip){n});
        town_publish_bell(town);
        town_world_update(town, 1);
        if (i == 0)
            snprintf(alone, sizeof alone, "%.200s", log_text());
        inspect_ask("messages.read", "{}");
        inspect_ask("errors.read", "{}");
        if (i == 1)
            ck_assert_int_eq(strncmp(alone, log_text(), 150), 0);
    }
    ck_assert_uint_gt(strlen(alone), 150);
}
END_TEST

// ---- large and hidden fields

static void forge_begin_inspected(void)
{
    kin_inspector_options options = inspect_options();
    forge_begin();
    inspector = kin_inspect(forge_world_base(forge), &options);
    ck_assert_ptr_nonnull(inspector);
}

static void forge_end_inspected(void)
{
    forge_end();
    guard_end(&inspect_memory);
}

START_TEST(ins_29_hidden_fields_of_messages_are_in_no_answer)
{
    inspect_ask("messages.read", "{}");
    forge_publish_seal(forge, (Seal){.cipher = 424242, .mark = "boar"});
    const char *answer = inspect_quoted(inspect_ask("messages.read", "{}"));
    ck_assert_ptr_nonnull(strstr(answer, inspect_quoted("'fields':{'smith':null,'mark':'boar'}")));
    ck_assert_ptr_null(strstr(answer, "424242"));
    ck_assert_ptr_null(strstr(answer, "cipher"));
}
END_TEST

START_TEST(ins_08_the_first_bytes_of_large_messages_are_kept)
{
    static Tome tome = {.title = "iron"};
    inspect_ask("messages.read", "{}");
    forge_publish_tome(forge, tome);
    forge_publish_order(forge, (Order){3});
    const char *answer = inspect_quoted(inspect_ask("messages.read", "{}"));
    ck_assert_ptr_nonnull(strstr(answer, inspect_quoted("'cut':true")));
    ck_assert_ptr_null(strstr(answer, "pages"));
    ck_assert_ptr_nonnull(strstr(answer, inspect_quoted("'fields':{'blades':3},'cut':false}]")));
}
END_TEST

// 1,024 of them are more than a capture has room for.
START_TEST(ins_08_large_messages_that_do_not_fit_an_answer_are_in_the_next_one)
{
    static Tome tome = {.title = "iron"};
    char parameters[64];
    inspect_ask("messages.read", "{}");
    for (uint32_t i = 0; i < KIN__KEPT_MESSAGES; i++)
        forge_publish_tome(forge, tome);
    const char *answer = inspect_ask("messages.read", "{'limit':1024}");
    ck_assert_ptr_nonnull(strstr(answer, "\"n\":\"1023\"")); // the newest
    ck_assert_ptr_null(strstr(answer, "\"n\":\"0\""));
    answer = inspect_ask("messages.read", "{'limit':1024,'after':'0'}");
    ck_assert_ptr_nonnull(strstr(answer, "\"n\":\"0\""));
    unsigned long next = strtoul(strstr(answer, "\"next\":\"") + 8, NULL, 10);
    ck_assert_uint_gt(next, 500);
    ck_assert_uint_lt(next, KIN__KEPT_MESSAGES);
    snprintf(parameters, sizeof parameters, "{'limit':1024,'after':'%lu'}", next);
    answer = inspect_ask("messages.read", parameters);
    snprintf(parameters, sizeof parameters, "\"messages\":[{\"n\":\"%lu\",", next);
    ck_assert_ptr_nonnull(strstr(answer, parameters));
    ck_assert_ptr_nonnull(strstr(answer, "\"n\":\"1023\""));
}
END_TEST

// ---- errors

static void destroy_none(town_world *world)
{
    kin_destroy(&world->contexts->people->base, 0);
}

static void add_twice(town_world *world)
{
    people_entity citizen = town_citizen(1);
    people_add_age(world->contexts->people, citizen, (Age){2});
}

START_TEST(ins_32_refused_calls_have_their_frame_system_and_sentence)
{
    expect_in_answer("errors.read", "{}", "'world':'town','began':true,'lost':0,'next':'0','counts':{},'errors':[]}");
    town_world_update(town, 1);
    town_do("Mayor:execute", add_twice);
    town_world_update(town, 1);
    expect_in_answer("errors.read", "{}",
                     "'errors':[{'n':'0','count':1,'frame':1,'step':0,'system':'Mayor','role':'execute',"
                     "'status':'KIN_ERROR_HAS_COMPONENT','sentence':'people: cannot add Age of entity 1 in slot 0: the "
                     "entity already has it; replace it instead','context':'people','component':'Age','e':'1:0'}]");
    ck_assert_ptr_nonnull(strstr(log_text(), "!HAS_COMPONENT")); // the game's handler is called as ever
}
END_TEST

START_TEST(ins_32_equal_refusals_in_a_row_are_one_that_counts)
{
    inspect_ask("errors.read", "{}");
    town_do("Mayor:execute", destroy_none);
    for (int i = 0; i < 3; i++)
        town_world_update(town, 1);
    destroy_none(town);
    expect_in_answer("errors.read", "{}",
                     "'next':'4','counts':{'KIN_ERROR_NOT_ALIVE':4},'errors':[{'n':'2','count':3,"
                     "'frame':2,'step':0,'system':'Mayor','role':'execute',");
    expect_in_answer("errors.read", "{'after':'3'}",
                     "'errors':[{'n':'3','count':1,'frame':2,'step':0,'system':'outside'");
    expect_in_answer("errors.read", "{'after':'4'}", "'errors':[]");
    destroy_none(town);
    expect_in_answer("errors.read", "{'after':'4'}", "'errors':[{'n':'4','count':2,");
    expect_in_answer("errors.read", "{'system':'Mayor'}", "'count':3,");
    expect_in_answer("errors.read", "{'system':'Clock'}", "'errors':[]");
}
END_TEST

START_TEST(ins_32_refusals_are_counted_before_anybody_asks)
{
    destroy_none(town);
    destroy_none(town);
    expect_in_answer("errors.read", "{}",
                     "'began':true,'lost':0,'next':'0','counts':{'KIN_ERROR_NOT_ALIVE':2},'errors':[]");
}
END_TEST

START_TEST(ins_32_the_newest_refusals_stay_and_lost_ones_are_counted)
{
    inspect_ask("errors.read", "{}");
    for (int i = 0; i < KIN__KEPT_REFUSALS + 3; i++) {
        destroy_none(town);
        destroy_none(town);
        town_world_pop_time(town);
    }
    expect_in_answer("errors.read", "{'limit':1}",
                     "'lost':393,'next':'777','counts':{'KIN_ERROR_NOT_ALIVE':518,"
                     "'KIN_ERROR_INVALID':259},'errors':[{'n':'776','count':1,");
    expect_in_answer("errors.read", "{'after':'0','limit':2}", "'next':'396',");
    expect_in_answer("errors.read", "{'after':'0','limit':2}", "'errors':[{'n':'394','count':2,");
    town_world_pop_time(town); // repeats the last one, and makes no room
    expect_in_answer("errors.read", "{'after':'0','limit':1}", "'errors':[{'n':'394','count':2,");
}
END_TEST

START_TEST(ins_32_a_full_inbox_is_a_refusal_of_its_publisher)
{
    inspect_ask("errors.read", "{}");
    for (int64_t n = 0; n < 3; n++)
        town_publish_gossip(town, (Gossip){n});
    expect_in_answer("errors.read", "{}",
                     "'system':'outside','role':null,'status':'KIN_ERROR_LIMIT','sentence':"
                     "'cannot publish Gossip to Hurried: 2 messages fill its inbox");
}
END_TEST

static void refuse_inside(const kin_change *change, void *user)
{
    (void)user;
    kin_destroy(change->context, 0);
}

START_TEST(ins_32_refusals_of_viewers_are_not_those_of_the_game)
{
    inspect_ask("errors.read", "{}");
    expect_in_answer("entities.destroy", "{'context':'people','entity':'1:0'}", "error -33001:");
    expect_in_answer("errors.read", "{}", "'counts':{},'errors':[]");
    kin_context_subscribe(&town->contexts->people->base, KIN_ENTITY_CREATED, refuse_inside, NULL);
    inspect_ask("entities.create", "{'context':'people'}");
    expect_in_answer("errors.read", "{}", "'system':'inspector','role':null,'status':'KIN_ERROR_NOT_ALIVE'");
}
END_TEST

START_TEST(ins_05_errors_end_ten_seconds_after_the_last_ask)
{
    inspect_ask("errors.read", "{}");
    town_world_update(town, 1);
    ck_assert_ptr_nonnull(host()->refusals);
    host()->refusals->until = kin__inspect_now() - 1;
    town_world_update(town, 1);
    ck_assert_ptr_null(host()->refusals);
    destroy_none(town);
    expect_in_answer("errors.read", "{}", "'began':true,'lost':0,'next':'0','counts':{'KIN_ERROR_NOT_ALIVE':1}");
}
END_TEST

// ---- parallel systems

static void hive_begin_inspected(void)
{
    kin_inspector_options options = inspect_options();
    hive_begin();
    inspector = kin_inspect(hive_hive_world_base(hive), &options);
    ck_assert_ptr_nonnull(inspector);
}

static void hive_end_inspected(void)
{
    hive_end();
    guard_end(&inspect_memory);
}

static void alarm_and_fail(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    for (int i = 0; i < 3; i++)
        hive_fly_publish_alarm(job);
}

START_TEST(ins_r1_what_the_commands_of_a_parallel_system_do_is_by_it)
{
    inspect_ask("messages.read", "{}");
    inspect_ask("errors.read", "{}");
    hive_fill(1);
    hive_does.fly = alarm_and_fail;
    hive_update();
    expect_in_answer("messages.read", "{}", "'publisher':'Fly','role':'commands','message':'Alarm'");
    expect_in_answer("errors.read", "{}",
                     "'system':'Fly','role':'commands','status':'KIN_ERROR_LIMIT','sentence':"
                     "'system 'Fly' cannot publish Alarm to Middle");
    ck_assert_reported(&hive_errors, KIN_ERROR_LIMIT);
}
END_TEST

START_TEST(ins_63_the_commands_of_a_parallel_system_are_in_the_journal_by_it)
{
    hive_fill(1);
    hive_does.fly = hive_rest_all;
    inspect_ask("journal.start", "{'context':'bees','components':['Asleep']}");
    inspect_ask("audit.start", "{'context':'bees','component':'Position'}");
    inspect_ask("systems.list", "{}"); // times calls from now on
    hive_update();
    expect_in_answer("journal.read", "{'context':'bees'}",
                     "'system':'Fly','role':'commands','kind':'added','e':'1:0','component':'Asleep'");
    ck_assert_ptr_nonnull(strstr(inspect_ask("systems.list", "{}"), inspect_quoted("'commands':{'last':")));
}
END_TEST

// ---- contexts without a world

START_TEST(a_context_without_a_world_has_no_messages)
{
    expect_in_answer("messages.read", "{}", "'began':false,'lost':0,'next':'0','types':[],'messages':[]}");
}
END_TEST

START_TEST(ins_29_a_refused_key_of_the_game_shows_no_hidden_part)
{
    inspect_ask("errors.read", "{}");
    my_game_add_known(game, my_game_create_entity(game), my_known_default());
    my_game_add_known(game, my_game_create_entity(game), my_known_default());
    expect_in_answer("errors.read", "{}",
                     "'status':'KIN_ERROR_DUPLICATE_KEY','sentence':'game: another entity has the "
                     "key of Known','context':'game','component':'Known'");
}
END_TEST

START_TEST(ins_32_refusals_of_contexts_without_a_world_are_seen)
{
    kin_destroy(&game->base, 0);
    kin_destroy(&input->base, 0);
    expect_in_answer("errors.read", "{}", "'counts':{'KIN_ERROR_NOT_ALIVE':2}");
    kin_destroy(&input->base, 0);
    expect_in_answer("errors.read", "{}",
                     "'system':'outside','role':null,'status':'KIN_ERROR_NOT_ALIVE','sentence':"
                     "'input: cannot destroy an entity");
    kin_inspector_destroy(inspector);
    inspector = NULL;
    kin_destroy(&game->base, 0); // counted by none
}
END_TEST

Suite *inspect_messages_suite(void)
{
    Suite *suite = suite_create("inspect_messages");
    TCase *tests = tcase_create("inspect_messages"), *forges = tcase_create("forges"), *hives = tcase_create("hives"),
          *contexts = tcase_create("contexts");
    tcase_add_checked_fixture(tests, inspect_town_begin, inspect_town_end);
    tcase_add_test(tests, ins_r1_messages_have_their_publisher_readers_and_fields);
    tcase_add_test(tests, ins_r1_messages_outside_of_systems_are_so);
    tcase_add_test(tests, ins_r1_messages_that_answer_a_change_of_a_viewer_are_by_the_inspector);
    tcase_add_test(tests, ins_r1_messages_are_filtered);
    tcase_add_test(tests, ins_r1_the_newest_messages_stay_and_lost_ones_are_counted);
    tcase_add_test(tests, ins_05_messages_end_ten_seconds_after_the_last_ask);
    tcase_add_test(tests, ins_05_a_world_may_end_while_messages_and_errors_are_recorded);
    tcase_add_test(tests, ins_02_systems_receive_the_same_with_a_viewer_of_messages);
    tcase_add_test(tests, ins_32_refused_calls_have_their_frame_system_and_sentence);
    tcase_add_test(tests, ins_32_equal_refusals_in_a_row_are_one_that_counts);
    tcase_add_test(tests, ins_32_refusals_are_counted_before_anybody_asks);
    tcase_add_test(tests, ins_32_the_newest_refusals_stay_and_lost_ones_are_counted);
    tcase_add_test(tests, ins_32_a_full_inbox_is_a_refusal_of_its_publisher);
    tcase_add_test(tests, ins_32_refusals_of_viewers_are_not_those_of_the_game);
    tcase_add_test(tests, ins_05_errors_end_ten_seconds_after_the_last_ask);
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(forges, forge_begin_inspected, forge_end_inspected);
    tcase_add_test(forges, ins_29_hidden_fields_of_messages_are_in_no_answer);
    tcase_add_test(forges, ins_08_the_first_bytes_of_large_messages_are_kept);
    tcase_add_test(forges, ins_08_large_messages_that_do_not_fit_an_answer_are_in_the_next_one);
    suite_add_tcase(suite, forges);
    tcase_add_checked_fixture(hives, hive_begin_inspected, hive_end_inspected);
    tcase_add_test(hives, ins_r1_what_the_commands_of_a_parallel_system_do_is_by_it);
    tcase_add_test(hives, ins_63_the_commands_of_a_parallel_system_are_in_the_journal_by_it);
    suite_add_tcase(suite, hives);
    tcase_add_checked_fixture(contexts, inspect_begin, inspect_end);
    tcase_add_test(contexts, a_context_without_a_world_has_no_messages);
    tcase_add_test(contexts, ins_29_a_refused_key_of_the_game_shows_no_hidden_part);
    tcase_add_test(contexts, ins_32_refusals_of_contexts_without_a_world_are_seen);
    suite_add_tcase(suite, contexts);
    return suite;
}
