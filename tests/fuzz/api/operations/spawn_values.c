// Blueprints spawned in batches with values of the caller. If the call is refused, the caller still owns every value.
#include "fuzz/api/values.h"

#include <string.h>

enum { BATCH = 8 };

// The values of one operation: the input decides whether each pointer has values or is NULL.
typedef struct batch {
    game_entity entities[BATCH];
    uint32_t count;
} batch;

#define TAKE_VALUES(TYPE, NAME)                                                                                        \
    TYPE NAME[BATCH];                                                                                                  \
    for (uint32_t i = 0; i < batch->count; i++)                                                                        \
    NAME[i] = make_##NAME()

static kin_status spawn_bare(game_context *game, batch *batch)
{
    TAKE_VALUES(Vel, vel);
    return game_spawn_many_bare_with(game, batch->count, &(game_bare_values){.vel = vel}, batch->entities);
}

static kin_status spawn_rich(game_context *game, batch *batch)
{
    TAKE_VALUES(Name, name);
    TAKE_VALUES(Pos, pos);
    game_rich_values values = {.name = take_below(2) == 1 ? name : NULL, .pos = take_below(2) == 1 ? pos : NULL};
    return game_spawn_many_rich_with(game, batch->count, &values, batch->entities);
}

static kin_status spawn_large(game_context *game, batch *batch)
{
    TAKE_VALUES(Spread, spread);
    TAKE_VALUES(Slab, slab);
    TAKE_VALUES(Crate, crate);
    game_rich_values values = {.spread = spread, .slab = slab, .crate = crate};
    return game_spawn_many_rich_with(game, batch->count, &values, NULL);
}

static kin_status spawn_keyed(game_context *game, batch *batch)
{
    TAKE_VALUES(Number, number);
    TAKE_VALUES(Cell, cell);
    game_keyed_values values = {.number = number, .cell = cell};
    return game_spawn_many_keyed_with(game, batch->count, &values, batch->entities);
}

static kin_status spawn_tagged(game_context *game, batch *batch)
{
    TAKE_VALUES(Tag, tag);
    return game_spawn_many_richer_with(game, batch->count, &(game_richer_values){.tag = tag}, batch->entities);
}

// The keys differ, so that the batch is only refused for other reasons.
static void take_tags(Tag *tags, uint32_t count)
{
    memset(tags, 0, count * sizeof *tags);
    for (uint32_t i = 0; i < count; i++)
        snprintf(tags[i].brief, sizeof tags[i].brief, "q%u", (unsigned)i);
}

static kin_status spawn_owning(game_context *game, batch *batch)
{
    Tag tags[BATCH];
    take_tags(tags, batch->count);
    TAKE_VALUES(Owner, owner);
    TAKE_VALUES(Hoard, hoard);
    bool gives_hoard = take_below(2) == 1;
    game_richer_values values = {.tag = tags, .owner = owner, .hoard = gives_hoard ? hoard : NULL};
    kin_status status = game_spawn_many_richer_with(game, batch->count, &values, batch->entities);
    for (uint32_t i = 0; i < batch->count; i++) {
        if (status != KIN_OK)
            drop_owner(&owner[i]);
        if (status != KIN_OK || !gives_hoard)
            drop_hoard(&hoard[i]);
    }
    return status;
}

void do_spawn_values(const place *at)
{
    static kin_status (*const kinds[])(game_context * game, batch * batch) = {spawn_bare,  spawn_rich,   spawn_large,
                                                                              spawn_keyed, spawn_tagged, spawn_owning};
    if (at->game == NULL)
        return;
    uint32_t kind = take_below(sizeof kinds / sizeof *kinds);
    batch batch = {.count = take_below(BATCH + 1)};
    attempt attempt = attempt_begin();
    kin_status status = kinds[kind](at->game, &batch);
    attempt_end(attempt, status);
    for (uint32_t i = 0; i < batch.count; i++)
        keep_handle(&here->game_handles[at->package], batch.entities[i].id);
}
