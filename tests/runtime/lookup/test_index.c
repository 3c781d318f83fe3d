// Indices, chapter 9 of the rules: entities by key, one for each key or several.
#include "runtime/support/hall_case.h"
#include "suites.h"

#include <math.h>
#include <string.h>

START_TEST(ctx_01_indices_need_no_registering_and_are_empty)
{
    uint32_t count = 7;
    ck_assert_entity(hall_entity_with_ticket_number(hall, 1), HALL_NO_ENTITY);
    ck_assert_ptr_null(hall_entities_with_team_side(hall, SIDE_RED, &count));
    ck_assert_uint_eq(count, 0);
    hall_entity entity = hall_entity_with_number(1);
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
    hall_entity piece = hall_piece_at(1, 2);
    kin_group_subscribe(hall_cells_group(hall), KIN_MODIFIED, look_up, NULL);
    kin_group_subscribe(hall_pieces_group(hall), KIN_REMOVED, look_up, NULL);
    hall_replace_cell(hall, piece, (Cell){5, 6});
    ck_assert(was_moved && was_free);
    hall_set_gone(hall, piece, true);
    ck_assert(!was_moved && was_free);
}
END_TEST

START_TEST(idx_02_an_index_contains_an_entity_while_its_components_match)
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
    hall_entity first = hall_entity_with_number(7), second = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_ticket(hall, second, (Ticket){7}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_str_eq(errors.entries[0].message, "hall: cannot add Ticket of entity 2 in slot 1: entity 1 in slot 0 has "
                                                "the key 7 in index Ticket.number; look it up first");
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    ck_assert(!hall_has_ticket(hall, second));
    ck_assert_refused(&errors, hall_replace_ticket(hall, second, (Ticket){7}), KIN_ERROR_DUPLICATE_KEY);
    hall_add_ticket(hall, second, (Ticket){8});
    ck_assert_refused(&errors, hall_replace_ticket(hall, second, (Ticket){7}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_uint_eq(hall_get_ticket(hall, second)->number, 8);
    ck_assert_int_eq(hall_replace_ticket(hall, first, (Ticket){7}), KIN_OK);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 7), first);
    ck_assert_entity(hall_entity_with_ticket_number(hall, 8), second);
}
END_TEST

START_TEST(idx_03_removing_what_kept_an_entity_out_can_be_refused)
{
    hall_entity first = hall_piece_at(1, 2);
    hall_set_fading(hall, first, true);
    hall_entity second = hall_piece_at(1, 2);
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
    hall_entity red = hall_entity_in_team(SIDE_RED), zero = hall_entity_with_number(0);
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
    Signs signs = {.narrow = -128, .middle = -300, .side = SIDE_RED, .wide = UINT64_MAX, .other = (Side)77};
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
    ck_assert_refused(&errors, hall_add_weight(hall, other, (Weight){0.0f}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_entity(hall_entity_with_weight_grams(hall, 0.0f), zero);
    ck_assert_int_eq(hall_add_weight(hall, other, (Weight){NAN}), KIN_ERROR_INVALID);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "in index Weight.grams has a NaN"));
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_refused(&errors, hall_replace_weight(hall, zero, (Weight){NAN}), KIN_ERROR_INVALID);
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
    hall_entity_with_number(1);
    hall_entity second = hall_entity_with_number(2), third = hall_create_entity(hall);
    ck_assert_refused(&errors, hall_add_ticket(hall, second, (Ticket){1}), KIN_ERROR_HAS_COMPONENT);
    guard_fail(&memory, 1, true);
    ck_assert_int_eq(hall_add_ticket(hall, third, (Ticket){1}), KIN_ERROR_DUPLICATE_KEY);
    guard_fail(&memory, 0, false);
    ck_assert_reported(&errors, KIN_ERROR_DUPLICATE_KEY);
    hall_entity leader = hall_set_unique_leader(hall, (Leader){1, 0});
    ck_assert_entity(hall_entity_with_leader_rank(hall, 1), leader);
    ck_assert_refused(&errors, hall_add_leader(hall, third, (Leader){1, 0}), KIN_ERROR_UNIQUE);
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
    hall_entity first = hall_entity_with_number(1);
    hall_add_name(hall, first, (Name){"bob", 0});
    hall_add_cell(hall, first, (Cell){0, 0});
    kin_group_subscribe(hall_cells_group(hall), KIN_REMOVED, take_over, NULL);
    hall_destroy_entity(hall, first);
    ck_assert(was_free);
    ck_assert_uint_eq(hall_entity_with_name_value(hall, "bob").id >> 24, 2);
}
END_TEST

