// Indices, chapter 9 of the rules: entities by key, one for each key or several.
#include "context/validate.h"
#include "index/index.h"
#include "suites.h"
#include "support.h"

#include <keyed/keyed.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static memory_meter memory;
static error_log errors;
static hall_context *hall;

static void begin(void)
{
    kin_context_options options = {
        .allocator = memory_meter_allocator(&memory), .on_error = error_log_append, .error_user = &errors};
    error_log_clear(&errors);
    call_log_clear();
    hall = hall_context_create(&options);
    ck_assert_ptr_nonnull(hall);
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&hall->base));
    ck_assert_uint_eq(errors.count, 0);
    hall_context_destroy(hall);
    ck_assert_uint_eq(memory.blocks, 0);
}

static hall_entity numbered(uint32_t number)
{
    hall_entity made = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_ticket(hall, made, (Ticket){number}), KIN_OK);
    return made;
}

static hall_entity piece_at(int32_t x, int32_t y)
{
    hall_entity made = hall_create_entity(hall);
    hall_set_piece(hall, made, true);
    ck_assert_int_eq(hall_add_cell(hall, made, (Cell){x, y}), KIN_OK);
    return made;
}

static hall_entity in_team(Side side)
{
    hall_entity made = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_team(hall, made, (Team){side}), KIN_OK);
    return made;
}

#define ck_assert_entity(actual, expected) ck_assert_uint_eq((actual).id, (expected).id)

START_TEST(ctx_01_indices_need_no_registering_and_are_empty)
{
    uint32_t count = 7;
    ck_assert_entity(hall_entity_with_ticket_number(hall, 1), HALL_NO_ENTITY);
    ck_assert_ptr_null(hall_entities_with_team_side(hall, SIDE_RED, &count));
    ck_assert_uint_eq(count, 0);
    hall_entity entity = numbered(1);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 1), entity);
}
END_TEST

static bool was_moved, was_free;

static void look_up(const kin_change *change, void *user)
{
    (void)user;
    hall_context *context = hall_context_of(change->context);
    was_moved = hall_entity_with_cell(context, 5, 6).id == change->entity;
    was_free = hall_entity_with_cell(context, 1, 2).id == 0;
}

START_TEST(idx_01_an_index_returns_the_current_state_in_a_callback)
{
    hall_entity piece = piece_at(1, 2);
    kin_group_subscribe(hall_cells_group(hall), KIN_MODIFIED, look_up, NULL);
    kin_group_subscribe(hall_pieces_group(hall), KIN_REMOVED, look_up, NULL);
    hall_replace_cell(hall, piece, (Cell){5, 6});
    ck_assert(was_moved && was_free);
    hall_set_gone(hall, piece, true);
    ck_assert(!was_moved && was_free);
}
END_TEST

START_TEST(idx_02_an_entity_is_in_it_while_its_components_match)
{
    hall_entity piece = hall_create_entity(hall);
    hall_add_cell(hall, piece, (Cell){1, 2});
    ck_assert_entity(hall_entity_with_cell(hall, 1, 2), HALL_NO_ENTITY);
    hall_set_piece(hall, piece, true);
    ck_assert_entity(hall_entity_with_cell(hall, 1, 2), piece);
    hall_set_gone(hall, piece, true);
    ck_assert_entity(hall_entity_with_cell(hall, 1, 2), HALL_NO_ENTITY);
    hall_replace_cell(hall, piece, (Cell){3, 4});
    hall_set_gone(hall, piece, false);
    ck_assert_entity(hall_entity_with_cell(hall, 3, 4), piece);
    hall_remove_cell(hall, piece);
    ck_assert_entity(hall_entity_with_cell(hall, 3, 4), HALL_NO_ENTITY);
    hall_add_cell(hall, piece, (Cell){7, 8});
    hall_add_floor(hall, piece, (Floor){-1, 1});
    uint32_t count;
    ck_assert_entity(hall_entities_with_spot(hall, 7, -1, 1, &count)[0], piece);
    ck_assert_uint_eq(count, 1);
    hall_replace_floor(hall, piece, (Floor){-2, 1});
    ck_assert_ptr_null(hall_entities_with_spot(hall, 7, -1, 1, &count));
    ck_assert_entity(hall_entities_with_spot(hall, 7, -2, 1, &count)[0], piece);
    hall_set_piece(hall, piece, false);
    ck_assert_entity(hall_entity_with_cell(hall, 7, 8), HALL_NO_ENTITY);
}
END_TEST

