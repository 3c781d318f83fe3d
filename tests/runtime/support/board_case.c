#include "board_case.h"

#include "entity/entity.h"

#include <check.h>

guard board_memory;
error_log board_errors;
board_context *board;

void board_begin_with(const kin_context_options *options)
{
    kin_context_options complete = options != NULL ? *options : (kin_context_options){0};
    complete.allocator = guard_begin(&board_memory);
    complete.on_error = error_log_append;
    complete.error_user = &board_errors;
    error_log_clear(&board_errors);
    call_log_clear();
    board = board_context_create(&complete);
}

void board_begin(void)
{
    board_begin_with(NULL);
    ck_assert_ptr_nonnull(board);
}

void board_end(void)
{
    if (board != NULL)
        ck_assert(kin__context_is_valid(&board->base));
    board_context_destroy(board);
    board = NULL;
    guard_end(&board_memory);
    if (board_errors.count > 0)
        ck_abort_msg("an error that the test did not expect: %s", board_errors.entries[0].message);
}

uint32_t board_fill(board_context *board, uint32_t count, board_entity *entities)
{
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = board_create_entity(board);
        if (entities[i].id == 0)
            ck_abort_msg("no entity was made");
    }
    return count == 0 ? 0 : kin_entity_slot(entities[0].id);
}

board_entity board_piece(board_context *context)
{
    board_entity entity = board_create_entity(context);
    ck_assert_uint_eq(board_set_piece(context, entity, true), KIN_OK);
    return entity;
}

board_entity board_entity_at(float x, float y)
{
    board_entity entity = board_create_entity(board);
    ck_assert_uint_eq(board_add_position(board, entity, (Position){x, y}), KIN_OK);
    return entity;
}

kin_group *board_pieces(void)
{
    return board_group(board, KIN_MATCHER(KIN_ALL(BOARD_PIECE)));
}
