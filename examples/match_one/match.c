#include "match.h"

#include "random.h"
#include "systems.h"

#include <stdlib.h>

enum { SMALLEST = 3, LARGEST = 16 }; // columns and rows

static void add_systems(match *match)
{
    match_one_contexts *contexts = match->contexts;
    kin_systems *systems = match->systems;
    add_process_system(systems, contexts);
    add_board_system(systems, contexts);
    add_fall_system(systems, contexts);
    add_fill_system(systems, contexts);
    add_score_system(systems, contexts);
    kin_systems_add_systems(systems, match->view);
    kin_systems_add_systems(systems, input_event_systems(contexts->input));
    kin_systems_add_systems(systems, game_event_systems(contexts->game));
    kin_systems_add_systems(systems, state_event_systems(contexts->state));
    kin_systems_add_systems(systems, input_cleanup_systems(contexts->input));
    kin_systems_add_systems(systems, game_cleanup_systems(contexts->game));
}

match *match_create(void)
{
    match *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->contexts = match_one_contexts_create(NULL);
    made->systems = kin_systems_create("match one", NULL);
    made->view = kin_systems_create("view", NULL);
    if (made->contexts == NULL || made->systems == NULL || made->view == NULL) {
        kin_systems_destroy(made->view);
        made->view = NULL;
        match_destroy(made);
        return NULL;
    }
    add_systems(made);
    return made;
}

void match_destroy(match *match)
{
    if (match == NULL)
        return;
    kin_systems_destroy(match->systems);
    match_one_contexts_destroy(match->contexts);
    free(match);
}

static int32_t limited(int32_t size)
{
    return size < SMALLEST ? SMALLEST : size > LARGEST ? LARGEST : size;
}

// What systems had collected of the former game must not reach the new one.
void match_start(match *match, Rules rules)
{
    kin_systems_deactivate_reactive(match->systems);
    match_one_contexts_reset(match->contexts);
    kin_systems_activate_reactive(match->systems);
    rules.columns = limited(rules.columns);
    rules.rows = limited(rules.rows);
    config_set_unique_rules(match->contexts->config, rules);
    state_set_unique_random(match->contexts->state, (Random){random_seed(rules.seed)});
    kin_systems_initialize(match->systems);
}

void match_frame(match *match, double seconds)
{
    kin_systems_execute(match->systems, seconds);
    kin_systems_cleanup(match->systems);
}

void match_click(match *match, int32_t x, int32_t y)
{
    input_replace_unique_click(match->contexts->input, (Click){x, y});
}

void match_set_burst(match *match, bool on)
{
    input_set_unique_burst(match->contexts->input, on);
}

void match_resize(match *match, int32_t columns, int32_t rows)
{
    game_replace_unique_board(match->contexts->game, (Board){limited(columns), limited(rows)});
}
