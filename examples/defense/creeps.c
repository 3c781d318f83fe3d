// Systems of the creeps: they come in waves, march, switch towers off, and take lives at the end of their lane.
#include "level.h"

#include <defense/defense_content.h>
#include <defense/defense_world.h>

void send_execute(defense_world *world, const kin_tick *tick)
{
    game_context *game = world->contexts->game;
    Progress *now = game_edit_unique_progress(game);
    const Wave *wave = level_wave(game, now->wave);
    now->wait -= (float)tick->delta;
    if (wave == NULL || now->wait > 0)
        return;
    game_entity lane = level_lane(game, now->sent);
    game_spawn_named(game, level_creep(wave, now->sent), KIN_SET({"lane", KIN_ENTITY(lane)}));
    now->wait += wave->pause;
    if (++now->sent < level_wave_size(wave))
        return;
    now->sent = 0;
    wave = level_wave(game, ++now->wave);
    now->wait += wave == NULL ? 0 : wave->rest;
}

void march_update(march_job *job, march_iter *it, const kin_tick *tick)
{
    while (march_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            March *march = &it->march[i];
            bool has_arrived = false;
            march->done += march->speed * (float)tick->delta;
            it->position[i] = level_place(march_get_lane(job, march->lane), march->done, &has_arrived);
            if (has_arrived)
                march_publish_arrived(job, (Arrived){march_at(it, i)});
        }
}

// A tower is switched off with its turret and barrels: they leave all groups that do not name the flag, so that the
// systems of towers need not ask.
static void jam(game_context *game, game_entity tower)
{
    static const float seconds = 2;
    game_set_off_below(game, tower, true);
    game_replace_jammed(game, tower, (Jammed){seconds});
}

void jam_update(defense_world *world, jam_iter *it, const kin_tick *tick)
{
    game_context *game = world->contexts->game;
    while (jam_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            Jammer *jammer = &it->jammer[i];
            game_entity tower;
            jammer->wait -= (float)tick->delta;
            if (jammer->wait > 0)
                continue;
            jammer->wait += jammer->pause;
            if (game_sites_nearest(game, it->position[i].x, it->position[i].y, 1, jammer->reach, &tower) > 0)
                jam(game, tower);
        }
}

void wake_update(defense_world *world, wake_iter *it, const kin_tick *tick)
{
    game_context *game = world->contexts->game;
    while (wake_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            game_entity tower = wake_at(it, i);
            it->jammed[i].left -= (float)tick->delta;
            if (it->jammed[i].left > 0)
                continue;
            game_remove_jammed(game, tower);
            game_set_off_below(game, tower, false);
        }
}

void breach_on_arrived(defense_world *world, const Arrived *message)
{
    game_context *game = world->contexts->game;
    if (!game_entity_is_alive(game, message->creep))
        return; // it was shot in the same frame
    Fort *fort = game_edit_unique_fort(game);
    fort->lives -= fort->lives > 0;
    game_destroy_entity(game, message->creep);
}
