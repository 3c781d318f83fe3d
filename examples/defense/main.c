// A tower defence in the terminal.
//
//   defense [--threads N] [--watch FOLDER]   plays
//   defense --demo [--threads N]             plays by itself and prints the field after each wave: the same on every
//                                            machine, for any number of threads
//
// It opens content.kinc beside the program, which make packs from content/. With --watch it follows the files of that
// folder while it is played.
#include "../terminal/terminal.h"
#include "build.h"
#include "level.h"
#include "picture.h"

#include <defense/defense_content.h>
#include <defense/defense_world.h>

#include <inttypes.h>
#include <kin/content_edit.h>
#include <kin/pool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STEP = 0.05; // seconds

// Places the field. False after a report.
static bool start(game_context *game)
{
    if (game_place_level(game, "field") != KIN_OK)
        return false;
    game_set_unique_progress(game, (Progress){.wait = level_wave(game, 0)->rest});
    return true;
}

// Whether the last wave has come and is gone.
static bool is_won(game_context *game)
{
    return level_wave(game, game_get_unique_progress(game)->wave) == NULL &&
           kin_group_count(game_creeps_group(game)) == 0;
}

static bool is_over(game_context *game)
{
    return game_get_unique_fort(game)->lives <= 0 || is_won(game);
}

static const char *result_of(game_context *game)
{
    return is_won(game) ? "The fort stands." : "The fort has fallen.";
}

// ---- the demo

static void print_field(defense_world *world)
{
    const picture *picture = world->user;
    char state[128];
    defense_world_draw(world);
    picture_write_state(world->contexts->game, state, sizeof state);
    for (uint32_t y = 0; y < ROWS; y++)
        printf("|%s|\n", picture->signs[y]);
    printf("%s\n\n", state);
}

static game_entity site_of(game_context *game, uint32_t number)
{
    uint32_t left = number % kin_group_count(game_building_group(game));
    for (game_building_iter it = game_building_iterate(game); game_building_next(&it); left -= it.count)
        if (left < it.count)
            return game_building_at(&it, left);
    return GAME_NO_ENTITY;
}

// Builds the next tower of the level when there is enough gold, then barrels.
static void build_next(game_context *game, uint32_t *built)
{
    uint32_t count = kin_group_count(game_building_group(game));
    game_entity site = site_of(game, *built);
    Position at = *game_get_position(game, site);
    bool is_tower = *built % (2 * count) < count;
    const char *refusal = is_tower ? build_tower(game, game_get_site(game, site)->tower, at) : build_barrel(game, at);
    *built += refusal == NULL;
}

static uint64_t hash_of(game_context *game)
{
    kin_snapshot *snapshot = NULL;
    game_save(game, &snapshot);
    uint64_t hash = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return hash;
}

static void play_demo(defense_world *world)
{
    game_context *game = world->contexts->game;
    uint32_t built = 0;
    uint32_t wave = 0;
    while (!is_over(game)) {
        build_next(game, &built);
        defense_world_update(world, STEP);
        if (game_get_unique_progress(game)->wave == wave)
            continue;
        print_field(world);
        wave = game_get_unique_progress(game)->wave;
    }
    printf("%s %" PRId32 " lives left, %" PRIu32 " built.\n", result_of(game), game_get_unique_fort(game)->lives,
           built);
    printf("all: %016" PRIx64 "\n", hash_of(game));
}

// ---- the player

static const char GUN[] = "GunTower";
static const char MORTAR[] = "MortarTower";

static void write_help(game_context *game, char *text, size_t size)
{
    snprintf(text, size,
             "arrows: move   g: gun %" PRId32 "   m: mortar %" PRId32 "   b: barrel %" PRId32
             "   s: sell   space: pause   q: quit",
             build_tower_price(game, GUN), build_tower_price(game, MORTAR), build_barrel_price(game, GUN));
}

static float clamp(float place, float most)
{
    if (place < 0)
        return 0;
    return place > most ? most : place;
}

// Does what a key asks for. Returns what to say about it.
static const char *obey(game_context *game, int key, Position *cursor)
{
    cursor->x = clamp(cursor->x + (float)(key == KEY_RIGHT) - (float)(key == KEY_LEFT), COLUMNS - 1);
    cursor->y = clamp(cursor->y + (float)(key == KEY_DOWN) - (float)(key == KEY_UP), ROWS - 1);
    switch (key) {
    case 'g':
        return build_tower(game, GUN, *cursor);
    case 'm':
        return build_tower(game, MORTAR, *cursor);
    case 'b':
        return build_barrel(game, *cursor);
    case 's':
        return build_sell(game, *cursor);
    default:
        return NULL;
    }
}

