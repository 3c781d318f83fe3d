// Entities: created, cloned, destroyed, emptied and retained; and operations on all entities of a context.
#include "fuzz/api/mirror.h"

static game_entity take_game_entity(const place *at)
{
    return (game_entity){take_handle(&here->game_handles[at->package])};
}

static void create(const place *at)
{
    attempt attempt = attempt_begin();
    game_entity entity = game_create_entity(at->game);
    keep_handle(&here->game_handles[at->package], entity.id);
    attempt_end_made(attempt, entity.id != 0);
    if (entity.id != 0)
        mirror_create(at->package, &attempt, entity.id, 0);
    else
        mirror_keep(at->package, &attempt);
}

static void destroy(const place *at)
{
    game_entity entity = take_game_entity(at);
    mirror_sync(at->package);
    kin_status expected = mirror_is_alive(at->package, entity.id) ? KIN_OK : KIN_ERROR_NOT_ALIVE;
    bool is_known = mirror_is_known(at->package);
    attempt attempt = attempt_begin();
    kin_status status = game_destroy_entity(at->game, entity);
    if (is_known)
        CHECK(status == expected);
    CHECK(status != KIN_ERROR_NO_MEMORY);
    attempt_end_quiet(attempt, status);
    if (status == KIN_OK)
        mirror_destroy(at->package, &attempt, entity.id);
    else
        mirror_keep(at->package, &attempt);
}

static void clone(const place *at)
{
    attempt attempt = attempt_begin();
    game_entity entity = game_clone_entity(at->game, take_game_entity(at));
    keep_handle(&here->game_handles[at->package], entity.id);
    attempt_end_made(attempt, entity.id != 0);
}

static void remove_all(const place *at)
{
    game_entity entity = take_game_entity(at);
    attempt attempt = attempt_begin();
    kin_status status = game_remove_all_components(at->game, entity);
    CHECK(status != KIN_ERROR_NO_MEMORY);
    attempt_end(attempt, status);
    if (status == KIN_OK)
        mirror_set(at->package, &attempt, entity.id, 0);
}

static void remove_some(const place *at)
{
    enum { LONG_RULE = 255 };
    kin_rule rule = {.kind = KIN_RULE_ALL};
    uint8_t choice = take_byte();
    rule.count = choice == LONG_RULE ? KIN_RULE_MAX_IDS + 1 : choice & 7;
    for (uint32_t i = 0; i < rule.count && i < KIN_RULE_MAX_IDS; i++)
        rule.ids[i] = take_component();
    kin_entity entity = take_handle(&here->game_handles[at->package]);
    attempt attempt = attempt_begin();
    attempt_end(attempt, kin_remove_components(&at->game->base, entity, rule));
}

static const void *take_owner(void)
{
    static const char owners[8];
    uint32_t choice = take_below(8);
    return choice == 0 ? NULL : &owners[choice];
}

static void retain(const place *at)
{
    game_entity entity = take_game_entity(at);
    const void *owner = take_owner();
    attempt attempt = attempt_begin();
    attempt_end_quiet(attempt, game_retain_entity(at->game, entity, owner));
    mirror_keep(at->package, &attempt);
}

static void release(const place *at)
{
    game_entity entity = take_game_entity(at);
    const void *owner = take_owner();
    attempt attempt = attempt_begin();
    attempt_end_quiet(attempt, game_release_entity(at->game, entity, owner));
    mirror_keep(at->package, &attempt);
}

static void destroy_all(const place *at)
{
    if (take_byte() < 200)
        return;
    attempt attempt = attempt_begin();
    kin_status status = game_destroy_all_entities(at->game);
    CHECK(status != KIN_ERROR_NO_MEMORY);
    attempt_end(attempt, status);
}

static void reset(const place *at)
{
    if (take_byte() < 200)
        return;
    attempt attempt = attempt_begin();
    kin_status status = game_context_reset(at->game);
    CHECK(status != KIN_ERROR_NO_MEMORY);
    attempt_end(attempt, status);
}

void do_entity(const place *at)
{
    static void (*const kinds[])(const place *at) = {create,  create,      create,     create,      destroy,
                                                     destroy, clone,       remove_all, remove_some, retain,
                                                     release, destroy_all, reset};
    if (at->game != NULL)
        kinds[take_below(sizeof kinds / sizeof *kinds)](at);
}
