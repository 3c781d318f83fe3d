// Reporting and collecting changes of a component with Kin: a listener of a group's KIN_MODIFIED, and a collector of
// it.

#include "side.h"
#include "store.h"

typedef struct react {
    kin_store base;
    uint32_t changed;
    kin_collector *collector;
    uint64_t calls;
} react;

static react *create_react(uint32_t count, uint32_t changed)
{
    react *made = kin_store_create(count, sizeof *made);
    kin_store *world = &made->base;
    made->changed = changed;
    for (uint32_t i = 0; i < count; i++) {
        world->handles[i] = game_create_entity(world->game);
        game_add_position(world->game, world->handles[i], workload_position(i));
        game_add_velocity(world->game, world->handles[i], workload_velocity(i));
        game_add_health(world->game, world->handles[i], (Health){workload_health(i)});
    }
    kin_store_shuffle(world);
    return made;
}

static void destroy_react(void *user)
{
    react *react = user;
    kin_collector_destroy(react->collector);
    kin_store_destroy(user);
}

static uint64_t sum_of_calls(void *user)
{
    const react *react = user;
    return react->base.sum + react->calls * 5;
}

static void replace(game_context *game, game_entity entity)
{
    const Health *health = game_get_health(game, entity);
    if (health != NULL)
        game_replace_health(game, entity, (Health){health->hp + 1});
}

// ---- m

static void count_health(const kin_change *change, void *user)
{
    react *react = user;
    react->calls++;
    react->base.sum += (uint64_t)((const Health *)change->value)->hp;
}

static void *create_listened(uint32_t count)
{
    react *made = create_react(count, count);
    kin_group_subscribe(game_living_group(made->base.game), KIN_MODIFIED, count_health, made);
    return made;
}

static void replace_all(void *user)
{
    const react *react = user;
    for (uint32_t i = 0; i < react->base.count; i++)
        replace(react->base.game, react->base.handles[i]);
}

// ---- n1, n10, n100

static react *create_collected(uint32_t count, uint32_t changed)
{
    react *made = create_react(count, changed);
    made->collector = kin_collector_create(&(kin_trigger){game_living_group(made->base.game), KIN_MODIFIED}, 1);
    return made;
}

static void *create_hundredth(uint32_t count)
{
    return create_collected(count, workload_share(count, 1));
}

static void *create_tenth(uint32_t count)
{
    return create_collected(count, workload_share(count, 10));
}

static void *create_whole(uint32_t count)
{
    return create_collected(count, count);
}

static void change(react *react, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        replace(react->base.game, react->base.shuffled[i]);
}

static void change_and_drain(void *user)
{
    react *react = user;
    change(react, react->changed);
    change(react, react->changed / 4);
    uint32_t count = 0;
    const kin_entity *changed = kin_collector_entities(react->collector, &count);
    for (uint32_t i = 0; i < count; i++) {
        const Health *health = game_get_health(react->base.game, game_entity_of(changed[i]));
        react->base.sum += health == NULL ? 0 : (uint64_t)health->hp;
        react->calls++;
    }
    kin_collector_clear(react->collector);
}

const side_work kin_react_works[] = {
    {"m", create_listened, NULL, replace_all, sum_of_calls, destroy_react},
    {"n1", create_hundredth, NULL, change_and_drain, sum_of_calls, destroy_react},
    {"n10", create_tenth, NULL, change_and_drain, sum_of_calls, destroy_react},
    {"n100", create_whole, NULL, change_and_drain, sum_of_calls, destroy_react},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
