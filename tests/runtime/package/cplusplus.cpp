// What C++17 must accept, warnings counted as errors: a generated package, and the macros of matchers and blocks.
#include <board/board.h>

bool play(board_context *board);

static void count_call(const kin_change *change, void *user)
{
    if (change->value != nullptr)
        ++*static_cast<uint32_t *>(user);
}

static kin_matcher make_matcher()
{
    const kin_component_id id = BOARD_HEALTH;
    return KIN_MATCHER(KIN_ALL(BOARD_POSITION, BOARD_VELOCITY), KIN_ANY(id), KIN_NONE(BOARD_FROZEN),
                       KIN_ONLY(BOARD_POSITION, BOARD_VELOCITY, BOARD_HEALTH));
}

bool play(board_context *board)
{
    uint32_t count = 0;
    board_entity entity = board_create_entity(board), none = BOARD_NO_ENTITY;
    Position position = position_default();
    position.y += everything_default().ratio;
    kin_group_subscribe(board_movers_group(board), KIN_ADDED, count_call, &count);
    kin_status status = board_add_position(board, entity, position);
    board_movers_iter it = board_movers_iterate(board);
    while (board_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            it.position[i].x += it.velocity[i].v.x;
    it = board_movers_iterate(board);
    while (board_movers_next_block(&it))
        KIN_EACH_BIT(i, it.mask)
    if (board_entity_equals(board_movers_at(&it, i), entity))
        break;
    kin_group *group = board_group(board, make_matcher());
    return status == KIN_OK && group != nullptr && !board_entity_equals(entity, none) &&
           kin_matches(&board->base, KIN_MATCHER(KIN_NONE(BOARD_PIECE)), entity.id);
}
