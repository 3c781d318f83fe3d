// Operations by id (RFL): the same changes as by generated functions, and arguments that are refused.
#include "fuzz/api/change.h"
#include "fuzz/api/mirror.h"

#include <kin/reflect.h>

static void change_by_id(const place *at)
{
    game_entity entity = {take_handle(&here->game_handles[at->package])};
    const part *part = &parts[take_below(PARTS)];
    static const change_kind kinds[] = {ADD, ADD, REPLACE, REPLACE, REMOVE, SWITCH_ON, SWITCH_OFF};
    change_kind kind = kinds[take_below(part->set != NULL ? 7 : 5)];
    change_component(&(change){kind, part, entity, at->package, true}, at->game);
}

// RFL-03: the address that kin_get returned.
static void replace_by_itself(const place *at)
{
    kin_context *context = &at->game->base;
    kin_entity entity = take_handle(&here->game_handles[at->package]);
    kin_component_id id = parts[take_below(PARTS)].id;
    const void *value = kin_get(context, entity, id);
    attempt attempt = attempt_begin();
    if (value == NULL)
        return;
    kin_status status = kin_replace(context, entity, id, value);
    CHECK(status != KIN_ERROR_NOT_ALIVE && status != KIN_ERROR_NO_COMPONENT);
    attempt_end_quiet(attempt, status);
    mirror_keep(at->package, &attempt);
}

// RFL-02: refused before all other checks.
static void pass_wrongly(const place *at)
{
    kin_context *context = &at->game->base;
    kin_entity entity = take_handle(&here->game_handles[at->package]);
    kin_component_id unknown = (kin_component_id)(GAME_COMPONENT_COUNT + take_below(3));
    attempt attempt = attempt_begin();
    kin_status status = KIN_OK;
    switch (take_below(7)) {
    case 0:
        status = kin_add(context, entity, unknown, &entity);
        break;
    case 1:
        status = kin_replace(context, entity, unknown, &entity);
        break;
    case 2:
        status = kin_remove(context, entity, unknown);
        break;
    case 3:
        status = kin_set_flag(context, entity, unknown, true);
        break;
    case 4:
        status = kin_add(context, entity, GAME_POS, NULL);
        break;
    case 5:
        status = kin_replace(context, entity, GAME_CRATE, NULL);
        break;
    default:
        status = kin_set_flag(context, entity, GAME_SPREAD, take_below(2) == 1);
        break;
    }
    CHECK(status == KIN_ERROR_INVALID);
    CHECK(kin_get(context, entity, unknown) == NULL && !kin_has(context, entity, unknown));
    attempt_end(attempt, status);
    mirror_keep(at->package, &attempt);
}

// ---- entities

static void create(const place *at)
{
    uint32_t blueprint = take_below(game_info.blueprint_count + 2);
    bool is_plain = blueprint > game_info.blueprint_count;
    attempt attempt = attempt_begin();
    kin_entity entity = kin_create_in(&at->game->base, is_plain ? KIN_NO_BLUEPRINT : blueprint);
    CHECK(entity == 0 || blueprint != game_info.blueprint_count);
    keep_handle(&here->game_handles[at->package], entity);
    attempt_end_made(attempt, entity != 0);
    if (is_plain && entity != 0)
        mirror_create(at->package, &attempt, entity, 0);
}

static void clone(const place *at)
{
    attempt attempt = attempt_begin();
    kin_entity entity = kin_clone(&at->game->base, take_handle(&here->game_handles[at->package]));
    keep_handle(&here->game_handles[at->package], entity);
    attempt_end_made(attempt, entity != 0);
}

static void destroy(const place *at)
{
    kin_entity entity = take_handle(&here->game_handles[at->package]);
    mirror_sync(at->package);
    kin_status expected = mirror_is_alive(at->package, entity) ? KIN_OK : KIN_ERROR_NOT_ALIVE;
    bool is_known = mirror_is_known(at->package);
    attempt attempt = attempt_begin();
    kin_status status = kin_destroy(&at->game->base, entity);
    CHECK(!is_known || status == expected);
    attempt_end_quiet(attempt, status);
    if (status == KIN_OK)
        mirror_destroy(at->package, &attempt, entity);
    else
        mirror_keep(at->package, &attempt);
}

// RET-07. Released by the generated function, whose owners are the same.
static void retain_named(const place *at)
{
    static const char *const names[] = {NULL, "", "sprite", "%s"};
    static const char owners[4];
    kin_entity entity = take_handle(&here->game_handles[at->package]);
    const void *owner = &owners[take_below(4)];
    bool releases = take_below(3) == 0;
    const char *name = names[take_below(4)];
    attempt attempt = attempt_begin();
    kin_status status = releases ? game_release_entity(at->game, (game_entity){entity}, owner)
                                 : kin_retain_named(&at->game->base, entity, owner, name);
    attempt_end_quiet(attempt, status);
    mirror_keep(at->package, &attempt);
}

void do_by_id(const place *at)
{
    static void (*const kinds[])(const place *at) = {change_by_id, change_by_id, change_by_id,      change_by_id,
                                                     change_by_id, change_by_id, replace_by_itself, pass_wrongly,
                                                     create,       clone,        destroy,           retain_named};
    if (at->game != NULL)
        kinds[take_below(sizeof kinds / sizeof *kinds)](at);
}
