// Retain and release, chapter 3 of the rules: by owner, and by count with fast_retain.

#include "entity/entity.h"
#include "runtime/support/relay_case.h"
#include "suites.h"

static relay_entity one;
static int owners[1000];

static void begin(void)
{
    relay_begin();
    one = relay_entity_with_a(1);
}

static void begin_fast(void)
{
    kin_context_options options = {.fast_retain = true};
    relay_begin_with(&options);
    one = relay_entity_with_a(1);
}

static uint32_t next_slot(void)
{
    return kin_entity_slot(relay_create_entity(relay).id);
}

START_TEST(ret_01_a_retained_slot_is_not_used_again_until_every_owner_has_released_it)
{
    relay_retain_entity(relay, one, &owners[0]);
    relay_retain_entity(relay, one, NULL);
    relay_destroy_entity(relay, one);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 1);
    ck_assert_int_eq(relay_release_entity(relay, one, &owners[0]), KIN_OK);
    ck_assert_uint_eq(next_slot(), 1);
    ck_assert_int_eq(relay_release_entity(relay, one, NULL), KIN_OK);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 0);
    ck_assert_uint_eq(next_slot(), 0);
    ck_assert_log("");
}
END_TEST

START_TEST(ret_02_retaining_twice_with_one_owner_is_refused)
{
    ck_assert_int_eq(relay_retain_entity(relay, one, &owners[0]), KIN_OK);
    ck_assert_int_eq(relay_retain_entity(relay, one, &owners[0]), KIN_ERROR_RETAINED);
    ck_assert_int_eq(relay_release_entity(relay, one, &owners[1]), KIN_ERROR_NOT_RETAINED);
    ck_assert_int_eq(relay_release_entity(relay, one, &owners[0]), KIN_OK);
    ck_assert_int_eq(relay_release_entity(relay, one, &owners[0]), KIN_ERROR_NOT_RETAINED);
    relay_destroy_entity(relay, one);
    ck_assert_int_eq(relay_release_entity(relay, one, &owners[0]), KIN_ERROR_NOT_RETAINED);
    ck_assert_int_eq(relay_release_entity(relay, RELAY_NO_ENTITY, NULL), KIN_ERROR_NOT_RETAINED);
    ck_assert_log("!RETAINED !NOT_RETAINED !NOT_RETAINED !NOT_RETAINED !NOT_RETAINED ");
    ck_assert_uint_eq(next_slot(), 0);
}
END_TEST

START_TEST(ret_02_many_owners_of_many_entities_are_distinguished)
{
    relay_entity entities[100];
    for (uint32_t i = 0; i < 100; i++)
        entities[i] = relay_create_entity(relay);
    for (uint32_t i = 0; i < 1000; i++)
        ck_assert_int_eq(relay_retain_entity(relay, entities[i * 7 % 100], &owners[i]), KIN_OK);
    for (uint32_t i = 0; i < 1000; i += 2)
        ck_assert_int_eq(relay_release_entity(relay, entities[i * 7 % 100], &owners[i]), KIN_OK);
    for (uint32_t i = 1; i < 1000; i += 2)
        ck_assert_int_eq(relay_retain_entity(relay, entities[i * 7 % 100], &owners[i]), KIN_ERROR_RETAINED);
    log_begin();
    relay_destroy_all_entities(relay);
    ck_assert_log("!RETAINED ");
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 50);
    for (uint32_t i = 1; i < 1000; i += 2)
        ck_assert_int_eq(relay_release_entity(relay, entities[i * 7 % 100], &owners[i]), KIN_OK);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 0);
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
}
END_TEST

START_TEST(ret_03_with_fast_retain_an_owner_may_hold_twice_and_any_caller_may_release)
{
    ck_assert_int_eq(relay_retain_entity(relay, one, &owners[0]), KIN_OK);
    ck_assert_int_eq(relay_retain_entity(relay, one, &owners[0]), KIN_OK);
    relay_destroy_entity(relay, one);
    ck_assert_int_eq(relay_release_entity(relay, one, &owners[1]), KIN_OK);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 1);
    ck_assert_int_eq(relay_release_entity(relay, one, NULL), KIN_OK);
    ck_assert_int_eq(relay_release_entity(relay, one, NULL), KIN_ERROR_NOT_RETAINED);
    ck_assert_log("!NOT_RETAINED ");
    ck_assert_uint_eq(next_slot(), 0);
}
END_TEST

