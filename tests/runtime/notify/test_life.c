// Events of entities and contexts, and the order in which an entity is destroyed (ENT-09 to ENT-18, CTX-03, CTX-04,
// DSP-02 step 5, DSP-05, DSP-10).

#include "runtime/support/relay_case.h"
#include "suites.h"

static relay_entity one, other;

static void begin(void)
{
    relay_begin();
    one = relay_entity_with_a(1);
    other = relay_entity_with_a(2);
}

static void watch_whole_life(relay_entity entity)
{
    relay_watch_entity(entity, KIN_COMPONENT_ADDED, "own+#", NULL);
    relay_watch_entity(entity, KIN_COMPONENT_REMOVED, "own-#", NULL);
    relay_watch_entity(entity, KIN_COMPONENT_REPLACED, "own~#", NULL);
    relay_watch_entity(entity, KIN_ENTITY_DESTROYED, "destroyed#", NULL);
    relay_watch_entity(entity, KIN_ENTITY_RELEASED, "released#", NULL);
}

static void watch_context(void)
{
    relay_watch_context(KIN_ENTITY_CREATED, "created@", NULL);
    relay_watch_context(KIN_ENTITY_WILL_BE_DESTROYED, "will@", NULL);
    relay_watch_context(KIN_ENTITY_WAS_DESTROYED, "was@", NULL);
}

START_TEST(dsp_02_the_entitys_own_listeners_come_after_all_groups)
{
    relay_watch_entity(one, KIN_COMPONENT_ADDED, "own+#", NULL);
    RELAY_WATCH(relay_all(RELAY_B), "B");
    RELAY_WATCH(relay_none(RELAY_B), "no");
    relay_add_b(relay, one, (B){1});
    ck_assert_log("B+ no- own+#B ");
    relay_add_b(relay, other, (B){1});
    ck_assert_log("B+ no- ");
}
END_TEST

START_TEST(dsp_04_a_replace_is_reported_to_the_entity_last)
{
    relay_watch_entity(one, KIN_COMPONENT_REPLACED, "own=", NULL);
    RELAY_WATCH(relay_all(RELAY_A), "A");
    relay_replace_a(relay, one, (A){7});
    ck_assert_log("A- A+ own=1,7 ");
}
END_TEST

static void check_no_group(const kin_change *change)
{
    ck_assert_ptr_null(change->group);
    ck_assert_ptr_eq(change->context, &relay->base);
    ck_assert_uint_eq(change->entity, one.id);
}

START_TEST(dsp_05_one_call_a_change_without_a_group)
{
    relay_watch_entity(one, KIN_COMPONENT_ADDED, "+=", check_no_group);
    relay_watch_entity(one, KIN_COMPONENT_REMOVED, "-=", check_no_group);
    relay_watch_entity(one, KIN_COMPONENT_REPLACED, "~=", check_no_group);
    relay_add_b(relay, one, (B){3});
    relay_replace_b(relay, one, (B){4});
    relay_touch_b(relay, one);
    relay_remove_b(relay, one);
    relay_set_f(relay, one, true);
    relay_set_f(relay, one, false);
    ck_assert_log("+=-,3 ~=3,4 ~=4,4 -=4,- +=-,- -=-,- ");
}
END_TEST

START_TEST(dsp_07_own_calls_waiting_for_a_dead_entity_are_skipped)
{
    relay_watch_entity(one, KIN_COMPONENT_ADDED, "first", destroy_it);
    relay_watch_entity(one, KIN_COMPONENT_ADDED, "second", NULL);
    relay_add_b(relay, one, (B){1});
    ck_assert_log("first ");
}
END_TEST

static kin_subscription ended;

static void end_the_second(const kin_change *change)
{
    kin_unsubscribe(ended);
    relay_watch_entity(relay_changed_entity(change), KIN_COMPONENT_ADDED, "late", NULL);
}

START_TEST(dsp_08_ended_subscriptions_and_new_ones_are_not_called_for_the_change)
{
    relay_watch_entity(one, KIN_COMPONENT_ADDED, "first", end_the_second);
    ended = relay_watch_entity(one, KIN_COMPONENT_ADDED, "second", NULL);
    relay_add_b(relay, one, (B){1});
    ck_assert_log("first ");
    relay_add_c(relay, one, (C){1});
    ck_assert_log("first late ");
    kin_unsubscribe(ended);
}
END_TEST