START_TEST(cmp_12_strings_beside_a_key_come_and_go_with_it)
{
    hall_entity first = hall_create_entity(hall), second = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_book(hall, first, (Book){1, "one"}), KIN_OK);
    ck_assert_refused(&errors, hall_add_book(hall, second, (Book){1, "another"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_int_eq(hall_add_book(hall, second, (Book){2, "two"}), KIN_OK);
    guard_fail(&memory, 1, true);
    ck_assert_refused(&errors, hall_replace_book(hall, second, (Book){1, "one again"}), KIN_ERROR_DUPLICATE_KEY);
    ck_assert_refused(&errors, hall_replace_book(hall, second, (Book){3, "three"}), KIN_ERROR_NO_MEMORY);
    guard_fail(&memory, 0, false);
    ck_assert_str_eq(hall_get_book(hall, second)->title, "two");
    ck_assert_entity(hall_entity_with_book_number(hall, 2), second);
    ck_assert_int_eq(hall_replace_book(hall, second, (Book){3, "three"}), KIN_OK);
    ck_assert_str_eq(hall_get_book(hall, hall_entity_with_book_number(hall, 3))->title, "three");
    ck_assert_entity(hall_entity_with_book_number(hall, 2), HALL_NO_ENTITY);
    ck_assert_int_eq(hall_remove_book(hall, first), KIN_OK);
    ck_assert_entity(hall_entity_with_book_number(hall, 1), HALL_NO_ENTITY);
}
END_TEST

Suite *runtime_index_suite(void)
{
    Suite *suite = suite_create("runtime_index");
    TCase *rules = tcase_create("rules");
    tcase_set_timeout(rules, 60);
    tcase_add_checked_fixture(rules, hall_begin, hall_end);
    tcase_add_test(rules, err_04_an_error_shows_a_key_with_its_signs_and_names);
    tcase_add_test(rules, ctx_01_indices_need_no_registering_and_are_empty);
    tcase_add_test(rules, idx_01_an_index_returns_the_current_state_in_a_callback);
    tcase_add_test(rules, idx_02_an_index_contains_an_entity_while_its_components_match);
    tcase_add_test(rules, idx_03_a_second_entity_with_the_key_is_refused_and_the_first_stays);
    tcase_add_test(rules, idx_03_removing_what_kept_an_entity_out_can_be_refused);
    tcase_add_test(rules, idx_04_an_unknown_key_gives_nothing);
    tcase_add_test(rules, idx_05_a_multi_index_returns_a_lasting_array_by_slot);
    tcase_add_test(rules, idx_06_strings_compare_by_content_structs_by_member_and_entities_by_handle);
    tcase_add_test(rules, idx_07_looking_up_null_finds_nothing);
    tcase_add_test(rules, idx_08_zeros_are_one_key_and_nan_is_none);
    tcase_add_test(rules, dsp_01_the_key_comes_after_the_component_and_before_memory);
    tcase_add_test(rules, ent_13_all_keys_are_free_when_the_destruction_begins);
    tcase_add_test(rules, cmp_12_strings_beside_a_key_come_and_go_with_it);
    suite_add_tcase(suite, rules);
    return suite;
}
