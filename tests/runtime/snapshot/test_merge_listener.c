// Listeners that are called by a merge: what they may do, and what they make impossible.
#include "entity/entity.h"
#include "runtime/support/camp_case.h"
#include "suites.h"

#include <string.h>

static camp_entity merged[1024], made[8], extra;

static void begin(void)
{
    camp_begin();
    extra = CAMP_NO_ENTITY;
    for (int i = 0; i < 8; i++)
        made[i] = camp_create_entity(camp);
}

// Saves the entities of `camp`, and merges them into `other` while `listener` is called for each new spot.
static kin_status merge_with(kin_listener *listener)
{
    ck_assert_int_eq(camp_save(camp, &snapshot), KIN_OK);
    kin_subscription subscription = kin_group_subscribe(camp_spots_group(other), KIN_ADDED, listener, NULL);
    kin_status status = camp_merge(other, snapshot, merged);
    kin_unsubscribe(subscription);
    ck_assert(kin__context_is_valid(&other->base));
    return status;
}

// The merge must be undone, with this message.
static void check_undone(kin_status status, kin_status expected, const char *message)
{
    ck_assert_int_eq(status, expected);
    ck_assert_str_eq(errors.entries[0].message, message);
    ck_assert_reported(&errors, expected);
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(merged[i].id, 0);
}

static camp_entity of(const kin_change *change)
{
    return camp_entity_of(change->entity);
}

static camp_context *context_of(const kin_change *change)
{
    return camp_context_of(change->context);
}

// ---- destroying

static void destroy_it(const kin_change *change, void *user)
{
    (void)user;
    camp_destroy_entity(context_of(change), of(change));
}

START_TEST(mrg_02_what_a_listener_destroys_is_passed_over)
{
    camp_add_spot(camp, made[2], (Spot){2, 2});
    camp_add_wave(camp, made[2], (Wave){made[3], 2});
    camp_add_name(camp, made[2], (Name){"passed over, with a name of its own"});
    camp_add_wave(camp, made[3], (Wave){made[2], 3});
    ck_assert_int_eq(merge_with(destroy_it), KIN_OK);
    ck_assert_uint_eq(camp_entity_count(other), 7);
    ck_assert(!camp_entity_is_alive(other, merged[2]) && merged[2].id != 0);
    Wave wave;
    ck_assert(camp_read_wave(other, merged[3], &wave) && wave.next.id == merged[2].id);
}
END_TEST

START_TEST(mrg_02_a_relation_to_what_a_listener_has_destroyed_undoes_the_merge)
{
    camp_add_spot(camp, made[2], (Spot){2, 2});
    camp_add_child_of(camp, made[4], (ChildOf){made[2]});
    camp_create_entity(other);
    check_undone(merge_with(destroy_it), KIN_ERROR_NOT_ALIVE,
                 "camp: cannot complete a merged entity with ChildOf of entity 5005 in slot 5: its parent, entity 5003 "
                 "in slot 3, is not alive; check that it is alive first");
    ck_assert_uint_eq(camp_entity_count(other), 1);
}
END_TEST

// ---- what makes a later step impossible

static void add_wave_to_next(const kin_change *change, void *user)
{
    (void)user;
    camp_add_wave(context_of(change), of(change), (Wave){{0}, 1});
}

static void note_death(const kin_change *change, void *user)
{
    uint32_t *deaths = user;
    ck_assert(deaths[0] == 0 || kin_entity_slot(change->entity) == deaths[0] - 1);
    deaths[0] = kin_entity_slot(change->entity);
    deaths[1]++;
}

START_TEST(mrg_02_a_component_that_a_listener_adds_first_undoes_the_merge)
{
    uint32_t deaths[2] = {0, 0};
    camp_add_spot(camp, made[2], (Spot){2, 2});
    camp_add_wave(camp, made[2], (Wave){made[3], 2});
    for (int i = 0; i < 8; i++)
        camp_add_band(camp, made[i], (Band){i});
    kin_group_subscribe(camp_bands_group(other), KIN_REMOVED, note_death, deaths);
    check_undone(merge_with(add_wave_to_next), KIN_ERROR_HAS_COMPONENT,
                 "camp: cannot complete a merged entity with Wave of entity 5002 in slot 2: the entity already has it; "
                 "replace it instead");
    ck_assert_uint_eq(deaths[1], 3); // those that had theirs by then, the last one first
    ck_assert_uint_eq(camp_entity_count(other), 0);
}
END_TEST

static void reset(const kin_change *change, void *user)
{
    (void)user;
    camp_context_reset(context_of(change));
    if (extra.id == 0)
        extra = camp_create_entity(context_of(change));
}

