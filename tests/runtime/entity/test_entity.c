// Entities: handles, the slots that they get, queries about dead entities, and the order of a destruction (ENT).
#include "runtime/support/board_case.h"
#include "suites.h"

#include <check.h>
#include <string.h>

static kin_entity handle(uint64_t creation_index, uint32_t slot)
{
    return creation_index << 24 | slot;
}

static board_entity create_with(bool frozen, bool position)
{
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(board_set_frozen(board, entity, frozen), KIN_OK);
    if (position)
        ck_assert_uint_eq(board_add_position(board, entity, (Position){3, 4}), KIN_OK);
    return entity;
}

// ---- handles and slots

static const uint32_t counts[] = {1, 63, 64, 65, 511, 512, 513, 1023, 1025};

enum { COUNT_CASES = sizeof counts / sizeof *counts, MOST = 1025 };

START_TEST(ent_01_a_handle_is_creation_index_and_slot)
{
    board_entity entities[MOST];
    board_fill(board, counts[_i], entities);
    for (uint32_t i = 0; i < counts[_i]; i++) { // ENT-02: counted up by one from 1
        ck_assert_uint_eq(entities[i].id, handle(i + 1, i));
        ck_assert_uint_eq(kin_entity_slot(entities[i].id), i);
        ck_assert_uint_eq(kin_entity_creation_index(entities[i].id), i + 1);
        ck_assert(board_entity_is_alive(board, entities[i]));
    }
    ck_assert_uint_eq(board_entity_count(board), counts[_i]);
    uint32_t listed = 0;
    ck_assert_mem_eq(board_entities(board, &listed), entities, counts[_i] * sizeof *entities);
    ck_assert_uint_eq(listed, counts[_i]);
}
END_TEST

// A slot without a chunk leads to some chunk, whose entity in that place must not be taken for this one.
START_TEST(ent_01_a_handle_of_a_slot_that_does_not_exist_finds_no_entity)
{
    ck_assert(!board_entity_is_alive(board, (board_entity){handle(1, 0)}));
    ck_assert(!board_entity_is_alive(board, (board_entity){0}));
    board_entity entities[MOST];
    board_fill(board, counts[_i], entities);
    for (uint32_t chunk = 1; chunk < 1 << 15; chunk *= 2) {
        kin_entity far = entities[0].id + chunk * 512;
        bool is_there = chunk * 512 < counts[_i] && entities[chunk * 512].id == far;
        ck_assert(!is_there && !board_entity_is_alive(board, (board_entity){far}));
        ck_assert_ptr_null(board_get_position(board, (board_entity){far}));
    }
}
END_TEST

START_TEST(ent_03_slots_are_used_again_last_freed_first)
{
    board_entity entities[MOST];
    board_fill(board, counts[_i], entities);
    uint32_t freed[] = {counts[_i] / 2, 0, counts[_i] - 1};
    uint32_t count = counts[_i] >= 3 ? 3 : 1;
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(board_destroy_entity(board, entities[freed[i]]), KIN_OK);
    ck_assert_uint_eq(kin_context_reusable_count(&board->base), count);
    for (uint32_t i = count; i-- > 0;)
        ck_assert_uint_eq(kin_entity_slot(board_create_entity(board).id), freed[i]);
    ck_assert_uint_eq(kin_context_reusable_count(&board->base), 0);
    ck_assert_uint_eq(board_create_entity(board).id, handle(counts[_i] + count + 1, counts[_i])); // the lowest unused
}
END_TEST

START_TEST(ent_03_freed_slots_come_before_the_next_512)
{
    board_entity entities[512];
    board_fill(board, 512, entities);
    board_destroy_entity(board, entities[17]);
    size_t used = board_memory.size;
    ck_assert_uint_eq(kin_entity_slot(board_create_entity(board).id), 17);
    ck_assert_uint_eq(board_memory.size, used);
    ck_assert_uint_eq(kin_entity_slot(board_create_entity(board).id), 512);
    ck_assert_uint_gt(board_memory.size, used);
}
END_TEST

