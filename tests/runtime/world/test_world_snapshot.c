// What a snapshot of a world has of its systems (SNP-02).
#include "runtime/support/twice_case.h"
#include "suites.h"

START_TEST(snp_02_clocks_and_fixed_steps_are_those_of_the_save)
{
    town_citizen(1);
    town_world_update(town, 3); // noon drops steps
    double dropped = kin_systems_dropped(town_world_systems(town), "noon");
    const char *log = play_twice(update_four_times);
    ck_assert_has(log, "Mayor:execute(0.1,3.1,1)");
    ck_assert_has(log, "Aging:update(0.25,");
    ck_assert(kin_systems_dropped(town_world_systems(town), "noon") == dropped);
}
END_TEST

static void pop_and_update(void)
{
    update();
    town_world_pop_time(town);
    update();
    town_world_set_time(town, 70);
    update();
}

START_TEST(snp_02_pushed_ticks_are_those_of_the_save)
{
    town_world_push_time(town, (kin_tick){1, 2, 3});
    town_world_push_time(town, (kin_tick){4, 5, 6});
    const char *log = play_twice(pop_and_update);
    ck_assert_has(log, "Mayor:execute");
    town_world_pop_time(town);
}
END_TEST

static void enable_all(void)
{
    update();
    town_publish_gossip(town, (Gossip){5});
    town_citizen(9);
    kin_systems_set_enabled(town_world_systems(town), "Registry", false);
    kin_systems_set_enabled(town_world_systems(town), "noon", true);
    kin_systems_set_enabled(town_world_systems(town), "tavern", true);
    kin_systems_activate_reactive(town_world_systems(town));
    town_publish_gossip(town, (Gossip){6});
    town_citizen(10);
    update();
    update();
}

START_TEST(snp_02_systems_are_enabled_as_at_the_save)
{
    town_citizen(1);
    kin_systems_set_enabled(town_world_systems(town), "noon", false);
    kin_systems_set_enabled(town_world_systems(town), "tavern", false);
    kin_systems_deactivate_reactive(town_world_systems(town));
    const char *log = play_twice(enable_all);
    ck_assert_has(log, "Watch:execute(3)");
    ck_assert_has(log, "Patient:gossip(6)");
    ck_assert_ptr_null(strstr(log, "gossip(5)"));
}
END_TEST

START_TEST(snp_02_reactive_systems_have_collected_what_they_had_in_its_order)
{
    people_entity citizens[4];
    for (int32_t i = 0; i < 4; i++)
        citizens[i] = named_citizen(i);
    update();
    houses_entity house = houses_create_entity(houses);
    people_set_asleep(people, citizens[2], true);
    houses_add_roof(houses, house, (Roof){3});
    people_destroy_entity(people, citizens[0]);
    houses_entity other = houses_create_entity(houses);
    houses_add_roof(houses, other, (Roof){3});
    houses_destroy_entity(houses, other);
    const char *log = play_twice(change_and_update);
    ck_assert_has(log, "Lamps:execute_people(3,1)");
    ck_assert_has(log, "Lamps:execute_houses(1,2)");
}
END_TEST

static void on_rings(people_context *context, people_entity entity, const Rings *rings, void *user)
{
    (void)context, (void)user;
    log_write("Rings(%d,%d) ", (int)kin_entity_creation_index(entity.id), (int)rings->count);
}

START_TEST(snp_02_events_that_are_not_delivered_yet_are_delivered_after_a_restore)
{
    people_entity entity = town_citizen(1), other = town_citizen(2);
    people_add_any_rings_listener(people, entity, on_rings, NULL);
    people_add_rings(people, other, (Rings){4});
    people_add_rings(people, entity, (Rings){5});
    const char *log = play_twice(update);
    ck_assert_has(log, "Rings(2,4) Rings(1,5) ");
    listen_to_all();
    update();
    ck_assert_ptr_null(strstr(log_text(), "Rings"));
}
END_TEST

START_TEST(snp_02_group_systems_compare_with_the_members_of_their_last_turn)
{
    people_entity one = town_citizen(1);
    town_citizen(2);
    update();
    people_set_asleep(people, one, true);
    town_citizen(3);
    const char *log = play_twice(change_and_update);
    ck_assert_has(log, "Registry:leave(1,");
    ck_assert_has(log, "Registry:enter(");
}
END_TEST

