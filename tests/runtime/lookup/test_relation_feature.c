// Relations beside the other features of contexts: stash, cleanup, unique components, events, collectors, holds,
// indices, blueprints, copies, reflection, trim.
#include "entity/entity.h"
#include "lookup/lookup.h"
#include "runtime/support/case.h"
#include "runtime/support/relay_case.h"
#include "suites.h"

#include <estate/estate.h>
#include <kin/memory.h>
#include <kin/reflect.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

CASE(land)

static char message[400];
static land_entity house, barn, ann, bob;

static void note_error(const kin_error *error, void *user)
{
    log_error(error, user);
    snprintf(message, sizeof message, "%s", error->message);
}

static void begin(void)
{
    log_begin();
    land_begin_with(&(kin_context_options){.on_error = note_error});
    house = land_create_entity(land);
    barn = land_create_entity(land);
    ann = land_create_entity(land);
    bob = land_create_entity(land);
}

#define ck_assert_message(part) ck_assert_msg(strstr(message, part) != NULL, "%s", message)

// The index over Rank and Place: the number of the rank, which the place can veto with 16 further keys.
uint32_t estate_ranks(const Rank *rank, const Place *place, int32_t keys[KIN_INDEX_KEYS])
{
    keys[0] = rank->number;
    return place->cell == 99 ? KIN_INDEX_KEYS + 1 : 1;
}

// ---- stash

START_TEST(rel_03_a_stashed_holder_is_in_no_list_and_comes_back_last)
{
    land_add_child_of(land, ann, (ChildOf){house});
    land_add_child_of(land, bob, (ChildOf){house});
    ck_assert_int_eq(land_stash_child_of(land, ann), KIN_OK);
    ck_assert_entity(land_children_first(land, house), bob);
    ck_assert_uint_eq(land_children_count(land, house), 1);
    ck_assert_int_eq(land_restore_child_of(land, ann), KIN_OK);
    ck_assert_entity(land_children_last(land, house), ann);
}
END_TEST

START_TEST(rel_03_a_value_is_not_restored_when_its_target_died)
{
    land_add_child_of(land, ann, (ChildOf){house});
    land_stash_child_of(land, ann);
    land_destroy_entity(land, house);
    house = land_create_entity(land); // in the slot of the first one
    ck_assert_int_eq(land_restore_child_of(land, ann), KIN_ERROR_NOT_ALIVE);
    ck_assert_message("its parent, entity 1 in slot 0, is not alive");
    ck_assert(land_has_stashed_child_of(land, ann));
    ck_assert_uint_eq(land_children_count(land, house), 0);
}
END_TEST

START_TEST(rel_03_a_value_is_not_restored_below_itself)
{
    land_add_child_of(land, ann, (ChildOf){house});
    land_stash_child_of(land, ann);
    land_add_child_of(land, house, (ChildOf){ann});
    ck_assert_int_eq(land_restore_child_of(land, ann), KIN_ERROR_CIRCLE);
    ck_assert(land_has_stashed_child_of(land, ann));
}
END_TEST

START_TEST(rel_06_a_stashed_target_component_keeps_the_holders_of_the_entity)
{
    land_add_child_of(land, house, (ChildOf){barn});
    land_add_child_of(land, ann, (ChildOf){house});
    land_stash_child_of(land, house);
    ck_assert_uint_eq(land_children_count(land, house), 1);
    land_destroy_entity(land, barn); // the house is not below it now
    ck_assert(land_entity_is_alive(land, house));
}
END_TEST

// ---- cleanup, unique

START_TEST(rel_13_cleanup_reports_a_refusal_and_goes_on)
{
    kin_systems *cleanup = land_cleanup_systems(land);
    land_set_gone(land, house, true);
    land_set_gone(land, barn, true);
    land_add_lease(land, ann, (Lease){house});
    land_add_visit(land, bob, (Visit){barn});
    kin_systems_cleanup(cleanup);
    ck_assert_log("!REFERENCED ");
    ck_assert_message("entity 3 in slot 2 names it in Lease.of; first destroy that entity, or replace its Lease");
    ck_assert(land_entity_is_alive(land, house) && !land_entity_is_alive(land, barn));
    ck_assert(!land_has_visit(land, bob));
    land_remove_lease(land, ann);
    kin_systems_cleanup(cleanup);
    ck_assert_log("");
    ck_assert(!land_entity_is_alive(land, house));
    kin_systems_destroy(cleanup);
}
END_TEST