START_TEST(idx_03_a_second_entity_with_the_key_is_refused_and_the_first_stays)
{
    hall_entity first = numbered(7), second = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_ticket(hall, second, (Ticket){7}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message, "hall: cannot add Ticket of entity 2 in slot 1: entity 1 in slot 0 has "
                                                "the key 7 in index Ticket.number; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert(!hall_has_ticket(hall, second));
    ck_assert_int_eq(hall_replace_ticket(hall, second, (Ticket){7}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    hall_add_ticket(hall, second, (Ticket){8});
    ck_assert_int_eq(hall_replace_ticket(hall, second, (Ticket){7}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(hall_get_ticket(hall, second)->number, 8);
    ck_assert_int_eq(hall_replace_ticket(hall, first, (Ticket){7}), KIN_OK);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 7), first);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 8), second);
}
END_TEST

START_TEST(idx_03_removing_what_kept_an_entity_out_can_be_refused)
{
    hall_entity first = piece_at(1, 2);
    hall_set_fading(hall, first, true);
    hall_entity second = piece_at(1, 2);
    ck_assert_int_eq(hall_set_fading(hall, first, false), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message, "hall: cannot remove Fading of entity 1 in slot 0: entity 2 in slot 1 "
                                                "has the key (1, 2) in index cell; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    hall_entity other = hall_create_entity(hall);
    hall_set_fading(hall, other, true);
    kin_systems *systems = hall_cleanup_systems(hall);
    kin_systems_cleanup(systems);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert(hall_is_fading(hall, first) && !hall_is_fading(hall, other));
    kin_systems_destroy(systems);
    ck_assert_entity(hall_entity_with_cell(hall, 1, 2), second);
    hall_destroy_entity(hall, second);
    ck_assert_int_eq(hall_set_fading(hall, first, false), KIN_OK);
    ck_assert_entity(hall_entity_with_cell(hall, 1, 2), first);
}
END_TEST

START_TEST(idx_04_an_unknown_key_gives_nothing)
{
    uint32_t count = 9;
    ck_assert_entity(hall_entity_with_ticket_number(hall, 0), HALL_NO_ENTITY);
    ck_assert_entity(hall_entity_with_name_value(hall, "nobody"), HALL_NO_ENTITY);
    ck_assert_ptr_null(hall_entities_with_team_side(hall, SIDE_RED, &count));
    ck_assert_uint_eq(count, 0);
    hall_entity red = in_team(SIDE_RED), zero = numbered(0);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 0), zero);
    ck_assert_uint_eq((hall_entities_with_team_side(hall, SIDE_RED, &count), count), 1);
    hall_destroy_entity(hall, red);
    hall_destroy_entity(hall, zero);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 0), HALL_NO_ENTITY);
    ck_assert_ptr_null(hall_entities_with_team_side(hall, SIDE_RED, &count));
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(idx_05_a_multi_index_returns_a_lasting_array_by_slot)
{
    hall_entity entities[100];
    for (uint32_t i = 0; i < 100; i++)
        entities[i] = hall_create_entity(hall);
    for (uint32_t i = 100; i-- > 0;)
        hall_add_team(hall, entities[i], (Team){i % 2 == 0 ? SIDE_RED : SIDE_BLUE});
    uint32_t count, blue_count;
    const hall_entity *red = hall_entities_with_team_side(hall, SIDE_RED, &count);
    ck_assert_uint_eq(count, 50);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_entity(red[i], entities[2 * i]);
        hall_replace_team(hall, red[i], (Team){SIDE_BLUE});
        hall_entities_with_team_side(hall, SIDE_BLUE, &blue_count);
        ck_assert_uint_eq(blue_count, 51 + i);
    }
    ck_assert_entity(red[49], entities[98]);
    const hall_entity *blue = hall_entities_with_team_side(hall, SIDE_BLUE, &count);
    ck_assert_ptr_eq(hall_entities_with_team_side(hall, SIDE_BLUE, &count), blue);
    for (uint32_t i = 0; i < 100; i++)
        ck_assert_entity(blue[i], entities[i]);
    hall_remove_team(hall, entities[0]);
    ck_assert_entity(hall_entities_with_team_side(hall, SIDE_BLUE, &count)[0], entities[1]);
    ck_assert_uint_eq(count, 99);
    ck_assert_ptr_null(hall_entities_with_team_side(hall, SIDE_RED, &count));
}
END_TEST

