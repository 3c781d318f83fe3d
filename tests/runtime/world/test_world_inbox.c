// Messages: the subscribers that get a copy, the time of reading, and full inboxes.
#include "runtime/support/town_case.h"
#include "suites.h"

#include "store/store.h"

#include <stdio.h>
#include <string.h>

static void update(void)
{
    town_world_update(town, 0);
}

static void publish(int64_t number)
{
    town_publish_gossip(town, (Gossip){number});
}

static void greet(const char *words)
{
    Greeting greeting = {.mood = MOOD_CALM};
    strncpy(greeting.words, words, sizeof greeting.words - 1);
    town_publish_greeting(town, greeting);
}

// Removes the other systems with bounded inboxes.
static void listen_to(const char *name)
{
    for (const char *each = "Patient\0Hurried\0Strict\0Registry\0"; *each != '\0'; each += strlen(each) + 1)
        if (strcmp(each, name) != 0)
            kin_systems_remove(town_world_systems(town), each);
    town_listen(name);
}

START_TEST(rsy_12_every_subscriber_gets_a_copy)
{
    town_listen("Patient Hurried");
    publish(1);
    publish(2);
    update();
    ck_assert_log("Patient:gossip(1) Patient:gossip(2) Hurried:gossip(1) Hurried:gossip(2) ");
    update();
    ck_assert_log("");
}
END_TEST

START_TEST(rsy_12_messages_of_several_kinds_are_read_in_order_of_publishing)
{
    listen_to("Patient");
    publish(1);
    greet("a");
    publish(2);
    publish(3);
    greet("b");
    update();
    ck_assert_log("Patient:gossip(1) Patient:greeting(a) Patient:gossip(2) Patient:gossip(3) "
                  "Patient:greeting(b) ");
}
END_TEST

static void ring(town_world *world)
{
    town_publish_bell(world);
}

START_TEST(rsy_12_systems_later_in_the_update_get_it_in_this_update_others_in_the_next)
{
    town_do("Registry:cleanup", ring);
    town_listen("Crier Strict Lamps");
    update();
    ck_assert_log("Strict:execute(0,0,0) ");
    kin_systems_remove(town_world_systems(town), "Registry");
    update();
    ck_assert_log("Crier:on_bell Lamps:on_bell Strict:on_bell Strict:execute(0,0,1) ");
    town_do("Mayor:execute", ring);
    update();
    ck_assert_log("Crier:on_bell Lamps:on_bell Strict:on_bell Strict:execute(0,0,2) ");
}
END_TEST

static int64_t echoes;

static void echo(town_world *world)
{
    (void)world;
    if (echoes < 100)
        publish(++echoes);
}

START_TEST(rsy_12_a_message_published_during_a_turn_waits_for_the_next_turn)
{
    echoes = 10;
    town_do("Patient:gossip", echo);
    listen_to("Patient");
    publish(1);
    publish(2);
    update();
    ck_assert_log("Patient:gossip(1) Patient:gossip(2) ");
    update();
    ck_assert_log("Patient:gossip(11) Patient:gossip(12) ");
}
END_TEST

static void echo_twice(town_world *world)
{
    echo(world);
    echo(world);
}

START_TEST(a_ring_that_grows_while_it_is_read_keeps_all_in_order)
{
    town_do("Patient:gossip", echo_twice);
    listen_to("Patient");
    int64_t expected = 1;
    char text[64];
    echoes = 7;
    for (int64_t i = 1; i <= 7; i++)
        publish(i);
    for (int i = 0; i < 20; i++) {
        town_listen("Patient");
        update();
        for (const char *at = log_text(); *at != '\0'; expected++) {
            snprintf(text, sizeof text, "Patient:gossip(%d) ", (int)expected);
            ck_assert_int_eq(strncmp(at, text, strlen(text)), 0);
            at += strlen(text);
        }
    }
    ck_assert_int_eq(expected, 101);
}
END_TEST

START_TEST(a_message_has_the_defaults_of_the_schema)
{
    Greeting greeting = greeting_default();
    ck_assert_int_eq(greeting.mood, MOOD_ANGRY);
    ck_assert_str_eq(greeting.words, "hello");
    ck_assert_uint_eq(greeting.from.id, 0);
}
END_TEST

