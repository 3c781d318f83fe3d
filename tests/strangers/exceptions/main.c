// Leaves every kind of callback by longjmp, or compiled as C++ by an exception. Then the world, or the context or
// collection without a world, is abandoned and destroyed. Prints what is wrong.
#include "town/town.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum place {
    NOWHERE,
    UPDATE,
    EXECUTE,
    FILTER,
    JOB,
    TEAR_DOWN,
    GROUP,
    COMPONENT,
    DOOMED,
    DESTROYED,
    EVENT,
    RELEASED,
    ERROR
};

static enum place where;
static int errors, blocks;

#ifdef __cplusplus
#define LEAVE()       throw 1
#define IS_LEFT(call) leaves([&] { call; })
template <typename Call> static bool leaves(Call call)
{
    try {
        call();
    } catch (int) {
        return true;
    }
    return false;
}
#else
#include <setjmp.h>
static jmp_buf back;
#define LEAVE()       longjmp(back, 1)
#define IS_LEFT(call) (setjmp(back) != 0 ? true : ((call), false))
#endif

static void leave_at(enum place place)
{
    if (where == place)
        LEAVE();
}

KIN_BEGIN_DECLARATIONS

void walk_update(town_world *world, walk_iter *it, const kin_tick *tick)
{
    (void)world, (void)it, (void)tick;
    leave_at(UPDATE);
}

void walk_tear_down(town_world *world)
{
    (void)world;
    leave_at(TEAR_DOWN);
}

bool react_filter(town_world *world, game_entity entity)
{
    (void)world, (void)entity;
    leave_at(FILTER);
    return true;
}

void react_execute(town_world *world, const game_entity *entities, uint32_t count)
{
    (void)world, (void)entities, (void)count;
    leave_at(EXECUTE);
}