static Badge badge_of(const char *label, float x, const char *rest)
{
    Badge badge;
    memset(&badge, 0xEE, sizeof badge); // also sets the padding
    badge.tag.on = true;
    badge.tag.point.x = x;
    badge.tag.point.y = 2;
    badge.tag.side = SIDE_BLUE;
    strcpy(badge.tag.label, label);
    if (rest != NULL)
        strcpy(badge.tag.label + strlen(label) + 1, rest);
    return badge;
}

START_TEST(err_04_an_error_shows_a_key_with_its_signs_and_names)
{
    hall_entity one = hall_create_entity(hall), two = hall_create_entity(hall);
    Signs signs = {.small = -128, .middle = -300, .side = SIDE_RED, .wide = UINT64_MAX, .other = (Side)77};
    ck_assert_int_eq(hall_add_signs(hall, one, signs), KIN_OK);
    ck_assert_int_eq(hall_add_signs(hall, two, signs), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(
        strstr(errors.entries[0].message, "has the key (-128, -300, Red, 18446744073709551615, 77) in"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
}
END_TEST

START_TEST(idx_06_strings_compare_by_content_structs_by_member_and_entities_by_handle)
{
    hall_entity bob = hall_create_entity(hall), eve = hall_create_entity(hall);
    Name name = {"bob", 1};
    strcpy(name.value + 8, "rest");
    ck_assert_int_eq(hall_add_name(hall, bob, name), KIN_OK);
    ck_assert_int_eq(hall_add_name(hall, eve, (Name){"bob", 2}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "has the key \"bob\" in index Name.value"));
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(hall_add_name(hall, eve, (Name){"fifteen letters", 2}), KIN_OK);
    char text[32] = "bob";
    ck_assert_entity(hall_entity_with_name_value(hall, text), bob);
    ck_assert_entity(hall_entity_with_name_value(hall, "fifteen letters"), eve);
    ck_assert_entity(hall_entity_with_name_value(hall, "fifteen letters and more"), HALL_NO_ENTITY);
    ck_assert_entity(hall_entity_with_name_value(hall, "bo"), HALL_NO_ENTITY);
    hall_add_badge(hall, bob, badge_of("ab", 1, "c"));
    hall_add_badge(hall, eve, badge_of("ab", 1, NULL));
    hall_add_owner(hall, bob, (Owner){eve});
    uint32_t count;
    ck_assert_entity(hall_entities_with_badge_tag(hall, badge_of("ab", 1, "d").tag, &count)[1], eve);
    ck_assert_uint_eq(count, 2);
    ck_assert_ptr_null(hall_entities_with_badge_tag(hall, badge_of("ab", 1.5f, NULL).tag, &count));
    hall_destroy_entity(hall, eve);
    ck_assert_entity(hall_entities_with_owner_owner(hall, eve, &count)[0], bob);
}
END_TEST

START_TEST(idx_07_looking_up_null_finds_nothing)
{
    hall_entity nameless = hall_create_entity(hall);
    hall_add_name(hall, nameless, (Name){"", 0});
    ck_assert_entity(hall_entity_with_name_value(hall, NULL), HALL_NO_ENTITY);
    ck_assert_entity(hall_entity_with_name_value(hall, ""), nameless);
}
END_TEST

START_TEST(idx_08_zeros_are_one_key_and_nan_is_none)
{
    hall_entity zero = hall_create_entity(hall), other = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_weight(hall, zero, (Weight){-0.0f}), KIN_OK);
    ck_assert_int_eq(hall_add_weight(hall, other, (Weight){0.0f}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_entity(hall_entity_with_weight_grams(hall, 0.0f), zero);
    ck_assert_int_eq(hall_add_weight(hall, other, (Weight){NAN}), KIN_ERROR_INVALID);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "in index Weight.grams would not be a number"));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(hall_replace_weight(hall, zero, (Weight){NAN}), KIN_ERROR_INVALID);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_entity(hall_entity_with_weight_grams(hall, NAN), HALL_NO_ENTITY);
    ck_assert_int_eq(hall_add_place(hall, other, (Place){{-0.0f, -0.0}}), KIN_OK);
    ck_assert_entity(hall_entity_with_place_at(hall, (Dot){0, 0}), other);
    ck_assert_entity(hall_entity_with_place_at(hall, (Dot){0, (double)NAN}), HALL_NO_ENTITY);
    ck_assert_entity(hall_set_unique_leader(hall, (Leader){(double)NAN, 0}), HALL_NO_ENTITY);
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_uint_eq(hall_entity_count(hall), 2);
}
END_TEST

START_TEST(dsp_01_the_key_comes_after_the_component_and_before_memory)
{
    numbered(1);
    hall_entity second = numbered(2), third = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_ticket(hall, second, (Ticket){1}), KIN_ERROR_HAS_COMPONENT);
    ck_assert_reported(&errors, KIN_ERROR_HAS_COMPONENT);
    memory.fail_after = 0;
    ck_assert_int_eq(hall_add_ticket(hall, third, (Ticket){1}), KIN_ERROR_DUPLICATE_KEY);
    memory.fail_after = NEVER_FAIL;
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    hall_entity leader = hall_set_unique_leader(hall, (Leader){1, 0});
    ck_assert_entity(hall_entity_with_leader_rank(hall, 1), leader);
    ck_assert_int_eq(hall_add_leader(hall, third, (Leader){1, 0}), KIN_ERROR_UNIQUE);
    ck_assert_reported(&errors, KIN_ERROR_UNIQUE);
    hall_replace_unique_leader(hall, (Leader){2, 0});
    ck_assert_entity(hall_entity_with_leader_rank(hall, 2), leader);
    hall_remove_unique_leader(hall);
    ck_assert_entity(hall_entity_with_leader_rank(hall, 2), HALL_NO_ENTITY);
}
END_TEST

static void take_over(const kin_change *change, void *user)
{
    (void)user;
    hall_context *context = hall_context_of(change->context);
    if (hall_entity_count(context) > 0)
        return;
    hall_entity heir = hall_create_entity(context);
    was_free = hall_add_ticket(context, heir, (Ticket){1}) == KIN_OK &&
               hall_add_name(context, heir, (Name){"bob", 0}) == KIN_OK;
}

START_TEST(ent_13_all_keys_are_free_when_the_destruction_begins)
{
    hall_entity first = numbered(1);
    hall_add_name(hall, first, (Name){"bob", 0});
    hall_add_cell(hall, first, (Cell){0, 0});
    kin_group_subscribe(hall_cells_group(hall), KIN_REMOVED, take_over, NULL);
    hall_destroy_entity(hall, first);
    ck_assert(was_free);
    ck_assert_uint_eq(hall_entity_with_name_value(hall, "bob").id >> 24, 2);
}
END_TEST

START_TEST(ctx_07_indices_stay_and_work_after_a_reset)
{
    numbered(1);
    in_team(SIDE_RED);
    ck_assert_int_eq(hall_context_reset(hall), KIN_OK);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 1), HALL_NO_ENTITY);
    uint32_t count;
    ck_assert_ptr_null(hall_entities_with_team_side(hall, SIDE_RED, &count));
    hall_entity again = numbered(1);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 1), again);
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
        memory.fail_after = 0;
        ck_assert_int_eq(hall_set_gone(hall, entities[i], false), KIN_OK);
        ck_assert_int_eq(hall_replace_floor(hall, entities[i], (Floor){4, i / 2}), KIN_OK);
        memory.fail_after = NEVER_FAIL;
        ck_assert_ptr_nonnull(hall_entities_with_spot(hall, i, 4, i / 2, &count)); // uses a node permanently
        memory.fail_after = 0;
        ck_assert_int_eq(hall_replace_floor(hall, entities[i], (Floor){5, i}), KIN_OK);
        memory.fail_after = NEVER_FAIL;
        ck_assert_entity(hall_entity_with_cell(hall, i, -i), entities[i]);
    }
    ck_assert(kin__context_is_valid(&hall->base));
    memory.fail_after = 0;
    ck_assert_int_eq(hall_destroy_all_entities(hall), KIN_OK);
    memory.fail_after = NEVER_FAIL;
}
END_TEST

