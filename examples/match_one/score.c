#include "systems.h"

static void begin(void *self)
{
    match_one_contexts *contexts = self;
    state_set_unique_score(contexts->state, (Score){0});
}

static bool is_taken(void *self, kin_context *context, kin_entity entity)
{
    (void)self;
    const game_context *game = game_context_of(context);
    return game_is_destroyed(game, game_entity_of(entity)) && game_has_piece(game, game_entity_of(entity));
}

static void count_taken(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)context, (void)entities;
    match_one_contexts *contexts = self;
    Score score = *state_get_unique_score(contexts->state);
    score.points += count;
    state_replace_unique_score(contexts->state, score);
}

void add_score_system(kin_systems *systems, match_one_contexts *contexts)
{
    kin_trigger taken = {game_taken(contexts->game), KIN_ADDED};
    kin_systems_add_reactive(systems, (kin_reactive_system){.name = "score",
                                                            .triggers = &taken,
                                                            .trigger_count = 1,
                                                            .filter = is_taken,
                                                            .initialize = begin,
                                                            .execute = count_taken,
                                                            .self = contexts});
}
