// Indices while entities change: reset, memory, clones and random changes (IDX, CPY, DSP-12).
#include "entity/entity.h"
#include "lookup/lookup.h"
#include "runtime/support/hall_case.h"
#include "suites.h"

#include <kin/journal.h>
#include <stdio.h>

START_TEST(ctx_07_indices_stay_and_work_after_a_reset)
{
    hall_entity_with_number(1);
    hall_entity_in_team(SIDE_RED);
    ck_assert_int_eq(hall_context_reset(hall), KIN_OK);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 1), HALL_NO_ENTITY);
    uint32_t count;
    ck_assert_ptr_null(hall_entities_with_team_side(hall, SIDE_RED, &count));
    hall_entity again = hall_entity_with_number(1);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 1), again);
}
END_TEST

static void count_change(const kin_change *change, void *user)
{
    uint32_t *count = user;
    (void)change;
    ++*count;
}

// Such a replace takes a short path, unless it is noted or somebody listens to the entity.
START_TEST(rfl_25_cmp_05_a_replaced_key_is_noted_and_notified)
{
    static uint64_t memory[1024];
    kin_journal journal = {.memory = memory, .size = sizeof memory, .all_components = true};
    hall_entity holder = hall_entity_with_number(1);
    uint32_t count = 0;
    ck_assert_int_eq(kin_context_journal(&hall->base, &journal), KIN_OK);
    hall_replace_ticket(hall, holder, (Ticket){.number = 2});
    const kin_record *record = kin_journal_next(&journal, NULL);
    ck_assert_ptr_nonnull(record);
    ck_assert_int_eq(record->kind, KIN_RECORD_REPLACED);
    ck_assert_int_eq(kin_context_journal(&hall->base, NULL), KIN_OK);
    kin_subscription subscription =
        kin_entity_subscribe(&hall->base, holder.id, KIN_COMPONENT_REPLACED, count_change, &count);
    hall_replace_ticket(hall, holder, (Ticket){.number = 3});
    ck_assert_uint_eq(count, 1);
    kin_unsubscribe(subscription);
    hall_replace_ticket(hall, holder, (Ticket){.number = 4});
    ck_assert_uint_eq(count, 1);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 4), holder);
}
END_TEST

START_TEST(dsp_12_changes_that_make_an_entity_match_need_no_memory)
{
    enum { COUNT = 600 };
    hall_entity entities[COUNT];
    uint32_t count;
    for (int32_t i = 0; i < COUNT; i++) {
        entities[i] = hall_create_entity(hall);
        hall_set_gone(hall, entities[i], true);
        hall_set_piece(hall, entities[i], true);
        hall_add_cell(hall, entities[i], (Cell){i, -i});
        hall_add_floor(hall, entities[i], (Floor){3, i});
    }
    for (int32_t i = 0; i < COUNT; i++) {
        guard_fail(&memory, 1, true);
        ck_assert_int_eq(hall_set_gone(hall, entities[i], false), KIN_OK);
        ck_assert_int_eq(hall_replace_floor(hall, entities[i], (Floor){4, i / 2}), KIN_OK);
        guard_fail(&memory, 0, false);
        ck_assert_ptr_nonnull(hall_entities_with_spot(hall, i, 4, i / 2, &count)); // uses a node permanently
        guard_fail(&memory, 1, true);
        ck_assert_int_eq(hall_replace_floor(hall, entities[i], (Floor){5, i}), KIN_OK);
        guard_fail(&memory, 0, false);
        ck_assert_entity(hall_entity_with_cell(hall, i, -i), entities[i]);
    }
    ck_assert(kin__context_is_valid(&hall->base));
    guard_fail(&memory, 1, true);
    ck_assert_int_eq(hall_destroy_all_entities(hall), KIN_OK);
    guard_fail(&memory, 0, false);
}
END_TEST

