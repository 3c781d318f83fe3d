// The first version of the town: three people walk about, and the game is saved.
//
//     town_v1 FILE

#include <town/town.h>
#include <town/town_save.h>

#include <stdio.h>
#include <stdlib.h>

static void on_error(const kin_error *error, void *user)
{
    (void)user;
    printf("refused: %s\n", error->message);
}

void walk_update(town_world *world, walk_iter *it, const kin_tick *tick)
{
    (void)world;
    while (walk_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->place[i].at.x += it->speed[i].v.x * (float)tick->delta;
            it->place[i].at.y += it->speed[i].v.y * (float)tick->delta;
        }
}

static game_entity add_person(game_context *game, const char *name, Health health, Side side)
{
    game_entity person = game_create_entity(game);
    game_add_name(game, person, (Name){name});
    game_add_place(game, person, (Place){{0, 0}});
    game_add_health(game, person, health);
    game_add_team(game, person, (Team){side});
    return person;
}

static void populate(game_context *game)
{
    game_entity ada = add_person(game, "Ada", (Health){80, 12}, SIDE_RED);
    game_entity bob = add_person(game, "Bob", (Health){95, 0}, SIDE_PURPLE);
    game_entity eve = add_person(game, "Eve", (Health){100, 3}, SIDE_GREEN);
    game_add_speed(game, ada, (Speed){{0.5f, 0.25f}});
    game_add_speed(game, bob, (Speed){{-1, 0}});
    game_add_mana(game, ada, (Mana){7});
    game_add_leader(game, bob, (Leader){ada});
    game_set_frozen(game, eve, true);
}

int main(int count, char **arguments)
{
    kin_snapshot *snapshot = NULL;
    kin_context_options options = {.on_error = on_error};
    town_world *world = count == 2 ? town_world_create(&options, NULL) : NULL;
    if (world == NULL) {
        fprintf(stderr, "usage: town_v1 FILE\n");
        return EXIT_FAILURE;
    }
    populate(world->contexts->game);
    for (int frame = 0; frame < 8; frame++)
        town_world_update(world, 0.5);
    bool is_saved = game_save(world->contexts->game, &snapshot) == KIN_OK &&
                    town_write_path(snapshot, arguments[1], NULL) == KIN_OK;
    if (is_saved)
        printf("version 1: %u people played 8 frames and were saved\n", game_entity_count(world->contexts->game));
    kin_snapshot_destroy(snapshot);
    town_world_destroy(world);
    return is_saved ? EXIT_SUCCESS : EXIT_FAILURE;
}
