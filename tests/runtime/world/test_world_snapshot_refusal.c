// Snapshots of worlds that are refused, and nothing changes (SNP-06, 13); memory (SNP-10).
#include "runtime/support/twice_case.h"
#include "suites.h"

static kin_snapshot *other;
static uint32_t refusals;

static void try_both(town_world *world)
{
    kin_snapshot *none = NULL;
    refusals++;
    ck_assert_int_eq(town_world_save(world, &other), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_world_save(world, &none), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_world_restore(world, other, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_int_eq(people_save(people, &none), KIN_ERROR_INVALID);
    ck_assert_int_eq(people_restore(people, other, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_ptr_null(none);
}

static void try_in_a_listener(const kin_change *change, void *user)
{
    (void)change;
    try_both(user);
}

static void try_in_a_delivery(people_context *context, people_entity entity, const Rings *rings, void *user)
{
    (void)context, (void)entity, (void)rings;
    try_both(user);
}

START_TEST(snp_06_inside_listeners_filters_systems_and_deliveries_nothing_is_saved_or_restored)
{
    refusals = 0;
    other = NULL;
    ck_assert_int_eq(town_world_save(town, &other), KIN_OK);
    people_entity entity = town_citizen(1);
    town_do("Mayor:execute", try_both);
    town_do("Watch:filter", try_both);
    town_do("Watch:execute", try_both);
    town_do("Registry:draw", try_both);
    kin_group_subscribe(people_citizens_group(people), KIN_ADDED, try_in_a_listener, town);
    people_add_any_rings_listener(people, entity, try_in_a_delivery, town);
    people_add_rings(people, entity, (Rings){1});
    update();
    ck_assert_uint_eq(refusals, 4);
    town_citizen(2);
    ck_assert_uint_eq(refusals, 5);
    town_world_draw(town);
    ck_assert_uint_eq(refusals, 6);
    ck_assert_int_eq(town_world_restore(town, other, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_uint_eq(people_entity_count(people), 0);
    kin_snapshot_destroy(other);
}
END_TEST

static void try_in_a_restore(const kin_change *change, void *user)
{
    ck_assert_uint_eq(change->entity, 0);
    log_write("Restored(%s) ", change->context->info->name);
    ck_assert_uint_eq(people_entity_count(people), 1);
    ck_assert_uint_eq(houses_entity_count(houses), 1);
    try_both(user);
    town_world_update(user, 1);
    town_world_destroy(user);
}

START_TEST(snp_14_each_context_tells_that_it_was_restored_in_order_of_names_when_all_is_in_place)
{
    other = NULL;
    town_citizen(1);
    houses_create_entity(houses);
    kin_context_subscribe(&people->base, KIN_CONTEXT_RESTORED, try_in_a_restore, town);
    kin_context_subscribe(&houses->base, KIN_CONTEXT_RESTORED, try_in_a_restore, town);
    save();
    town_citizen(2);
    houses_create_entity(houses);
    log_begin();
    restore(KIN_RESTORE_EXACTLY);
    char *houses_at = strstr(log_text(), "Restored(houses)"), *people_at = strstr(log_text(), "Restored(people)");
    ck_assert(houses_at != NULL && people_at != NULL && houses_at < people_at);
    ck_assert_ptr_null(strstr(people_at + 1, "Restored"));
}
END_TEST

START_TEST(snp_13_a_world_is_not_restored_from_nothing)
{
    log_begin();
    ck_assert_int_eq(town_world_restore(town, NULL, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_int_eq(town_world_save(town, NULL), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID !INVALID ");
    ck_assert_int_eq(people_save(people, &saved_town), KIN_OK);
    ck_assert_int_eq(town_world_restore(town, saved_town, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
}
END_TEST

static void do_nothing(void *self)
{
    (void)self;
}

static void add_a_system(void)
{
    kin_systems_add(town_world_systems(town), (kin_system){.name = "Guest", .cleanup = do_nothing});
}

START_TEST(snp_13_a_snapshot_of_other_systems_is_refused_and_changes_nothing)
{
    kin_systems *systems = town_world_systems(town);
    town_citizen(1);
    save();
    town_citizen(2);
    if (_i == 0)
        kin_systems_remove(systems, "Hurried");
    else
        add_a_system();
    log_begin();
    ck_assert_int_eq(town_world_restore(town, saved_town, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    ck_assert_log("!INVALID ");
    ck_assert_uint_eq(people_entity_count(people), 2);
    save();
    town_citizen(3);
    restore(KIN_RESTORE_EXACTLY);
    ck_assert_uint_eq(people_entity_count(people), 2);
}
END_TEST

// ---- memory

START_TEST(snp_06_without_memory_nothing_is_saved)
{
    for (uint64_t number = 1;; number++) {
        named_citizen((int32_t)number);
        if (_i == 0)
            save(); // made anew
        else
            ck_assert_ptr_null(saved_town);
        uint32_t count = saved_town == NULL ? 0 : kin_snapshot_count(saved_town, &people_info);
        for (uint32_t i = 0; i < 600; i++)
            named_citizen(3);
        town_publish_gossip(town, (Gossip){3});
        update();
        log_begin();
        guard_fail(&town_memory, number, false);
        kin_status status = town_world_save(town, &saved_town);
        bool failed = guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        if (!failed) {
            ck_assert_int_eq(status, KIN_OK);
            ck_assert_uint_eq(kin_snapshot_count(saved_town, &people_info), people_entity_count(people));
            ck_assert_uint_gt(number, 3);
            break;
        }
        ck_assert_int_eq(status, KIN_ERROR_NO_MEMORY);
        ck_assert_log("!NO_MEMORY ");
        ck_assert(_i == 0 ? kin_snapshot_count(saved_town, &people_info) == count : saved_town == NULL);
        kin_context_trim(&people->base);
        kin_context_trim(&houses->base);
        twice_end();
        twice_begin();
    }
}
END_TEST

START_TEST(snp_13_without_memory_nothing_is_restored)
{
    for (uint64_t number = 1;; number++) {
        kin_snapshot *now = NULL;
        for (uint32_t i = 0; i < 600; i++)
            named_citizen(3);
        update();
        for (int64_t i = 0; i < 40; i++)
            town_publish_gossip(town, (Gossip){i});
        people_destroy_entity(people, citizen_of(5));
        save();
        town_world *former = twice_other();
        town_citizen(1);
        ck_assert_int_eq(town_world_save(town, &now), KIN_OK);
        log_begin();
        guard_fail(&town_memory, number, false);
        kin_status status = town_world_restore(town, saved_town, KIN_RESTORE_EXACTLY);
        bool failed = guard_has_failed(&town_memory);
        guard_fail(&town_memory, 0, false);
        ck_assert_int_eq(status, failed ? KIN_ERROR_NO_MEMORY : KIN_OK);
        ck_assert_log(failed ? "!NO_MEMORY " : "");
        ck_assert_uint_eq(people_entity_count(people), failed ? 1 : 599);
        listen_to_all();
        update();
        ck_assert_has(log_text(), failed ? "Registry:first_update(1)" : "gossip(39)");
        kin_snapshot_destroy(now);
        twice_back(former);
        twice_end();
        twice_begin();
        if (!failed && number > 1)
            break;
    }
}
END_TEST

START_TEST(snp_10_a_warm_ring_allocates_nothing)
{
    kin_snapshot *ring[4] = {0};
    for (uint32_t i = 0; i < 20; i++) {
        if (i == 8)
            guard_fail(&town_memory, 1, true);
        if (i < 4)
            named_citizen((int32_t)i);
        people_replace_age(people, citizen_of(i % 4), (Age){(int32_t)i});
        update();
        ck_assert_int_eq(town_world_save(town, &ring[i % 4]), KIN_OK);
        if (i >= 12)
            ck_assert_int_eq(town_world_restore(town, ring[(i + 2) % 4], KIN_RESTORE_EXACTLY), KIN_OK);
    }
    guard_fail(&town_memory, 0, false);
    for (uint32_t i = 0; i < 4; i++)
        kin_snapshot_destroy(ring[i]);
}
END_TEST

Suite *runtime_world_snapshot_refusal_suite(void)
{
    Suite *suite = suite_create("runtime_world_snapshot_refusal");
    TCase *cases = tcase_create("world snapshot refusal");
    tcase_add_checked_fixture(cases, twice_begin, twice_end);
    tcase_add_test(cases, snp_06_inside_listeners_filters_systems_and_deliveries_nothing_is_saved_or_restored);
    tcase_add_test(cases, snp_13_a_world_is_not_restored_from_nothing);
    tcase_add_loop_test(cases, snp_13_a_snapshot_of_other_systems_is_refused_and_changes_nothing, 0, 2);
    tcase_add_test(cases, snp_14_each_context_tells_that_it_was_restored_in_order_of_names_when_all_is_in_place);
    suite_add_tcase(suite, cases);
    return suite;
}

// Apart, as the sweep leaves it out: these tests refuse memory themselves, to worlds of 600 entities.
Suite *runtime_world_snapshot_memory_suite(void)
{
    Suite *suite = suite_create("runtime_world_snapshot_memory");
    TCase *cases = tcase_create("memory");
    tcase_add_checked_fixture(cases, twice_begin, twice_end);
    tcase_add_loop_test(cases, snp_06_without_memory_nothing_is_saved, 0, 2);
    tcase_add_test(cases, snp_10_a_warm_ring_allocates_nothing);
    tcase_add_test(cases, snp_13_without_memory_nothing_is_restored);
    tcase_set_timeout(cases, 60);
    suite_add_tcase(suite, cases);
    return suite;
}
