// The third version of the town: it reads what the first one saved, and goes on with it. Then it plays the recording of
// the first one, with its own systems.
//
//     town_v3 SAVE RECORDING

#include <town/town.h>
#include <town/town_save.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void on_error(const kin_error *error, void *user)
{
    (void)user;
    printf("refused: %s\n", error->message);
}

void march_update(town_world *world, march_iter *it, const kin_tick *tick)
{
    (void)world;
    while (march_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->place[i].at.east += it->velocity[i].by.east * (float)tick->delta;
            it->place[i].at.y += it->velocity[i].by.y * (float)tick->delta;
        }
}

// Armor was a field of Health, with the names of then. Who had none has no armor now.
bool armor_migrate(Armor *value, const kin_record *record)
{
    int64_t points;
    if (!kin_record_integer(record, "Health.armor", &points) || points == 0)
        return false;
    value->points = (int32_t)points;
    return true;
}

static void print_person(game_context *game, game_entity person)
{
    static const char *const sides[] = {"green", "crimson", "blue"};
    const Health *health = game_get_health(game, person);
    const Place *place = game_get_place(game, person);
    const Armor *armor = game_get_armor(game, person);
    const Leader *leader = game_get_leader(game, person);
    printf("%s: %d points, shield %d, armor %d, %s, at %g, %g%s", game_get_name(game, person)->value, health->points,
           health->shield, armor == NULL ? 0 : armor->points, sides[game_get_team(game, person)->side], place->at.east,
           place->at.y, game_is_frozen(game, person) ? ", frozen" : "");
    if (leader != NULL)
        printf(", follows %s", game_get_name(game, leader->who)->value);
    printf("\n");
}

static void print_people(game_context *game)
{
    uint32_t count;
    const game_entity *people = game_entities(game, &count);
    for (uint32_t i = 0; i < count; i++)
        print_person(game, people[i]);
}

static bool load(game_context *game, const char *path)
{
    kin_snapshot *snapshot = NULL;
    kin_read_report report;
    bool is_loaded = game_read_path(game, &snapshot, path, NULL, &report) == KIN_OK &&
                     game_restore(game, snapshot, KIN_RESTORE_EXACTLY) == KIN_OK;
    kin_snapshot_destroy(snapshot);
    if (is_loaded)
        printf("version 3: %" PRIu64 " people read; values: %" PRIu64 " converted, %" PRIu64 " defaulted, %" PRIu64
               " dropped, %" PRIu64 " migrated\n",
               report.entities, report.converted, report.defaulted, report.dropped, report.migrated);
    return is_loaded;
}

static size_t read_bytes(void *bytes, size_t size, void *file)
{
    return fread(bytes, 1, size, file);
}

// Plays a recording to its end. The states are compared in all that both versions have.
static bool replay(town_world *world, const char *path)
{
    int frames = 0;
    FILE *file = fopen(path, "rb");
    kin_player *player = file == NULL ? NULL : town_player_create(world, (kin_source){read_bytes, NULL, file});
    while (kin_player_step(player))
        frames++;
    const kin_divergence *divergence = kin_player_divergence(player);
    if (player != NULL)
        printf("version 3: %d recorded frames played; %s\n", frames,
               divergence == NULL ? "people and places are those of version 1" : divergence->text);
    kin_player_destroy(player);
    if (file != NULL)
        fclose(file);
    return player != NULL;
}

int main(int count, char **arguments)
{
    kin_context_options options = {.on_error = on_error};
    town_world *world = count == 3 ? town_world_create(&options, NULL) : NULL;
    if (world == NULL) {
        fprintf(stderr, "usage: town_v3 SAVE RECORDING\n");
        return EXIT_FAILURE;
    }
    game_context *game = world->contexts->game;
    bool is_done = load(game, arguments[1]);
    if (is_done) {
        print_people(game);
        town_world_update(world, 2);
        printf("two seconds later:\n");
        print_people(game);
        is_done = replay(world, arguments[2]);
        print_people(game);
    }
    town_world_destroy(world);
    return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}
