#include "tools.h"

// Called when a tool has lost its gripper. A gripper that is being destroyed still has all its components.
static void fall(const kin_change *change, void *user)
{
    game_context *game = user;
    const HeldBy *last = change->previous;
    game_entity tool = game_entity_of(change->entity);
    const Place *place = game_get_place(game, last->gripper);
    bool is_destroyed = !game_entity_is_alive(game, tool), is_held = game_has_held_by(game, tool); // by another socket
    if (!is_destroyed && !is_held && place != NULL)
        game_replace_place(game, tool, *place);
}

void tools_begin(game_context *game)
{
    kin_group_subscribe(game_held_group(game), KIN_REMOVED, fall, game);
}

kin_status tools_hold(game_context *game, game_entity tool, game_entity gripper, uint8_t socket)
{
    const Sockets *sockets = game_get_sockets(game, gripper);
    if (sockets == NULL || socket >= sockets->count)
        return KIN_ERROR_INVALID;
    kin_status status = game_replace_held_by(game, tool, (HeldBy){gripper, socket});
    if (status == KIN_OK && game_has_place(game, tool))
        game_remove_place(game, tool);
    return status;
}