START_TEST(rel_09_the_message_counts_the_other_holders_that_refuse)
{
    land_add_lease(land, ann, (Lease){house});
    land_add_lease(land, bob, (Lease){house});
    ck_assert_int_eq(land_destroy_entity(land, house), KIN_ERROR_REFERENCED);
    ck_assert_message("names it in Lease.of, and 1 other refuses too; first");
    land_add_lease(land, barn, (Lease){house});
    ck_assert_int_eq(land_destroy_entity(land, house), KIN_ERROR_REFERENCED);
    ck_assert_message("names it in Lease.of, and 2 others refuse too; first");
}
END_TEST

START_TEST(rel_03_a_unique_component_is_not_set_for_a_dead_target)
{
    land_destroy_entity(land, bob);
    ck_assert_uint_eq(land_set_unique_crown(land, (Crown){bob}).id, 0);
    ck_assert_message("its heir, entity 4 in slot 3, is not alive");
    land_entity king = land_set_unique_crown(land, (Crown){ann});
    ck_assert_uint_eq(land_replace_unique_crown(land, (Crown){bob}).id, 0);
    ck_assert_entity(land_crowns_first(land, ann), king);
    ck_assert_int_eq(land_add_crown(land, barn, (Crown){bob}), KIN_ERROR_UNIQUE); // before the target is checked
    ck_assert_log("!NOT_ALIVE !NOT_ALIVE !UNIQUE ");
}
END_TEST

START_TEST(rel_09_a_carrier_that_is_named_is_not_removed)
{
    land_entity king = land_set_unique_crown(land, (Crown){ann});
    land_add_lease(land, bob, (Lease){king});
    ck_assert_int_eq(land_remove_unique_crown(land), KIN_ERROR_REFERENCED);
    ck_assert(land_has_unique_crown(land));
    ck_assert_int_eq(land_destroy_entity(land, ann), KIN_ERROR_REFERENCED);
    land_remove_lease(land, bob);
    ck_assert_int_eq(land_remove_unique_crown(land), KIN_OK);
    ck_assert_int_eq(land_destroy_entity(land, ann), KIN_OK);
}
END_TEST

// ---- events, collectors, holds

static void note_removed(land_context *context, land_entity entity, const Claim *value, void *user)
{
    (void)context;
    log_write("%s%u:%s ", (const char *)user, kin_entity_slot(entity.id), value->text);
}

static void note_deed(land_context *context, land_entity entity, const Deed *value, void *user)
{
    (void)context;
    (void)user;
    log_write("deed%u:%s:%d ", kin_entity_slot(entity.id), value->text, value->to.id != 0);
}

START_TEST(rel_10_events_tell_what_a_cascade_removed_and_emptied)
{
    kin_systems *events = land_event_systems(land);
    land_add_any_claim_removed_listener(land, barn, note_removed, (void *)"any");
    land_add_claim_removed_listener(land, ann, note_removed, (void *)"self");
    land_add_deed_listener(land, bob, note_deed, NULL);
    land_add_claim(land, ann, (Claim){house, "wood"});
    land_add_deed(land, bob, (Deed){house, "stone"});
    land_add_child_of(land, bob, (ChildOf){barn});
    kin_systems_execute(events, 0);
    ck_assert_log("deed3:stone:1 ");
    land_destroy_entity(land, house);
    kin_systems_execute(events, 0);
    ck_assert_log("any2:wood self2:wood deed3:stone:0 ");
    kin_systems_destroy(events);
}
END_TEST

static void ck_collected(kin_collector *collector, uint32_t expected_count, land_entity first)
{
    uint32_t count;
    const kin_entity *entities = kin_collector_entities(collector, &count);
    ck_assert_uint_eq(count, expected_count);
    if (count > 0)
        ck_assert_uint_eq(entities[0], first.id);
    kin_collector_clear(collector);
}

START_TEST(rel_10_collectors_get_what_a_cascade_changes)
{
    kin_trigger left = {land_placed_group(land), KIN_REMOVED},
                emptied = {kin_context_group(&land->base, KIN_MATCHER(KIN_ALL(LAND_VISIT))), KIN_MODIFIED};
    kin_collector *leavers = kin_collector_create(&left, 1), *visitors = kin_collector_create(&emptied, 1);
    land_add_child_of(land, ann, (ChildOf){house});
    land_add_visit(land, bob, (Visit){house});
    land_children_place_before(land, ann, LAND_NO_ENTITY);
    ck_collected(leavers, 1, ann); // as for a touch
    land_destroy_entity(land, house);
    ck_collected(visitors, 1, bob);
    ck_assert_uint_eq(land_create_entity(land).id & 0xffffff, 0); // the slot of the house: ann's is held
    ck_collected(leavers, 1, ann);
    kin_collector_destroy(leavers);
    kin_collector_destroy(visitors);
}
END_TEST