START_TEST(mrg_02_a_reset_by_a_listener_undoes_the_merge)
{
    camp_add_spot(camp, made[2], (Spot){2, 2});
    camp_add_wave(camp, made[0], (Wave){made[3], 2});
    camp_add_wave(camp, made[5], (Wave){made[3], 2});
    check_undone(merge_with(reset), KIN_ERROR_NOT_ALIVE,
                 "camp: cannot merge the snapshot: a listener has reset the context");
    ck_assert_uint_eq(camp_entity_count(other), 1);
    ck_assert(camp_entity_is_alive(other, extra));
    kin_context_subscribe(&other->base, KIN_ENTITY_CREATED, reset, NULL);
    check_undone(camp_merge(other, snapshot, merged), KIN_ERROR_NOT_ALIVE,
                 "camp: cannot merge the snapshot: a listener has reset the context");
}
END_TEST

static void take_chief(const kin_change *change, void *user)
{
    (void)user;
    (void)camp_set_unique_chief(context_of(change), (Chief){5});
}

START_TEST(mrg_02_a_unique_component_that_a_listener_takes_undoes_the_merge)
{
    camp_add_chief(camp, made[7], (Chief){7});
    camp_add_spot(camp, made[2], (Spot){2, 2});
    check_undone(merge_with(take_chief), KIN_ERROR_UNIQUE,
                 "camp: cannot complete a merged entity with Chief of entity 5007 in slot 7: entity 5008 in slot 8 "
                 "has it; replace it there, or remove it there first");
    ck_assert_int_eq(camp_get_unique_chief(other)->rank, 5);
    ck_assert_uint_eq(camp_entity_count(other), 1);
}
END_TEST

// ---- what listeners may do

static void create_another(const kin_change *change, void *user)
{
    (void)user;
    if (extra.id == 0) {
        extra = camp_entity_of(1); // not again for the one that is created here
        extra = camp_create_entity(context_of(change));
    }
}

START_TEST(mrg_03_fields_name_the_copies_when_a_listener_takes_their_slots)
{
    camp_entity list[] = {made[7], made[0]};
    camp_add_guests(camp, made[0], (Guests){{list, 2}, {NULL, 0}, made[6].id});
    camp_add_child_of(camp, made[1], (ChildOf){made[5]});
    camp_add_chest(camp, made[2], (Chest){made[6], "oak"});
    camp_add_wave(camp, made[3], (Wave){made[4], 1});
    camp_add_friend(camp, made[4], (Friend){made[3], {0}});
    camp_add_band(camp, made[4], (Band){4});
    ck_assert_int_eq(camp_save(camp, &snapshot), KIN_OK);
    kin_context_subscribe(&other->base, KIN_ENTITY_CREATED, create_another, NULL);
    ck_assert_int_eq(camp_merge(other, snapshot, merged), KIN_OK);
    Wave wave;
    ck_assert_uint_eq(kin_entity_slot(extra.id), 1);
    ck_assert_uint_eq(camp_get_guests(other, merged[0])->list.at[0].id, merged[7].id);
    ck_assert_uint_eq(camp_get_guests(other, merged[0])->list.at[1].id, merged[0].id);
    ck_assert_uint_eq(camp_get_guests(other, merged[0])->any, merged[6].id);
    ck_assert_uint_eq(camp_children_first(other, merged[5]).id, merged[1].id);
    ck_assert_uint_eq(camp_get_chest(other, merged[2])->owner.id, merged[6].id);
    ck_assert(camp_read_wave(other, merged[3], &wave) && wave.next.id == merged[4].id);
    ck_assert_uint_eq(camp_entity_with_friendships(other, merged[3], 4).id, merged[4].id);
}
END_TEST

// Such a value is made again, which can fail.
START_TEST(mrg_03_shared_values_name_the_copies_when_a_listener_takes_their_slots)
{
    camp_add_badge(camp, made[0], (Badge){made[6], "smith"});
    camp_add_badge(camp, made[5], (Badge){made[6], "smith"});
    ck_assert_int_eq(camp_save(camp, &snapshot), KIN_OK);
    kin_context_subscribe(&other->base, KIN_ENTITY_CREATED, create_another, NULL);
    bool refused = true;
    for (uint64_t number = 1; refused; number++) {
        extra = CAMP_NO_ENTITY;
        guard_fail(&other_memory, number, false);
        kin_status status = camp_merge(other, snapshot, merged);
        refused = guard_has_failed(&other_memory);
        guard_fail(&other_memory, 0, false);
        ck_assert_int_eq(status, refused ? KIN_ERROR_NO_MEMORY : KIN_OK);
        ck_assert_uint_eq(errors.count, refused ? 1 : 0);
        error_log_clear(&errors);
        ck_assert(kin__context_is_valid(&other->base));
        if (refused && extra.id != 0)
            camp_destroy_entity(other, extra);
        ck_assert_uint_eq(camp_entity_count(other), refused ? 0 : 9);
    }
    ck_assert_uint_eq(camp_get_badge(other, merged[0])->of.id, merged[6].id);
    ck_assert_str_eq(camp_get_badge(other, merged[0])->title, "smith");
    ck_assert_ptr_eq(camp_get_badge(other, merged[0]), camp_get_badge(other, merged[5]));
}
END_TEST

