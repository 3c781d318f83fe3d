// The third version of the town: it reads what the first one saved, and goes on with it.
//
//     town_v3 FILE

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

int main(int count, char **arguments)
{
    kin_context_options options = {.on_error = on_error};
    town_world *world = count == 2 ? town_world_create(&options, NULL) : NULL;
    if (world == NULL) {
        fprintf(stderr, "usage: town_v3 FILE\n");
        return EXIT_FAILURE;
    }
    bool is_loaded = load(world->contexts->game, arguments[1]);
    if (is_loaded) {
        print_people(world->contexts->game);
        town_world_update(world, 2);
        printf("two seconds later:\n");
        print_people(world->contexts->game);
    }
    town_world_destroy(world);
    return is_loaded ? EXIT_SUCCESS : EXIT_FAILURE;
}