START_TEST(ent_04_a_dead_handle_stays_dead_when_its_slot_is_used_again)
{
    board_entity old = create_with(true, true);
    board_destroy_entity(board, old);
    board_entity young = board_create_entity(board);
    ck_assert_uint_eq(kin_entity_slot(young.id), kin_entity_slot(old.id));
    ck_assert(!board_entity_is_alive(board, old));
    ck_assert(!board_entity_equals(old, young));
    ck_assert(!board_is_frozen(board, young)); // CMP-03 and FLG-01: no value of the former entity is left
    ck_assert_ptr_null(board_get_position(board, young));
    ck_assert_refused(&board_errors, board_destroy_entity(board, old), KIN_ERROR_NOT_ALIVE);
    ck_assert(board_entity_is_alive(board, young));
}
END_TEST

START_TEST(creating_and_destroying_for_long_takes_no_more_memory)
{
    board_entity entities[100];
    board_fill(board, 100, entities);
    size_t used = board_memory.size;
    for (uint32_t i = 0; i < 20000; i++) {
        ck_assert_uint_eq(board_destroy_entity(board, entities[i * 7 % 100]), KIN_OK);
        entities[i * 7 % 100] = board_create_entity(board);
    }
    ck_assert_uint_eq(board_memory.size, used);
    ck_assert_uint_eq(board_entity_count(board), 100);
    ck_assert_uint_eq(kin_entity_creation_index(board_create_entity(board).id), 20101);
}
END_TEST

START_TEST(ent_10_without_memory_no_entity_is_made)
{
    board_entity entities[512];
    board_fill(board, _i == 0 ? 0 : 512, entities);
    bool made = false;
    uint32_t refused = 0;
    for (uint64_t n = 0; !made; n++) {
        guard_fail(&board_memory, n + 1, true);
        made = board_create_entity(board).id != 0;
        refused += !made;
        if (!made)
            ck_assert_reported(&board_errors, KIN_ERROR_NO_MEMORY);
    }
    ck_assert_uint_ge(refused, 1);
    ck_assert_uint_eq(board_entity_count(board), _i == 0 ? 1 : 513);
    guard_fail(&board_memory, 0, false);
    ck_assert_uint_eq(board_create_entity(board).id, _i == 0 ? handle(2, 1) : handle(514, 513));
}
END_TEST

// ---- the dead

// Two entities are alive, in slots 0 and 2; slot 1 was used.
static const struct {
    const char *what;
    uint64_t creation_index;
    uint32_t slot;
} dead_handles[] = {
    {"zero", 0, 0},
    {"destroyed", 2, 1},
    {"of no creation index, in a free slot", 0, 1},
    {"of no creation index, in a used slot", 0, 2},
    {"of an earlier one in a used slot", 1, 2},
    {"of a later one in a used slot", 4, 0},
    {"not yet created", 4, 1},
    {"in a slot never used", 4, 3},
    {"the last slot of the chunk", 1, 511},
    {"in a chunk that is not there", 1, 512},
    {"in the last slot there can be", 1, 0xFFFFFF},
    {"all bits", 0xFFFFFFFFFF, 0xFFFFFF},
};

static board_entity make_dead(int index)
{
    board_entity entities[3];
    board_fill(board, 3, entities);
    board_destroy_entity(board, entities[1]);
    return board_entity_of(handle(dead_handles[index].creation_index, dead_handles[index].slot));
}

START_TEST(ent_07_queries_about_dead_entities_report_no_error)
{
    board_entity dead = make_dead(_i);
    kin_matcher nothing = KIN_MATCHER(KIN_NONE(BOARD_POSITION));
    ck_assert(!board_entity_is_alive(board, dead));
    ck_assert(!kin_entity_is_alive(&board->base, dead.id));
    ck_assert(!board_has_position(board, dead));
    ck_assert(!board_is_frozen(board, dead));
    ck_assert(!kin_has(&board->base, dead.id, BOARD_POSITION));
    ck_assert_ptr_null(board_get_position(board, dead));
    ck_assert_ptr_null(board_edit_position(board, dead));
    ck_assert(!kin_group_contains(board_strays_group(board), dead.id));
    ck_assert(!kin_matches(&board->base, nothing, dead.id));
    ck_assert_uint_eq(board_errors.count, 0);
}
END_TEST

static kin_status change(int kind, board_entity entity)
{
    switch (kind) {
    case 0:
        return board_add_position(board, entity, position_default());
    case 1:
        return board_replace_position(board, entity, position_default());
    case 2:
        return board_remove_position(board, entity);
    case 3:
        return board_touch_position(board, entity);
    case 4:
        return board_set_frozen(board, entity, true);
    case 5:
        return board_set_frozen(board, entity, false);
    default:
        return board_destroy_entity(board, entity);
    }
}