static void destroy_snapshot(const kin_change *change, void *user)
{
    kin_snapshot *refused = NULL;
    (void)user;
    kin_snapshot_destroy(snapshot);
    snapshot = NULL;
    ck_assert_refused(&errors, camp_save(context_of(change), &refused), KIN_ERROR_INVALID);
    camp_destroy_all_entities(camp);
    kin_context_trim(&camp->base);
}

START_TEST(mrg_02_a_listener_may_destroy_the_snapshot)
{
    camp_add_spot(camp, made[0], (Spot){2, 2});
    camp_add_bound(camp, made[1], (Bound){{{made[7], {{0}, {0}}}}, "a rope of some length"});
    camp_add_badge(camp, made[2], (Badge){made[6], "smith"});
    camp_add_child_of(camp, made[6], (ChildOf){made[5]});
    camp_add_child_of(camp, made[7], (ChildOf){made[5]});
    camp_children_place_before(camp, made[7], made[6]);
    ck_assert_int_eq(merge_with(destroy_snapshot), KIN_OK);
    ck_assert_str_eq(camp_get_bound(other, merged[1])->label, "a rope of some length");
    ck_assert_uint_eq(camp_get_bound(other, merged[1])->ties[0].to.id, merged[7].id);
    ck_assert_str_eq(camp_get_badge(other, merged[2])->title, "smith");
    ck_assert_uint_eq(camp_children_first(other, merged[5]).id, merged[7].id);
}
END_TEST

static uint32_t depth, deepest;

static void merge_again(const kin_change *change, void *user)
{
    kin_status *status = user;
    kin_status result = ++depth < deepest ? camp_merge(context_of(change), snapshot, NULL) : KIN_OK;
    if (result != KIN_OK)
        *status = result;
}

START_TEST(mrg_02_a_merge_is_allowed_inside_listeners_up_to_the_limit_of_nesting)
{
    kin_status status = KIN_OK;
    camp_add_spot(camp, made[0], (Spot){2, 2});
    ck_assert_int_eq(camp_save(camp, &snapshot), KIN_OK);
    kin_group_subscribe(camp_spots_group(other), KIN_ADDED, merge_again, &status);
    depth = 0;
    deepest = 3;
    ck_assert_int_eq(camp_merge(other, snapshot, merged), KIN_OK);
    ck_assert_uint_eq(camp_entity_count(other), 3 * 8);
    ck_assert(camp_has_spot(other, merged[0]) && kin__context_is_valid(&other->base));
    depth = 0;
    deepest = 1000;
    ck_assert_int_eq(camp_merge(other, snapshot, merged), KIN_OK);
    ck_assert_refused(&errors, status, KIN_ERROR_LIMIT);
}
END_TEST

static void move_away(const kin_change *change, void *user)
{
    (void)user;
    if (kin_entity_slot(change->entity) == 3)
        camp_remove_child_of(context_of(change), camp_entity_of((uint64_t)5001 << 24 | 1));
}

START_TEST(mrg_03_holders_that_a_listener_takes_away_are_not_moved)
{
    for (int i = 1; i < 4; i++)
        camp_add_child_of(camp, made[i], (ChildOf){made[5]});
    camp_children_place_before(camp, made[3], made[1]);
    ck_assert_int_eq(camp_save(camp, &snapshot), KIN_OK);
    kin_group_subscribe(camp_children_of_group(other), KIN_ADDED, move_away, NULL);
    ck_assert_int_eq(camp_merge(other, snapshot, merged), KIN_OK);
    ck_assert(!camp_has_child_of(other, merged[1]));
    ck_assert_uint_eq(camp_children_count(other, merged[5]), 2);
}
END_TEST

Suite *runtime_merge_listener_suite(void)
{
    Suite *suite = suite_create("runtime_merge_listener");
    TCase *tests = tcase_create("listener");
    tcase_add_checked_fixture(tests, begin, camp_end);
    tcase_add_test(tests, mrg_02_what_a_listener_destroys_is_passed_over);
    tcase_add_test(tests, mrg_02_a_relation_to_what_a_listener_has_destroyed_undoes_the_merge);
    tcase_add_test(tests, mrg_02_a_component_that_a_listener_adds_first_undoes_the_merge);
    tcase_add_test(tests, mrg_02_a_reset_by_a_listener_undoes_the_merge);
    tcase_add_test(tests, mrg_02_a_unique_component_that_a_listener_takes_undoes_the_merge);
    tcase_add_test(tests, mrg_03_fields_name_the_copies_when_a_listener_takes_their_slots);
    tcase_add_test(tests, mrg_03_shared_values_name_the_copies_when_a_listener_takes_their_slots);
    tcase_add_test(tests, mrg_02_a_listener_may_destroy_the_snapshot);
    tcase_add_test(tests, mrg_02_a_merge_is_allowed_inside_listeners_up_to_the_limit_of_nesting);
    tcase_add_test(tests, mrg_03_holders_that_a_listener_takes_away_are_not_moved);
    suite_add_tcase(suite, tests);
    return suite;
}