START_TEST(a_message_without_fields_says_that_it_happened)
{
    listen_to("Crier");
    town_publish_bell(town);
    town_publish_bell(town);
    update();
    ck_assert_log("Crier:on_bell Crier:on_bell ");
}
END_TEST

// ---- full inboxes: Patient keeps 3 greetings and drops the oldest, Hurried 2 of gossip and drops the newest, Strict 2
// and reports an error

START_TEST(rsy_14_a_full_inbox_loses_the_oldest_and_says_so_once_until_it_is_read)
{
    listen_to("Patient");
    for (const char *words = "a\0b\0c\0d\0e\0"; *words != '\0'; words += 2)
        greet(words);
    ck_assert_log("!LIMIT ");
    update();
    ck_assert_log("Patient:greeting(c) Patient:greeting(d) Patient:greeting(e) ");
    for (const char *words = "f\0g\0h\0i\0"; *words != '\0'; words += 2)
        greet(words);
    ck_assert_log("!LIMIT ");
    update();
    ck_assert_log("Patient:greeting(g) Patient:greeting(h) Patient:greeting(i) ");
}
END_TEST

START_TEST(rsy_14_a_full_inbox_loses_the_newest_and_says_so_once_until_it_is_read)
{
    listen_to("Hurried");
    for (int64_t i = 1; i <= 4; i++)
        publish(i);
    ck_assert_log("!LIMIT ");
    update();
    ck_assert_log("Hurried:gossip(1) Hurried:gossip(2) ");
    publish(5);
    publish(6);
    ck_assert_log("");
    publish(7);
    ck_assert_log("!LIMIT ");
}
END_TEST

START_TEST(rsy_14_a_full_inbox_with_overflow_error_reports_each_time)
{
    listen_to("Strict");
    for (int64_t i = 1; i <= 4; i++)
        publish(i);
    ck_assert_log("!LIMIT !LIMIT ");
    update();
    ck_assert_log("Strict:gossip(1) Strict:gossip(2) Strict:execute(0,0,0) ");
}
END_TEST

START_TEST(rsy_14_a_full_inbox_of_one_does_not_keep_others_from_the_message)
{
    town_listen("Patient Strict");
    for (int64_t i = 1; i <= 3; i++)
        publish(i);
    ck_assert_log("!LIMIT !LIMIT ");
    update();
    ck_assert_log("Patient:gossip(1) Patient:gossip(2) Patient:gossip(3) Strict:gossip(1) Strict:gossip(2) "
                  "Strict:execute(0,0,0) ");
}
END_TEST

static void expect_words(const kin_error *error, void *user)
{
    (void)user;
    log_write("%s", error->message);
}

START_TEST(the_error_of_a_full_inbox_names_the_message_the_system_and_the_limit)
{
    town_world *other = town_world_create(&(kin_context_options){.on_error = expect_words}, NULL);
    kin_systems_remove(town_world_systems(other), "Hurried");
    log_begin();
    for (int64_t i = 1; i <= 3; i++)
        town_publish_gossip(other, (Gossip){i});
    ck_assert_log("cannot publish Gossip to Strict: 2 messages fill its inbox, and the new one is lost; "
                  "raise its capacity");
    town_world_destroy(other);
}
END_TEST

static void remove_on_error(const kin_error *error, void *user)
{
    town_world **world = user;
    log_write("!%s ", kin_status_name(error->status));
    if (error->status != KIN_ERROR_LIMIT)
        return;
    kin_systems_remove(town_world_systems(*world), "Hurried");
    kin_systems_remove(town_world_systems(*world), "Patient");
    town_world_destroy(*world);
}

START_TEST(the_handler_of_a_full_inbox_may_remove_systems_but_not_destroy_the_world)
{
    town_world *other = NULL;
    kin_context_options options = {.on_error = remove_on_error, .error_user = &other};
    other = town_world_create(&options, NULL);
    log_begin();
    for (int64_t i = 1; i <= 3; i++)
        town_publish_gossip(other, (Gossip){i});
    ck_assert_log("!KIN_ERROR_LIMIT !KIN_ERROR_INVALID !KIN_ERROR_LIMIT !KIN_ERROR_INVALID !KIN_ERROR_INVALID "
                  "!KIN_ERROR_INVALID ");
    town_world *ended = other;
    other = NULL;
    town_world_update(ended, 1);
    town_world_destroy(ended);
}
END_TEST

