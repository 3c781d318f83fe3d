// Groups that watch a component with Kin, without listeners and with one each.

#include "side.h"
#include "store.h"

enum { FLAGS = 5 };

typedef struct watch {
    kin_store base;
    kin_group *groups[WORKLOAD_GROUPS];
    uint64_t calls;
} watch;

// Returns a matcher of entities with Health and the flags whose bits are in `flags`.
static kin_matcher matcher_of(uint32_t flags)
{
    kin_matcher matcher = KIN_MATCHER(KIN_ALL(GAME_HEALTH));
    kin_rule *all = &matcher.rules[0];
    for (uint32_t b = 0; b < FLAGS; b++)
        if ((flags >> b & 1) != 0)
            all->ids[all->count++] = (kin_component_id)(GAME_F0 + b);
    return matcher;
}

static void *create_watch(uint32_t count)
{
    watch *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        game_entity entity = made->base.handles[i] = game_create_entity(made->base.game);
        game_add_position(made->base.game, entity, workload_position(i));
        game_add_velocity(made->base.game, entity, workload_velocity(i));
        game_add_data(made->base.game, entity, (Data){1.0f});
        kin_store_add_flags(&made->base, entity, i % WORKLOAD_GROUPS);
    }
    for (uint32_t m = 0; m < WORKLOAD_GROUPS; m++)
        made->groups[m] = game_group(made->base.game, matcher_of(m));
    return made;
}

static uint64_t sum_counts(const watch *watch)
{
    uint64_t sum = 0;
    for (uint32_t m = 0; m < WORKLOAD_GROUPS; m++)
        sum += kin_group_count(watch->groups[m]);
    return sum;
}

static void toggle(void *user)
{
    watch *watch = user;
    kin_store *world = &watch->base;
    for (uint32_t i = 0; i < world->count; i++)
        game_add_health(world->game, world->handles[i], (Health){workload_health(i)});
    world->sum = sum_counts(watch);
    for (uint32_t i = 0; i < world->count; i++)
        game_remove_health(world->game, world->handles[i]);
    world->sum += sum_counts(watch);
}

// ---- l2

static void count_call(const kin_change *change, void *user)
{
    (void)change;
    ++*(uint64_t *)user;
}

static void *create_heard(uint32_t count)
{
    watch *made = create_watch(count);
    for (uint32_t m = 0; m < WORKLOAD_GROUPS; m++)
        kin_group_subscribe(made->groups[m], KIN_ADDED_OR_REMOVED, count_call, &made->calls);
    return made;
}

static uint64_t sum_of_counts_and_calls(void *user)
{
    const watch *watch = user;
    return watch->base.sum + watch->calls;
}

const side_work kin_watch_works[] = {
    {"l", create_watch, NULL, toggle, kin_sum_of_work, kin_store_destroy},
    {"l2", create_heard, NULL, toggle, sum_of_counts_and_calls, kin_store_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