START_TEST(dsp_10_created_is_not_reported_further_once_the_entity_has_died)
{
    relay_watch_context(KIN_ENTITY_CREATED, "first@", destroy_it);
    relay_watch_context(KIN_ENTITY_CREATED, "second@", NULL);
    relay_entity dead = relay_create_entity(relay);
    ck_assert_uint_eq(kin_entity_creation_index(dead.id), 3);
    ck_assert(!relay_entity_is_alive(relay, dead));
    relay_create_entity(relay);
    ck_assert_log("first@3 first@4 second@4 ");
}
END_TEST

static void subscribe_more(const kin_change *change)
{
    (void)change;
    relay_watch_context(KIN_ENTITY_CREATED, "late@", NULL);
}

START_TEST(dsp_10_listeners_subscribed_when_the_event_began_are_notified)
{
    relay_watch_context(KIN_ENTITY_CREATED, "first@", subscribe_more);
    relay_create_entity(relay);
    relay_create_entity(relay);
    ck_assert_log("first@3 first@4 late@4 ");
}
END_TEST

START_TEST(ent_08_subscribing_to_a_dead_entity_is_refused_before_any_other_check)
{
    relay_destroy_entity(relay, one);
    kin_subscription none = kin_entity_subscribe(&relay->base, one.id, KIN_COMPONENT_ADDED, NULL, NULL);
    ck_assert_ptr_null(none.subscriber);
    ck_assert_log("!NOT_ALIVE ");
    kin_unsubscribe(none);
}
END_TEST

START_TEST(grp_08_no_listener_and_no_such_event_are_refused)
{
    kin_entity_subscribe(&relay->base, one.id, KIN_COMPONENT_ADDED, NULL, NULL);
    kin_context_subscribe(&relay->base, KIN_ENTITY_CREATED, NULL, NULL);
    relay_watch_entity(one, (kin_entity_event)77, "never", NULL);
    relay_watch_context((kin_context_event)77, "never", NULL);
    ck_assert_log("!INVALID !INVALID !INVALID !INVALID ");
}
END_TEST

static void count_and_list(const kin_change *change)
{
    uint32_t count = 0;
    relay_entities(relay, &count);
    ck_assert_uint_eq(count, relay_entity_count(relay));
    log_write("%u%d ", count, relay_entity_is_alive(relay, relay_changed_entity(change)));
}

START_TEST(ent_09_a_created_entity_is_counted_and_enters_groups_before_it_is_reported)
{
    relay_watch_context(KIN_ENTITY_CREATED, "created@", count_and_list);
    relay_watch(relay_none(RELAY_A), KIN_ADDED, "none+");
    relay_create_entity(relay);
    ck_assert_log("none+ created@3 31 ");
}
END_TEST

START_TEST(ent_12_to_18_destroying_notifies_in_this_order)
{
    watch_whole_life(one);
    watch_context();
    RELAY_WATCH(relay_all(RELAY_A), "A");
    relay_set_f(relay, one, true);
    ck_assert_log("own+#F ");
    relay_destroy_entity(relay, one);
    ck_assert_log("will@1 A- own-#A own-#F destroyed#none was@1 released#none ");
    relay_entity next = relay_create_entity(relay);
    ck_assert_uint_eq(kin_entity_slot(next.id), kin_entity_slot(one.id));
    relay_add_a(relay, next, (A){1});
    relay_destroy_entity(relay, next);
    ck_assert_log("created@3 A+ will@3 A- was@3 ");
}
END_TEST

