// Operations: which byte selects which area, and the operations of callbacks.
#include "harness.h"
#include "ledger.h"
#include "mirror.h"

#include <kin/kin.h>

typedef struct operation {
    const char *name;
    uint32_t weight;
    void (*perform)(const place *at);
    bool changes; // entities or components that the mirror records
} operation;

static const operation operations[] = {
    {"entity", 9, do_entity, true},
    {"component", 16, do_component, true},
    {"component again", 5, do_component_again, true},
    {"unique", 2, do_unique, true},
    {"spawn", 3, do_spawn, true},
    {"spawn values", 2, do_spawn_values, true},
    {"other", 4, do_other, false},
    {"subscribe", 5, do_subscribe, false},
    {"collector", 3, do_collector, false},
    {"group", 4, do_group, true},
    {"index", 3, do_index, false},
    {"describe", 1, do_describe, false},
    {"collection", 2, do_collection, true},
    {"run collection", 3, do_run_collection, true},
    {"world", 4, do_world, true},
    {"package", 1, do_package, true},
    {"walk", 2, do_walk, false},
    {"event", 2, do_event, false},
    {"memory", 1, do_memory, false},
    {"trouble", 2, do_trouble, false},
};

enum { OPERATIONS = sizeof operations / sizeof *operations };

// Added after the first inputs: the bytes from FIRST_ADDED on select these, so that the inputs keep their meaning.
static const operation added_operations[] = {
    {"by id", 8, do_by_id, true},      {"field", 5, do_field, false},    {"look", 3, do_look, false},
    {"given keys", 6, do_given, true}, {"restart", 2, do_restart, true},
};

enum { FIRST_ADDED = 232, ADDED_OPERATIONS = sizeof added_operations / sizeof *added_operations };

// Added after those: the bytes from FIRST_LATE to FIRST_ADDED, of which the first inputs have few.
static const operation late_operations[] = {
    {"spawn with", 3, do_spawn_with, true}, {"ensure", 2, do_ensure, true},
    {"stash", 2, do_stash, true},           {"copy", 1, do_copy, true},
    {"maybe", 1, do_maybe, false},          {"ledger", 1, do_ledger, false},
};

enum { FIRST_LATE = 222, LATE_OPERATIONS = sizeof late_operations / sizeof *late_operations };

// Added after those, as rare as the others.
static const operation last_operations[] = {{"ordered", 4, do_ordered, false}, {"moment", 5, do_moment, true}};

enum { FIRST_LAST = 213, LAST_OPERATIONS = sizeof last_operations / sizeof *last_operations };

// Added after those.
static const operation newest_operations[] = {{"grid", 4, do_grid, false}, {"switch", 1, do_switch, false}};

enum { FIRST_NEWEST = 208, NEWEST_OPERATIONS = sizeof newest_operations / sizeof *newest_operations };

static const operation *find_operation(const operation *table, uint32_t count, uint32_t choice)
{
    for (uint32_t i = 0; i < count; i++) {
        if (choice < table[i].weight)
            return &table[i];
        choice -= table[i].weight;
    }
    CHECK(false); // the choice is below the sum of the weights
    return NULL;
}

static const operation *take_operation(void)
{
    static const uint32_t all = 74, added = 24; // sums of the weights
    uint8_t choice = take_byte();
    if (choice >= FIRST_ADDED)
        return find_operation(added_operations, ADDED_OPERATIONS, (choice - FIRST_ADDED) % added);
    if (choice >= FIRST_LATE)
        return find_operation(late_operations, LATE_OPERATIONS, choice - FIRST_LATE);
    if (choice >= FIRST_LAST)
        return find_operation(last_operations, LAST_OPERATIONS, choice - FIRST_LAST);
    if (choice >= FIRST_NEWEST)
        return find_operation(newest_operations, NEWEST_OPERATIONS, choice - FIRST_NEWEST);
    return find_operation(operations, OPERATIONS, choice % all);
}

static void perform(void)
{
    const operation *operation = take_operation();
    uint32_t package = take_below(PACKAGES), texts_before = here->text_count;
    place at = {package, game_of(package), other_of(package)};
    bool is_outer = here->level == 0;
    show("%s in package %u", operation->name, (unsigned)package);
    if (is_outer)
        mirror_begin_operation();
    operation->perform(&at);
    if (is_outer) {
        mirror_end_operation(operation->changes);
        ledger_end_operation();
    }
    release_texts(texts_before);
}

void perform_operations(uint32_t count)
{
    for (; count > 0 && here->left > 0 && here->operations < OPERATION_LIMIT; count--) {
        here->operations++;
        here->errors[here->level] = 0;
        perform();
        snapshot_compare_all();
    }
}

// ---- in callbacks

// One change that calls listeners again, so that they nest up to the limit.
static void nest_once(uint32_t number)
{
    uint32_t package = number % PACKAGES;
    game_context *game = game_of(package);
    if (game == NULL)
        return;
    game_entity entity = {here->game_handles[package].handles[number % 5]};
    switch (number % 6) {
    case 0:
        game_set_lit(game, entity, !game_is_lit(game, entity));
        break;
    case 1:
        game_replace_pos(game, entity, (Pos){3, 6});
        break;
    case 2:
        game_set_loud(game, entity, !game_is_loud(game, entity));
        break;
    case 3:
        keep_handle(&here->game_handles[package], game_create_entity(game).id);
        break;
    case 4:
        game_replace_name(game, entity, (Name){"lone", NULL});
        break;
    default:
        if (number % 5 == 0)
            game_destroy_entity(game, entity);
        else
            game_replace_vel(game, entity, (Vel){{1, 2}, 7});
        break;
    }
}

enum { DEEPEST = LEVELS - 8, PASSIVE = 90 };

void perform_callback(void)
{
    here->callbacks++;
    if (here->level >= DEEPEST)
        return;
    here->level++;
    here->errors[here->level] = 0;
    if (here->deep_left > 0) {
        here->deep_nested = true;
        nest_once(--here->deep_left);
    } else {
        uint8_t choice = take_byte();
        if (choice < PASSIVE)
            perform_operations(1 + choice % 4);
    }
    here->level--;
}
