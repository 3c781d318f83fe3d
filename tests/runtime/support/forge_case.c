#include "forge_case.h"

#include "entity/entity.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

forge_world *forge;
guard forge_memory;

static const char *when;
static forge_action *what;

kin_context_options forge_options(void)
{
    return (kin_context_options){.allocator = guard_begin(&forge_memory), .on_error = log_error};
}

void forge_begin(void)
{
    kin_context_options options = forge_options();
    what = NULL;
    forge = forge_world_create(&options, NULL);
    ck_assert_ptr_nonnull(forge);
    log_begin();
}

void forge_end(void)
{
    if (forge != NULL)
        ck_assert(kin__context_is_valid(&forge->contexts->smithy->base));
    what = NULL;
    forge_world_destroy(forge);
    forge = NULL;
    guard_end(&forge_memory);
}

void forge_do(const char *begin, forge_action *action)
{
    when = begin;
    what = action;
}

smithy_entity forge_iron(int32_t degrees)
{
    smithy_entity iron = smithy_create_entity(forge->contexts->smithy);
    ck_assert_int_eq(smithy_add_heat(forge->contexts->smithy, iron, (Heat){degrees}), KIN_OK);
    return iron;
}

static void called(forge_world *world, const char *text)
{
    log_write("%s ", text);
    if (what != NULL && strncmp(text, when, strlen(when)) == 0)
        what(world);
}

static void ticked(forge_world *world, const char *name, const kin_tick *tick)
{
    char text[128];
    kin_tick now = forge_world_tick(world);
    ck_assert(now.delta == tick->delta && now.time == tick->time && now.frame == tick->frame);
    snprintf(text, sizeof text, "%s(%g,%g,%" PRIu64 ")", name, tick->delta, tick->time, tick->frame);
    called(world, text);
}

static void counted(forge_world *world, const char *name, uint32_t count)
{
    char text[128];
    snprintf(text, sizeof text, "%s(%" PRIu32 ")", name, count);
    called(world, text);
}

#define CALL(function, text)                                                                                           \
    void function(forge_world *world)                                                                                  \
    {                                                                                                                  \
        called(world, text);                                                                                           \
    }
#define TICK(function, text)                                                                                           \
    void function(forge_world *world, const kin_tick *tick)                                                            \
    {                                                                                                                  \
        ticked(world, text, tick);                                                                                     \
    }
#define ENTITIES(function, text)                                                                                       \
    void function(forge_world *world, const smithy_entity *entities, uint32_t count)                                   \
    {                                                                                                                  \
        (void)entities;                                                                                                \
        counted(world, text, count);                                                                                   \
    }
#define MESSAGE(function, text)                                                                                        \
    void function(forge_world *world, const Order *message)                                                            \
    {                                                                                                                  \
        counted(world, text, (uint32_t)message->blades);                                                               \
    }

CALL(hammer_initialize, "Hammer:initialize")
CALL(hammer_start, "Hammer:start")
TICK(hammer_execute, "Hammer")
CALL(hammer_draw, "Hammer:draw")
CALL(hammer_cleanup, "Hammer:cleanup")
CALL(hammer_tear_down, "Hammer:tear_down")
CALL(hammer_dispose, "Hammer:dispose")
TICK(raise_execute, "Raise")
MESSAGE(raise_on_order, "Raise:order")
TICK(fall_execute, "Fall")
ENTITIES(rest_execute, "Rest")
ENTITIES(fan_first_update, "Fan:first")
ENTITIES(fan_enter, "Fan:enter")
ENTITIES(fan_leave, "Fan:leave")
MESSAGE(fan_on_order, "Fan:order")
TICK(close_execute, "Close")
TICK(master_execute, "Master")
CALL(master_cleanup, "Master:cleanup")
TICK(friend_execute, "Friend")
TICK(open_execute, "Open")
MESSAGE(prentice_on_order, "Prentice:order")
TICK(sweep_execute, "Sweep")
TICK(lock_execute, "Lock")
TICK(dream_execute, "Dream")

void fan_update(forge_world *world, fan_iter *it, const kin_tick *tick)
{
    (void)it;
    ticked(world, "Fan", tick);
}
