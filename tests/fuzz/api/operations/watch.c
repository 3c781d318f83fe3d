// Subscriptions and collectors.
#include "fuzz/api/harness.h"

static kin_context *take_context(const place *at)
{
    if (take_below(2) == 1 && at->game != NULL)
        return &at->game->base;
    return at->other != NULL ? &at->other->base : NULL;
}

// ---- subscriptions

enum { NO_LISTENER = 254, NO_EVENT = 255 };

static kin_subscription subscribe_group(kin_context **context, uint8_t event, kin_listener *listener)
{
    kin_group *group = take_group();
    *context = group != NULL ? context_of_group(group) : NULL;
    if (*context == NULL)
        return (kin_subscription){0};
    return kin_group_subscribe(group, (kin_group_event)(event == NO_EVENT ? 77 : event % 4), listener, NULL);
}

static kin_subscription subscribe_entity(const place *at, kin_context *context, uint8_t event, kin_listener *listener)
{
    bool is_game = context->info == &game_info;
    const handle_list *list = is_game ? &here->game_handles[at->package] : &here->other_handles[at->package];
    kin_entity_event number = (kin_entity_event)(event == NO_EVENT ? 77 : event % 5);
    return kin_entity_subscribe(context, take_handle(list), number, listener, NULL);
}

// `context` is NULL if there is no context to subscribe to.
static kin_subscription subscribe(const place *at, uint32_t kind, kin_context **context)
{
    uint8_t event = take_byte();
    kin_listener *listener = event == NO_LISTENER ? NULL : on_change;
    if (kind == 0)
        return subscribe_group(context, event, listener);
    *context = take_context(at);
    if (*context == NULL)
        return (kin_subscription){0};
    if (kind == 1)
        return subscribe_entity(at, *context, event, listener);
    return kin_context_subscribe(*context, (kin_context_event)(event == NO_EVENT ? 77 : event % 6), listener, NULL);
}

static void unsubscribe(void)
{
    held_subscription *held = &here->subscriptions[take_below(SUBSCRIPTIONS)];
    kin_unsubscribe(held->subscription);
    if (take_below(4) != 0) // otherwise once more, later
        *held = (held_subscription){0};
}

void do_subscribe(const place *at)
{
    uint32_t kind = take_below(5);
    if (kind > 2) {
        unsubscribe();
        return;
    }
    attempt attempt = attempt_begin();
    kin_context *context = NULL;
    kin_subscription subscription = subscribe(at, kind, &context);
    if (context == NULL)
        return;
    attempt_end_made(attempt, subscription.subscriber != NULL);
    if (subscription.subscriber != NULL)
        here->subscriptions[here->subscription_count++ % SUBSCRIPTIONS] = (held_subscription){subscription, context};
}

// ---- collectors

enum { TRIGGERS = 4 };

static void make_collector(uint32_t place)
{
    kin_trigger triggers[TRIGGERS];
    uint32_t count = 0;
    for (uint32_t wanted = 1 + take_below(TRIGGERS); wanted > 0; wanted--) {
        kin_group *group = take_group();
        if (group != NULL)
            triggers[count++] = (kin_trigger){group, (kin_group_event)take_below(4)};
    }
    if (count == 0)
        return;
    attempt attempt = attempt_begin();
    kin_collector *made = kin_collector_create(triggers, count);
    attempt_end_made(attempt, made != NULL);
    if (here->collectors[place] == NULL)
        here->collectors[place] = made;
    else // made in the meantime by a callback
        kin_collector_destroy(made);
}

static void end_collector(uint32_t place)
{
    kin_collector *collector = here->collectors[place];
    here->collectors[place] = NULL;
    snapshot_forget((snapshot_source){.owner = collector, .kind = SHOWN_COLLECTED});
    snapshot_forget((snapshot_source){.owner = collector, .kind = SHOWN_CONTEXTS});
    kin_collector_destroy(collector);
}

static void see_collected(kin_collector *collector)
{
    snapshot_source source = {.owner = collector, .kind = SHOWN_COLLECTED};
    snapshot_forget(source);
    uint32_t count = 0;
    const kin_entity *entities = kin_collector_entities(collector, &count);
    CHECK(entities == NULL || count == kin_collector_count(collector));
    snapshot_keep(source, NULL, entities, count * sizeof *entities);
}

static void see_contexts(kin_collector *collector)
{
    snapshot_source source = {.owner = collector, .kind = SHOWN_CONTEXTS};
    snapshot_forget(source);
    uint32_t count = 0;
    kin_context *const *contexts = kin_collector_contexts(collector, &count);
    for (uint32_t i = 0; contexts != NULL && i < count; i++)
        CHECK(contexts[i]->info == &game_info || contexts[i]->info == &other_info);
    snapshot_keep(source, NULL, contexts, contexts != NULL ? count * sizeof(kin_context *) : 0);
}

static void (*const collector_uses[])(kin_collector *collector) = {kin_collector_activate, kin_collector_deactivate,
                                                                   kin_collector_clear,    kin_collector_clear,
                                                                   see_collected,          see_contexts};

void do_collector(const place *at)
{
    (void)at;
    uint32_t number = take_below(COLLECTORS), choice = take_below(9);
    if (here->collectors[number] == NULL)
        make_collector(number);
    else if (choice < sizeof collector_uses / sizeof *collector_uses)
        collector_uses[choice](here->collectors[number]);
    else
        end_collector(number);
}
