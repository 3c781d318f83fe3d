#include "hall_case.h"

hall_context *hall;

void hall_begin(void)
{
    kin_context_options options = case_options(NULL);
    hall = hall_context_create(&options);
    ck_assert_ptr_nonnull(hall);
}

void hall_end(void)
{
    case_check(&hall->base);
    hall_context_destroy(hall);
    guard_end(&memory);
}

hall_entity hall_entity_with_number(uint32_t number)
{
    hall_entity made = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_ticket(hall, made, (Ticket){number}), KIN_OK);
    return made;
}

hall_entity hall_piece_at(int32_t x, int32_t y)
{
    hall_entity made = hall_create_entity(hall);
    hall_set_piece(hall, made, true);
    ck_assert_int_eq(hall_add_cell(hall, made, (Cell){x, y}), KIN_OK);
    return made;
}

hall_entity hall_entity_in_team(Side side)
{
    hall_entity made = hall_create_entity(hall);
    ck_assert_int_eq(hall_add_team(hall, made, (Team){side}), KIN_OK);
    return made;
}
