// Merging into several contexts at once: references between them, all or none.
#include "entity/entity.h"
#include "runtime/support/guard.h"
#include "runtime/support/support.h"
#include "suites.h"

#include <caravan/caravan.h>
#include <string.h>

static guard memory;
static error_log errors;
static caravan_world *from;
static caravan_contexts *to;
static kin_snapshot *snapshot, *camp_moment, *road_moment;
static camp_entity tents[4];
static road_entity riders[4];

// Ids of `from` and `to` are equal, and so are the ids in camp and road: what names which must be decided by context.
static void begin(void)
{
    error_log_clear(&errors);
    call_log_clear();
    snapshot = camp_moment = road_moment = NULL;
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    from = caravan_world_create(&options, NULL);
    options.allocator = guard_begin(&memory);
    to = caravan_contexts_create(&options);
    for (int i = 0; i < 4; i++) {
        tents[i] = camp_create_entity(from->contexts->camp);
        riders[i] = road_create_entity(from->contexts->road);
    }
    camp_destroy_entity(from->contexts->camp, tents[3]);
    road_destroy_entity(from->contexts->road, riders[0]);
    camp_create_entity(to->camp);
}

static void end(void)
{
    ck_assert_uint_eq(errors.count, 0);
    ck_assert(kin__context_is_valid(&to->camp->base) && kin__context_is_valid(&to->road->base));
    kin_snapshot_destroy(snapshot);
    kin_snapshot_destroy(camp_moment);
    kin_snapshot_destroy(road_moment);
    caravan_world_destroy(from);
    caravan_contexts_destroy(to);
    guard_end(&memory);
}

void trot_update(caravan_world *world, trot_iter *it, const kin_tick *tick)
{
    (void)world;
    (void)it;
    (void)tick;
}

static void save(void)
{
    ck_assert_int_eq(caravan_world_save(from, &snapshot), KIN_OK);
}

static kin_status merge_all(void)
{
    kin_status status = caravan_contexts_merge(to, snapshot);
    ck_assert(kin__context_is_valid(&to->camp->base) && kin__context_is_valid(&to->road->base));
    return status;
}

// The first merge gives these entities.
static camp_entity camp_at(uint32_t number)
{
    return camp_entity_of((uint64_t)(2 + number) << 24 | (1 + number));
}

static road_entity road_at(uint32_t number)
{
    return road_entity_of((uint64_t)(1 + number) << 24 | number);
}

// ---- references

START_TEST(mrg_03_references_between_contexts_name_the_copies)
{
    camp_add_friend(from->contexts->camp, tents[1], (Friend){tents[2], riders[3]});
    camp_add_bound(from->contexts->camp, tents[0], (Bound){{{tents[0], {riders[1], riders[0]}}}, NULL});
    road_add_rider(from->contexts->road, riders[3], (Rider){tents[1], riders[2], 0});
    road_add_rider(from->contexts->road, riders[2], (Rider){tents[3], riders[0], 0});
    save();
    ck_assert_int_eq(merge_all(), KIN_OK);
    ck_assert_uint_eq(camp_entity_count(to->camp), 1 + 3);
    ck_assert_uint_eq(road_entity_count(to->road), 3);
    ck_assert_uint_eq(camp_get_friend(to->camp, camp_at(1))->who.id, camp_at(2).id);
    ck_assert_uint_eq(camp_get_friend(to->camp, camp_at(1))->away.id, road_at(2).id);
    ck_assert_uint_eq(camp_get_bound(to->camp, camp_at(0))->ties[0].both[0].id, road_at(0).id);
    ck_assert_uint_eq(camp_get_bound(to->camp, camp_at(0))->ties[0].both[1].id, 0);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(2))->mount.id, camp_at(1).id);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(2))->after.id, road_at(1).id);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(1))->mount.id, 0);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(1))->after.id, 0);
}
END_TEST