static void look_and_change(const kin_change *change)
{
    relay_entity entity = relay_changed_entity(change);
    count_and_list(change);
    ck_assert_int_eq(relay_get_a(relay, entity)->value, 1);
    ck_assert(kin_group_contains(relay_all(RELAY_A), entity.id));
    ck_assert_int_eq(relay_add_b(relay, entity, (B){5}), KIN_OK);
    ck_assert_int_eq(relay_remove_a(relay, entity), KIN_OK);
    ck_assert_int_eq(relay_destroy_entity(relay, entity), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(relay_destroy_all_entities(relay), KIN_OK);
    ck_assert_int_eq(kin_group_destroy_entities(relay_all(RELAY_B)), KIN_OK);
    ck_assert(relay_entity_is_alive(relay, entity));
}

START_TEST(ent_12_it_is_alive_and_complete_and_may_be_changed_but_is_not_counted)
{
    RELAY_WATCH(relay_all(RELAY_A), "A");
    RELAY_WATCH(relay_all(RELAY_B), "B");
    relay_watch_context(KIN_ENTITY_WILL_BE_DESTROYED, "will@", look_and_change);
    relay_destroy_entity(relay, one);
    ck_assert_log("will@1 11 B+ A- !NOT_ALIVE will@2 A- B- ");
    ck_assert_uint_eq(relay_entity_count(relay), 0);
}
END_TEST

static void reset(const kin_change *change)
{
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
    ck_assert(!relay_entity_is_alive(relay, relay_changed_entity(change)));
    one = relay_entity_with_a(9);
}

START_TEST(ent_12_a_reset_ends_the_report_of_the_destruction)
{
    relay_watch_context(KIN_ENTITY_WILL_BE_DESTROYED, "will@", reset);
    relay_watch_context(KIN_ENTITY_WILL_BE_DESTROYED, "later@", NULL);
    relay_watch_context(KIN_ENTITY_WAS_DESTROYED, "was@", NULL);
    relay_destroy_entity(relay, other);
    ck_assert_log("will@2 will@1 later@1 was@1 was@2 ");
    ck_assert(relay_entity_is_alive(relay, one));
    ck_assert_uint_eq(kin_entity_creation_index(one.id), 1);
    ck_assert_uint_eq(relay_entity_count(relay), 1);
}
END_TEST

static void find_it_dead(const kin_change *change)
{
    relay_entity entity = relay_changed_entity(change);
    ck_assert(!relay_entity_is_alive(relay, entity));
    ck_assert_ptr_null(relay_get_a(relay, entity));
    relay_watch_entity(entity, KIN_ENTITY_RELEASED, "never", NULL);
    relay_entity made = relay_create_entity(relay);
    ck_assert_uint_ne(kin_entity_slot(made.id), kin_entity_slot(entity.id));
}

START_TEST(ret_06_in_released_the_slot_is_not_yet_free)
{
    relay_watch_entity(one, KIN_ENTITY_DESTROYED, "destroyed", find_it_dead);
    relay_watch_context(KIN_ENTITY_WAS_DESTROYED, "was", find_it_dead);
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "released", find_it_dead);
    relay_destroy_entity(relay, one);
    ck_assert_log("destroyed !NOT_ALIVE was !NOT_ALIVE released !NOT_ALIVE ");
    ck_assert_uint_eq(kin_entity_slot(relay_create_entity(relay).id), kin_entity_slot(one.id));
}
END_TEST

START_TEST(ret_06_the_slot_is_not_free_when_the_last_holder_releases_it)
{
    relay_retain_entity(relay, one, &relay);
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "released", find_it_dead);
    relay_destroy_entity(relay, one);
    ck_assert_int_eq(relay_release_entity(relay, one, &relay), KIN_OK);
    ck_assert_log("released !NOT_ALIVE ");
    ck_assert_uint_eq(kin_entity_slot(relay_create_entity(relay).id), kin_entity_slot(one.id));
}
END_TEST

static void reset_only(const kin_change *change)
{
    (void)change;
    ck_assert_int_eq(relay_context_reset(relay), KIN_OK);
    for (uint32_t i = 0; i < 3; i++)
        log_write("%u ", kin_entity_slot(relay_create_entity(relay).id));
}

START_TEST(ctx_07_a_reset_in_any_event_of_the_destruction_skips_the_slot)
{
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "released", reset_only);
    relay_destroy_entity(relay, one);
    ck_assert_log("released 1 2 3 ");
    ck_assert_uint_eq(kin_entity_slot(relay_create_entity(relay).id), 0);
    relay_context_reset(relay);
    ck_assert_uint_eq(kin_entity_slot(relay_create_entity(relay).id), 0);
}
END_TEST

