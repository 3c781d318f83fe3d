// Components copied from one entity to another (CPY-11). If the mirror is known, it predicts what is copied and which
// check refuses.
#include "fuzz/api/ledger.h"
#include "fuzz/api/mirror.h"
#include "fuzz/api/parts.h"

#include <kin/reflect.h>

typedef struct copying {
    kin_context *context;
    kin_entity from, to;
    kin_rule rule;
    bool replaces;
    uint32_t copied, owned;                // components that are copied, and those that `to` has
    uint64_t hashes[GAME_COMPONENT_COUNT]; // of the values of `from`
} copying;

enum { EVERY = 200, LONG = 255 };

static kin_rule take_copied(void)
{
    kin_rule rule = {.kind = KIN_RULE_ALL};
    uint8_t choice = take_byte();
    if (choice >= EVERY && choice != LONG)
        return KIN_EVERY_COMPONENT;
    rule.count = choice == LONG ? KIN_RULE_MAX_IDS + 1 : choice & 7;
    for (uint32_t i = 0; i < rule.count && i < KIN_RULE_MAX_IDS; i++)
        rule.ids[i] = take_component();
    return rule;
}

static uint32_t named_components(const kin_rule *rule)
{
    uint32_t components = rule->kind == 0 ? ~UINT32_C(0) : 0;
    for (uint32_t i = 0; i < rule->count && i < KIN_RULE_MAX_IDS; i++)
        components |= rule->ids[i] < GAME_COMPONENT_COUNT ? UINT32_C(1) << rule->ids[i] : 0;
    return components;
}

static bool is_valid(const kin_rule *rule)
{
    bool valid = rule->kind == 0 || rule->count > 0;
    for (uint32_t i = 0; i < rule->count && i < KIN_RULE_MAX_IDS; i++)
        valid = valid && rule->ids[i] < GAME_COMPONENT_COUNT;
    return valid && rule->count <= KIN_RULE_MAX_IDS;
}

static uint32_t shown_components(const kin_context *context, kin_entity entity)
{
    uint32_t words = 0;
    const uint64_t *row = kin_look_row(context, entity, &words);
    return row != NULL ? (uint32_t)row[0] : 0;
}

static uint32_t left_out(const kin_context *context, kin_entity from)
{
    kin_clone_omission omissions[GAME_COMPONENT_COUNT];
    uint32_t components = 0;
    for (uint32_t i = 0, count = kin_clone_report(context, from, omissions, GAME_COMPONENT_COUNT); i < count; i++)
        components |= UINT32_C(1) << omissions[i].component;
    return components;
}

static void prepare(copying *copying, const game_context *game)
{
    copying->owned = shown_components(copying->context, copying->to);
    copying->copied = shown_components(copying->context, copying->from) & named_components(&copying->rule) &
                      ~left_out(copying->context, copying->from);
    KIN_EACH_BIT(id, copying->copied)
    copying->hashes[id] = hash_shown(game, copying->from, (kin_component_id)id);
}

// Whether the status is one that the checks may give, in their order.
static bool may_return(const copying *copying, uint32_t package, kin_status status)
{
    if (!mirror_is_alive(package, copying->from) || !mirror_is_alive(package, copying->to))
        return status == KIN_ERROR_NOT_ALIVE;
    if (!is_valid(&copying->rule))
        return status == KIN_ERROR_INVALID || status == KIN_ERROR_LIMIT;
    if (copying->copied == 0)
        return status == KIN_OK;
    if (!copying->replaces && (copying->copied & copying->owned) != 0)
        return status == KIN_ERROR_HAS_COMPONENT;
    return status == KIN_OK || status == KIN_ERROR_DUPLICATE_KEY || status == KIN_ERROR_INVALID ||
           status == KIN_ERROR_LIMIT || status == KIN_ERROR_NO_MEMORY;
}

// One call for each component; a flag that `to` has stays as it is.
static ledger_mark expect_calls(const copying *copying, kin_status status)
{
    ledger_mark calls = {0, 0};
    KIN_EACH_BIT(id, status == KIN_OK ? copying->copied : 0)
    {
        bool is_owned = (copying->owned >> id & 1) != 0, is_flag = game_info.components[id].size == 0;
        calls.calls += !is_flag || !is_owned;
        calls.replaced += !is_flag && is_owned;
    }
    return calls;
}

static void compare(const copying *copying, const game_context *game)
{
    CHECK(shown_components(copying->context, copying->to) == (copying->owned | copying->copied));
    KIN_EACH_BIT(id, copying->copied)
    CHECK(hash_shown(game, copying->to, (kin_component_id)id) == copying->hashes[id]);
}

void do_copy(const place *at)
{
    if (at->game == NULL)
        return;
    const handle_list *handles = &here->game_handles[at->package];
    copying copying = {.context = &at->game->base, .from = take_handle(handles), .to = take_handle(handles)};
    copying.rule = take_copied();
    copying.replaces = take_below(3) != 0;
    mirror_sync(at->package);
    prepare(&copying, at->game);
    bool is_known = mirror_is_known(at->package);
    ledger_mark mark = ledger_begin(at->package);
    attempt attempt = attempt_begin();
    kin_status status = game_copy_components(at->game, (game_entity){copying.from}, (game_entity){copying.to},
                                             copying.rule, copying.replaces);
    if (!attempt_is_alone(&attempt)) {
        attempt_end(attempt, status);
        return;
    }
    attempt_end_quiet(attempt, status);
    CHECK(!is_known || may_return(&copying, at->package, status));
    ledger_compare(at->package, &attempt, mark, expect_calls(&copying, status));
    if (status == KIN_OK)
        compare(&copying, at->game);
    if (status == KIN_OK)
        mirror_set(at->package, &attempt, copying.to, copying.owned | copying.copied);
    else
        mirror_keep(at->package, &attempt);
}