START_TEST(ent_08_changes_of_dead_entities_are_refused)
{
    board_entity dead = make_dead(_i);
    for (int kind = 0; kind <= 6; kind++) {
        ck_assert_uint_eq(change(kind, dead), KIN_ERROR_NOT_ALIVE);
        ck_assert_uint_eq(board_errors.entries[0].entity, dead.id);
        ck_assert_str_eq(board_errors.entries[0].context, "board");
        ck_assert_str_eq(board_errors.entries[0].component, kind < 4 ? "Position" : kind < 6 ? "Frozen" : "");
        ck_assert_reported(&board_errors, KIN_ERROR_NOT_ALIVE);
    }
    ck_assert_uint_eq(kin_group_count(board_positions_group(board)), 0);
    ck_assert_uint_eq(board_entity_count(board), 2);
}
END_TEST

// All entities are alive and the columns exist, so that only the handle is a reason to refuse.
START_TEST(ent_08_forged_handles_are_refused_beside_living_entities)
{
    board_entity entities[3];
    board_fill(board, 3, entities);
    for (int i = 0; i < 3; i++)
        board_add_position(board, entities[i], (Position){1, 2});
    const kin_entity forged[] = {0, 1, 2, handle(1, 1), handle(2, 0), handle(4, 0), entities[0].id + 1};
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
        ck_assert(!board_has_position(board, board_entity_of(forged[i])));
        for (int kind = 0; kind <= 6; kind++) {
            ck_assert_refused(&board_errors, change(kind, board_entity_of(forged[i])), KIN_ERROR_NOT_ALIVE);
        }
    }
    ck_assert_uint_eq(kin_group_count(board_positions_group(board)), 3);
}
END_TEST

// ---- creating

static void destroy_it(const kin_change *change, void *user)
{
    (void)user;
    ck_assert_uint_eq(board_destroy_entity(board_context_of(change->context), board_entity_of(change->entity)), KIN_OK);
}

START_TEST(ent_09_the_handle_is_returned_though_a_listener_destroyed_it)
{
    kin_group_subscribe(board_strays_group(board), KIN_ADDED, destroy_it, NULL);
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(entity.id, handle(1, 0));
    ck_assert(!board_entity_is_alive(board, entity));
    ck_assert_uint_eq(board_entity_count(board), 0);
    ck_assert_uint_eq(board_create_entity(board).id, handle(2, 0));
}
END_TEST

// ---- destroying

START_TEST(ent_11_destroying_twice_is_refused)
{
    board_entity entity = create_with(false, true);
    ck_assert_uint_eq(board_destroy_entity(board, entity), KIN_OK);
    ck_assert(!board_entity_is_alive(board, entity));
    ck_assert_refused(&board_errors, board_destroy_entity(board, entity), KIN_ERROR_NOT_ALIVE);
    ck_assert_uint_eq(kin_context_reusable_count(&board->base), 1);
}
END_TEST

static uint32_t destructions;