static kin_collector *collector_of_a(void)
{
    kin_trigger trigger = {relay_all(RELAY_A), KIN_ADDED_OR_REMOVED};
    return kin_collector_create(&trigger, 1);
}

START_TEST(ent_18_released_is_reported_at_the_last_release_in_order_of_collection)
{
    kin_collector *first = collector_of_a(), *second = collector_of_a();
    watch_context();
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "released@", NULL);
    relay_watch_entity(other, KIN_ENTITY_RELEASED, "released@", NULL);
    relay_watch_entity(one, KIN_ENTITY_DESTROYED, "destroyed@", NULL);
    relay_destroy_entity(relay, other);
    relay_destroy_entity(relay, one);
    ck_assert_log("will@2 was@2 will@1 destroyed@1 was@1 ");
    kin_collector_clear(first);
    ck_assert_log("");
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 2);
    kin_collector_clear(second);
    ck_assert_log("released@2 released@1 ");
    ck_assert_uint_eq(kin_context_reusable_count(&relay->base), 2);
    kin_collector_destroy(first);
    kin_collector_destroy(second);
}
END_TEST

static kin_collector *collector;

static void use_the_collector(const kin_change *change)
{
    (void)change;
    log_write("%u ", kin_collector_count(collector));
    relay_entity_with_a(5);
    log_write("%u ", kin_collector_count(collector));
}

static void destroy_the_collector(const kin_change *change)
{
    (void)change;
    kin_collector_destroy(collector);
}

START_TEST(col_04_a_collector_may_be_used_and_destroyed_while_it_releases)
{
    collector = collector_of_a();
    relay_entity third = relay_entity_with_a(3);
    relay_watch_entity(one, KIN_ENTITY_RELEASED, "one", use_the_collector);
    relay_watch_entity(other, KIN_ENTITY_RELEASED, "other", destroy_the_collector);
    relay_destroy_entity(relay, one);
    relay_replace_a(relay, third, (A){4});
    relay_destroy_entity(relay, other);
    kin_collector_clear(collector);
    ck_assert_log("one 1 2 other ");
    ck_assert_uint_eq(kin_context_retained_count(&relay->base), 0);
}
END_TEST

static kin_group *made;

static void look_at_group(const kin_change *change)
{
    made = change->group;
    ck_assert_uint_eq(change->entity, 0);
    ck_assert_uint_eq(change->component, RELAY_COMPONENT_COUNT);
    ck_assert_ptr_null(change->value);
    ck_assert_uint_eq(kin_group_count(change->group), 2);
}

START_TEST(ctx_04_group_created_comes_once_when_the_group_is_complete)
{
    relay_watch_context(KIN_GROUP_CREATED, "group#", look_at_group);
    kin_group *group = relay_all(RELAY_A);
    ck_assert_ptr_eq(made, group);
    ck_assert_log("group#none ");
    relay_group(relay, KIN_MATCHER(KIN_ALL(RELAY_A, RELAY_A)));
    ck_assert_log("");
}
END_TEST

START_TEST(ctx_03_component_is_none_where_an_event_is_about_none)
{
    relay_watch_context(KIN_ENTITY_CREATED, "created#", NULL);
    relay_watch_context(KIN_ENTITY_WILL_BE_DESTROYED, "will#", NULL);
    relay_watch_context(KIN_ENTITY_WAS_DESTROYED, "was#", NULL);
    relay_create_entity(relay);
    relay_destroy_entity(relay, one);
    ck_assert_log("created#none will#none was#none ");
}
END_TEST

START_TEST(dsp_12_ending_and_changing_watched_entities_needs_no_memory)
{
    watch_whole_life(one);
    watch_context();
    relay_set_g(relay, one, true);
    relay_set_g(relay, one, false);
    log_begin();
    guard_fail(&relay_memory, 1, true);
    relay_remove_a(relay, one);
    relay_destroy_entity(relay, one);
    relay_destroy_entity(relay, other);
    ck_assert(!guard_has_failed(&relay_memory));
    ck_assert_log("own-#A will@1 destroyed#none was@1 released#none will@2 was@2 ");
}
END_TEST

static relay_entity make_one_more(void)
{
    relay_entity entity = relay_create_entity(relay);
    relay_set_f(relay, entity, true);
    return entity;
}

