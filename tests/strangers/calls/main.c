#include "yard/yard.h"

void move_update(move_job *job, move_iter *it, const kin_tick *tick)
{
    (void)job, (void)it, (void)tick;
}

int main(void)
{
    game_context *game = NULL;
    move_job *job = NULL;
    game_commands *commands = NULL;
    game_entity entity = GAME_NO_ENTITY;
    (void)game, (void)job, (void)commands, (void)entity;
    CALL;
    return 0;
}
