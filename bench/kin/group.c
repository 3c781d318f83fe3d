// The count and the members of a group with Kin.

#include "side.h"
#include "store.h"

static void *create_halves(uint32_t count)
{
    kin_store *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = game_create_entity(made->game);
        game_add_position(made->game, made->handles[i], workload_position(i));
        if (i % 2 == 0)
            game_add_velocity(made->game, made->handles[i], workload_velocity(i));
    }
    return made;
}

static void read_members(kin_store *world)
{
    uint32_t count = 0;
    const game_entity *members = game_movers_entities(world->game, &count);
    WORKLOAD_BARRIER();
    world->sum = count;
    workload_sink(count == 0 ? 0 : members[count - 1].id);
}

static void count_and_read(void *user)
{
    for (uint32_t call = 0; call < WORKLOAD_CALLS; call++)
        read_members(user);
}

static void change_and_read(void *user)
{
    kin_store *world = user;
    for (uint32_t call = 0; call < WORKLOAD_CALLS; call++) {
        if (game_has_velocity(world->game, world->handles[0]))
            game_remove_velocity(world->game, world->handles[0]);
        else
            game_add_velocity(world->game, world->handles[0], workload_velocity(0));
        read_members(world);
    }
}

const side_work kin_group_works[] = {
    {"p", create_halves, NULL, count_and_read, kin_sum_of_work, kin_store_destroy},
    {"p2", create_halves, NULL, change_and_read, kin_sum_of_work, kin_store_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
