// Values that are given back to the component that they came from, edited, touched and stashed.
#include "fuzz/api/mirror.h"
#include "fuzz/api/parts.h"

typedef kin_status again(game_context *game, game_entity entity);

#define DEFINE_EDIT(TYPE, NAME)                                                                                        \
    static kin_status edit_##NAME(game_context *game, game_entity entity)                                              \
    {                                                                                                                  \
        TYPE *value = game_edit_##NAME(game, entity);                                                                  \
        if (value != NULL)                                                                                             \
            *value = make_##NAME();                                                                                    \
        return game_touch_##NAME(game, entity);                                                                        \
    }
DEFINE_EDIT(Pos, pos)
DEFINE_EDIT(Slab, slab)
DEFINE_EDIT(Crate, crate)
DEFINE_EDIT(Throne, throne)

// The parts of a value that the context owns are const.
static kin_status edit_hoard(game_context *game, game_entity entity)
{
    HoardEdit *value = game_edit_hoard(game, entity);
    if (value != NULL)
        value->address = NULL;
    return game_touch_hoard(game, entity);
}

// The current value, unchanged.
#define DEFINE_SAME(VERB, TYPE, NAME)                                                                                  \
    static kin_status VERB##_same_##NAME(game_context *game, game_entity entity)                                       \
    {                                                                                                                  \
        const TYPE *value = game_get_##NAME(game, entity);                                                             \
        return value != NULL ? game_##VERB##_##NAME(game, entity, *value) : KIN_OK;                                    \
    }
DEFINE_SAME(replace, Name, name)
DEFINE_SAME(readd, Name, name)
DEFINE_SAME(readd, Sole, sole)
DEFINE_SAME(replace, Crate, crate)
DEFINE_SAME(readd, Crate, crate)
DEFINE_SAME(readd, Tag, tag)
DEFINE_SAME(replace, Vel, vel)
DEFINE_SAME(readd, Badge, badge)

static kin_status swap_name(game_context *game, game_entity entity)
{
    const Name *value = game_get_name(game, entity);
    return value != NULL ? game_replace_name(game, entity, (Name){value->rest, value->value}) : KIN_OK;
}

// The same opaque value beside another string: the context keeps its opaque value.
static kin_status replace_same_owner(game_context *game, game_entity entity)
{
    const Owner *value = game_get_owner(game, entity);
    return value != NULL ? game_replace_owner(game, entity, (Owner){value->token, take_short_text()}) : KIN_OK;
}

// If the call is refused after the removal was notified, the caller owns the value.
static kin_status readd_same_owner(game_context *game, game_entity entity)
{
    const Owner *value = game_get_owner(game, entity);
    if (value == NULL)
        return KIN_OK;
    Owner given = *value;
    kin_status status = game_readd_owner(game, entity, given);
    const Owner *now = game_get_owner(game, entity);
    bool is_kept = now != NULL && now->token.block == given.token.block;
    if (status != KIN_OK && !is_kept)
        drop_owner(&given);
    return status;
}

static kin_status touch_vel(game_context *game, game_entity entity)
{
    return game_touch_vel(game, entity);
}

static again *const agains[] = {
    edit_pos,         edit_slab,        edit_crate,         edit_throne,        replace_same_name, readd_same_name,
    swap_name,        readd_same_sole,  touch_vel,          replace_same_crate, readd_same_crate,  readd_same_tag,
    replace_same_vel, readd_same_badge, replace_same_owner, readd_same_owner,   edit_hoard};

enum { AGAINS = sizeof agains / sizeof *agains };

// Uses the strings of another entity's value.
static kin_status replace_by_other(const place *at, game_entity entity)
{
    const Name *value = game_get_name(at->game, entity);
    game_entity other = {take_handle(&here->game_handles[at->package])};
    return value != NULL ? game_replace_name(at->game, other, (Name){value->rest, value->value}) : KIN_OK;
}

void do_component_again(const place *at)
{
    if (at->game == NULL)
        return;
    game_entity entity = {take_handle(&here->game_handles[at->package])};
    uint32_t choice = take_below(AGAINS + 1 + FIRST_STASHED_PARTS * 2);
    attempt attempt = attempt_begin();
    kin_status status = KIN_OK;
    if (choice < AGAINS)
        status = agains[choice](at->game, entity);
    else if (choice == AGAINS)
        status = replace_by_other(at, entity);
    else if ((choice - AGAINS) % 2 == 1)
        status = stashed_parts[(choice - AGAINS - 1) / 2].stash(at->game, entity);
    else
        status = stashed_parts[(choice - AGAINS - 1) / 2].restore(at->game, entity);
    attempt_end(attempt, status);
}