START_TEST(rel_06_a_retained_holder_is_in_no_list)
{
    int owner;
    land_add_visit(land, ann, (Visit){house});
    land_retain_entity(land, ann, &owner);
    land_destroy_entity(land, ann);
    ck_assert_uint_eq(land_visits_count(land, house), 0);
    land_add_visit(land, land_create_entity(land), (Visit){house});
    ck_assert_uint_eq(land_visits_count(land, house), 1);
    ck_assert_int_eq(land_add_visit(land, bob, (Visit){ann}), KIN_ERROR_NOT_ALIVE);
    land_release_entity(land, ann, &owner);
    ck_assert_uint_eq(land_visits_count(land, ann), 0);
}
END_TEST

// ---- indices

START_TEST(rel_10_a_field_is_emptied_if_an_index_forbids_to_remove_the_component)
{
    land_add_place(land, ann, (Place){7});
    land_add_rides_on(land, bob, (RidesOn){house});
    land_add_place(land, bob, (Place){7}); // free, as the rider is in no cell
    ck_assert_int_eq(land_destroy_entity(land, house), KIN_OK);
    ck_assert(land_has_rides_on(land, bob));
    ck_assert_uint_eq(land_get_rides_on(land, bob)->mount.id, 0);
    ck_assert_entity(land_entity_with_walkers(land, 7), ann);
    ck_assert_log("");
}
END_TEST

START_TEST(rel_05_a_refused_move_changes_nothing)
{
    land_add_rank(land, ann, (Rank){house, 1});
    land_add_rank(land, bob, (Rank){house, 2});
    land_add_place(land, bob, (Place){1});
    memcpy((void *)(uintptr_t)land_get_place(land, bob), &(Place){99},
           sizeof(Place)); // the function will give too many keys
    ck_assert_int_eq(land_ranks_place_before(land, bob, ann), KIN_ERROR_INVALID);
    ck_assert_message("cannot move Rank");
    ck_assert_entity(land_ranks_first(land, house), ann);
    memcpy((void *)(uintptr_t)land_get_place(land, bob), &(Place){1}, sizeof(Place));
}
END_TEST

// ---- several components at once

static void destroy_house(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    if (land_entity_is_alive(land, house))
        land_destroy_entity(land, house);
}

START_TEST(rel_03_the_message_names_a_target_that_a_listener_destroys)
{
    land_add_rides_on(land, ann, (RidesOn){house});
    kin_subscription created = kin_context_subscribe(&land->base, KIN_ENTITY_CREATED, destroy_house, NULL);
    ck_assert_uint_eq(land_clone_entity(land, ann).id, 0);
    ck_assert_message(
        "cannot complete a clone with RidesOn of entity 5 in slot 4: its mount, entity 1 in slot 0, is not alive");
    kin_unsubscribe(created);
    house = land_create_entity(land);
    created = kin_context_subscribe(&land->base, KIN_ENTITY_CREATED, destroy_house, NULL);
    ck_assert_uint_eq(land_set_unique_crown(land, (Crown){house}).id, 0);
    ck_assert_message("cannot set the unique Crown: its heir");
    kin_unsubscribe(created);
    ck_assert_log("!NOT_ALIVE !NOT_ALIVE ");
}
END_TEST

START_TEST(rel_03_the_message_of_a_spawn_names_a_target_that_a_listener_destroys)
{
    land_tenant_value value = {.lease = {house}, .given.lease = true};
    kin_context_subscribe(&land->base, KIN_ENTITY_CREATED, destroy_house, NULL);
    ck_assert_uint_eq(land_spawn_tenant_with(land, value).id, 0);
    ck_assert_message("with Lease of entity 5 in slot 512: its of, entity 1 in slot 0, is not alive");
    ck_assert_uint_eq(land_entity_count(land), 3);
    ck_assert_uint_eq(land_spawn_tenant_with(land, value).id, 0);
    ck_assert_message("cannot spawn Tenant with Lease: its of, entity 1 in slot 0, is not alive");
}
END_TEST

