// The first version of the town: three people walk about, and the game is saved. Then it goes on, and is recorded.
//
//     town_v1 SAVE RECORDING

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

static bool save(game_context *game, const char *path)
{
    kin_snapshot *snapshot = NULL;
    bool is_saved = game_save(game, &snapshot) == KIN_OK && town_write_path(snapshot, path, NULL) == KIN_OK;
    kin_snapshot_destroy(snapshot);
    if (is_saved)
        printf("version 1: %u people played 8 frames and were saved\n", game_entity_count(game));
    return is_saved;
}

static bool write_bytes(const void *bytes, size_t size, void *file)
{
    return fwrite(bytes, 1, size, file) == size;
}

// What a player does between two updates: a recording has it, however it is done.
static void play(game_context *game, int frame)
{
    uint32_t count;
    const game_entity *people = game_entities(game, &count);
    if (frame == 2)
        game_edit_speed(game, people[1])->v.y = 2; // Bob
    if (frame == 4)
        game_set_frozen(game, people[2], false); // Eve
    if (frame == 5)
        game_add_speed(game, add_person(game, "Kim", (Health){60, 5}, SIDE_RED), (Speed){{1, 1}});
}

static bool record(town_world *world, const char *path)
{
    FILE *file = fopen(path, "wb");
    bool is_recorded = file != NULL && town_world_record(world, (kin_sink){write_bytes, file}, NULL) == KIN_OK;
    for (int frame = 0; is_recorded && frame < 10; frame++) {
        play(world->contexts->game, frame);
        town_world_update(world, 0.5);
    }
    is_recorded = is_recorded && town_world_stop_recording(world) == KIN_OK;
    if (file != NULL && fclose(file) != 0)
        is_recorded = false;
    if (is_recorded)
        printf("version 1: %u people were recorded in 10 more frames\n", game_entity_count(world->contexts->game));
    return is_recorded;
}

int main(int count, char **arguments)
{
    kin_context_options options = {.on_error = on_error};
    town_world *world = count == 3 ? town_world_create(&options, NULL) : NULL;
    if (world == NULL) {
        fprintf(stderr, "usage: town_v1 SAVE RECORDING\n");
        return EXIT_FAILURE;
    }
    populate(world->contexts->game);
    for (int frame = 0; frame < 8; frame++)
        town_world_update(world, 0.5);
    bool is_done = save(world->contexts->game, arguments[1]) && record(world, arguments[2]);
    town_world_destroy(world);
    return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}
