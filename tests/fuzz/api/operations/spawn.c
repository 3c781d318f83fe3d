// Blueprints: spawned one at a time and in batches, and applied.
#include "fuzz/api/values.h"

#define BLUEPRINTS(X) X(plain) X(rich) X(richer) X(keyed) X(single) X(flagged) X(bare)

typedef struct blueprint {
    game_entity (*spawn)(game_context *game);
    kin_status (*spawn_many)(game_context *game, uint32_t count, game_entity *entities);
    kin_status (*apply)(game_context *game, game_entity entity);
} blueprint;

#define DEFINE_BLUEPRINT(NAME)                                                                                         \
    static game_entity spawn_##NAME(game_context *game)                                                                \
    {                                                                                                                  \
        return game_spawn_##NAME(game);                                                                                \
    }                                                                                                                  \
    static kin_status spawn_many_##NAME(game_context *game, uint32_t count, game_entity *entities)                     \
    {                                                                                                                  \
        return game_spawn_many_##NAME(game, count, entities);                                                          \
    }                                                                                                                  \
    static kin_status apply_##NAME(game_context *game, game_entity entity)                                             \
    {                                                                                                                  \
        return game_apply_##NAME(game, entity);                                                                        \
    }
BLUEPRINTS(DEFINE_BLUEPRINT)

#define BLUEPRINT(NAME) {spawn_##NAME, spawn_many_##NAME, apply_##NAME},

static const blueprint blueprints[] = {BLUEPRINTS(BLUEPRINT)};

enum { BLUEPRINT_COUNT = sizeof blueprints / sizeof *blueprints, CROWD = 600, CROWDED = 251, KEPT = 12 };

static void keep_some(const place *at, const game_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < KEPT; i++)
        keep_handle(&here->game_handles[at->package], entities[i].id);
    if (count > KEPT)
        keep_handle(&here->game_handles[at->package], entities[count - 1].id);
}

static void spawn(const place *at, const blueprint *blueprint)
{
    attempt attempt = attempt_begin();
    game_entity entity = blueprint->spawn(at->game);
    attempt_end_made(attempt, entity.id != 0);
    keep_handle(&here->game_handles[at->package], entity.id);
}

// Sometimes more than a chunk holds.
static void spawn_many(const place *at, const blueprint *blueprint)
{
    game_entity entities[CROWD] = {{0}};
    uint8_t choice = take_byte();
    uint32_t count = choice >= CROWDED ? CROWD : choice % 9;
    bool wants = take_below(4) != 0;
    attempt attempt = attempt_begin();
    attempt_end(attempt, blueprint->spawn_many(at->game, count, wants ? entities : NULL));
    keep_some(at, entities, count);
}

static void apply(const place *at, const blueprint *blueprint)
{
    game_entity entity = {take_handle(&here->game_handles[at->package])};
    attempt attempt = attempt_begin();
    attempt_end(attempt, blueprint->apply(at->game, entity));
}

void do_spawn(const place *at)
{
    static void (*const kinds[])(const place *at, const blueprint *blueprint) = {spawn, spawn, spawn_many, apply};
    if (at->game == NULL)
        return;
    const blueprint *blueprint = &blueprints[take_below(BLUEPRINT_COUNT)];
    kinds[take_below(sizeof kinds / sizeof *kinds)](at, blueprint);
}
