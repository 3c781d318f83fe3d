#include "ledger.h"

#include "mirror.h"

#include <kin/look.h>
#include <string.h>

static ledger *find(const kin_context *context)
{
    for (uint32_t i = 0; i < PACKAGES; i++)
        if (here->ledgers[i].context == context)
            return &here->ledgers[i];
    return NULL;
}

// ---- what the listener is told

static void check_call(const kin_change *change)
{
    CHECK(change->group == NULL && change->entity != 0 && change->component < GAME_COMPONENT_COUNT);
    bool has_value = game_info.components[change->component].size > 0;
    bool is_added = change->event == KIN_COMPONENT_ADDED, is_removed = change->event == KIN_COMPONENT_REMOVED;
    CHECK(is_added || is_removed || change->event == KIN_COMPONENT_REPLACED);
    CHECK((change->previous != NULL) == (has_value && !is_added));
    CHECK((change->value != NULL) == (has_value && !is_removed));
    CHECK(has_value || is_added || is_removed); // a flag is not replaced
}

static void on_any_change(const kin_change *change, void *user)
{
    ledger *ledger = find(change->context);
    CHECK(user == here && ledger != NULL);
    check_call(change);
    if (change->event == KIN_COMPONENT_ADDED)
        ledger->balance[change->component]++;
    else if (change->event == KIN_COMPONENT_REMOVED)
        ledger->balance[change->component]--;
    else
        ledger->calls.replaced++;
    ledger->calls.calls++;
}

// ---- what the context shows

static int32_t count_entities(const kin_context *context, kin_component_id id)
{
    int32_t count = 0;
    for (uint32_t word = 0; word < kin_look_words(context); word++)
        for (uint64_t bits = kin_look_has(context, id, word); bits != 0; bits &= bits - 1)
            count++;
    return count;
}

static void balance(ledger *ledger, bool is_nested)
{
    for (uint32_t id = 0; id < GAME_COMPONENT_COUNT; id++) {
        int32_t count = count_entities(ledger->context, (kin_component_id)id);
        CHECK(!ledger->is_known || is_nested || ledger->counts[id] + ledger->balance[id] == count);
        ledger->counts[id] = count;
        ledger->balance[id] = 0;
    }
    ledger->is_known = true;
}

void ledger_end_operation(void)
{
    bool is_nested = here->operations != here->operations_before || here->deep_nested;
    for (uint32_t i = 0; i < PACKAGES; i++)
        if (here->ledgers[i].context != NULL)
            balance(&here->ledgers[i], is_nested);
}

// ---- one operation

ledger_mark ledger_begin(uint32_t package)
{
    return here->ledgers[package].calls;
}

void ledger_compare(uint32_t package, const attempt *attempt, ledger_mark mark, ledger_mark expected)
{
    const ledger *ledger = &here->ledgers[package];
    if (ledger->context == NULL || !attempt_is_alone(attempt))
        return;
    CHECK(ledger->calls.calls - mark.calls == expected.calls);
    CHECK(ledger->calls.replaced - mark.replaced == expected.replaced);
}

// ---- opened and closed

static void open_ledger(const place *at)
{
    kin_context *context = &at->game->base;
    attempt attempt = attempt_begin();
    kin_subscription subscription = kin_context_subscribe(context, KIN_COMPONENT_CHANGED, on_any_change, here);
    bool made = subscription.subscriber != NULL;
    attempt_end_made(attempt, made);
    ledger *ledger = &here->ledgers[at->package];
    if (made && ledger->context != NULL) // opened in the meantime by the error handler
        kin_unsubscribe(subscription);
    else if (made)
        *ledger = (struct ledger){.context = context, .subscription = subscription};
}

void do_ledger(const place *at)
{
    if (at->game == NULL)
        return;
    ledger *ledger = &here->ledgers[at->package];
    if (ledger->context == NULL) {
        open_ledger(at);
        return;
    }
    kin_unsubscribe(ledger->subscription);
    *ledger = (struct ledger){0};
}

void ledger_lose(uint32_t package)
{
    here->ledgers[package].is_known = false;
}

void ledger_forget(const kin_context *context)
{
    ledger *ledger = find(context);
    if (ledger != NULL)
        *ledger = (struct ledger){0};
}