START_TEST(no_memory_for_a_key_changes_nothing)
{
    hall_entity made = hall_create_entity(hall);
    for (int64_t fail = 0;; fail++) {
        memory.fail_after = fail;
        kin_status status = hall_add_badge(hall, made, badge_of("a", 1, NULL));
        memory.fail_after = NEVER_FAIL;
        if (status == KIN_OK)
            break;
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert(!hall_has_badge(hall, made) && kin__context_is_valid(&hall->base));
        ck_assert_int_lt(fail, 100);
    }
    uint32_t count;
    memory.fail_after = 0;
    ck_assert_ptr_null(hall_entities_with_badge_tag(hall, badge_of("a", 1, NULL).tag, &count));
    memory.fail_after = NEVER_FAIL;
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    ck_assert_ptr_nonnull(hall_entities_with_badge_tag(hall, badge_of("a", 1, NULL).tag, &count));
}
END_TEST

START_TEST(cmp_12_strings_beside_a_key_come_and_go_with_it)
{
    hall_entity first = hall_create_entity(hall), second = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_book(hall, first, (Book){1, "one"}), KIN_OK);
    ck_assert_int_eq(hall_add_book(hall, second, (Book){1, "another"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(hall_add_book(hall, second, (Book){2, "two"}), KIN_OK);
    memory.fail_after = 0;
    ck_assert_int_eq(hall_replace_book(hall, second, (Book){1, "one again"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(hall_replace_book(hall, second, (Book){3, "three"}), KIN_ERROR_NO_MEMORY);
    ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
    memory.fail_after = NEVER_FAIL;
    ck_assert_str_eq(hall_get_book(hall, second)->title, "two");
    ck_assert_entity(hall_entity_with_book_number(hall, 2), second);
    ck_assert_int_eq(hall_replace_book(hall, second, (Book){3, "three"}), KIN_OK);
    ck_assert_str_eq(hall_get_book(hall, hall_entity_with_book_number(hall, 3))->title, "three");
    ck_assert_entity(hall_entity_with_book_number(hall, 2), HALL_NO_ENTITY);
    ck_assert_int_eq(hall_remove_book(hall, first), KIN_OK);
    ck_assert_entity(hall_entity_with_book_number(hall, 1), HALL_NO_ENTITY);
}
END_TEST

START_TEST(no_memory_for_a_context_with_indices_leaves_nothing)
{
    memory_meter meter;
    error_log log = {.count = 0};
    kin_context_options options = {
        .allocator = memory_meter_allocator(&meter), .on_error = error_log_append, .error_user = &log};
    hall_context *made = NULL;
    for (int64_t fail = 0; made == NULL; fail++) {
        meter.fail_after = fail;
        made = hall_context_create(&options);
        ck_assert(made != NULL || meter.blocks == 0);
    }
    hall_context_destroy(made);
    ck_assert_uint_eq(meter.blocks, 0);
}
END_TEST

START_TEST(cpy_03_what_forbids_a_clone_is_known)
{
    hall_entity piece = piece_at(1, 2), plain = numbered(1);
    ck_assert_str_eq(kin__indices_forbid_clone(&hall->base, piece.id)->name, "cell");
    ck_assert_ptr_null(kin__indices_forbid_clone(&hall->base, plain.id));
    ck_assert(kin__indices_are_primary(&hall->base, HALL_TICKET));
    ck_assert(!kin__indices_are_primary(&hall->base, HALL_TEAM) && !kin__indices_are_primary(&hall->base, HALL_CELL));
}
END_TEST

START_TEST(cpy_02_a_component_with_a_primary_field_is_left_out_of_a_clone)
{
    hall_entity source = numbered(1);
    hall_add_team(hall, source, (Team){SIDE_RED});
    hall_entity clone = hall_clone_entity(hall, source);
    uint32_t count;
    ck_assert(hall_entity_is_alive(hall, clone) && !hall_has_ticket(hall, clone));
    ck_assert_entity(hall_entity_with_ticket_number(hall, 1), source);
    hall_entities_with_team_side(hall, SIDE_RED, &count);
    ck_assert_uint_eq(count, 2);
}
END_TEST

START_TEST(cpy_03_a_source_in_a_custom_primary_index_is_not_cloned)
{
    hall_entity piece = piece_at(1, 2);
    ck_assert_entity(hall_clone_entity(hall, piece), HALL_NO_ENTITY);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(hall_entity_count(hall), 1);
    hall_set_gone(hall, piece, true);
    hall_entity other = piece_at(1, 2), clone = hall_clone_entity(hall, piece);
    ck_assert(hall_has_cell(hall, clone) && hall_is_gone(hall, clone));
    ck_assert_entity(hall_entity_with_cell(hall, 1, 2), other);
}
END_TEST

static void fill_teams(const kin_change *change, void *user)
{
    (void)user;
    (void)change;
    for (int side = 0; side < 100; side++)
        in_team((Side)(100 + side));
}

START_TEST(cpy_05_listeners_may_take_the_room_that_a_clone_had_in_an_index)
{
    hall_entity source = in_team(SIDE_BLUE);
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

START_TEST(at_random_many_names_are_found)
{
    enum { COUNT = 3000 };
    static hall_entity entities[COUNT];
    Name name = {"", 0};
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = numbered(i * 7919);
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

Suite *runtime_index_suite(void)
{
    Suite *suite = suite_create("runtime_index");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 60);
    tcase_add_checked_fixture(rules, begin, end);
    tcase_add_test(rules, err_04_an_error_shows_a_key_with_its_signs_and_names);
    tcase_add_test(rules, ctx_01_indices_need_no_registering_and_are_empty);
    tcase_add_test(rules, idx_01_an_index_returns_the_current_state_in_a_callback);
    tcase_add_test(rules, idx_02_an_entity_is_in_it_while_its_components_match);
    tcase_add_test(rules, idx_03_a_second_entity_with_the_key_is_refused_and_the_first_stays);
    tcase_add_test(rules, idx_03_removing_what_kept_an_entity_out_can_be_refused);
    tcase_add_test(rules, idx_04_an_unknown_key_gives_nothing);
    tcase_add_test(rules, idx_05_a_multi_index_returns_a_lasting_array_by_slot);
    tcase_add_test(rules, idx_06_strings_compare_by_content_structs_by_member_and_entities_by_handle);
    tcase_add_test(rules, idx_07_looking_up_null_finds_nothing);
    tcase_add_test(rules, idx_08_zeros_are_one_key_and_nan_is_none);
    tcase_add_test(rules, dsp_01_the_key_comes_after_the_component_and_before_memory);
    tcase_add_test(rules, ent_13_all_keys_are_free_when_the_destruction_begins);
    tcase_add_test(rules, ctx_07_indices_stay_and_work_after_a_reset);
    tcase_add_test(rules, dsp_12_changes_that_make_an_entity_match_need_no_memory);
    tcase_add_test(rules, no_memory_for_a_key_changes_nothing);
    tcase_add_test(rules, cmp_12_strings_beside_a_key_come_and_go_with_it);
    tcase_add_test(rules, no_memory_for_a_context_with_indices_leaves_nothing);
    tcase_add_test(rules, cpy_03_what_forbids_a_clone_is_known);
    tcase_add_test(rules, cpy_02_a_component_with_a_primary_field_is_left_out_of_a_clone);
    tcase_add_test(rules, cpy_03_a_source_in_a_custom_primary_index_is_not_cloned);
    tcase_add_test(rules, cpy_05_listeners_may_take_the_room_that_a_clone_had_in_an_index);
    tcase_add_test(rules, components_that_no_index_names_are_not_watched);
    tcase_add_loop_test(rules, at_random_an_index_answers_like_a_search, 0, 4);
    tcase_add_test(rules, at_random_many_names_are_found);
    suite_add_tcase(suite, rules);
    return suite;
}
