// Telling and collecting changes of a component on Kin: a listener of a group's KIN_MODIFIED, a collector of the same.

#include "side.h"
#include "workload.h"

#include <stdlib.h>

typedef struct react {
    uint32_t count, changed;
    game_context *game;
    kin_collector *collector;
    game_entity *handles, *shuffled;
    uint64_t calls, sum;
} react;

static kin_group *living(const react *react)
{
    return game_group(react->game, KIN_MATCHER(KIN_ALL(GAME_HEALTH)));
}

static react *create_react(uint32_t count, uint32_t changed)
{
    react *made = calloc(1, sizeof *made);
    uint32_t *order = malloc(count * sizeof *order);
    made->count = count;
    made->changed = changed;
    made->game = game_context_create(NULL);
    made->handles = calloc(count, sizeof *made->handles);
    made->shuffled = calloc(count, sizeof *made->shuffled);
    workload_shuffle(order, count);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = game_create_entity(made->game);
        game_add_position(made->game, made->handles[i], workload_position(i));
        game_add_velocity(made->game, made->handles[i], workload_velocity(i));
        game_add_health(made->game, made->handles[i], (Health){workload_health(i)});
    }
    for (uint32_t i = 0; i < count; i++)
        made->shuffled[i] = made->handles[order[i]];
    free(order);
    return made;
}

static void destroy_react(void *user)
{
    react *react = user;
    kin_collector_destroy(react->collector);
    game_context_destroy(react->game);
    free(react->handles);
    free(react->shuffled);
    free(react);
}

static uint64_t sum_of_calls(void *user)
{
    const react *react = user;
    return react->sum + react->calls * 5;
}

static void replace(const react *react, game_entity entity)
{
    const Health *health = game_get_health(react->game, entity);
    if (health != NULL)
        game_replace_health(react->game, entity, (Health){health->hp + 1});
}

// ---- m

static void count_health(const kin_change *change, void *user)
{
    react *react = user;
    react->calls++;
    react->sum += (uint64_t)((const Health *)change->value)->hp;
}

static void *create_listened(uint32_t count)
{
    react *made = create_react(count, count);
    kin_group_subscribe(living(made), KIN_MODIFIED, count_health, made);
    return made;
}

static void replace_all(void *user)
{
    const react *react = user;
    for (uint32_t i = 0; i < react->count; i++)
        replace(react, react->handles[i]);
}

// ---- n1, n10, n100

static react *create_collected(uint32_t count, uint32_t changed)
{
    react *made = create_react(count, changed);
    made->collector = kin_collector_create(&(kin_trigger){living(made), KIN_MODIFIED}, 1);
    return made;
}

static void *create_hundredth(uint32_t count)
{
    return create_collected(count, count / 100);
}

static void *create_tenth(uint32_t count)
{
    return create_collected(count, count / 10);
}

static void *create_all(uint32_t count)
{
    return create_collected(count, count);
}

static void change_and_drain(void *user)
{
    react *react = user;
    for (uint32_t i = 0; i < react->changed; i++)
        replace(react, react->shuffled[i]);
    for (uint32_t i = 0; i < react->changed / 4; i++)
        replace(react, react->shuffled[i]);
    uint32_t count = 0;
    const kin_entity *changed = kin_collector_entities(react->collector, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Health *health = game_get_health(react->game, (game_entity){changed[i]});
        react->sum += health == NULL ? 0 : (uint64_t)health->hp;
        react->calls++;
    }
    kin_collector_clear(react->collector);
}

const side_row kin_react_rows[SIDE_REACT_ROWS] = {
    {"m", "replace, one listener", "replace", 20, 100, create_listened, NULL, replace_all, sum_of_calls, destroy_react},
    {"n1", "change 1 %, collect, drain", "changed", 200, 1, create_hundredth, NULL, change_and_drain, sum_of_calls,
     destroy_react},
    {"n10", "change 10 %, collect, drain", "changed", 20, 10, create_tenth, NULL, change_and_drain, sum_of_calls,
     destroy_react},
    {"n100", "change all, collect, drain", "changed", 2, 100, create_all, NULL, change_and_drain, sum_of_calls,
     destroy_react},
};
