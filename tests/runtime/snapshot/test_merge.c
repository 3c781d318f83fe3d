// Merging a snapshot into a context: what becomes of its entities, and what refuses it.
#include "entity/entity.h"
#include "runtime/support/camp_case.h"
#include "runtime/support/drops.h"
#include "suites.h"

#include <cellar/cellar.h>
#include <stdlib.h>
#include <string.h>

static camp_entity merged[2048];

static void begin(void)
{
    memset(merged, 0xFF, sizeof merged);
    camp_begin();
}

static void save(void)
{
    ck_assert_int_eq(camp_save(camp, &snapshot), KIN_OK);
}

// Merges the snapshot, and checks the sizes of what it gave.
static void merge_into(camp_context *context)
{
    uint32_t slots = kin_snapshot_slot_count(snapshot, &camp_info), found = 0;
    ck_assert_int_eq(camp_merge(context, snapshot, merged), KIN_OK);
    for (uint32_t i = 0; i < slots; i++)
        found += merged[i].id != 0;
    ck_assert_uint_eq(found, kin_snapshot_count(snapshot, &camp_info));
    ck_assert_uint_eq(merged[slots].id, UINT64_MAX);
    ck_assert(kin__context_is_valid(&context->base));
    ck_assert_uint_eq(kin_context_memory(&context->base).total.allocated,
                      context == camp ? memory.size : other_memory.size);
}

static camp_entity copy_of(camp_entity entity)
{
    return merged[kin_entity_slot(entity.id)];
}

static void refuse(camp_context *context, kin_status status, const char *message)
{
    uint32_t before = camp_entity_count(context), slots = kin_snapshot_slot_count(snapshot, &camp_info);
    ck_assert_int_eq(camp_merge(context, snapshot, merged), status);
    ck_assert_str_eq(errors.entries[0].message, message);
    ck_assert_reported(&errors, status);
    ck_assert_uint_eq(camp_entity_count(context), before);
    for (uint32_t i = 0; i < slots; i++)
        ck_assert_uint_eq(merged[i].id, 0);
    ck_assert(kin__context_is_valid(&context->base));
}

// ---- values

START_TEST(mrg_02_merged_entities_have_the_values_of_the_snapshot)
{
    camp_entity all[4];
    for (int i = 0; i < 4; i++)
        all[i] = camp_create_entity(camp);
    camp_add_spot(camp, all[0], (Spot){1, 2});
    camp_add_chest(camp, all[1], (Chest){{0}, "oak"});
    camp_add_wave(camp, all[1], (Wave){{0}, 2.5f});
    camp_add_badge(camp, all[2], (Badge){{0}, "smith"});
    camp_add_badge(camp, all[3], (Badge){{0}, "smith"});
    camp_set_lit(camp, all[3], true);
    camp_destroy_entity(camp, all[0]);
    save();
    for (int round = 0; round < 2; round++) {
        merge_into(other);
        Wave wave = {{1}, 0};
        ck_assert_uint_eq(copy_of(all[0]).id, 0);
        ck_assert_str_eq(camp_get_chest(other, copy_of(all[1]))->label, "oak");
        ck_assert(camp_read_wave(other, copy_of(all[1]), &wave) && wave.height > 2 && wave.next.id == 0);
        ck_assert_str_eq(camp_get_badge(other, copy_of(all[2]))->title, "smith");
        ck_assert_ptr_eq(camp_get_badge(other, copy_of(all[2])), camp_get_badge(other, copy_of(all[3])));
        ck_assert(camp_is_lit(other, copy_of(all[3])) && !camp_is_lit(other, copy_of(all[2])));
        ck_assert_uint_eq(camp_entity_count(other), 3 * (uint32_t)(round + 1));
    }
    merge_into(camp);
    ck_assert_str_eq(camp_get_chest(camp, copy_of(all[1]))->label, "oak");
    ck_assert_ptr_ne(camp_get_chest(camp, copy_of(all[1]))->label, camp_get_chest(camp, all[1])->label);
}
END_TEST