START_TEST(no_memory_for_a_key_changes_nothing)
{
    const Badge badge = {.tag = {.label = "a"}};
    hall_entity made = hall_create_entity(hall);
    for (uint64_t fail = 0;; fail++) {
        guard_fail(&memory, fail + 1, true);
        kin_status status = hall_add_badge(hall, made, badge);
        guard_fail(&memory, 0, false);
        if (status == KIN_OK)
            break;
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert(!hall_has_badge(hall, made) && kin__context_is_valid(&hall->base));
        ck_assert_uint_lt(fail, 100);
    }
    uint32_t count;
    guard_fail(&memory, 1, true);
    ck_assert_ptr_null(hall_entities_with_badge_tag(hall, badge.tag, &count));
    guard_fail(&memory, 0, false);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    ck_assert_ptr_nonnull(hall_entities_with_badge_tag(hall, badge.tag, &count));
}
END_TEST

// The index would have the entity only with another component, and has as many others as its memory is for.
START_TEST(ctx_12_no_memory_for_a_readd_keeps_the_component)
{
    hall_entity lone = hall_create_entity(hall);
    hall_add_cell(hall, lone, (Cell){0, -1});
    for (int32_t count = 1; count < 70; count++) {
        hall_entity other = hall_create_entity(hall);
        hall_add_cell(hall, other, (Cell){count, 0});
        hall_add_floor(hall, other, (Floor){1, 2});
        int32_t before = hall_get_cell(hall, lone)->x;
        guard_fail(&memory, 1, true);
        kin_status status = hall_readd_cell(hall, lone, (Cell){-count, -1});
        guard_fail(&memory, 0, false);
        if (status != KIN_OK)
            ck_assert_refused(&errors, status, KIN_ERROR_NO_MEMORY);
        ck_assert(hall_has_cell(hall, lone));
        ck_assert_int_eq(hall_get_cell(hall, lone)->x, status == KIN_OK ? -count : before);
    }
}
END_TEST

START_TEST(cpy_11_no_memory_for_a_copy_of_several_components_changes_nothing)
{
    hall_entity source = hall_create_entity(hall);
    hall_add_cell(hall, source, (Cell){0, -1});
    hall_add_floor(hall, source, (Floor){1, 1});
    for (int32_t count = 1; count < 70; count++) {
        hall_entity copy = hall_create_entity(hall);
        kin_status status = KIN_ERROR_NO_MEMORY;
        for (uint64_t fail = 1; status != KIN_OK; fail++) {
            guard_fail(&memory, fail, true);
            status = hall_copy_components(hall, source, copy, HALL_ALL(HALL_CELL, HALL_FLOOR), false);
            guard_fail(&memory, 0, false);
            if (status != KIN_OK)
                ck_assert_refused(&errors, status, KIN_ERROR_NO_MEMORY);
            ck_assert(hall_has_cell(hall, copy) == (status == KIN_OK));
            ck_assert(hall_has_floor(hall, copy) == (status == KIN_OK));
        }
    }
}
END_TEST

START_TEST(no_memory_for_a_context_with_indices_leaves_nothing)
{
    guard memory;
    error_log log = {.count = 0};
    kin_context_options options = {.allocator = guard_begin(&memory), .on_error = error_log_append, .error_user = &log};
    hall_context *made = NULL;
    for (uint64_t fail = 0; made == NULL; fail++) {
        guard_fail(&memory, fail + 1, true);
        made = hall_context_create(&options);
        ck_assert(made != NULL || memory.block_count == 0);
    }
    hall_context_destroy(made);
    guard_end(&memory);
}
END_TEST

START_TEST(cpy_03_what_forbids_a_clone_is_known)
{
    hall_entity piece = hall_piece_at(1, 2), plain = hall_entity_with_number(1);
    ck_assert_str_eq(kin__indices_find_clone_conflict(&hall->base, piece.id)->name, "cell");
    ck_assert_ptr_null(kin__indices_find_clone_conflict(&hall->base, plain.id));
    ck_assert(kin__indices_have_primary(&hall->base, HALL_TICKET));
    ck_assert(!kin__indices_have_primary(&hall->base, HALL_TEAM) && !kin__indices_have_primary(&hall->base, HALL_CELL));
}
END_TEST

