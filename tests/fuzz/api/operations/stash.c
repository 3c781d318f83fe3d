// Stashed values: asked for, and restored or added (CPY-07, CPY-10).
#include "fuzz/api/ledger.h"
#include "fuzz/api/mirror.h"
#include "fuzz/api/parts.h"

#include <kin/reflect.h>

typedef struct stashing {
    const place *at;
    const part *part;
    game_entity entity;
    bool had, had_stashed;
} stashing;

static bool has_stashed(const stashing *stashing)
{
    return stashing->part->has_stashed(stashing->at->game, stashing->entity);
}

static bool has(const stashing *stashing)
{
    return kin_has(&stashing->at->game->base, stashing->entity.id, stashing->part->id);
}

static kin_status stash(const stashing *stashing)
{
    return stashing->part->stash(stashing->at->game, stashing->entity);
}

static kin_status restore(const stashing *stashing)
{
    kin_status status = stashing->part->restore(stashing->at->game, stashing->entity);
    CHECK(status != KIN_OK || stashing->had_stashed);
    return status;
}

// The given value belongs to the context only if it was added.
static kin_status restore_or_add(const stashing *stashing)
{
    part_value value;
    stashing->part->make(&value);
    uint64_t hash = hash_value(stashing->at->game, stashing->part->id, &value);
    attempt attempt = attempt_begin();
    kin_status status = stashing->part->restore_or_add(stashing->at->game, stashing->entity, &value);
    bool is_added = status == KIN_OK && !stashing->had_stashed;
    if (is_added && attempt_is_alone(&attempt))
        CHECK(hash_shown(stashing->at->game, stashing->entity.id, stashing->part->id) == hash);
    if (!is_added)
        stashing->part->drop(&value);
    return status;
}

// A refused operation keeps what is stashed.
static void compare(const stashing *stashing, const attempt *attempt, kin_status status, bool stashes)
{
    if (!attempt_is_alone(attempt))
        return;
    CHECK(has(stashing) == (status == KIN_OK ? !stashes : stashing->had));
    CHECK(has_stashed(stashing) == (status == KIN_OK ? stashes : stashing->had_stashed));
}

static void follow(const stashing *stashing, const attempt *attempt, kin_status status, bool stashes)
{
    uint32_t package = stashing->at->package, bit = UINT32_C(1) << stashing->part->id;
    uint32_t components = mirror_components(package, stashing->entity.id);
    if (status == KIN_OK)
        mirror_set(package, attempt, stashing->entity.id, stashes ? components & ~bit : components | bit);
    else
        mirror_keep(package, attempt);
}

void do_stash(const place *at)
{
    static kin_status (*const kinds[])(const stashing *stashing) = {stash, stash, restore, restore_or_add};
    if (at->game == NULL)
        return;
    stashing stashing = {.at = at, .part = &stashed_parts[take_below(STASHED_PARTS)]};
    stashing.entity = (game_entity){take_handle(&here->game_handles[at->package])};
    uint32_t kind = take_below(sizeof kinds / sizeof *kinds);
    mirror_sync(at->package);
    stashing.had = has(&stashing);
    stashing.had_stashed = has_stashed(&stashing);
    CHECK(!stashing.had_stashed || game_entity_is_alive(at->game, stashing.entity));
    CHECK(here->level > 0 || !stashing.had || !stashing.had_stashed);
    ledger_mark mark = ledger_begin(at->package);
    attempt attempt = attempt_begin();
    kin_status status = kinds[kind](&stashing);
    attempt_end_quiet(attempt, status);
    ledger_compare(at->package, &attempt, mark, (ledger_mark){status == KIN_OK ? 1 : 0, 0});
    compare(&stashing, &attempt, status, kinds[kind] == stash);
    follow(&stashing, &attempt, status, kinds[kind] == stash);
}