START_TEST(mrg_02_each_entity_gets_a_slot_of_its_blueprint)
{
    for (int i = 0; i < 3; i++) {
        camp_create_entity(camp);
        camp_spawn_tent(camp);
    }
    save();
    camp_create_entity(other);
    merge_into(other);
    camp_entity tent = camp_spawn_tent(other);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(kin_entity_slot(merged[i].id), 1 + i);
        ck_assert_uint_eq(kin_entity_slot(merged[512 + i].id), 512 + i);
        ck_assert(camp_is_lit(other, merged[512 + i]));
    }
    ck_assert_uint_eq(kin_entity_slot(tent.id), 515);
}
END_TEST

static void note(const kin_change *change, void *user)
{
    calls.calls[calls.count++] = (call){.label = user, .change = *change};
}

START_TEST(mrg_02_all_entities_are_created_before_the_first_component_in_order_of_slot_and_id)
{
    camp_entity first = camp_create_entity(camp), second = camp_create_entity(camp), third = camp_create_entity(camp);
    camp_add_spot(camp, first, (Spot){1, 1});
    camp_add_spot(camp, third, (Spot){3, 3});
    camp_add_band(camp, third, (Band){3});
    camp_add_band(camp, first, (Band){1});
    camp_destroy_entity(camp, second);
    save();
    kin_context_subscribe(&other->base, KIN_ENTITY_CREATED, note, "c");
    kin_group_subscribe(camp_bands_group(other), KIN_ADDED, note, "b");
    kin_group_subscribe(camp_spots_group(other), KIN_ADDED, note, "s");
    merge_into(other);
    ck_assert_str_eq(call_log_labels(), "c c b s b s ");
    for (int i = 0; i < 6; i++)
        ck_assert_uint_eq(calls.calls[i].change.entity, merged[i == 0 || i == 2 || i == 3 ? 0 : 2].id);
}
END_TEST

START_TEST(mrg_04_unsaved_components_stashed_values_and_owners_stay_behind)
{
    camp_entity entity = camp_create_entity(camp);
    static const int owner;
    camp_add_trail(camp, entity, (Trail){5});
    camp_add_coat(camp, entity, (Coat){"wool"});
    camp_stash_coat(camp, entity);
    camp_add_spot(camp, entity, (Spot){1, 1});
    ck_assert_int_eq(camp_retain_entity(camp, entity, &owner), KIN_OK);
    save();
    merge_into(other);
    ck_assert(!camp_has_trail(other, copy_of(entity)) && camp_has_spot(other, copy_of(entity)));
    ck_assert(!camp_has_stashed_coat(other, copy_of(entity)));
    ck_assert_uint_eq(kin_context_retained_count(&other->base), 0);
    ck_assert_int_eq(camp_destroy_entity(other, copy_of(entity)), KIN_OK);
    ck_assert_int_eq(camp_release_entity(camp, entity, &owner), KIN_OK);
}
END_TEST

// ---- references