static void show(defense_world *world, Position cursor, const char *said)
{
    char state[128];
    char help[128];
    defense_world_draw(world);
    picture_write_state(world->contexts->game, state, sizeof state);
    write_help(world->contexts->game, help, sizeof help);
    picture_show(world->user, cursor, state, help, said);
}

// Returns an error in the files that are watched, or what the game has to say.
static const char *news_of(game_context *game, const char *said)
{
    kin_content_state state;
    kin_content_report(kin_content_of(&game->base), &state);
    if (state.error != NULL)
        return state.error;
    return is_over(game) ? result_of(game) : said;
}

static void play(defense_world *world)
{
    game_context *game = world->contexts->game;
    Position cursor = *game_get_position(game, site_of(game, 0));
    const char *said = "Build towers beside the lanes.";
    bool is_paused = false;
    double next = terminal_seconds();
    for (int key = KEY_NONE; key != 'q' && key != KEY_END;) {
        show(world, cursor, news_of(game, said));
        key = terminal_read(next);
        if (key == KEY_NONE)
            next += STEP;
        if (is_over(game))
            continue;
        is_paused = is_paused != (key == ' ');
        if (key != KEY_NONE) {
            const char *refusal = obey(game, key, &cursor);
            said = refusal != NULL ? refusal : "";
        } else if (!is_paused) {
            defense_world_update(world, STEP);
            kin_content_poll(kin_content_of(&game->base)); // applies files that have changed
        }
    }
}

// ---- the program

typedef struct options {
    uint32_t threads;
    bool is_demo;
    const char *watched; // folder; NULL: none
} options;

static bool read_options(int count, char **arguments, options *options)
{
    for (int i = 1; i < count; i++) {
        char *end = NULL;
        if (strcmp(arguments[i], "--demo") == 0) {
            options->is_demo = true;
            continue;
        }
        if (i + 1 == count)
            return false;
        if (strcmp(arguments[i], "--watch") == 0) {
            options->watched = arguments[++i];
            continue;
        }
        if (strcmp(arguments[i], "--threads") != 0)
            return false;
        options->threads = (uint32_t)strtoul(arguments[++i], &end, 10);
        if (end == arguments[i] || *end != '\0')
            return false;
    }
    return true;
}

// Opens the content beside the program. NULL after a report.
static kin_content *open_content(game_context *game, const char *program)
{
    static const char name[] = "content.kinc";
    const char *slash = strrchr(program, '/');
    int folder = slash == NULL ? 0 : (int)(slash - program) + 1;
    char path[4096];
    snprintf(path, sizeof path, "%.*s%s", folder, program, name);
    return game_content_open(game, path, NULL);
}

// Returns the exit status.
static int run(defense_world *world, const options *options, const char *program)
{
    game_context *game = world->contexts->game;
    kin_content *content = open_content(game, program);
    if (content == NULL || !start(game))
        return EXIT_FAILURE;
    const kin_content_watch_options quiet = {.is_quiet = true}; // the terminal shows the field
    if (options->watched != NULL && kin_content_watch(content, options->watched, &quiet) != KIN_OK)
        return EXIT_FAILURE;
    if (options->is_demo) {
        play_demo(world);
        return EXIT_SUCCESS;
    }
    if (!terminal_open()) {
        fputs("defense: this is no terminal; `defense --demo` plays by itself and needs none\n", stderr);
        return EXIT_FAILURE;
    }
    play(world);
    terminal_close();
    return EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    options options = {.threads = 2};
    picture picture;
    if (!read_options(count, arguments, &options)) {
        fputs("usage: defense [--demo] [--threads N] [--watch FOLDER]\n", stderr);
        return 2;
    }
    kin_executor *pool = kin_pool_create(options.threads);
    defense_world *world = defense_world_create(NULL, &picture);
    int status = EXIT_FAILURE;
    if (pool != NULL && world != NULL && defense_world_set_executor(world, pool) == KIN_OK)
        status = run(world, &options, arguments[0]);
    defense_world_destroy(world);
    kin_pool_destroy(pool);
    return status;
}