START_TEST(rel_03_a_copied_relation_is_checked)
{
    land_add_child_of(land, ann, (ChildOf){house});
    land_add_child_of(land, house, (ChildOf){barn});
    ck_assert_int_eq(land_copy_components(land, ann, house, LAND_ANY(LAND_CHILD_OF), true), KIN_ERROR_CIRCLE);
    ck_assert_message("its parent would be the entity itself");
    ck_assert_int_eq(land_copy_components(land, ann, barn, LAND_ANY(LAND_CHILD_OF), false), KIN_ERROR_CIRCLE);
    ck_assert_message("its parent, entity 1 in slot 0, is below it");
    ck_assert_int_eq(land_copy_components(land, ann, bob, LAND_ANY(LAND_CHILD_OF), false), KIN_OK);
    ck_assert_entity(land_children_last(land, house), bob);
}
END_TEST

// ---- reflection, memory

START_TEST(rel_03_relations_by_id_are_checked_like_typed_ones)
{
    kin_field_value value = {.type = KIN_TYPE_ENTITY, .as.entity = house.id};
    kin_add(&land->base, ann.id, LAND_CHILD_OF, &(ChildOf){barn});
    ck_assert_int_eq(kin_field_write(&land->base, ann.id, LAND_CHILD_OF, "parent", value), KIN_OK);
    ck_assert_entity(land_children_first(land, house), ann);
    value.as.entity = ann.id;
    ck_assert_int_eq(kin_field_write(&land->base, ann.id, LAND_CHILD_OF, "parent", value), KIN_ERROR_CIRCLE);
    value.as.entity = 12345;
    ck_assert_int_eq(kin_field_write(&land->base, ann.id, LAND_CHILD_OF, "parent", value), KIN_ERROR_NOT_ALIVE);
    ck_assert_int_eq(kin_replace(&land->base, ann.id, LAND_CHILD_OF, kin_get(&land->base, ann.id, LAND_CHILD_OF)),
                     KIN_OK);
    ck_assert_uint_eq(land_children_count(land, house), 1);
}
END_TEST

// Creates entities until one is in another chunk.
static land_entity create_far_away(void)
{
    land_entity entity = land_create_entity(land);
    while (kin_entity_slot(entity.id) < 1024)
        entity = land_create_entity(land);
    return entity;
}

START_TEST(rel_04_a_holder_without_a_target_gets_one_after_a_trim)
{
    land_entity far = create_far_away();
    land_add_child_of(land, far, (ChildOf){LAND_NO_ENTITY});
    kin_context_trim(&land->base);
    ck_assert_int_eq(land_replace_child_of(land, far, (ChildOf){house}), KIN_OK);
    ck_assert_entity(land_children_first(land, house), far);
}
END_TEST

START_TEST(rel_01_trim_gives_the_memory_of_lists_back)
{
    size_t before = kin_context_memory(&land->base).indices.allocated;
    land_entity far = create_far_away();
    land_add_visit(land, far, (Visit){house});
    land_remove_visit(land, far);
    ck_assert_uint_gt(kin_context_memory(&land->base).indices.allocated, before + 2 * 512 * sizeof(uint32_t));
    kin_context_trim(&land->base);
    ck_assert_uint_lt(kin_context_memory(&land->base).indices.allocated, before + 200); // arrays of blocks
}
END_TEST

START_TEST(rel_01_no_more_memory_is_used_than_allocated)
{
    land_entity parent = house;
    for (int i = 0; i < 600; i++) {
        land_entity child = land_create_entity(land);
        land_add_child_of(land, child, (ChildOf){parent});
        parent = child;
    }
    kin_context_usage usage = kin_context_memory(&land->base);
    ck_assert_uint_le(usage.indices.used, usage.indices.allocated);
}
END_TEST

// ---- resets in cascades

static land_entity announced;

static void reset_when_announced(const kin_change *change, void *user)
{
    (void)user;
    if (change->entity == announced.id)
        land_context_reset(land);
}

static void attach(const kin_change *change, void *user)
{
    int *left = user;
    if (change->component == LAND_RANK && change->event == KIN_COMPONENT_REPLACED && --*left >= 0)
        land_add_child_of(land, land_create_entity(land), (ChildOf){house});
}

static void ck_targets(const kin_change *change, void *user)
{
    (void)user;
    ck_assert(kin__relations_are_valid(change->context));
}