START_TEST(mrg_03_fields_name_the_copies_also_in_structs_arrays_and_lists)
{
    camp_entity dead = camp_create_entity(camp), a = camp_create_entity(camp), b = camp_create_entity(camp);
    camp_entity list[] = {b, dead, a};
    Tie ties[] = {{a, {{0}, {0}}}, {b, {{77}, {0}}}};
    camp_destroy_entity(camp, dead);
    camp_add_bound(camp, a, (Bound){{{b, {{0}, {0}}}, {dead, {{0}, {0}}}}, "rope"});
    camp_add_guests(camp, b, (Guests){{list, 3}, {ties, 2}, a.id});
    camp_add_badge(camp, a, (Badge){a, "own"});
    camp_add_chest(camp, b, (Chest){a, "pine"});
    camp_add_wave(camp, a, (Wave){b, 1});
    save();
    camp_create_entity(other);
    merge_into(other);
    camp_entity x = copy_of(a), y = copy_of(b);
    ck_assert_uint_eq(camp_get_bound(other, x)->ties[0].to.id, y.id);
    ck_assert_uint_eq(camp_get_bound(other, x)->ties[1].to.id, 0);
    ck_assert_uint_eq(camp_get_guests(other, y)->list.at[0].id, y.id);
    ck_assert_uint_eq(camp_get_guests(other, y)->list.at[1].id, 0);
    ck_assert_uint_eq(camp_get_guests(other, y)->list.at[2].id, x.id);
    ck_assert_uint_eq(camp_get_guests(other, y)->ties.at[0].to.id, x.id);
    ck_assert_uint_eq(camp_get_guests(other, y)->ties.at[1].both[0].id, 0);
    ck_assert_uint_eq(camp_get_guests(other, y)->any, x.id);
    ck_assert_uint_eq(camp_get_badge(other, x)->of.id, x.id);
    ck_assert_uint_eq(camp_get_chest(other, y)->owner.id, x.id);
    Wave wave;
    ck_assert(camp_read_wave(other, x, &wave) && wave.next.id == y.id);
    ck_assert_uint_eq(camp_get_guests(camp, b)->list.at[0].id, b.id);
}
END_TEST

START_TEST(mrg_03_relations_keep_the_order_of_their_holders)
{
    camp_entity parent, child[6];
    for (int i = 0; i < 5; i++)
        child[i] = camp_create_entity(camp);
    parent = camp_create_entity(camp);
    for (int i = 0; i < 5; i++) {
        camp_add_child_of(camp, child[i], (ChildOf){i == 4 ? child[0] : parent});
        camp_add_follows(camp, child[i], (Follows){parent});
    }
    camp_children_place_before(camp, child[3], child[0]);
    camp_children_place_before(camp, child[0], CAMP_NO_ENTITY);
    save();
    kin_group_subscribe(camp_children_of_group(other), KIN_MODIFIED, note, "moved");
    merge_into(other);
    camp_entity children[4];
    static const int order[] = {3, 1, 2, 0};
    ck_assert_uint_eq(camp_copy_children(other, copy_of(parent), children, 4), 4);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(children[i].id, copy_of(child[order[i]]).id);
    ck_assert_uint_eq(camp_children_first(other, copy_of(child[0])).id, copy_of(child[4]).id);
    ck_assert_uint_eq(camp_followers_first(other, copy_of(parent)).id, copy_of(child[0]).id);
    ck_assert_uint_eq(camp_followers_count(other, copy_of(parent)), 5);
    ck_assert_str_eq(call_log_labels(), "moved moved moved ");
}
END_TEST

// ---- refusals

START_TEST(mrg_01_a_unique_component_that_another_entity_has_refuses)
{
    camp_add_spot(camp, camp_create_entity(camp), (Spot){1, 1});
    camp_set_unique_chief(camp, (Chief){1});
    save();
    camp_set_unique_chief(other, (Chief){2});
    refuse(other, KIN_ERROR_UNIQUE,
           "camp: cannot merge entity 2 in slot 1 of the snapshot with Chief: entity 5000 in slot 0 has it; replace it "
           "there, or remove it there first");
    camp_remove_unique_chief(other);
    merge_into(other);
    ck_assert_int_eq(camp_get_unique_chief(other)->rank, 1);
}
END_TEST

START_TEST(mrg_01_a_key_that_another_entity_has_refuses)
{
    camp_add_name(camp, camp_create_entity(camp), (Name){"Ada"});
    save();
    camp_add_name(other, camp_create_entity(other), (Name){"Ada"});
    refuse(other, KIN_ERROR_DUPLICATE_KEY,
           "camp: cannot merge entity 1 in slot 0 of the snapshot with Name: entity 5000 in slot 0 has the key \"Ada\" "
           "in index Name.text; look it up first");
}
END_TEST

