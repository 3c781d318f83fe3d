// Unique components, through their context.
#include "fuzz/api/values.h"

static void keep(const place *at, attempt attempt, game_entity entity)
{
    attempt_end_made(attempt, entity.id != 0);
    keep_handle(&here->game_handles[at->package], entity.id);
}

static void see_sole(const place *at)
{
    game_entity entity = game_unique_sole_entity(at->game);
    const Sole *value = game_get_unique_sole(at->game);
    CHECK((value != NULL) == (entity.id != 0) && game_has_unique_sole(at->game) == (value != NULL));
    if (value != NULL) {
        check_sole(value);
        CHECK(game_get_sole(at->game, entity) == value);
    }
    keep_handle(&here->game_handles[at->package], entity.id);
}

static void give_back_sole(const place *at)
{
    const Sole *value = game_get_unique_sole(at->game);
    attempt attempt = attempt_begin();
    if (value != NULL)
        keep(at, attempt, game_replace_unique_sole(at->game, *value));
}

static void remove_unique(const place *at)
{
    attempt attempt = attempt_begin();
    kin_status status = take_below(2) == 1 ? game_remove_unique_sole(at->game) : game_remove_unique_throne(at->game);
    CHECK(status != KIN_ERROR_NO_MEMORY);
    attempt_end(attempt, status);
}

static void switch_flag(const place *at)
{
    bool on = take_below(2) == 1;
    attempt attempt = attempt_begin();
    attempt_end(attempt, game_set_unique_chosen(at->game, on));
}

void do_unique(const place *at)
{
    if (at->game == NULL)
        return;
    uint32_t choice = take_below(9);
    attempt attempt = attempt_begin();
    switch (choice) {
    case 0:
        keep(at, attempt, game_set_unique_sole(at->game, make_sole()));
        break;
    case 1:
        keep(at, attempt, game_replace_unique_sole(at->game, make_sole()));
        break;
    case 2:
        keep(at, attempt, game_set_unique_throne(at->game, make_throne()));
        break;
    case 3:
        keep(at, attempt, game_replace_unique_throne(at->game, make_throne()));
        break;
    case 4:
    case 5:
        remove_unique(at);
        break;
    case 6:
        switch_flag(at);
        break;
    case 7:
        give_back_sole(at);
        break;
    default:
        see_sole(at);
        break;
    }
}
