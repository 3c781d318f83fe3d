// Components: added, replaced, removed, readded, and flags switched on and off. If the mirror is known, it predicts
// which check of DSP-01 refuses.
#include "fuzz/api/change.h"

#include "fuzz/api/ledger.h"
#include "fuzz/api/mirror.h"

#include <inttypes.h>
#include <kin/reflect.h>

static bool is_switched(const change *change)
{
    bool has = mirror_has(change->package, change->entity.id, change->part->id);
    return (change->kind == SWITCH_ON && has) || (change->kind == SWITCH_OFF && !has);
}

// Returns the status of the first three checks of DSP-01; KIN_OK when only a key, a limit or memory can still refuse.
static kin_status expect(const change *change)
{
    bool has = mirror_has(change->package, change->entity.id, change->part->id);
    bool is_unique = game_info.components[change->part->id].is_unique;
    kin_entity carrier = mirror_carrier(change->package, change->part->id);
    if (!mirror_is_alive(change->package, change->entity.id))
        return KIN_ERROR_NOT_ALIVE;
    if (change->kind == ADD && has)
        return KIN_ERROR_HAS_COMPONENT;
    if (change->kind == REMOVE && !has)
        return KIN_ERROR_NO_COMPONENT;
    bool gains = change->kind != REMOVE && change->kind != SWITCH_OFF && !has;
    return gains && is_unique && carrier != 0 ? KIN_ERROR_UNIQUE : KIN_OK;
}

// Returns whether the status is possible when the first three checks pass. A readd removes the component first: a
// listener may then destroy the entity, or add the component to it or to another one.
static bool may_refuse_later(const change *change, kin_status status)
{
    if (change->kind == READD &&
        (status == KIN_ERROR_NOT_ALIVE || status == KIN_ERROR_HAS_COMPONENT || status == KIN_ERROR_UNIQUE))
        return true;
    return status == KIN_OK || status == KIN_ERROR_DUPLICATE_KEY || status == KIN_ERROR_INVALID ||
           status == KIN_ERROR_LIMIT || status == KIN_ERROR_NO_MEMORY;
}

static kin_status perform_value(const change *change, game_context *game)
{
    part_value value;
    change->part->make(&value);
    kin_status status = KIN_OK;
    if (change->kind == ADD)
        status = change->part->add(game, change->entity, &value);
    else if (change->kind == REPLACE)
        status = change->part->replace(game, change->entity, &value);
    else
        status = change->part->readd(game, change->entity, &value);
    if (status != KIN_OK)
        change->part->drop(&value); // a refused value stays the caller's
    return status;
}

// RFL-01: the same, by id. A flag has no value.
static kin_status perform_by_id(const change *change, kin_context *context)
{
    kin_entity entity = change->entity.id;
    kin_component_id id = change->part->id;
    part_value value;
    bool has_value = change->part->make != NULL && (change->kind == ADD || change->kind == REPLACE);
    const void *given = has_value ? &value : NULL;
    if (change->kind == REMOVE)
        return kin_remove(context, entity, id);
    if (change->kind == SWITCH_ON || change->kind == SWITCH_OFF)
        return kin_set_flag(context, entity, id, change->kind == SWITCH_ON);
    if (has_value)
        change->part->make(&value);
    kin_status status =
        change->kind == ADD ? kin_add(context, entity, id, given) : kin_replace(context, entity, id, given);
    if (has_value && status != KIN_OK)
        change->part->drop(&value);
    return status;
}

static kin_status perform(const change *change, game_context *game)
{
    if (change->is_by_id)
        return perform_by_id(change, &game->base);
    switch (change->kind) {
    case REMOVE:
        return change->part->remove(game, change->entity);
    case SWITCH_ON:
    case SWITCH_OFF:
        return change->part->set(game, change->entity, change->kind == SWITCH_ON);
    default:
        return perform_value(change, game);
    }
}

// Setting a flag to its current state is not an error and changes nothing.
static void follow(const change *change, const attempt *attempt, kin_status status)
{
    if (status != KIN_OK) {
        mirror_keep(change->package, attempt);
        return;
    }
    uint32_t bit = UINT32_C(1) << change->part->id;
    uint32_t components = mirror_components(change->package, change->entity.id);
    bool loses = change->kind == REMOVE || change->kind == SWITCH_OFF;
    mirror_set(change->package, attempt, change->entity.id, loses ? components & ~bit : components | bit);
}

// CTX-12. A refused change calls nothing, and neither does a flag that keeps its state (FLG-02).
static ledger_mark expect_calls(const change *change, kin_status status, bool had)
{
    if (status != KIN_OK || (change->kind == SWITCH_ON && had) || (change->kind == SWITCH_OFF && !had))
        return (ledger_mark){0, 0};
    if (change->kind == REPLACE && had)
        return change->part->set != NULL ? (ledger_mark){0, 0} : (ledger_mark){1, 1};
    return (ledger_mark){change->kind == READD && had ? 2 : 1, 0};
}

void change_component(const change *change, game_context *game)
{
    static const char *const names[] = {"add", "replace", "remove", "readd", "switch on", "switch off"};
    show("%s %s%s, entity %" PRIx64, names[change->kind], game_info.components[change->part->id].name,
         change->is_by_id ? " by id" : "", change->entity.id);
    mirror_sync(change->package);
    bool is_known = mirror_is_known(change->package) && !(change->part->set != NULL && is_switched(change));
    kin_status expected = is_known ? expect(change) : KIN_OK;
    bool had = kin_has(&game->base, change->entity.id, change->part->id);
    ledger_mark mark = ledger_begin(change->package);
    attempt attempt = attempt_begin();
    kin_status status = perform(change, game);
    if (is_known)
        CHECK(expected != KIN_OK ? status == expected : may_refuse_later(change, status));
    ledger_compare(change->package, &attempt, mark, expect_calls(change, status, had));
    if (change->kind == READD) // its removal may have been notified
        attempt_end(attempt, status);
    else
        attempt_end_quiet(attempt, status);
    CHECK(status != KIN_ERROR_NO_MEMORY || change->kind != REMOVE);
    if (change->kind != READD || status == KIN_OK)
        follow(change, &attempt, status);
}

change_kind take_change_kind(const part *part)
{
    static const change_kind kinds[] = {ADD, ADD, REPLACE, REPLACE, REMOVE, READD};
    uint8_t choice = take_byte();
    if (part->set != NULL)
        return choice % 2 == 0 ? SWITCH_ON : SWITCH_OFF;
    return kinds[choice % (sizeof kinds / sizeof *kinds)];
}

void do_component(const place *at)
{
    if (at->game == NULL)
        return;
    game_entity entity = {take_handle(&here->game_handles[at->package])};
    const part *part = &parts[take_below(FIRST_PARTS)];
    change_kind kind = take_change_kind(part);
    change_component(&(change){kind, part, entity, at->package, false}, at->game);
}
