// The message of KIN_ERROR_RETAINED about holders, and owners with names (RET-07).
#include "runtime/support/relay_case.h"
#include "store/store.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

enum { OWNERS = 100 };

static relay_entity one;
static char last_message[512];
static int owners[OWNERS];

static void keep_message(const kin_error *error, void *user)
{
    (void)user;
    snprintf(last_message, sizeof last_message, "%s", error->message);
}

static void begin_with(bool fast_retain)
{
    relay_end();
    relay_begin_with(&(kin_context_options){.fast_retain = fast_retain, .on_error = keep_message});
    one = relay_create_entity(relay);
}

static void begin(void)
{
    relay_begin();
    begin_with(false);
}

// Resets the context and compares what the message says between the slot and the advice.
static void check_holders(const char *expected)
{
    char text[512];
    ck_assert_int_eq(relay_destroy_all_entities(relay), KIN_ERROR_RETAINED);
    snprintf(text, sizeof text,
             "relay: cannot release all entities: 1 destroyed entity is still held, the first of them entity 1 in "
             "slot 0%s; release them and clear collectors",
             expected);
    ck_assert_str_eq(last_message, text);
}

START_TEST(ret_07_an_owner_is_shown_by_address_and_name)
{
    char expected[128];
    kin_retain_named(&relay->base, one.id, &owners[0], "view");
    snprintf(expected, sizeof expected, " by the owner %p view", (void *)&owners[0]);
    check_holders(expected);
    relay_retain_entity(relay, one, &owners[1]);
    ck_assert_int_eq(relay_release_entity(relay, one, &owners[0]), KIN_OK);
    snprintf(expected, sizeof expected, " by the owner %p", (void *)&owners[1]);
    check_holders(expected);
    relay_release_entity(relay, one, &owners[1]);
}
END_TEST

START_TEST(ret_07_collectors_without_a_system_have_no_name)
{
    kin_trigger trigger = {relay_none(RELAY_A), KIN_REMOVED};
    kin_collector *first = kin_collector_create(&trigger, 1), *second = kin_collector_create(&trigger, 1);
    check_holders(" by a collector, a collector");
    kin_collector_destroy(first);
    kin_collector_destroy(second);
}
END_TEST

static void fill_name(char name[600])
{
    memset(name, 'x', 599);
    name[599] = '\0';
    name[0] = '\x1b';
}

START_TEST(ret_07_long_names_are_cut_and_control_characters_escaped)
{
    char name[600];
    fill_name(name);
    kin_retain_named(&relay->base, one.id, &owners[0], name);
    ck_assert_int_eq(relay_context_reset(relay), KIN_ERROR_RETAINED);
    ck_assert_ptr_nonnull(strstr(last_message, " \\x1bxxx"));
    ck_assert_ptr_nonnull(strstr(last_message, "...; release them and clear collectors"));
    relay_release_entity(relay, one, &owners[0]);
}
END_TEST

static void retain_by_name(const kin_change *change, void *user)
{
    ck_assert_int_eq(kin_retain_named(change->context, change->entity, user, "listener"), KIN_OK);
}

START_TEST(ret_07_a_listener_may_retain_by_name)
{
    kin_context_subscribe(&relay->base, KIN_ENTITY_WILL_BE_DESTROYED, retain_by_name, &owners[0]);
    ck_assert_int_eq(relay_destroy_entity(relay, one), KIN_OK);
    ck_assert_int_eq(relay_destroy_all_entities(relay), KIN_ERROR_RETAINED);
    ck_assert_ptr_nonnull(strstr(last_message, " listener; release them"));
    relay_release_entity(relay, one, &owners[0]);
}
END_TEST

START_TEST(ret_07_with_fast_retain_owners_are_not_known)
{
    begin_with(true);
    kin_retain_named(&relay->base, one.id, &owners[0], "view");
    check_holders(" by an owner");
    relay_release_entity(relay, one, NULL);
}
END_TEST

START_TEST(ret_07_names_stay_with_their_owners_when_the_table_changes)
{
    char expected[128];
    for (int i = 0; i < OWNERS; i++)
        ck_assert_int_eq(kin_retain_named(&relay->base, one.id, &owners[i], i == 70 ? "view" : NULL), KIN_OK);
    for (int i = 0; i < OWNERS; i++)
        if (i != 70)
            ck_assert_int_eq(relay_release_entity(relay, one, &owners[i]), KIN_OK);
    snprintf(expected, sizeof expected, " by the owner %p view", (void *)&owners[70]);
    check_holders(expected);
    kin_context_trim(&relay->base);
    check_holders(expected);
    relay_release_entity(relay, one, &owners[70]);
    kin_context_trim(&relay->base);
}
END_TEST

START_TEST(ret_07_retaining_by_name_is_refused_like_retaining)
{
    kin_context *base = &relay->base;
    ck_assert_int_eq(kin_retain_named(base, 0, &owners[0], "view"), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(kin_retain_named(base, one.id, &owners[0], "view"), KIN_OK);
    ck_assert_int_eq(kin_retain_named(base, one.id, &owners[0], "other"), KIN_ERROR_RETAINED);
    ck_assert_int_eq(relay_release_entity(relay, one, &owners[0]), KIN_OK);
    ck_assert_int_eq(relay_release_entity(relay, one, &owners[0]), KIN_ERROR_NOT_RETAINED);
}
END_TEST

START_TEST(err_01_retaining_by_name_without_memory_changes_nothing)
{
    kin_status status = KIN_ERROR_NO_MEMORY;
    for (uint64_t number = 1; status != KIN_OK; number++) {
        guard_fail(&relay_memory, number, true);
        status = kin_retain_named(&relay->base, one.id, &owners[0], "view");
        guard_fail(&relay_memory, 0, false);
        ck_assert(status == KIN_OK || status == KIN_ERROR_NO_MEMORY);
        ck_assert_int_eq(relay_release_entity(relay, one, &owners[0]),
                         status == KIN_OK ? KIN_OK : KIN_ERROR_NOT_RETAINED);
        ck_assert_uint_lt(number, 10);
    }
}
END_TEST

Suite *runtime_holders_suite(void)
{
    Suite *suite = suite_create("runtime_holders");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, begin, relay_end);
    tcase_add_test(rules, ret_07_an_owner_is_shown_by_address_and_name);
    tcase_add_test(rules, ret_07_collectors_without_a_system_have_no_name);
    tcase_add_test(rules, ret_07_long_names_are_cut_and_control_characters_escaped);
    tcase_add_test(rules, ret_07_a_listener_may_retain_by_name);
    tcase_add_test(rules, ret_07_with_fast_retain_owners_are_not_known);
    tcase_add_test(rules, ret_07_names_stay_with_their_owners_when_the_table_changes);
    tcase_add_test(rules, ret_07_retaining_by_name_is_refused_like_retaining);
    tcase_add_test(rules, err_01_retaining_by_name_without_memory_changes_nothing);
    suite_add_tcase(suite, rules);
    return suite;
}