START_TEST(mrg_03_a_reference_to_any_context_names_its_own_or_the_only_other_one)
{
    for (int i = 1; i < 4; i++)
        road_add_rider(from->contexts->road, riders[i], (Rider){{0}, {0}, 0});
    road_edit_rider(from->contexts->road, riders[1])->any = riders[2].id; // tents[2] has the same handle
    road_edit_rider(from->contexts->road, riders[2])->any = tents[0].id;  // no rider has it any more
    road_edit_rider(from->contexts->road, riders[3])->any = 12345;
    camp_add_guests(from->contexts->camp, tents[0], (Guests){.any = riders[3].id});
    camp_add_guests(from->contexts->camp, tents[1], (Guests){.any = tents[2].id});
    save();
    ck_assert_int_eq(merge_all(), KIN_OK);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(0))->any, road_at(1).id);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(1))->any, camp_at(0).id);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(2))->any, 0);
    ck_assert_uint_eq(camp_get_guests(to->camp, camp_at(0))->any, road_at(2).id);
    ck_assert_uint_eq(camp_get_guests(to->camp, camp_at(1))->any, camp_at(2).id);
}
END_TEST

START_TEST(mrg_03_the_merge_of_one_context_names_no_entity_of_others)
{
    camp_entity merged[3];
    camp_add_friend(from->contexts->camp, tents[1], (Friend){tents[2], riders[3]});
    camp_add_guests(from->contexts->camp, tents[0], (Guests){.any = riders[3].id});
    save();
    ck_assert_uint_eq(kin_snapshot_slot_count(snapshot, &camp_info), 3);
    ck_assert_uint_eq(kin_snapshot_slot_count(snapshot, &road_info), 4);
    ck_assert_int_eq(camp_merge(to->camp, snapshot, merged), KIN_OK);
    ck_assert_uint_eq(camp_get_friend(to->camp, merged[1])->who.id, merged[2].id);
    ck_assert_uint_eq(camp_get_friend(to->camp, merged[1])->away.id, 0);
    ck_assert_uint_eq(camp_get_guests(to->camp, merged[0])->any, 0);
    ck_assert_uint_eq(road_entity_count(to->road), 0);
}
END_TEST

START_TEST(mrg_03_references_into_a_context_without_entities_name_none)
{
    camp_add_friend(from->contexts->camp, tents[1], (Friend){tents[2], riders[3]});
    camp_add_guests(from->contexts->camp, tents[0], (Guests){.any = riders[3].id});
    for (int i = 1; i < 4; i++)
        road_destroy_entity(from->contexts->road, riders[i]);
    save();
    ck_assert_int_eq(merge_all(), KIN_OK);
    ck_assert_uint_eq(camp_get_friend(to->camp, camp_at(1))->away.id, 0);
    ck_assert_uint_eq(camp_get_guests(to->camp, camp_at(0))->any, 0);
    camp_destroy_all_entities(from->contexts->camp);
    save();
    ck_assert_int_eq(merge_all(), KIN_OK);
    ck_assert_uint_eq(camp_entity_count(to->camp), 1 + 3);
}
END_TEST

START_TEST(mrg_03_contexts_that_the_snapshot_lacks_stay_as_they_are)
{
    road_add_rider(from->contexts->road, riders[1], (Rider){tents[1], riders[2], 0});
    ck_assert_int_eq(road_save(from->contexts->road, &snapshot), KIN_OK);
    ck_assert_int_eq(merge_all(), KIN_OK);
    ck_assert_uint_eq(camp_entity_count(to->camp), 1);
    ck_assert_uint_eq(road_entity_count(to->road), 3);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(0))->mount.id, 0);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(0))->after.id, road_at(1).id);
    ck_assert_uint_eq(kin_snapshot_slot_count(snapshot, &camp_info), 0);
}
END_TEST

static void note(const kin_change *change, void *user)
{
    calls.calls[calls.count++] = (call){.label = user, .change = *change};
}

START_TEST(mrg_02_all_entities_of_all_contexts_are_created_first)
{
    camp_add_spot(from->contexts->camp, tents[0], (Spot){1, 1});
    road_add_rider(from->contexts->road, riders[1], (Rider){{0}, {0}, 0});
    save();
    kin_context_subscribe(&to->camp->base, KIN_ENTITY_CREATED, note, "camp");
    kin_context_subscribe(&to->road->base, KIN_ENTITY_CREATED, note, "road");
    kin_group_subscribe(camp_spots_group(to->camp), KIN_ADDED, note, "spot");
    kin_group_subscribe(road_riders_group(to->road), KIN_ADDED, note, "rider");
    ck_assert_int_eq(merge_all(), KIN_OK);
    ck_assert_str_eq(call_log_labels(), "camp camp camp road road road spot rider ");
}
END_TEST

// ---- all or none