START_TEST(cpy_02_a_component_with_a_primary_field_is_left_out_of_a_clone)
{
    hall_entity source = hall_entity_with_number(1);
    hall_add_team(hall, source, (Team){SIDE_RED});
    hall_entity clone = hall_clone_entity(hall, source);
    uint32_t count;
    ck_assert(hall_entity_is_alive(hall, clone) && !hall_has_ticket(hall, clone));
    kin_clone_omission left_out[2];
    ck_assert_uint_eq(kin_clone_report(&hall->base, source.id, left_out, 2), 1);
    ck_assert(left_out[0].component == HALL_TICKET && left_out[0].reason == KIN_CLONE_PRIMARY_KEY);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 1), source);
    hall_entities_with_team_side(hall, SIDE_RED, &count);
    ck_assert_uint_eq(count, 2);
}
END_TEST

START_TEST(cpy_03_a_source_in_a_custom_primary_index_is_not_cloned)
{
    hall_entity piece = hall_piece_at(1, 2);
    ck_assert_entity(hall_clone_entity(hall, piece), HALL_NO_ENTITY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(hall_entity_count(hall), 1);
    hall_set_gone(hall, piece, true);
    hall_entity other = hall_piece_at(1, 2), clone = hall_clone_entity(hall, piece);
    ck_assert(hall_has_cell(hall, clone) && hall_is_gone(hall, clone));
    ck_assert_entity(hall_entity_with_cell(hall, 1, 2), other);
}
END_TEST

static void fill_teams(const kin_change *change, void *user)
{
    (void)user;
    (void)change;
    for (int side = 0; side < 100; side++)
        hall_entity_in_team((Side)(100 + side));
}

START_TEST(cpy_05_listeners_may_take_the_room_that_a_clone_had_in_an_index)
{
    hall_entity source = hall_entity_in_team(SIDE_BLUE);
    hall_add_cell(hall, source, (Cell){1, 2});
    kin_group_subscribe(hall_cells_group(hall), KIN_ADDED, fill_teams, NULL);
    uint32_t count;
    hall_entity clone = hall_clone_entity(hall, source);
    const hall_entity *team = hall_entities_with_team_side(hall, SIDE_BLUE, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_entity(team[1], clone);
    ck_assert_uint_eq(hall_entity_count(hall), 102);
}
END_TEST

START_TEST(components_that_no_index_names_are_not_watched)
{
    ck_assert_uint_eq(hall->base.components[HALL_PLAIN].watchers, 0);
    ck_assert_uint_gt(hall->base.components[HALL_GONE].watchers, 0);
    ck_assert_uint_gt(hall->base.components[HALL_CELL].watchers, 0);
    ck_assert_uint_eq(hall_info.index_count, 12);
    ck_assert_str_eq(hall_info.indices[0].name, "Badge.tag");
    const hall_pieces_iter *it = NULL;
    ck_assert_int_eq(_Generic(it->cell, const Cell * : 1, default : 0), 1);
    const hall_leaders_iter *leaders = NULL;
    ck_assert_int_eq(_Generic(leaders->leader, const Leader *const * : 1, default : 0), 1);
}
END_TEST

// ---- fields that are in no key

static void count_extra(const kin_change *change, void *user)
{
    *(int32_t *)user += ((const Name *)change->value)->extra;
    ck_assert_ptr_eq(change->previous, change->value);
}

START_TEST(fnd_50_fields_that_are_in_no_key_are_written_in_place)
{
    hall_entity bearer = hall_create_entity(hall);
    int32_t sum = 0;
    hall_add_name(hall, bearer, (Name){"Tom", 1});
    kin_group *named = hall_group(hall, KIN_MATCHER(HALL_ALL(HALL_NAME)));
    kin_group_subscribe(named, KIN_MODIFIED, count_extra, &sum);
    kin_snapshot *before = NULL;
    ck_assert_int_eq(hall_save(hall, &before), KIN_OK);
    hall_edit_name(hall, bearer)->extra = 5;
    ck_assert_int_eq(sum, 0);
    ck_assert_int_eq(hall_get_name(hall, bearer)->extra, 5);
    ck_assert_entity(hall_entity_with_name_value(hall, "Tom"), bearer);
    ck_assert_int_eq(hall_touch_name(hall, bearer), KIN_OK);
    ck_assert_int_eq(sum, 5);
    ck_assert_entity(hall_entity_with_name_value(hall, "Tom"), bearer);
    ck_assert(kin__context_is_valid(&hall->base));
    ck_assert_int_eq(hall_restore(hall, before, KIN_RESTORE_EXACTLY), KIN_OK);
    ck_assert_int_eq(hall_get_name(hall, bearer)->extra, 1);
    kin_snapshot_destroy(before);
    ck_assert_ptr_null(hall_edit_name(hall, HALL_NO_ENTITY));
    ck_assert_refused(&errors, hall_touch_name(hall, HALL_NO_ENTITY), KIN_ERROR_NOT_ALIVE);
}
END_TEST

START_TEST(fnd_50_a_key_that_is_replaced_is_found_and_the_address_stays)
{
    hall_entity bearer = hall_create_entity(hall);
    hall_add_name(hall, bearer, (Name){"Tom", 1});
    NameEdit *name = hall_edit_name(hall, bearer);
    name->extra = 2;
    hall_replace_name(hall, bearer, (Name){"Ann", name->extra});
    ck_assert_ptr_eq(hall_edit_name(hall, bearer), name);
    ck_assert_str_eq(name->value, "Ann");
    ck_assert_int_eq(name->extra, 2);
    ck_assert_entity(hall_entity_with_name_value(hall, "Tom"), HALL_NO_ENTITY);
    ck_assert_entity(hall_entity_with_name_value(hall, "Ann"), bearer);
}
END_TEST

START_TEST(fnd_50_uni_08_a_unique_component_with_a_key_is_edited)
{
    ck_assert_ptr_null(hall_edit_unique_leader(hall));
    hall_entity leader = hall_set_unique_leader(hall, (Leader){1.5, 1});
    hall_edit_unique_leader(hall)->other = 7;
    ck_assert_ptr_eq(hall_edit_unique_leader(hall), hall_edit_leader(hall, leader));
    ck_assert_int_eq(hall_get_leader(hall, leader)->other, 7);
    ck_assert_entity(hall_entity_with_leader_rank(hall, 1.5), leader);
}
END_TEST

// ---- random changes, compared with a search

enum { MOST = 40, KEYS = 6, STEPS = 20000 };

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static bool is_piece(const hall_entity entity)
{
    return hall_has_cell(hall, entity) && hall_is_piece(hall, entity) && !hall_is_gone(hall, entity) &&
           !hall_is_fading(hall, entity);
}

static kin_entity search_cell(const hall_entity *entities, Cell wanted)
{
    for (uint32_t i = 0; i < MOST; i++)
        if (is_piece(entities[i]) && hall_get_cell(hall, entities[i])->x == wanted.x &&
            hall_get_cell(hall, entities[i])->y == wanted.y)
            return entities[i].id;
    return 0;
}

static void compare_sides(Side side)
{
    uint32_t count, all, found = 0;
    const hall_entity *listed = hall_entities_with_team_side(hall, side, &count);
    const hall_entity *living = hall_entities(hall, &all);
    for (uint32_t i = 0; i < all; i++)
        if (hall_has_team(hall, living[i]) && hall_get_team(hall, living[i])->side == side) {
            ck_assert_uint_lt(found, count);
            ck_assert_entity(listed[found++], living[i]);
        }
    ck_assert_uint_eq(found, count);
}

static void change(hall_entity *entity, uint64_t *random)
{
    Cell cell = {(int32_t)(next_random(random) % KEYS), (int32_t)(next_random(random) % 2)};
    switch (next_random(random) % 9) {
    case 0:
        hall_destroy_entity(hall, *entity);
        *entity = hall_create_entity(hall);
        break;
    case 1:
        hall_add_cell(hall, *entity, cell);
        break;
    case 2:
        hall_remove_cell(hall, *entity);
        break;
    case 3:
        hall_set_piece(hall, *entity, next_random(random) % 4 != 0);
        break;
    case 4:
        hall_set_gone(hall, *entity, next_random(random) % 2 != 0);
        break;
    case 5:
        hall_set_fading(hall, *entity, next_random(random) % 2 != 0);
        break;
    case 6:
        hall_replace_team(hall, *entity, (Team){next_random(random) % 2 != 0 ? SIDE_RED : SIDE_BLUE});
        break;
    case 7:
        hall_remove_team(hall, *entity);
        break;
    default:
        hall_replace_cell(hall, *entity, cell);
        break;
    }
}

START_TEST(at_random_an_index_answers_like_a_search)
{
    hall_entity entities[MOST];
    uint64_t random = (uint64_t)_i + 1;
    uint32_t refused = 0;
    for (uint32_t i = 0; i < MOST; i++)
        entities[i] = hall_create_entity(hall);
    for (uint32_t step = 0; step < STEPS; step++) {
        change(&entities[next_random(&random) % MOST], &random);
        refused += errors.count > 0 && errors.entries[0].status == KIN_ERROR_DUPLICATE_KEY;
        error_log_clear(&errors);
        Cell wanted = {(int32_t)(next_random(&random) % KEYS), (int32_t)(next_random(&random) % 2)};
        ck_assert_uint_eq(hall_entity_with_cell(hall, wanted.x, wanted.y).id, search_cell(entities, wanted));
        if (step % 16 == 0)
            compare_sides(step % 32 == 0 ? SIDE_RED : SIDE_BLUE);
        if (step % 256 == 0)
            ck_assert(kin__context_is_valid(&hall->base));
    }
    ck_assert_uint_gt(refused, 100);
}
END_TEST

// What a second implementation knows of an entity; letter 0: it has no name.
typedef struct bearer {
    hall_entity entity;
    char letter;
    int32_t extra;
} bearer;

static kin_entity search_letter(const bearer *bearers, char letter)
{
    for (uint32_t i = 0; i < MOST; i++)
        if (bearers[i].letter == letter)
            return bearers[i].entity.id;
    return 0;
}

static void rename_or_edit(const bearer *bearers, bearer *bearer, uint64_t *random)
{
    char letter = (char)('A' + next_random(random) % MOST);
    int32_t extra = (int32_t)next_random(random);
    kin_entity other = search_letter(bearers, letter);
    kin_status status = bearer->letter == 0 ? KIN_ERROR_NO_COMPONENT : KIN_OK;
    switch (next_random(random) % 4) {
    case 0:
        status = other == 0 || other == bearer->entity.id ? KIN_OK : KIN_ERROR_DUPLICATE_KEY;
        ck_assert_int_eq(hall_replace_name(hall, bearer->entity, (Name){{letter}, extra}), status);
        if (status == KIN_OK)
            *bearer = (struct bearer){bearer->entity, letter, extra};
        break;
    case 1:
        ck_assert_int_eq(hall_touch_name(hall, bearer->entity), status);
        break;
    case 2:
        ck_assert_int_eq(hall_remove_name(hall, bearer->entity), status);
        bearer->letter = 0;
        break;
    default:
        ck_assert(bearer->letter != 0 || hall_edit_name(hall, bearer->entity) == NULL);
        if (bearer->letter != 0)
            hall_edit_name(hall, bearer->entity)->extra = bearer->extra = extra;
        break;
    }
}

START_TEST(fnd_50_at_random_edits_keep_what_is_beside_them)
{
    bearer bearers[MOST] = {{.letter = 0}};
    uint64_t random = (uint64_t)_i + 1;
    for (uint32_t i = 0; i < MOST; i++)
        bearers[i].entity = hall_create_entity(hall);
    for (uint32_t step = 0; step < STEPS; step++) {
        bearer *bearer = &bearers[next_random(&random) % MOST];
        rename_or_edit(bearers, bearer, &random);
        error_log_clear(&errors);
        char name[2] = {(char)('A' + next_random(&random) % MOST)};
        ck_assert_uint_eq(hall_entity_with_name_value(hall, name).id, search_letter(bearers, name[0]));
        ck_assert(hall_has_name(hall, bearer->entity) == (bearer->letter != 0));
        if (bearer->letter != 0)
            ck_assert_int_eq(hall_get_name(hall, bearer->entity)->extra, bearer->extra);
        if (step % 256 == 0)
            ck_assert(kin__context_is_valid(&hall->base));
    }
}
END_TEST

START_TEST(at_random_many_names_are_found)
{
    enum { COUNT = 3000 };
    static hall_entity entities[COUNT];
    Name name = {"", 0};
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = hall_entity_with_number(i * 7919);
        snprintf(name.value, sizeof name.value, "player_%08x", i * 2654435761u);
        ck_assert_int_eq(hall_add_name(hall, entities[i], name), KIN_OK);
    }
    for (uint32_t i = 0; i < COUNT; i += 3)
        hall_destroy_entity(hall, entities[i]);
    for (uint32_t i = 0; i < COUNT; i++) {
        hall_entity wanted = i % 3 == 0 ? HALL_NO_ENTITY : entities[i];
        snprintf(name.value, sizeof name.value, "player_%08x", i * 2654435761u);
        ck_assert_entity(hall_entity_with_name_value(hall, name.value), wanted);
        ck_assert_entity(hall_entity_with_ticket_number(hall, i * 7919), wanted);
    }
}
END_TEST

Suite *runtime_index_change_suite(void)
{
    Suite *suite = suite_create("runtime_index_change");
    TCase *tests = tcase_create("changes");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, hall_begin, hall_end);
    tcase_add_test(tests, ctx_07_indices_stay_and_work_after_a_reset);
    tcase_add_test(tests, rfl_25_cmp_05_a_replaced_key_is_noted_and_notified);
    tcase_add_test(tests, dsp_12_changes_that_make_an_entity_match_need_no_memory);
    tcase_add_test(tests, no_memory_for_a_key_changes_nothing);
    tcase_add_test(tests, ctx_12_no_memory_for_a_readd_keeps_the_component);
    tcase_add_test(tests, cpy_11_no_memory_for_a_copy_of_several_components_changes_nothing);
    tcase_add_test(tests, no_memory_for_a_context_with_indices_leaves_nothing);
    tcase_add_test(tests, cpy_03_what_forbids_a_clone_is_known);
    tcase_add_test(tests, cpy_02_a_component_with_a_primary_field_is_left_out_of_a_clone);
    tcase_add_test(tests, cpy_03_a_source_in_a_custom_primary_index_is_not_cloned);
    tcase_add_test(tests, cpy_05_listeners_may_take_the_room_that_a_clone_had_in_an_index);
    tcase_add_test(tests, components_that_no_index_names_are_not_watched);
    tcase_add_loop_test(tests, at_random_an_index_answers_like_a_search, 0, 4);
    tcase_add_test(tests, at_random_many_names_are_found);
    tcase_add_loop_test(tests, fnd_50_at_random_edits_keep_what_is_beside_them, 0, 4);
    tcase_add_test(tests, fnd_50_fields_that_are_in_no_key_are_written_in_place);
    tcase_add_test(tests, fnd_50_a_key_that_is_replaced_is_found_and_the_address_stays);
    tcase_add_test(tests, fnd_50_uni_08_a_unique_component_with_a_key_is_edited);
    suite_add_tcase(suite, tests);
    return suite;
}
