// Worlds, their time and messages; packages of contexts, created and destroyed.
#include "fuzz/api/allocator.h"
#include "fuzz/api/ledger.h"
#include "fuzz/api/mirror.h"

#include <string.h>

// ---- a world's turn

static void update(ordeal_world *world)
{
    ordeal_world_update(world, take_seconds());
}

static void set_time(ordeal_world *world)
{
    ordeal_world_set_time(world, take_seconds());
}

static void push_time(ordeal_world *world)
{
    kin_tick tick = {take_seconds(), take_seconds(), take_byte()};
    ordeal_world_push_time(world, tick);
}

static void publish_hit(ordeal_world *world)
{
    Hit hit;
    memset(&hit, 0, sizeof hit);
    hit.n = take_byte();
    hit.target.id = take_handle(&here->game_handles[0]);
    (void)ordeal_publish_hit(world, hit);
}

static void publish_large(ordeal_world *world)
{
    Large large;
    memset(&large, take_byte(), sizeof large);
    (void)ordeal_publish_large(world, large);
}

static void publish_many(ordeal_world *world)
{
    for (uint32_t i = 0; i < 5 && here->world == world; i++) {
        publish_hit(world);
        if (here->world == world)
            (void)ordeal_publish_ping(world);
    }
}

static void draw(ordeal_world *world)
{
    ordeal_world_draw(world);
}

static void pop_time(ordeal_world *world)
{
    ordeal_world_pop_time(world);
}

void do_world(const place *at)
{
    static void (*const kinds[])(ordeal_world * world) = {
        update, update, update, update, draw, set_time, push_time, publish_hit, publish_large, publish_many, pop_time};
    (void)at;
    if (here->world != NULL)
        kinds[take_below(sizeof kinds / sizeof *kinds)](here->world);
}

// ---- packages of contexts

kin_context_options take_options(void)
{
    kin_context_options options = {.allocator = memory_allocator(), .on_error = on_error, .error_user = here};
    uint8_t choice = take_byte();
    options.fast_retain = (choice & 1) != 0;
    if ((choice & 6) == 2)
        options.max_entities = choice >> 3;
    if ((choice & 6) == 4)
        options.first_creation_index = ((uint64_t)1 << 40) - 1 - (choice >> 3);
    return options;
}

static char world_user;

// `initialize` has recorded the world already, and a callback in it may have destroyed another world.
void make_world(void)
{
    kin_context_options options = take_options();
    memset(&here->game_handles[0], 0, sizeof here->game_handles[0]);
    memset(&here->other_handles[0], 0, sizeof here->other_handles[0]);
    here->world = ordeal_world_create(&options, &world_user);
    mirror_lose(0);
}

void make_contexts(void)
{
    kin_context_options options = take_options();
    memset(&here->game_handles[1], 0, sizeof here->game_handles[1]);
    memset(&here->other_handles[1], 0, sizeof here->other_handles[1]);
    here->contexts = ordeal_contexts_create(&options);
    mirror_lose(1);
}

static void forget_context(const kin_context *context)
{
    for (uint32_t i = 0; i < SUBSCRIPTIONS; i++)
        if (here->subscriptions[i].context == context)
            here->subscriptions[i] = (held_subscription){0};
    for (uint32_t i = 0; i < GROUPS; i++)
        if (here->groups[i].context == context)
            here->groups[i] = (held_group){0};
    forget_walks(context);
    ledger_forget(context);
    snapshot_forget_context(context);
}

// A running world refuses, and stays.
void end_world(void)
{
    const kin_context *game = &here->world->contexts->game->base, *other = &here->world->contexts->other->base;
    uint32_t errors = here->errors[here->level];
    ordeal_world_destroy(here->world);
    if (here->errors[here->level] != errors)
        return;
    forget_context(game);
    forget_context(other);
    here->world = NULL;
    mirror_lose(0);
}

// Contexts that are notifying refuse, and stay.
void end_contexts(void)
{
    const kin_context *game = &here->contexts->game->base, *other = &here->contexts->other->base;
    uint32_t errors = here->errors[here->level];
    ordeal_contexts_destroy(here->contexts);
    if (here->errors[here->level] != errors)
        return;
    forget_context(game);
    forget_context(other);
    here->contexts = NULL;
    mirror_lose(1);
}

static void switch_world(void)
{
    if (here->world != NULL)
        end_world();
    else if (here->level == 0)
        make_world();
}

static void switch_contexts(void)
{
    if (here->contexts != NULL)
        end_contexts();
    else
        make_contexts();
}

// Rare, because it destroys everything that the input has built up.
void do_package(const place *at)
{
    uint8_t choice = take_byte();
    (void)at;
    if (here->error_depth > 0)
        return;
    if (choice > 235)
        switch_world();
    else if (choice > 215)
        switch_contexts();
    else if (choice > 200 && here->contexts != NULL)
        (void)ordeal_contexts_reset(here->contexts);
}