static void save_moments(void)
{
    ck_assert_int_eq(camp_save(to->camp, &camp_moment), KIN_OK);
    ck_assert_int_eq(road_save(to->road, &road_moment), KIN_OK);
}

static void check_moments(void)
{
    kin_snapshot *now = NULL;
    ck_assert_int_eq(camp_save(to->camp, &now), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_compare(camp_moment, now, NULL, NULL), 0);
    kin_snapshot_destroy(now);
    now = NULL;
    ck_assert_int_eq(road_save(to->road, &now), KIN_OK);
    ck_assert_uint_eq(kin_snapshot_compare(road_moment, now, NULL, NULL), 0);
    kin_snapshot_destroy(now);
}

START_TEST(mrg_01_no_context_changes_when_one_refuses)
{
    camp_set_unique_chief(from->contexts->camp, (Chief){1});
    save();
    camp_set_unique_chief(to->camp, (Chief){1});
    save_moments();
    ck_assert_refused(&errors, merge_all(), KIN_ERROR_UNIQUE);
    check_moments();
}
END_TEST

START_TEST(mrg_01_no_memory_for_one_context_changes_none)
{
    camp_add_friend(from->contexts->camp, tents[1], (Friend){tents[2], riders[3]});
    road_add_rider(from->contexts->road, riders[3], (Rider){tents[1], riders[2], 0});
    save();
    save_moments();
    bool refused = true;
    for (uint64_t number = 1; refused; number++) {
        guard_fail(&memory, number, number % 2 == 0);
        kin_status status = merge_all();
        refused = guard_has_failed(&memory);
        guard_fail(&memory, 0, false);
        ck_assert_int_eq(status, refused ? KIN_ERROR_NO_MEMORY : KIN_OK);
        if (!refused)
            break;
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        check_moments();
    }
    ck_assert_uint_eq(road_entity_count(to->road), 3);
}
END_TEST

START_TEST(mrg_01_null_contexts_and_snapshots_without_any_refuse)
{
    ck_assert_refused(&errors, caravan_contexts_merge(to, NULL), KIN_ERROR_INVALID);
    save();
    caravan_contexts without = {.camp = to->camp};
    ck_assert_int_eq(caravan_contexts_merge(&without, snapshot), KIN_ERROR_INVALID);
    ck_assert_str_eq(errors.entries[0].message,
                     "camp: cannot merge the snapshot: a context is NULL; create all contexts first");
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    caravan_world_destroy(from); // the snapshot becomes empty
    ck_assert_refused(&errors, merge_all(), KIN_ERROR_INVALID);
    from = caravan_world_create(NULL, NULL);
}
END_TEST

// ---- listeners

static void disturb(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    kin_snapshot *refused = NULL;
    camp_context_destroy(to->camp);
    ck_assert_int_eq(camp_save(to->camp, &refused), KIN_ERROR_INVALID);
    ck_assert_int_eq(camp_restore(to->camp, camp_moment, KIN_RESTORE_EXACTLY), KIN_ERROR_INVALID);
    caravan_contexts_destroy(to);
    ck_assert_uint_eq(errors.count, 4);
    error_log_clear(&errors);
}

START_TEST(mrg_02_no_context_can_be_destroyed_saved_or_restored_meanwhile)
{
    road_add_rider(from->contexts->road, riders[1], (Rider){tents[1], riders[2], 0});
    save();
    save_moments();
    kin_group_subscribe(road_riders_group(to->road), KIN_ADDED, disturb, NULL);
    ck_assert_int_eq(merge_all(), KIN_OK);
    ck_assert_uint_eq(camp_entity_count(to->camp), 4);
    ck_assert_int_eq(camp_restore(to->camp, camp_moment, KIN_RESTORE_EXACTLY), KIN_OK);
}
END_TEST

static void add_spot_first(const kin_change *change, void *user)
{
    (void)user;
    road_add_spot(road_context_of(change->context), road_entity_of(change->entity), (Spot){0, 0});
}

START_TEST(mrg_02_what_one_context_makes_impossible_undoes_the_merge_of_all)
{
    camp_add_spot(from->contexts->camp, tents[0], (Spot){1, 1});
    road_add_rider(from->contexts->road, riders[2], (Rider){{0}, {0}, 0});
    road_add_spot(from->contexts->road, riders[2], (Spot){2, 2});
    save();
    save_moments();
    kin_group_subscribe(road_riders_group(to->road), KIN_ADDED, add_spot_first, NULL);
    ck_assert_refused(&errors, merge_all(), KIN_ERROR_HAS_COMPONENT);
    ck_assert_uint_eq(camp_entity_count(to->camp), 1);
    ck_assert_uint_eq(road_entity_count(to->road), 0);
}
END_TEST