START_TEST(mrg_01_two_entities_of_the_snapshot_with_one_key_refuse)
{
    camp_entity dead[2], holder[2];
    for (int i = 0; i < 2; i++) {
        dead[i] = camp_create_entity(camp);
        holder[i] = camp_create_entity(camp);
        camp_add_friend(camp, holder[i], (Friend){dead[i], {0}});
        camp_add_band(camp, holder[i], (Band){7});
    }
    camp_destroy_entity(camp, dead[0]);
    camp_destroy_entity(camp, dead[1]);
    save(); // both will have no entity as the first part of the key
    ck_assert_int_eq(camp_merge(other, snapshot, NULL), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "an earlier entity of the same call has the key"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(camp_entity_count(other), 0);
}
END_TEST

START_TEST(mrg_01_keys_with_entities_are_those_of_the_copies)
{
    camp_entity a = camp_create_entity(camp), b = camp_create_entity(camp);
    camp_add_friend(camp, a, (Friend){b, {0}});
    camp_add_band(camp, a, (Band){7});
    save();
    for (int i = 0; i < 3; i++) {
        merge_into(other);
        ck_assert_uint_eq(camp_entity_with_friendships(other, copy_of(b), 7).id, copy_of(a).id);
    }
}
END_TEST

START_TEST(mrg_01_more_entities_than_allowed_refuse)
{
    for (int i = 0; i < 1501; i++)
        camp_create_entity(camp);
    save();
    ck_assert_int_eq(camp_merge(other, snapshot, merged), KIN_OK);
    refuse(other, KIN_ERROR_LIMIT,
           "camp: cannot merge the snapshot: more than 3000 entities, the limit max_entities, would be alive or held; "
           "raise it, destroy or release some");
}
END_TEST

START_TEST(mrg_01_opaque_values_with_a_drop_refuse)
{
    camp_add_coin(camp, camp_create_entity(camp), (Coin){{4}});
    save();
    refuse(other, KIN_ERROR_INVALID,
           "camp: cannot merge the snapshot: opaque values of Coin cannot be copied; remove them before saving");
    refuse(camp, KIN_ERROR_INVALID,
           "camp: cannot merge the snapshot: opaque values of Coin cannot be copied; remove them before saving");
    ck_assert_str_eq(drops(), "");
}
END_TEST

START_TEST(mrg_01_null_empty_and_foreign_snapshots_refuse)
{
    kin_snapshot *cellars = NULL;
    refuse(camp, KIN_ERROR_INVALID, "camp: cannot merge the snapshot: the snapshot is NULL; save it first");
    cellar_context *cellar = cellar_context_create(NULL);
    ck_assert_int_eq(cellar_save(cellar, &cellars), KIN_OK);
    ck_assert_refused(&errors, camp_merge(camp, cellars, merged), KIN_ERROR_INVALID);
    kin_snapshot_destroy(cellars);
    cellar_context_destroy(cellar);
    save();
    merge_into(other);
    ck_assert_uint_eq(camp_entity_count(other), 0);
    camp_context_destroy(camp);
    refuse(
        other, KIN_ERROR_INVALID,
        "camp: cannot merge the snapshot: the snapshot has no such context, or its context has ended; save it again");
    kin_snapshot_destroy(snapshot);
    snapshot = NULL;
    guard_end(&memory);
    camp_begin_again();
}
END_TEST

// ---- memory

static void fill(void)
{
    camp_entity made[600], *list = made;
    for (int i = 0; i < 600; i++) {
        made[i] = i % 3 == 0 ? camp_spawn_tent(camp) : camp_create_entity(camp);
        camp_replace_spot(camp, made[i], (Spot){i, 0});
        if (i > 10)
            camp_add_child_of(camp, made[i], (ChildOf){made[i % 7]});
    }
    Tie ties[] = {{made[5], {{0}, {0}}}};
    camp_add_bound(camp, made[3], (Bound){{{made[1], {{0}, {0}}}}, "rope"});
    camp_add_guests(camp, made[4], (Guests){{list, 600}, {ties, 1}, made[0].id});
    camp_add_badge(camp, made[5], (Badge){made[6], "own"});
    camp_add_chest(camp, made[6], (Chest){made[7], "pine"});
    camp_add_name(camp, made[7], (Name){"a name that is longer than what an index keeps of it"});
    camp_add_friend(camp, made[8], (Friend){made[9], {0}});
    camp_add_band(camp, made[8], (Band){8});
    camp_set_unique_chief(camp, (Chief){1});
    camp_children_place_before(camp, made[593], made[523]);
}

START_TEST(mrg_01_out_of_memory_at_any_request_changes_nothing)
{
    kin_snapshot *before = NULL, *after = NULL;
    fill();
    save();
    camp_add_name(other, camp_create_entity(other), (Name){"there"});
    camp_save(other, &before);
    bool refused = true;
    for (uint64_t number = 1; refused; number++) {
        kin_context_trim(&other->base);
        guard_fail(&other_memory, number, number % 2 == 0);
        kin_status status = camp_merge(other, snapshot, merged);
        refused = guard_has_failed(&other_memory);
        guard_fail(&other_memory, 0, false);
        ck_assert_int_eq(status, refused ? KIN_ERROR_NO_MEMORY : KIN_OK);
        ck_assert_uint_eq(errors.count, refused ? 1 : 0);
        error_log_clear(&errors);
        ck_assert_uint_eq(merged[0].id != 0, !refused);
        ck_assert_int_eq(camp_save(other, &after), KIN_OK);
        ck_assert_uint_eq(kin_snapshot_compare(before, after, NULL, NULL) == 0, refused);
        ck_assert(kin__context_is_valid(&other->base));
        ck_assert_uint_eq(kin_context_memory(&other->base).total.allocated, other_memory.size);
        ck_assert(number < 5000);
    }
    ck_assert_uint_eq(camp_entity_count(other), 1 + 601);
    kin_snapshot_destroy(before);
    kin_snapshot_destroy(after);
}
END_TEST

Suite *runtime_merge_suite(void)
{
    Suite *suite = suite_create("runtime_merge");
    TCase *tests = tcase_create("merge");
    tcase_add_checked_fixture(tests, begin, camp_end);
    tcase_add_test(tests, mrg_02_merged_entities_have_the_values_of_the_snapshot);
    tcase_add_test(tests, mrg_02_each_entity_gets_a_slot_of_its_blueprint);
    tcase_add_test(tests, mrg_02_all_entities_are_created_before_the_first_component_in_order_of_slot_and_id);
    tcase_add_test(tests, mrg_04_unsaved_components_stashed_values_and_owners_stay_behind);
    tcase_add_test(tests, mrg_03_fields_name_the_copies_also_in_structs_arrays_and_lists);
    tcase_add_test(tests, mrg_03_relations_keep_the_order_of_their_holders);
    tcase_add_test(tests, mrg_01_a_unique_component_that_another_entity_has_refuses);
    tcase_add_test(tests, mrg_01_a_key_that_another_entity_has_refuses);
    tcase_add_test(tests, mrg_01_two_entities_of_the_snapshot_with_one_key_refuse);
    tcase_add_test(tests, mrg_01_keys_with_entities_are_those_of_the_copies);
    tcase_add_test(tests, mrg_01_more_entities_than_allowed_refuse);
    tcase_add_test(tests, mrg_01_opaque_values_with_a_drop_refuse);
    tcase_add_test(tests, mrg_01_null_empty_and_foreign_snapshots_refuse);
    tcase_add_test(tests, mrg_01_out_of_memory_at_any_request_changes_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
