// Looking up by a key on Kin: a component with `index: primary`.

#include "side.h"
#include "workload.h"

#include <stdlib.h>

typedef struct finder {
    uint32_t count;
    game_context *game;
    uint32_t *order, *numbers;
    char (*wanted)[WORKLOAD_NAME_SIZE];
    uint64_t sum;
} finder;

static finder *create_finder(uint32_t count)
{
    finder *made = calloc(1, sizeof *made);
    made->count = count;
    made->game = game_context_create(NULL);
    made->order = malloc(count * sizeof *made->order);
    made->numbers = malloc(count * sizeof *made->numbers);
    made->wanted = malloc(count * sizeof *made->wanted);
    workload_shuffle(made->order, count);
    return made;
}

static void destroy_finder(void *user)
{
    finder *finder = user;
    game_context_destroy(finder->game);
    free(finder->order);
    free(finder->numbers);
    free(finder->wanted);
    free(finder);
}

static uint64_t sum_of_finds(void *user)
{
    return ((finder *)user)->sum;
}

// ---- o.int

static void *create_numbered(uint32_t count)
{
    finder *made = create_finder(count);
    for (uint32_t i = 0; i < count; i++) {
        game_add_number(made->game, game_create_entity(made->game), (Number){workload_number(i)});
        made->numbers[i] = workload_number(made->order[i]);
    }
    return made;
}

static void find_numbers(void *user)
{
    finder *finder = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < finder->count; i++) {
        game_entity found = game_entity_with_number_value(finder->game, finder->numbers[i]);
        sum += (uint64_t)kin_entity_slot(found.id) * (i & 7);
    }
    finder->sum = sum;
}

// ---- o.str

static void *create_named(uint32_t count)
{
    finder *made = create_finder(count);
    for (uint32_t i = 0; i < count; i++) {
        Name name = name_default();
        workload_name(name.value, i);
        game_add_name(made->game, game_create_entity(made->game), name);
        workload_name(made->wanted[i], made->order[i]);
    }
    return made;
}

static void find_names(void *user)
{
    finder *finder = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < finder->count; i++) {
        game_entity found = game_entity_with_name_value(finder->game, finder->wanted[i]);
        sum += (uint64_t)kin_entity_slot(found.id) * (i & 7);
    }
    finder->sum = sum;
}

// ---- o.own: the same texts, as strings of any length that the context owns

static void *create_titled(uint32_t count)
{
    finder *made = create_finder(count);
    for (uint32_t i = 0; i < count; i++) {
        char title[WORKLOAD_NAME_SIZE];
        workload_name(title, i);
        game_add_title(made->game, game_create_entity(made->game), (Title){title});
        workload_name(made->wanted[i], made->order[i]);
    }
    return made;
}

static void find_titles(void *user)
{
    finder *finder = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < finder->count; i++) {
        game_entity found = game_entity_with_title_value(finder->game, finder->wanted[i]);
        sum += (uint64_t)kin_entity_slot(found.id) * (i & 7);
    }
    finder->sum = sum;
}

const side_row kin_index_rows[SIDE_INDEX_ROWS] = {
    {"o.int", "look up by a number", "lookup", 20, 100, create_numbered, NULL, find_numbers, sum_of_finds,
     destroy_finder},
    {"o.str", "look up by a text", "lookup", 20, 100, create_named, NULL, find_names, sum_of_finds, destroy_finder},
    {"o.own", "look up by a string", "lookup", 20, 100, create_titled, NULL, find_titles, sum_of_finds, destroy_finder},
};