static void reset_camp(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    camp_context_reset(to->camp);
}

START_TEST(mrg_02_a_reset_of_another_context_undoes_the_merge)
{
    camp_add_spot(from->contexts->camp, tents[0], (Spot){1, 1});
    save();
    kin_context_subscribe(&to->road->base, KIN_ENTITY_CREATED, reset_camp, NULL);
    ck_assert_int_eq(merge_all(), KIN_ERROR_NOT_ALIVE);
    ck_assert_str_eq(errors.entries[0].message, "camp: cannot merge the snapshot: a listener has reset the context");
    ck_assert_reported(&errors, KIN_ERROR_NOT_ALIVE);
    ck_assert_uint_eq(camp_entity_count(to->camp), 0);
    ck_assert_uint_eq(road_entity_count(to->road), 0);
}
END_TEST

static void merge_inside(const kin_change *change, void *user)
{
    uint32_t *left = user;
    (void)change;
    if (*left > 0) {
        --*left;
        ck_assert_int_eq(caravan_contexts_merge(to, snapshot), KIN_OK);
    }
}

START_TEST(mrg_03_contexts_are_merged_inside_listeners_and_still_name_their_own)
{
    uint32_t left = 1;
    camp_add_friend(from->contexts->camp, tents[1], (Friend){tents[2], riders[3]});
    road_add_rider(from->contexts->road, riders[3], (Rider){tents[1], riders[2], riders[1].id});
    save();
    kin_context_subscribe(&to->camp->base, KIN_ENTITY_CREATED, merge_inside, &left);
    ck_assert_int_eq(merge_all(), KIN_OK);
    ck_assert_uint_eq(camp_entity_count(to->camp), 1 + 2 * 3);
    ck_assert_uint_eq(road_entity_count(to->road), 2 * 3);
    // The inner merge came after the first entity of the outer one.
    camp_entity outer = camp_entity_of((uint64_t)6 << 24 | 5), inner = camp_entity_of((uint64_t)4 << 24 | 3);
    ck_assert_uint_eq(camp_get_friend(to->camp, inner)->away.id, road_at(2).id);
    ck_assert_uint_eq(camp_get_friend(to->camp, outer)->away.id, road_at(5).id);
    ck_assert_uint_eq(camp_get_friend(to->camp, outer)->who.id, (uint64_t)7 << 24 | 6);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(2))->mount.id, inner.id);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(5))->mount.id, outer.id);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(5))->after.id, road_at(4).id);
    ck_assert_uint_eq(road_get_rider(to->road, road_at(5))->any, road_at(3).id);
}
END_TEST

Suite *runtime_merge_contexts_suite(void)
{
    Suite *suite = suite_create("runtime_merge_contexts");
    TCase *tests = tcase_create("contexts");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, mrg_03_references_between_contexts_name_the_copies);
    tcase_add_test(tests, mrg_03_a_reference_to_any_context_names_its_own_or_the_only_other_one);
    tcase_add_test(tests, mrg_03_the_merge_of_one_context_names_no_entity_of_others);
    tcase_add_test(tests, mrg_03_references_into_a_context_without_entities_name_none);
    tcase_add_test(tests, mrg_03_contexts_that_the_snapshot_lacks_stay_as_they_are);
    tcase_add_test(tests, mrg_02_all_entities_of_all_contexts_are_created_first);
    tcase_add_test(tests, mrg_01_no_context_changes_when_one_refuses);
    tcase_add_test(tests, mrg_01_no_memory_for_one_context_changes_none);
    tcase_add_test(tests, mrg_01_null_contexts_and_snapshots_without_any_refuse);
    tcase_add_test(tests, mrg_02_no_context_can_be_destroyed_saved_or_restored_meanwhile);
    tcase_add_test(tests, mrg_02_what_one_context_makes_impossible_undoes_the_merge_of_all);
    tcase_add_test(tests, mrg_02_a_reset_of_another_context_undoes_the_merge);
    tcase_add_test(tests, mrg_03_contexts_are_merged_inside_listeners_and_still_name_their_own);
    suite_add_tcase(suite, tests);
    return suite;
}