static void look_during_destruction(const kin_change *change, void *user)
{
    kin_group *group = user;
    board_context *context = board_context_of(change->context);
    board_entity dead = board_entity_of(change->entity);
    uint32_t count = 9;
    destructions++;
    ck_assert(!board_entity_is_alive(context, dead));
    ck_assert(!board_is_frozen(context, dead));
    ck_assert_ptr_null(board_get_position(context, dead)); // although its removal has not been reported yet
    ck_assert(!kin_group_contains(group, change->entity));
    ck_assert(!kin_matches(change->context, kin_group_matcher(group), change->entity));
    ck_assert_uint_eq(kin_group_count(group), 0);
    ck_assert_ptr_null(board_positions_entities(context, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(board_entity_count(context), 0);
    ck_assert_ptr_null(board_entities(context, &count));
}

START_TEST(ent_13_during_its_destruction_no_query_finds_the_entity)
{
    destructions = 0;
    kin_group_subscribe(board_group(board, KIN_MATCHER(KIN_ALL(BOARD_FROZEN))), KIN_REMOVED, look_during_destruction,
                        board_positions_group(board));
    kin_group_subscribe(board_positions_group(board), KIN_REMOVED, look_during_destruction,
                        board_positions_group(board));
    board_destroy_entity(board, create_with(true, true));
    ck_assert_uint_eq(destructions, 2);
}
END_TEST

static void change_during_destruction(const kin_change *change_, void *user)
{
    (void)user;
    for (int kind = 0; kind <= 6; kind++) {
        ck_assert_refused(&board_errors, change(kind, board_entity_of(change_->entity)), KIN_ERROR_NOT_ALIVE);
    }
    destructions++;
}

START_TEST(ent_13_during_its_destruction_changing_the_entity_is_refused)
{
    destructions = 0;
    kin_group_subscribe(board_positions_group(board), KIN_REMOVED, change_during_destruction, NULL);
    board_destroy_entity(board, create_with(true, true));
    ck_assert_uint_eq(destructions, 1);
}
END_TEST

START_TEST(ent_14_components_are_reported_in_order_of_their_ids_with_their_values)
{
    kin_matcher matchers[] = {KIN_MATCHER(KIN_ALL(BOARD_POSITION)), KIN_MATCHER(KIN_ALL(BOARD_HEALTH)),
                              KIN_MATCHER(KIN_ALL(BOARD_FROZEN))};
    for (int i = 0; i < 3; i++)
        call_log_subscribe(board_group(board, matchers[i]), KIN_REMOVED, &"P\0H\0F"[i * 2]);
    board_entity entity = create_with(true, true);
    board_add_health(board, entity, (Health){77});
    board_destroy_entity(board, entity);
    ck_assert_str_eq(call_log_labels(), "F H P ");
    int32_t points;
    Position position;
    memcpy(&points, calls.calls[1].previous, sizeof points);
    memcpy(&position, calls.calls[2].previous, sizeof position);
    ck_assert_ptr_null(calls.calls[0].change.previous);
    ck_assert_int_eq(points, 77);
    ck_assert(position.x == 3 && position.y == 4);
    ck_assert_ptr_null(calls.calls[2].change.value);
    ck_assert_uint_eq(calls.calls[2].change.entity, entity.id);
}
END_TEST

// An entity with Frozen, Health and Position, which are removed in this order. -1: the group reports nothing.
static const struct {
    const char *what;
    kin_rule_kind kinds[2];
    kin_component_id ids[2][2];
    int reported_at;
} destruction_groups[] = {
    {"all: the first that goes", {KIN_RULE_ALL}, {{BOARD_HEALTH, BOARD_POSITION}}, BOARD_HEALTH},
    {"any: the last that goes", {KIN_RULE_ANY}, {{BOARD_FROZEN, BOARD_HEALTH}}, BOARD_HEALTH},
    {"any of one: at that one", {KIN_RULE_ANY}, {{BOARD_POSITION, BOARD_MARKED}}, BOARD_POSITION},
    {"not contained, but matches on the way",
     {KIN_RULE_ALL, KIN_RULE_NONE},
     {{BOARD_POSITION, BOARD_POSITION}, {BOARD_FROZEN, BOARD_FROZEN}},
     -1},
    {"not contained, but matches at the end", {KIN_RULE_NONE}, {{BOARD_FROZEN, BOARD_POSITION}}, -1},
    {"not contained: only", {KIN_RULE_ONLY}, {{BOARD_HEALTH, BOARD_POSITION}}, -1},
    {"none alone: after the last", {KIN_RULE_NONE}, {{BOARD_MARKED, BOARD_PIECE}}, BOARD_COMPONENT_COUNT},
    {"any and none",
     {KIN_RULE_ANY, KIN_RULE_NONE},
     {{BOARD_FROZEN, BOARD_POSITION}, {BOARD_MARKED, BOARD_PIECE}},
     BOARD_POSITION},
};

enum { DESTRUCTION_GROUPS = sizeof destruction_groups / sizeof *destruction_groups };

START_TEST(ent_15_a_group_reports_the_loss_once_at_the_component_that_ends_the_match)
{
    kin_rule rules[2];
    uint32_t count = destruction_groups[_i].kinds[1] != 0 ? 2 : 1;
    for (uint32_t i = 0; i < count; i++)
        rules[i] = kin__rule_make(destruction_groups[_i].kinds[i], 2, destruction_groups[_i].ids[i]);
    call_log_subscribe(board_group(board, kin__matcher_make(count, rules)), KIN_ADDED_OR_REMOVED, "x");
    board_entity entity = create_with(true, true);
    board_add_health(board, entity, health_default());
    call_log_clear();
    board_destroy_entity(board, entity);
    if (destruction_groups[_i].reported_at < 0) {
        ck_assert_uint_eq(calls.count, 0);
        return;
    }
    ck_assert_uint_eq(calls.count, 1);
    ck_assert_int_eq(calls.calls[0].change.component, destruction_groups[_i].reported_at);
    ck_assert_ptr_null(calls.calls[0].change.value);
}
END_TEST

static kin_entity created_during_destruction;

static void create_during_destruction(const kin_change *change, void *user)
{
    (void)user;
    created_during_destruction = board_create_entity(board_context_of(change->context)).id;
}

START_TEST(ent_18_the_slot_is_free_when_the_entity_is_gone_and_not_before)
{
    board_entity entity = create_with(false, true);
    kin_group_subscribe(board_positions_group(board), KIN_REMOVED, create_during_destruction, NULL);
    board_destroy_entity(board, entity);
    ck_assert_uint_eq(created_during_destruction, handle(2, 1));
    ck_assert_uint_eq(board_create_entity(board).id, handle(3, 0));
}
END_TEST

START_TEST(dsp_12_destroying_needs_no_memory)
{
    for (int i = 0; i < 4; i++)
        call_log_subscribe(i % 2 == 0 ? board_positions_group(board) : board_strays_group(board), KIN_ADDED_OR_REMOVED,
                           "x");
    board_entity first = create_with(true, true);
    create_with(false, false);
    guard_fail(&board_memory, 1, true);
    ck_assert_uint_eq(board_destroy_entity(board, first), KIN_OK);
    ck_assert_uint_eq(board_destroy_all_entities(board), KIN_OK);
    ck_assert_uint_eq(board_context_reset(board), KIN_OK);
}
END_TEST

Suite *runtime_entity_suite(void)
{
    enum { DEAD = sizeof dead_handles / sizeof *dead_handles };
    Suite *suite = suite_create("runtime_entity");
    TCase *rules = tcase_create("rules");
    tcase_add_checked_fixture(rules, board_begin, board_end);
    tcase_add_loop_test(rules, ent_01_a_handle_is_creation_index_and_slot, 0, COUNT_CASES);
    tcase_add_loop_test(rules, ent_01_a_handle_of_a_slot_that_does_not_exist_finds_no_entity, 0, COUNT_CASES);
    tcase_add_loop_test(rules, ent_03_slots_are_used_again_last_freed_first, 0, COUNT_CASES);
    tcase_add_test(rules, ent_03_freed_slots_come_before_the_next_512);
    tcase_add_test(rules, ent_04_a_dead_handle_stays_dead_when_its_slot_is_used_again);
    tcase_add_test(rules, creating_and_destroying_for_long_takes_no_more_memory);
    tcase_add_loop_test(rules, ent_10_without_memory_no_entity_is_made, 0, 2);
    tcase_add_loop_test(rules, ent_07_queries_about_dead_entities_report_no_error, 0, DEAD);
    tcase_add_loop_test(rules, ent_08_changes_of_dead_entities_are_refused, 0, DEAD);
    tcase_add_test(rules, ent_08_forged_handles_are_refused_beside_living_entities);
    tcase_add_test(rules, ent_09_the_handle_is_returned_though_a_listener_destroyed_it);
    tcase_add_test(rules, ent_11_destroying_twice_is_refused);
    tcase_add_test(rules, ent_13_during_its_destruction_no_query_finds_the_entity);
    tcase_add_test(rules, ent_13_during_its_destruction_changing_the_entity_is_refused);
    tcase_add_test(rules, ent_14_components_are_reported_in_order_of_their_ids_with_their_values);
    tcase_add_loop_test(rules, ent_15_a_group_reports_the_loss_once_at_the_component_that_ends_the_match, 0,
                        DESTRUCTION_GROUPS);
    tcase_add_test(rules, ent_18_the_slot_is_free_when_the_entity_is_gone_and_not_before);
    tcase_add_test(rules, dsp_12_destroying_needs_no_memory);
    suite_add_tcase(suite, rules);
    return suite;
}