// The listener attaches by a relation that comes before the one whose holder is detached.
START_TEST(rel_02_a_reset_in_a_cascade_detaches_what_listeners_attach)
{
    int left = 1;
    land_add_child_of(land, barn, (ChildOf){house});
    land_add_rank(land, barn, (Rank){house, 1});
    announced = barn;
    kin_context_subscribe(&land->base, KIN_ENTITY_WILL_BE_DESTROYED, reset_when_announced, NULL);
    kin_context_subscribe(&land->base, KIN_COMPONENT_CHANGED, attach, &left);
    kin_context_subscribe(&land->base, KIN_COMPONENT_CHANGED, ck_targets, NULL);
    ck_assert_int_eq(land_destroy_entity(land, house), KIN_OK);
    ck_assert_int_eq(left, 0);
    ck_assert_uint_eq(land_entity_count(land), 0);
}
END_TEST

static void destroy_bob_then_reset(const kin_change *change, void *user)
{
    (void)user;
    if (change->entity == ann.id)
        land_destroy_entity(land, bob);
    if (change->entity == bob.id)
        land_context_reset(land);
}

static void reset_again(const kin_change *change, void *user)
{
    int *left = user;
    if (change->event == KIN_COMPONENT_REPLACED && --*left >= 0)
        land_context_reset(land);
}

START_TEST(rel_13_a_reset_in_a_reset_destroys_each_entity_once)
{
    int left = 1;
    land_add_visit(land, ann, (Visit){bob});
    kin_context_subscribe(&land->base, KIN_ENTITY_WILL_BE_DESTROYED, destroy_bob_then_reset, NULL);
    kin_context_subscribe(&land->base, KIN_COMPONENT_CHANGED, reset_again, &left);
    ck_assert_int_eq(land_destroy_entity(land, ann), KIN_OK);
    ck_assert_int_eq(left, 0);
    ck_assert_uint_eq(land_entity_count(land), 0);
}
END_TEST

Suite *runtime_relation_feature_suite(void)
{
    Suite *suite = suite_create("runtime_relation_feature");
    TCase *tests = tcase_create("features");
    tcase_add_checked_fixture(tests, begin, land_end);
    tcase_add_test(tests, rel_03_a_stashed_holder_is_in_no_list_and_comes_back_last);
    tcase_add_test(tests, rel_03_a_value_is_not_restored_when_its_target_died);
    tcase_add_test(tests, rel_03_a_value_is_not_restored_below_itself);
    tcase_add_test(tests, rel_06_a_stashed_target_component_keeps_the_holders_of_the_entity);
    tcase_add_test(tests, rel_13_cleanup_reports_a_refusal_and_goes_on);
    tcase_add_test(tests, rel_03_a_unique_component_is_not_set_for_a_dead_target);
    tcase_add_test(tests, rel_09_a_carrier_that_is_named_is_not_removed);
    tcase_add_test(tests, rel_09_the_message_counts_the_other_holders_that_refuse);
    tcase_add_test(tests, rel_10_events_tell_what_a_cascade_removed_and_emptied);
    tcase_add_test(tests, rel_10_collectors_get_what_a_cascade_changes);
    tcase_add_test(tests, rel_06_a_retained_holder_is_in_no_list);
    tcase_add_test(tests, rel_10_a_field_is_emptied_if_an_index_forbids_to_remove_the_component);
    tcase_add_test(tests, rel_05_a_refused_move_changes_nothing);
    tcase_add_test(tests, rel_03_the_message_names_a_target_that_a_listener_destroys);
    tcase_add_test(tests, rel_03_the_message_of_a_spawn_names_a_target_that_a_listener_destroys);
    tcase_add_test(tests, rel_03_a_copied_relation_is_checked);
    tcase_add_test(tests, rel_03_relations_by_id_are_checked_like_typed_ones);
    tcase_add_test(tests, rel_04_a_holder_without_a_target_gets_one_after_a_trim);
    tcase_add_test(tests, rel_01_trim_gives_the_memory_of_lists_back);
    tcase_add_test(tests, rel_01_no_more_memory_is_used_than_allocated);
    tcase_add_test(tests, rel_02_a_reset_in_a_cascade_detaches_what_listeners_attach);
    tcase_add_test(tests, rel_13_a_reset_in_a_reset_destroys_each_entity_once);
    suite_add_tcase(suite, tests);
    return suite;
}