void work_update(work_job *job, work_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (work_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            work_set_seen(job, work_at(it, i), true);
    leave_at(JOB);
}

static void listen(const kin_change *change, void *user)
{
    (void)change;
    leave_at(*(const enum place *)user);
}

static void listen_event(game_context *game, game_entity entity, const P *value, void *user)
{
    (void)game, (void)entity, (void)value, (void)user;
    leave_at(EVENT);
}

static void fail(const kin_error *error, void *user)
{
    (void)error, (void)user;
    errors++;
    leave_at(ERROR);
}

static void *allocate(size_t size, size_t alignment, void *user)
{
    (void)user;
    blocks++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *block, size_t size, void *user)
{
    (void)size, (void)user;
    blocks -= block != NULL;
    free(block);
}

KIN_END_DECLARATIONS

static enum place places[] = {NOWHERE,   UPDATE, EXECUTE,   FILTER, JOB,      TEAR_DOWN, GROUP,
                              COMPONENT, DOOMED, DESTROYED, EVENT,  RELEASED, ERROR};

// What a call needs. The callbacks of the context are left only at the place of the case.
typedef struct stage {
    town_world *world;
    game_context *game;
    game_commands *commands;
    kin_collector *collector;
    game_entity parent, child;
} stage;

static Name name_of(const char *text)
{
    static int32_t marks[] = {1, 2, 3};
    Name name = name_default();
    name.text = text;
    name.marks.at = marks;
    name.marks.count = 3;
    return name;
}

static void prepare(stage *stage)
{
    game_context *game = stage->game;
    kin_trigger trigger = {game_ps_group(game), KIN_ADDED};
    Under under = under_default();
    stage->commands = game_commands_create(game);
    stage->parent = game_create_entity(game);
    stage->child = game_create_entity(game);
    under.parent = stage->parent;
    game_add_under(game, stage->child, under);
    game_add_name(game, stage->parent, name_of("ann"));
    stage->collector = kin_collector_create(&trigger, 1);
    game_add_p(game, stage->parent, p_default());
    game_add_p(game, stage->child, p_default());
    kin_group_subscribe(game_named_group(game), KIN_ADDED, listen, &places[GROUP]);
    kin_group_subscribe(game_named_group(game), KIN_MODIFIED, listen, &places[GROUP]);
    kin_group_subscribe(game_named_group(game), KIN_REMOVED, listen, &places[GROUP]);
    kin_context_subscribe(&game->base, KIN_COMPONENT_CHANGED, listen, &places[COMPONENT]);
    kin_context_subscribe(&game->base, KIN_ENTITY_WILL_BE_DESTROYED, listen, &places[DOOMED]);
    kin_context_subscribe(&game->base, KIN_ENTITY_WAS_DESTROYED, listen, &places[DESTROYED]);
    kin_entity_subscribe(&game->base, stage->parent.id, KIN_ENTITY_RELEASED, listen, &places[RELEASED]);
    game_add_any_p_listener(game, stage->child, listen_event, NULL);
}

static void call_update(stage *stage)
{
    town_world_update(stage->world, 1);
}

static void call_destroy_world(stage *stage)
{
    town_world_destroy(stage->world);
}

static void call_add(stage *stage)
{
    game_add_name(stage->game, stage->child, name_of("bob"));
}

static void call_replace(stage *stage)
{
    game_replace_name(stage->game, stage->parent, name_of("eve"));
}

static void call_remove(stage *stage)
{
    game_remove_name(stage->game, stage->parent);
}

static void call_spawn(stage *stage)
{
    game_spawn_man(stage->game);
}

static void call_clone(stage *stage)
{
    game_clone_entity(stage->game, stage->parent);
}

static void call_destroy(stage *stage)
{
    game_destroy_entity(stage->game, stage->parent);
}

static void call_destroy_all(stage *stage)
{
    game_destroy_all_entities(stage->game);
}

static void call_reset(stage *stage)
{
    town_world_reset(stage->world);
}

static void call_play(stage *stage)
{
    game_commands_add_name(stage->commands, stage->child, name_of("kim"));
    game_commands_spawn_man(stage->commands);
    game_commands_play(stage->commands);
}

static void call_clear(stage *stage)
{
    game_destroy_entity(stage->game, stage->parent);
    town_world_update(stage->world, 1);
    kin_collector_clear(stage->collector);
}

static void call_refused(stage *stage)
{
    game_add_p(stage->game, stage->parent, p_default());
}

static void call_twice(stage *stage) // in an error handler in a listener
{
    game_replace_name(stage->game, stage->parent, name_of("joe"));
    game_add_p(stage->game, stage->parent, p_default());
}

static const struct {
    const char *name;
    enum place place;
    void (*call)(stage *stage);
    bool is_usable; // only systems were running: the contexts stay as they are
    int lost;       // blocks that the call had taken from values
} cases[] = {
    {"update", UPDATE, call_update, true, 0},
    {"execute", EXECUTE, call_update, true, 0},
    {"filter", FILTER, call_update, true, 0},
    {"job", JOB, call_update, true, 0},
    {"event", EVENT, call_update, true, 0},
    {"commands of a job", COMPONENT, call_update, false, 0},
    {"tear down", TEAR_DOWN, call_destroy_world, true, 0},
    {"add", GROUP, call_add, false, 0},
    {"replace", GROUP, call_replace, false, 2},
    {"remove", GROUP, call_remove, false, 2},
    {"add, after the groups", COMPONENT, call_add, false, 0},
    {"spawn", GROUP, call_spawn, false, 0},
    {"clone", GROUP, call_clone, false, 1},
    {"will be destroyed", DOOMED, call_destroy, false, 0},
    {"was destroyed", DESTROYED, call_destroy, false, 0},
    {"destroy, a component", COMPONENT, call_destroy, false, 0},
    {"destroy all", DESTROYED, call_destroy_all, false, 0},
    {"reset", DOOMED, call_reset, false, 0},
    {"play", GROUP, call_play, false, 0},
    {"released", RELEASED, call_clear, false, 0},
    {"error", ERROR, call_refused, false, 0},
    {"error in a system", ERROR, call_twice, false, 0},
};

static void expect(bool holds, const char *name, const char *what)
{
    if (!holds)
        printf("%s: %s\n", name, what);
}

// The world with its contexts, then one on contexts that stay.
static void run(size_t number, bool has_own_contexts)
{
    const char *name = cases[number].name;
    static stage stage;
    static kin_context_options options;
    static town_contexts *contexts;
    options.allocator.allocate = allocate;
    options.allocator.release = release;
    options.on_error = fail;
    where = NOWHERE;
    errors = blocks = 0;
    contexts = has_own_contexts ? NULL : town_contexts_create(&options);
    stage.world = contexts == NULL ? town_world_create(&options, NULL) : town_world_create_on(contexts, &options, NULL);
    stage.game = stage.world->contexts->game;
    prepare(&stage);
    expect(errors == 0, name, "an error before");
    where = cases[number].place;
    expect(IS_LEFT(cases[number].call(&stage)), name, "nothing was left");
    where = NOWHERE;
    errors = 0;
    town_world_destroy(stage.world);
    expect(errors == 1 || cases[number].place == TEAR_DOWN, name, "destroyed without being abandoned");
    kin_world_abandon(town_world_base(stage.world));
    errors = 0;
    town_world_update(stage.world, 1);
    expect(errors == 1, name, "an update after it was abandoned");
    errors = 0;
    bool is_created = game_create_entity(stage.game).id != 0;
    expect(is_created == cases[number].is_usable, name, "the context is not as it should be");
    expect((errors == 0) == is_created, name, "a wrong report");
    errors = 0;
    kin_collector_destroy(stage.collector);
    game_commands_destroy(stage.commands);
    town_world_destroy(stage.world);
    town_contexts_destroy(contexts);
    expect(errors == 0, name, "errors after it was abandoned");
    expect(blocks == cases[number].lost, name, "other blocks are lost");
}

static void execute(void *self, const kin_tick *tick)
{
    (void)tick;
    leave_at(*(const enum place *)self);
}

static bool filter(void *self, kin_context *context, kin_entity entity)
{
    (void)self, (void)context, (void)entity;
    leave_at(FILTER);
    return true;
}

static void run_systems(kin_systems *systems)
{
    kin_systems_execute(systems, 1);
}

// A context and collections of systems without a world.
static void run_without_world(enum place place)
{
    static kin_systems *systems;
    static game_context *game;
    static kin_context_options options;
    static kin_system plain;
    static kin_reactive_system reactive;
    kin_trigger trigger = {NULL, KIN_ADDED};
    options.on_error = fail;
    where = NOWHERE;
    game = game_context_create(&options);
    systems = kin_systems_create("mine", &options);
    trigger.group = game_ps_group(game);
    plain.execute = execute;
    plain.self = &places[UPDATE];
    reactive.triggers = &trigger;
    reactive.trigger_count = 1;
    reactive.filter = filter;
    kin_systems_add_reactive(systems, reactive);
    kin_systems_add(systems, plain);
    game_add_p(game, game_create_entity(game), p_default());
    where = place;
    expect(IS_LEFT(run_systems(systems)), "without a world", "nothing was left");
    where = NOWHERE;
    errors = 0;
    kin_systems_destroy(systems);
    expect(errors == 1, "without a world", "destroyed without being abandoned");
    kin_systems_abandon(systems);
    kin_context_abandon(&game->base);
    errors = 0;
    kin_systems_destroy(systems);
    game_context_destroy(game);
    expect(errors == 0, "without a world", "errors after it was abandoned");
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run(i, true);
        run(i, false);
    }
    run_without_world(UPDATE);
    run_without_world(FILTER);
    return 0;
}