START_TEST(ret_03_what_a_collector_holds_cannot_be_released)
{
    kin_trigger trigger = {relay_all(RELAY_A), KIN_ADDED_OR_REMOVED};
    kin_collector *collector = kin_collector_create(&trigger, 1);
    relay_replace_a(relay, one, (A){2});
    ck_assert_int_eq(relay_release_entity(relay, one, NULL), KIN_ERROR_NOT_RETAINED);
    relay_destroy_entity(relay, one);
    ck_assert_int_eq(relay_release_entity(relay, one, NULL), KIN_ERROR_NOT_RETAINED);
    ck_assert_int_eq(relay_retain_entity(relay, one, NULL), KIN_OK);
    kin_collector_destroy(collector);
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 1);
    ck_assert_int_eq(relay_release_entity(relay, one, NULL), KIN_OK);
    ck_assert_uint_eq(next_slot(), 0);
    ck_assert_log("!NOT_RETAINED !NOT_RETAINED ");
}
END_TEST

START_TEST(ret_04_alive_or_dead_and_held_can_be_retained)
{
    relay_entity other = relay_create_entity(relay);
    ck_assert_int_eq(relay_retain_entity(relay, one, &owners[0]), KIN_OK);
    relay_destroy_entity(relay, one);
    relay_destroy_entity(relay, other);
    ck_assert_int_eq(relay_retain_entity(relay, one, &owners[1]), KIN_OK);
    ck_assert_int_eq(relay_retain_entity(relay, other, &owners[1]), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_retain_entity(relay, RELAY_NO_ENTITY, NULL), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_retain_entity(relay, (relay_entity){one.id + ((uint64_t)9 << 24)}, NULL),
                     KIN_ERROR_NOT_ALIVE);
    ck_assert_log("!NOT_ALIVE !NOT_ALIVE !NOT_ALIVE ");
    relay_release_entity(relay, one, &owners[0]);
    ck_assert_uint_eq(next_slot(), 1);
    relay_release_entity(relay, one, &owners[1]);
}
END_TEST

static void retain_it(const kin_change *change)
{
    relay_retain_entity(relay, relay_changed_entity(change), &owners[7]);
}

START_TEST(ret_04_it_cannot_be_retained_in_released_nor_during_its_destruction_unless_held)
{
    relay_watch_entity(one, KIN_ENTITY_DESTROYED, "destroyed", retain_it);
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "released", retain_it);
    relay_destroy_entity(relay, one);
    ck_assert_log("destroyed !NOT_ALIVE released !NOT_ALIVE ");
    relay_entity held = relay_create_entity(relay);
    relay_retain_entity(relay, held, NULL);
    relay_watch_entity(held, KIN_ENTITY_DESTROYED, "destroyed", retain_it);
    relay_watch_entity(held, KIN_ENTITY_RELEASED, "released", retain_it);
    relay_destroy_entity(relay, held);
    relay_release_entity(relay, held, NULL);
    ck_assert_log("destroyed ");
    relay_release_entity(relay, held, &owners[7]);
    ck_assert_log("released !NOT_ALIVE ");
}
END_TEST

static void release_it(const kin_change *change)
{
    relay_release_entity(relay, relay_changed_entity(change), NULL);
}

START_TEST(ret_06_released_is_reported_once_even_if_the_holder_releases_during_the_destruction)
{
    relay_retain_entity(relay, one, NULL);
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "released", NULL);
    relay_watch_context(KIN_ENTITY_WAS_DESTROYED, "was", release_it);
    relay_destroy_entity(relay, one);
    ck_assert_log("was released ");
    ck_assert_uint_eq(next_slot(), 0);
}
END_TEST

START_TEST(ret_06_releasing_a_living_entity_notifies_no_subscriber)
{
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "released", NULL);
    relay_retain_entity(relay, one, NULL);
    relay_release_entity(relay, one, NULL);
    ck_assert_log("");
    relay_destroy_entity(relay, one);
    ck_assert_log("released ");
}
END_TEST