START_TEST(dsp_08_an_event_without_listeners_left_costs_nothing)
{
    kin_subscription own = relay_watch_entity(one, KIN_COMPONENT_ADDED, "own", NULL);
    kin_subscription born = relay_watch_context(KIN_ENTITY_CREATED, "born@", NULL);
    make_one_more();
    ck_assert_uint_eq(relay->base.components[RELAY_F].watchers, 1);
    ck_assert_uint_eq(relay->base.components[RELAY_COMPONENT_COUNT].watchers, 1);
    kin_unsubscribe(own);
    kin_unsubscribe(born);
    for (uint32_t id = 0; id <= RELAY_COMPONENT_COUNT; id++)
        ck_assert_uint_eq(relay->base.components[id].watchers, 0);
    make_one_more();
    ck_assert_log("born@3 ");
}
END_TEST

static uint32_t depth;

static void remake(const kin_change *change)
{
    (void)change;
    depth++;
    relay_create_entity(relay);
}

static void create_for_ever(const kin_change *change, void *user)
{
    (void)user;
    remake(change);
}

START_TEST(dsp_13_events_of_contexts_nest_64_deep_too)
{
    depth = 0;
    kin_context_subscribe(&relay->base, KIN_ENTITY_CREATED, create_for_ever, NULL);
    relay_create_entity(relay);
    ck_assert_uint_eq(depth, 64);
    ck_assert_log("!LIMIT ");
}
END_TEST

Suite *runtime_life_suite(void)
{
    Suite *suite = suite_create("runtime_life");
    TCase *events = tcase_create("events");
    tcase_add_checked_fixture(events, begin, relay_end);
    tcase_add_test(events, dsp_02_the_entitys_own_listeners_come_after_all_groups);
    tcase_add_test(events, dsp_04_a_replace_is_reported_to_the_entity_last);
    tcase_add_test(events, dsp_05_one_call_a_change_without_a_group);
    tcase_add_test(events, dsp_07_own_calls_waiting_for_a_dead_entity_are_skipped);
    tcase_add_test(events, dsp_08_ended_subscriptions_and_new_ones_are_not_called_for_the_change);
    tcase_add_test(events, dsp_08_an_event_without_listeners_left_costs_nothing);
    tcase_add_test(events, dsp_10_created_is_not_reported_further_once_the_entity_has_died);
    tcase_add_test(events, dsp_10_listeners_subscribed_when_the_event_began_are_notified);
    tcase_add_test(events, dsp_12_ending_and_changing_watched_entities_needs_no_memory);
    tcase_add_test(events, dsp_13_events_of_contexts_nest_64_deep_too);
    tcase_add_test(events, ent_08_subscribing_to_a_dead_entity_is_refused_before_any_other_check);
    tcase_add_test(events, grp_08_no_listener_and_no_such_event_are_refused);
    tcase_add_test(events, ctx_03_component_is_none_where_an_event_is_about_none);
    tcase_add_test(events, ctx_04_group_created_comes_once_when_the_group_is_complete);
    suite_add_tcase(suite, events);
    TCase *ends = tcase_create("ends");
    tcase_add_checked_fixture(ends, begin, relay_end);
    tcase_add_test(ends, ent_09_a_created_entity_is_counted_and_enters_groups_before_it_is_reported);
    tcase_add_test(ends, ent_12_to_18_destroying_notifies_in_this_order);
    tcase_add_test(ends, ent_12_it_is_alive_and_complete_and_may_be_changed_but_is_not_counted);
    tcase_add_test(ends, ent_12_a_reset_ends_the_report_of_the_destruction);
    tcase_add_test(ends, ent_18_released_is_reported_at_the_last_release_in_order_of_collection);
    tcase_add_test(ends, ret_06_in_released_the_slot_is_not_yet_free);
    tcase_add_test(ends, ret_06_the_slot_is_not_free_when_the_last_holder_releases_it);
    tcase_add_test(ends, ctx_07_a_reset_in_any_event_of_the_destruction_skips_the_slot);
    tcase_add_test(ends, col_04_a_collector_may_be_used_and_destroyed_while_it_releases);
    suite_add_tcase(suite, ends);
    return suite;
}
