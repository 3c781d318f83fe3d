// The callbacks of the systems in ordeal.yaml, except `update`: each checks its arguments, performs operations, and
// checks the arguments again.
#include "values.h"

#include <string.h>

// A world calls `initialize` before the function that creates it returns, so the first callback stores the world.
static void note_world(ordeal_world *world)
{
    CHECK(world != NULL && world->contexts != NULL);
    if (here->world == NULL)
        here->world = world;
}

#define DEFINE_ROLE(NAME)                                                                                              \
    void NAME(ordeal_world *world)                                                                                     \
    {                                                                                                                  \
        note_world(world);                                                                                             \
        perform_callback();                                                                                            \
    }
DEFINE_ROLE(phases_initialize)
DEFINE_ROLE(phases_start)
DEFINE_ROLE(phases_draw)
DEFINE_ROLE(phases_cleanup)
DEFINE_ROLE(phases_tear_down)
DEFINE_ROLE(phases_dispose)
DEFINE_ROLE(packer_initialize)
DEFINE_ROLE(packer_cleanup)
DEFINE_ROLE(mixer_initialize)
DEFINE_ROLE(mixer_cleanup)
DEFINE_ROLE(post_on_ping)
DEFINE_ROLE(clerk_on_ping)

void phases_execute(ordeal_world *world, const kin_tick *tick)
{
    note_world(world);
    kin_tick copy = *tick;
    perform_callback();
    CHECK(memcmp(&copy, tick, sizeof copy) == 0);
}

// ---- entities: the array does not change during the call

static void see_entities(const void *entities, size_t size)
{
    CHECK(size > 0);
    void *copy = malloc(size);
    CHECK(copy != NULL);
    memcpy(copy, entities, size);
    perform_callback();
    CHECK(memcmp(copy, entities, size) == 0);
    free(copy);
}

#define DEFINE_ENTITIES(NAME, TYPE)                                                                                    \
    void NAME(ordeal_world *world, const TYPE *entities, uint32_t count)                                               \
    {                                                                                                                  \
        note_world(world);                                                                                             \
        see_entities(entities, count * sizeof *entities);                                                              \
    }
DEFINE_ENTITIES(keeper_enter, game_entity)
DEFINE_ENTITIES(janitor_execute, game_entity)
DEFINE_ENTITIES(weaver_enter, game_entity)
DEFINE_ENTITIES(mover_first_update, game_entity)
DEFINE_ENTITIES(mover_enter, game_entity)
DEFINE_ENTITIES(mover_leave, game_entity)
DEFINE_ENTITIES(mover_draw, game_entity)
DEFINE_ENTITIES(runner_execute, game_entity)
DEFINE_ENTITIES(namer_enter, game_entity)
DEFINE_ENTITIES(mixer_execute_game, game_entity)
DEFINE_ENTITIES(mixer_execute_other, other_entity)
DEFINE_ENTITIES(heir_enter, game_entity)
DEFINE_ENTITIES(purist_enter, game_entity)
DEFINE_ENTITIES(purist_leave, game_entity)

#define DEFINE_FILTER(NAME, TYPE)                                                                                      \
    bool NAME(ordeal_world *world, TYPE entity)                                                                        \
    {                                                                                                                  \
        note_world(world);                                                                                             \
        CHECK(entity.id != 0);                                                                                         \
        perform_callback();                                                                                            \
        return take_below(2) == 0;                                                                                     \
    }
DEFINE_FILTER(runner_filter, game_entity)
DEFINE_FILTER(mixer_filter_game, game_entity)
DEFINE_FILTER(mixer_filter_other, other_entity)

// ---- leave: also checks the last values of the entities, before and after the operations

#define SEE_LEFT(SYSTEM, TYPE, NAME)                                                                                   \
    do {                                                                                                               \
        const TYPE *left = SYSTEM##_left_##NAME(world, i);                                                             \
        if (left != NULL)                                                                                              \
            check_##NAME(left);                                                                                        \
    } while (0)

#define DEFINE_LEAVE(SYSTEM, SEE)                                                                                      \
    void SYSTEM##_leave(ordeal_world *world, const game_entity *entities, uint32_t count)                              \
    {                                                                                                                  \
        note_world(world);                                                                                             \
        for (uint32_t i = 0; i < count; i++) {                                                                         \
            SEE;                                                                                                       \
        }                                                                                                              \
        see_entities(entities, count * sizeof *entities);                                                              \
        for (uint32_t i = 0; i < count; i++) {                                                                         \
            SEE;                                                                                                       \
        }                                                                                                              \
    }
DEFINE_LEAVE(keeper, SEE_LEFT(keeper, Owner, owner); SEE_LEFT(keeper, Hoard, hoard))
DEFINE_LEAVE(namer, SEE_LEFT(namer, Name, name))
DEFINE_LEAVE(packer, SEE_LEFT(packer, Crate, crate); SEE_LEFT(packer, Pos, pos))
DEFINE_LEAVE(weaver, SEE_LEFT(weaver, Spread, spread); SEE_LEFT(weaver, Strip, strip))
DEFINE_LEAVE(mason, SEE_LEFT(mason, Slab, slab))
DEFINE_LEAVE(heir, SEE_LEFT(heir, Sole, sole))

// ---- messages

#define DEFINE_MESSAGE(NAME, TYPE)                                                                                     \
    void NAME(ordeal_world *world, const TYPE *message)                                                                \
    {                                                                                                                  \
        note_world(world);                                                                                             \
        TYPE copy = *message;                                                                                          \
        perform_callback();                                                                                            \
        CHECK(memcmp(&copy, message, sizeof copy) == 0);                                                               \
    }
DEFINE_MESSAGE(post_on_hit, Hit)
DEFINE_MESSAGE(post_on_large, Large)
DEFINE_MESSAGE(mover_on_hit, Hit)
DEFINE_MESSAGE(clerk_on_hit, Hit)
DEFINE_MESSAGE(clerk_on_large, Large)
DEFINE_MESSAGE(weaver_on_large, Large)