START_TEST(ctx_08_after_a_reset_holders_may_still_release)
{
    relay_retain_entity(relay, one, NULL);
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "released", NULL);
    ck_assert_int_eq(relay_context_reset(relay), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(next_slot(), 1);
    ck_assert_int_eq(relay_release_entity(relay, one, NULL), KIN_OK);
    ck_assert_log("!RETAINED released ");
    ck_assert_uint_eq(next_slot(), 0);
}
END_TEST

START_TEST(err_01_without_memory_nothing_is_retained)
{
    for (uint64_t request = 1; request <= 2; request++) { // for the counts of holders, then for the table of owners
        guard_fail(&relay_memory, request, true);
        ck_assert_int_eq(relay_retain_entity(relay, one, NULL), KIN_ERROR_NO_MEMORY);
        ck_assert_int_eq(relay_release_entity(relay, one, NULL), KIN_ERROR_NOT_RETAINED);
    }
    ck_assert_log("!NO_MEMORY !NOT_RETAINED !NO_MEMORY !NOT_RETAINED ");
    relay_destroy_entity(relay, one);
    ck_assert_uint_eq(next_slot(), 0);
}
END_TEST

// ---- notifications

static void create_one(const kin_error *error, void *user)
{
    relay_context **context = user;
    ck_assert_int_eq(error->status, KIN_ERROR_RETAINED);
    ck_assert_uint_eq(relay_create_entity(*context).id, (kin_entity)1 << 24 | 1);
}

START_TEST(err_02_the_handler_of_the_error_about_retained_entities_may_use_the_reset_context)
{
    relay_context *context = NULL;
    context = relay_context_create(&(kin_context_options){.on_error = create_one, .error_user = &context});
    ck_assert_int_eq(relay_retain_entity(context, relay_create_entity(context), NULL), KIN_OK);
    ck_assert_int_eq(relay_context_reset(context), KIN_ERROR_RETAINED);
    ck_assert_uint_eq(relay_entity_count(context), 1);
    ck_assert_uint_eq(relay_create_entity(context).id, (kin_entity)2 << 24 | 2);
    ck_assert(kin__context_is_valid(&context->base));
    relay_context_destroy(context);
}
END_TEST

Suite *runtime_retain_suite(void)
{
    Suite *suite = suite_create("runtime_retain");
    TCase *by_owner = tcase_create("owners");
    tcase_add_checked_fixture(by_owner, begin, relay_end);
    tcase_add_test(by_owner, ret_01_a_retained_slot_is_not_used_again_until_every_owner_has_released_it);
    tcase_add_test(by_owner, ret_02_retaining_twice_with_one_owner_is_refused);
    tcase_add_test(by_owner, ret_02_many_owners_of_many_entities_are_distinguished);
    tcase_add_test(by_owner, ret_04_alive_or_dead_and_held_can_be_retained);
    tcase_add_test(by_owner, ret_04_it_cannot_be_retained_in_released_nor_during_its_destruction_unless_held);
    tcase_add_test(by_owner, ret_06_released_is_reported_once_even_if_the_holder_releases_during_the_destruction);
    tcase_add_test(by_owner, ret_06_releasing_a_living_entity_notifies_no_subscriber);
    tcase_add_test(by_owner, ctx_08_after_a_reset_holders_may_still_release);
    tcase_add_test(by_owner, err_01_without_memory_nothing_is_retained);
    suite_add_tcase(suite, by_owner);
    TCase *by_count = tcase_create("fast");
    tcase_add_checked_fixture(by_count, begin_fast, relay_end);
    tcase_add_test(by_count, ret_01_a_retained_slot_is_not_used_again_until_every_owner_has_released_it);
    tcase_add_test(by_count, ret_03_with_fast_retain_an_owner_may_hold_twice_and_any_caller_may_release);
    tcase_add_test(by_count, ret_03_what_a_collector_holds_cannot_be_released);
    tcase_add_test(by_count, ret_04_alive_or_dead_and_held_can_be_retained);
    tcase_add_test(by_count, ret_04_it_cannot_be_retained_in_released_nor_during_its_destruction_unless_held);
    tcase_add_test(by_count, ret_06_released_is_reported_once_even_if_the_holder_releases_during_the_destruction);
    tcase_add_test(by_count, ctx_08_after_a_reset_holders_may_still_release);
    tcase_add_test(by_count, err_02_the_handler_of_the_error_about_retained_entities_may_use_the_reset_context);
    suite_add_tcase(suite, by_count);
    return suite;
}