START_TEST(snp_02_a_reset_before_the_save_is_one_after_the_restore_too)
{
    town_citizen(1);
    update();
    people_context_reset(people);
    town_citizen(2);
    const char *log = play_twice(update);
    ck_assert_has(log, "Registry:leave(1) Registry:enter(1) ");
}
END_TEST

START_TEST(snp_02_leave_reads_the_last_values_that_were_known_at_the_save)
{
    people_entity one = named_citizen(1), two = named_citizen(2), three = named_citizen(3);
    town_do("Undertaker:leave", write_names);
    update();
    people_replace_name(people, one, (Name){"Grace"});
    people_destroy_entity(people, one);
    people_remove_name(people, two);
    (void)three;
    const char *log = play_twice(change_and_update);
    ck_assert_has(log, "Grace Ada ");
}
END_TEST

START_TEST(snp_02_the_first_update_is_due_again_if_it_was)
{
    const char *log = play_twice(change_and_update); // nobody is there
    ck_assert_has(log, "Registry:first_update");
    restore(KIN_RESTORE_EXACTLY);
    town_citizen(1);
    update();
    log = play_twice(update_four_times);
    ck_assert_ptr_null(strstr(log, "first_update"));
}
END_TEST

static void publish_and_update(void)
{
    town_publish_greeting(town, (Greeting){.words = "four"});
    for (int64_t i = 0; i < 3; i++)
        town_publish_gossip(town, (Gossip){i});
    town_publish_bell(town);
    update();
    update();
}

START_TEST(snp_02_messages_wait_in_their_inboxes_in_the_order_of_their_publishing)
{
    town_publish_gossip(town, (Gossip){10});
    town_publish_greeting(town, (Greeting){.words = "one"});
    town_publish_gossip(town, (Gossip){11});
    town_publish_greeting(town, (Greeting){.words = "two"});
    town_publish_bell(town);
    const char *log = play_twice(publish_and_update);
    ck_assert_has(log, "Patient:gossip(10) Patient:greeting(one) Patient:gossip(11) Patient:greeting(two)");
}
END_TEST

START_TEST(snp_02_a_loss_of_messages_is_reported_once_more_only_after_a_read)
{
    for (int64_t i = 0; i < 4; i++)
        town_publish_gossip(town, (Gossip){i});
    const char *log = play_twice(publish_and_update);
    restore(KIN_RESTORE_EXACTLY);
    update(); // reads all
    for (int64_t i = 0; i < 300; i++)
        town_publish_gossip(town, (Gossip){i});
    update();
    restore(KIN_RESTORE_EXACTLY);
    listen_to_all();
    publish_and_update();
    ck_assert_str_eq(log_text(), log);
    ck_assert_has(log, "!LIMIT");
}
END_TEST

Suite *runtime_world_snapshot_suite(void)
{
    Suite *suite = suite_create("runtime_world_snapshot");
    TCase *cases = tcase_create("world snapshot");
    tcase_add_checked_fixture(cases, twice_begin, twice_end);
    tcase_add_test(cases, snp_02_clocks_and_fixed_steps_are_those_of_the_save);
    tcase_add_test(cases, snp_02_pushed_ticks_are_those_of_the_save);
    tcase_add_test(cases, snp_02_systems_are_enabled_as_at_the_save);
    tcase_add_test(cases, snp_02_reactive_systems_have_collected_what_they_had_in_its_order);
    tcase_add_test(cases, snp_02_events_that_are_not_delivered_yet_are_delivered_after_a_restore);
    tcase_add_test(cases, snp_02_group_systems_compare_with_the_members_of_their_last_turn);
    tcase_add_test(cases, snp_02_a_reset_before_the_save_is_one_after_the_restore_too);
    tcase_add_test(cases, snp_02_leave_reads_the_last_values_that_were_known_at_the_save);
    tcase_add_test(cases, snp_02_the_first_update_is_due_again_if_it_was);
    tcase_add_test(cases, snp_02_messages_wait_in_their_inboxes_in_the_order_of_their_publishing);
    tcase_add_test(cases, snp_02_a_loss_of_messages_is_reported_once_more_only_after_a_read);
    suite_add_tcase(suite, cases);
    return suite;
}
