// Systems that communicate by messages. A message is copied into the inbox of every system that declares it, and is
// delivered at that system's next turn: in the same update if the system runs later in it, else in the next one.

#include "messages/messages.h"

#include <stdio.h>

static unsigned number_of(game_entity entity)
{
    return (unsigned)kin_entity_creation_index(entity.id);
}

// ---- Crowd: first entities that entered or left, then the damage

void crowd_enter(messages_world *world, const game_entity *entities, uint32_t count)
{
    (void)world;
    for (uint32_t i = 0; i < count; i++)
        printf("  goblin %u is here\n", number_of(entities[i]));
}

void crowd_leave(messages_world *world, const game_entity *entities, uint32_t count)
{
    (void)world;
    for (uint32_t i = 0; i < count; i++)
        printf("  goblin %u is gone\n", number_of(entities[i]));
}

void crowd_on_damage(messages_world *world, const Damage *damage)
{
    game_context *game = world->contexts->game;
    Health *health = game_edit_health(game, damage->target);
    if (health == NULL)
        return;
    health->points -= damage->points;
    printf("  goblin %u has %d left\n", number_of(damage->target), (int)health->points);
    if (health->points > 0)
        return;
    messages_publish_died(world, (Died){damage->target});
    game_destroy_entity(game, damage->target);
}

// ---- Loot: lives from initialize and start to tear down and dispose

void loot_initialize(messages_world *world)
{
    printf("loot: initialize\n");
    game_set_unique_purse(world->contexts->game, (Purse){0});
}

void loot_start(messages_world *world)
{
    (void)world;
    printf("loot: start, when all are initialized\n");
}

void loot_on_died(messages_world *world, const Died *died)
{
    (void)died;
    game_context *game = world->contexts->game;
    Purse purse = {game_get_unique_purse(game)->coins + 5};
    game_replace_unique_purse(game, purse);
    printf("  %d coins in the purse\n", (int)purse.coins);
}

void loot_tear_down(messages_world *world)
{
    printf("loot: tear down with %d coins\n", (int)game_get_unique_purse(world->contexts->game)->coins);
}

void loot_dispose(messages_world *world)
{
    (void)world;
    printf("loot: dispose, when all are torn down\n");
}

// ---- the others

void player_on_died(messages_world *world, const Died *died)
{
    (void)world;
    printf("  the player learns that goblin %u died\n", number_of(died->entity));
}

void bell_on_alarm(messages_world *world)
{
    (void)world;
    printf("  ding\n");
}

// A message that does not fit into its inbox is an error.
static void on_error(const kin_error *error, void *user)
{
    (void)user;
    printf("  error: %s\n", kin_status_name(error->status));
}

int main(void)
{
    kin_context_options options = {.on_error = on_error};
    messages_world *world = messages_world_create(&options, NULL);
    if (world == NULL)
        return 1;
    game_entity goblins[2];
    game_spawn_many_goblin(world->contexts->game, 2, goblins);
    for (int update = 1; update <= 3; update++) {
        printf("update %d\n", update);
        messages_publish_damage(world, (Damage){goblins[0], 4});
        for (int i = 0; i < update; i++)
            messages_publish_alarm(world);
        messages_world_update(world, 1);
    }
    messages_world_destroy(world);
    return 0;
}