// ---- disabled systems

START_TEST(rsy_12_the_inbox_of_a_disabled_system_is_emptied_and_stays_empty)
{
    kin_systems *systems = town_world_systems(town);
    listen_to("Patient");
    publish(1);
    kin_systems_set_enabled(systems, "Patient", false);
    publish(2);
    kin_systems_set_enabled(systems, "Patient", true);
    publish(3);
    update();
    ck_assert_log("Patient:gossip(3) ");
}
END_TEST

START_TEST(rsy_12_the_inboxes_of_a_disabled_node_stay_empty)
{
    kin_systems *systems = town_world_systems(town);
    listen_to("Patient");
    kin_systems_set_enabled(systems, "evening", false);
    publish(1);
    update();
    kin_systems_set_enabled(systems, "evening", true);
    update();
    ck_assert_log("");
}
END_TEST

START_TEST(other_systems_that_are_enabled_or_disabled_leave_an_inbox_as_it_is)
{
    kin_systems *systems = town_world_systems(town);
    town_listen("Patient");
    publish(1);
    kin_systems_set_enabled(systems, "Hurried", false);
    kin_systems_set_enabled(systems, "Hurried", true);
    update();
    ck_assert_log("Patient:gossip(1) ");
}
END_TEST

static void disable_patient(town_world *world)
{
    kin_systems_set_enabled(town_world_systems(world), "Patient", false);
}

START_TEST(a_system_that_disables_itself_reads_no_further_message)
{
    listen_to("Patient");
    town_do("Patient:gossip", disable_patient);
    publish(1);
    publish(2);
    update();
    ck_assert_log("Patient:gossip(1) ");
}
END_TEST

Suite *runtime_world_inbox_suite(void)
{
    Suite *suite = suite_create("runtime_world_inbox");
    TCase *tests = tcase_create("world_inbox");
    tcase_add_checked_fixture(tests, town_begin, town_end);
    tcase_add_test(tests, rsy_12_every_subscriber_gets_a_copy);
    tcase_add_test(tests, rsy_12_messages_of_several_kinds_are_read_in_order_of_publishing);
    tcase_add_test(tests, rsy_12_systems_later_in_the_update_get_it_in_this_update_others_in_the_next);
    tcase_add_test(tests, rsy_12_a_message_published_during_a_turn_waits_for_the_next_turn);
    tcase_add_test(tests, a_ring_that_grows_while_it_is_read_keeps_all_in_order);
    tcase_add_test(tests, a_message_has_the_defaults_of_the_schema);
    tcase_add_test(tests, a_message_without_fields_says_that_it_happened);
    tcase_add_test(tests, rsy_14_a_full_inbox_loses_the_oldest_and_says_so_once_until_it_is_read);
    tcase_add_test(tests, rsy_14_a_full_inbox_loses_the_newest_and_says_so_once_until_it_is_read);
    tcase_add_test(tests, rsy_14_a_full_inbox_with_overflow_error_reports_each_time);
    tcase_add_test(tests, rsy_14_a_full_inbox_of_one_does_not_keep_others_from_the_message);
    tcase_add_test(tests, the_error_of_a_full_inbox_names_the_message_the_system_and_the_limit);
    tcase_add_test(tests, the_handler_of_a_full_inbox_may_remove_systems_but_not_destroy_the_world);
    tcase_add_test(tests, rsy_12_the_inbox_of_a_disabled_system_is_emptied_and_stays_empty);
    tcase_add_test(tests, rsy_12_the_inboxes_of_a_disabled_node_stay_empty);
    tcase_add_test(tests, other_systems_that_are_enabled_or_disabled_leave_an_inbox_as_it_is);
    tcase_add_test(tests, a_system_that_disables_itself_reads_no_further_message);
    suite_add_tcase(suite, tests);
    return suite;
}
