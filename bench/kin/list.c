// Lists with Kin: a field with any number of elements.

#include "side.h"
#include "store.h"

enum { ELEMENTS = 16 };

static void *create_empty(uint32_t count)
{
    kin_store *made = kin_store_create(count, sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        made->handles[i] = game_create_entity(made->game);
        game_add_load(made->game, made->handles[i], load_default());
    }
    return made;
}

static void clear(void *user)
{
    const kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        game_replace_load(world->game, world->handles[i], load_default());
}

static void push_all(void *user)
{
    const kin_store *world = user;
    for (uint32_t i = 0; i < world->count; i++)
        for (uint32_t k = 0; k < ELEMENTS; k++)
            game_push_load_items(world->game, world->handles[i], (Item){.amount = i + k});
}

static void *create_full(uint32_t count)
{
    void *made = create_empty(count);
    push_all(made);
    return made;
}

static void read_all(void *user)
{
    kin_store *world = user;
    uint64_t sum = 0;
    game_loaded_iter it = game_loaded_iterate(world->game);
    while (game_loaded_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            for (uint32_t k = 0; k < it.load[i].items.count; k++)
                sum += it.load[i].items.at[k].amount;
    world->sum = sum;
}

static uint64_t sum_of_lists(void *user)
{
    read_all(user);
    return kin_sum_of_work(user);
}

const side_work kin_list_works[] = {
    {"l.push", create_empty, clear, push_all, sum_of_lists, kin_store_destroy},
    {"l.read", create_full, NULL, read_all, sum_of_lists, kin_store_destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
