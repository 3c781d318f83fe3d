// Looking up by a key with Kin: a component with `index: primary`.

#include "side.h"
#include "store.h"

typedef struct finder {
    kin_store base; // shuffled: the entities in the order of the look-ups
    uint32_t *numbers;
    char (*wanted)[WORKLOAD_NAME_SIZE];
} finder;

typedef void add_key(game_context *game, game_entity entity, uint32_t i);

static finder *create_finder(uint32_t count, add_key *add)
{
    finder *made = kin_store_create(count, sizeof *made);
    uint32_t *order = malloc(count * sizeof *order);
    made->numbers = malloc(count * sizeof *made->numbers);
    made->wanted = malloc(count * sizeof *made->wanted);
    workload_shuffle(order, count);
    for (uint32_t i = 0; i < count; i++) {
        made->base.handles[i] = game_create_entity(made->base.game);
        add(made->base.game, made->base.handles[i], i);
        made->numbers[i] = workload_number(order[i]);
        workload_name(made->wanted[i], order[i]);
    }
    kin_store_shuffle(&made->base);
    free(order);
    return made;
}

static void destroy_finder(void *user)
{
    finder *finder = user;
    free(finder->numbers);
    free(finder->wanted);
    kin_store_destroy(user);
}

// ---- o.int

static void add_number(game_context *game, game_entity entity, uint32_t i)
{
    game_add_number(game, entity, (Number){workload_number(i)});
}

static void *create_numbered(uint32_t count)
{
    return create_finder(count, add_number);
}

static void find_numbers(void *user)
{
    finder *finder = user;
    const kin_store *world = &finder->base;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < world->count; i++)
        hits += game_entity_with_number_value(world->game, finder->numbers[i]).id == world->shuffled[i].id;
    finder->base.sum = hits;
}

// ---- o.str: strings of at most 15 bytes, stored in the component

static void add_name(game_context *game, game_entity entity, uint32_t i)
{
    Name name = name_default();
    workload_name(name.value, i);
    game_add_name(game, entity, name);
}

static void *create_named(uint32_t count)
{
    return create_finder(count, add_name);
}

static void find_names(void *user)
{
    finder *finder = user;
    const kin_store *world = &finder->base;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < world->count; i++)
        hits += game_entity_with_name_value(world->game, finder->wanted[i]).id == world->shuffled[i].id;
    finder->base.sum = hits;
}

// ---- o.own: the same strings, as strings of any length that the context owns

static void add_title(game_context *game, game_entity entity, uint32_t i)
{
    char title[WORKLOAD_NAME_SIZE];
    workload_name(title, i);
    game_add_title(game, entity, (Title){title});
}

static void *create_titled(uint32_t count)
{
    return create_finder(count, add_title);
}

static void find_titles(void *user)
{
    finder *finder = user;
    const kin_store *world = &finder->base;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < world->count; i++)
        hits += game_entity_with_title_value(world->game, finder->wanted[i]).id == world->shuffled[i].id;
    finder->base.sum = hits;
}

const side_work kin_index_works[] = {
    {"o.int", create_numbered, NULL, find_numbers, kin_sum_of_work, destroy_finder},
    {"o.str", create_named, NULL, find_names, kin_sum_of_work, destroy_finder},
    {"o.own", create_titled, NULL, find_titles, kin_sum_of_work, destroy_finder},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
