// The naive world: the rules of meaning, one function for each, without a thought about speed.

#include "model_slots.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SUBSCRIPTION_LIMIT = 4096, ENTRY_LIMIT = 2048, CALL_LIMIT = 512 };

// One trigger of a collector, or one listener: `collector` is -1 then. In order of subscription.
typedef struct subscription {
    int32_t number, matcher, collector;
    kin_group_event event;
    bool ended;
} subscription;

typedef struct collector {
    bool made, active;
    int32_t matchers[2];
    kin_group_event events[2];
    kin_entity entries[ENTRY_LIMIT];
    uint32_t count;
} collector;

typedef struct naive {
    model_side *side;
    model_slots slots;
    uint64_t life; // counts resets
    int32_t groups[MODEL_MATCHERS];
    uint32_t group_count;
    subscription subscriptions[SUBSCRIPTION_LIMIT];
    uint32_t subscription_count;
    collector collectors[MODEL_COLLECTORS];
    uint32_t depth;
} naive;

// ---- matching

static bool rule_holds(const kin_rule *rule, uint32_t mask)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < rule->count; i++)
        named |= 1u << rule->ids[i];
    switch ((kin_rule_kind)rule->kind) {
    case KIN_RULE_ALL:
        return (mask & named) == named;
    case KIN_RULE_ANY:
        return (mask & named) != 0;
    case KIN_RULE_NONE:
        return (mask & named) == 0;
    case KIN_RULE_ONLY:
        return mask == named;
    }
    return false;
}

static bool matches(int32_t number, uint32_t mask)
{
    kin_matcher matcher = model_matcher(number);
    for (uint32_t i = 0; i < matcher.count; i++)
        if (!rule_holds(&matcher.rules[i], mask))
            return false;
    return true;
}

// Whether it names the component in a rule other than none.
static bool names(int32_t number, int32_t component)
{
    kin_matcher matcher = model_matcher(number);
    for (uint32_t i = 0; i < matcher.count; i++)
        for (uint32_t k = 0; k < matcher.rules[i].count; k++)
            if (matcher.rules[i].kind != KIN_RULE_NONE && matcher.rules[i].ids[k] == component)
                return true;
    return false;
}

// ---- telling

typedef struct call {
    uint32_t subscription;
    kin_group_event event;
} call;

// One change and the calls that were found for it before the first was made.
typedef struct telling {
    kin_entity entity;
    int32_t component, previous, value;
    bool strip;
    uint64_t life;
    call calls[CALL_LIMIT];
    uint32_t count;
} telling;

static bool hears(const subscription *subscription, kin_group_event event)
{
    return subscription->event == event || (subscription->event == KIN_ADDED_OR_REMOVED && event != KIN_MODIFIED);
}

static void find_calls(const naive *naive, telling *telling, int32_t matcher, kin_group_event event)
{
    for (uint32_t i = 0; i < naive->subscription_count; i++) {
        const subscription *subscription = &naive->subscriptions[i];
        if (subscription->ended || subscription->matcher != matcher || !hears(subscription, event))
            continue;
        if (telling->count == CALL_LIMIT)
            ck_abort_msg("the model makes too many calls");
        telling->calls[telling->count++] = (call){i, event};
    }
}

static void gather(naive *naive, collector *collector, kin_entity entity)
{
    for (uint32_t i = 0; i < collector->count; i++)
        if (collector->entries[i] == entity)
            return;
    if (collector->count == ENTRY_LIMIT)
        ck_abort_msg("the model collects too much");
    collector->entries[collector->count++] = entity;
    naive->slots.slots[kin_entity_slot(entity)].holders++;
}

static void make_call(naive *naive, const telling *telling, const call *call)
{
    const subscription *subscription = &naive->subscriptions[call->subscription];
    if (subscription->collector >= 0) {
        gather(naive, &naive->collectors[subscription->collector], telling->entity);
        return;
    }
    // Of a replace, what is removed is the former value and what is added the new one.
    bool replaced = telling->previous != MODEL_NO_VALUE && telling->value != MODEL_NO_VALUE;
    model_record record = {.kind = MODEL_CALL,
                           .number = subscription->number,
                           .place = subscription->matcher,
                           .entity = telling->entity,
                           .component = telling->component,
                           .previous = replaced && call->event == KIN_ADDED ? MODEL_NO_VALUE : telling->previous,
                           .value = replaced && call->event == KIN_REMOVED ? MODEL_NO_VALUE : telling->value};
    model_call(naive->side, record);
}

static void tell(naive *naive, const telling *telling)
{
    naive->depth++;
    for (uint32_t i = 0; i < telling->count; i++) {
        const call *call = &telling->calls[i];
        bool current = naive->life == telling->life && model_slots_find(&naive->slots, telling->entity) != NULL;
        if (!naive->subscriptions[call->subscription].ended && (telling->strip || current))
            make_call(naive, telling, call);
    }
    naive->depth--;
}

static telling telling_of(const naive *naive, kin_entity entity, int32_t component, int32_t previous, int32_t value)
{
    telling telling;
    telling.count = 0;
    telling.strip = false;
    telling.entity = entity;
    telling.component = component;
    telling.previous = previous;
    telling.value = value;
    telling.life = naive->life;
    return telling;
}

static void tell_crossing(naive *naive, telling *telling, uint32_t before, uint32_t after)
{
    for (uint32_t i = 0; i < naive->group_count; i++) {
        bool was = matches(naive->groups[i], before), is = matches(naive->groups[i], after);
        if (was != is)
            find_calls(naive, telling, naive->groups[i], is ? KIN_ADDED : KIN_REMOVED);
    }
    tell(naive, telling);
}

// ---- components

static bool is_flag(int32_t component)
{
    return component >= 4;
}

static kin_status refuse(naive *naive, kin_status status)
{
    model_log(naive->side, (model_record){.kind = MODEL_ERROR, .number = (int32_t)status});
    return status;
}

static kin_status add(naive *naive, model_slot *slot, int32_t component, int32_t value)
{
    uint32_t before = slot->mask;
    slot->mask |= 1u << component;
    slot->values[component] = value;
    telling telling =
        telling_of(naive, slot->entity, component, MODEL_NO_VALUE, is_flag(component) ? MODEL_NO_VALUE : value);
    tell_crossing(naive, &telling, before, slot->mask);
    return KIN_OK;
}

static kin_status remove_component(naive *naive, model_slot *slot, int32_t component)
{
    uint32_t before = slot->mask;
    slot->mask &= ~(1u << component);
    int32_t previous = is_flag(component) ? MODEL_NO_VALUE : slot->values[component];
    telling telling = telling_of(naive, slot->entity, component, previous, MODEL_NO_VALUE);
    tell_crossing(naive, &telling, before, slot->mask);
    return KIN_OK;
}

static kin_status replace(naive *naive, model_slot *slot, int32_t component, int32_t value)
{
    telling telling = telling_of(naive, slot->entity, component, slot->values[component], value);
    slot->values[component] = value;
    for (uint32_t i = 0; i < naive->group_count; i++) {
        int32_t matcher = naive->groups[i];
        if (!matches(matcher, slot->mask) || !names(matcher, component))
            continue;
        find_calls(naive, &telling, matcher, KIN_REMOVED);
        find_calls(naive, &telling, matcher, KIN_ADDED);
        find_calls(naive, &telling, matcher, KIN_MODIFIED);
    }
    tell(naive, &telling);
    return KIN_OK;
}

static kin_status change_component(naive *naive, const model_operation *operation)
{
    int32_t component = operation->component;
    model_slot *slot = model_slots_find(&naive->slots, operation->entity);
    bool has = slot != NULL && (slot->mask >> component & 1) != 0;
    if (operation->code == MODEL_EDIT) {
        if (has)
            slot->values[component] = operation->value;
        return KIN_OK;
    }
    if (slot == NULL)
        return refuse(naive, KIN_ERROR_NOT_ALIVE);
    if (is_flag(component)) {
        bool on = operation->code != MODEL_REMOVE;
        return on == has ? KIN_OK : on ? add(naive, slot, component, 0) : remove_component(naive, slot, component);
    }
    if (operation->code == MODEL_ADD && has)
        return refuse(naive, KIN_ERROR_HAS_COMPONENT);
    if (operation->code == MODEL_ADD || (operation->code == MODEL_REPLACE && !has))
        return add(naive, slot, component, operation->value);
    if (!has)
        return refuse(naive, KIN_ERROR_NO_COMPONENT);
    if (operation->code == MODEL_REMOVE)
        return remove_component(naive, slot, component);
    return replace(naive, slot, component, operation->code == MODEL_TOUCH ? slot->values[component] : operation->value);
}

// ---- entities

static kin_entity create(naive *naive)
{
    model_slot *slot = model_slots_create(&naive->slots);
    if (slot == NULL) {
        refuse(naive, KIN_ERROR_LIMIT);
        return 0;
    }
    kin_entity entity = slot->entity;
    telling telling = telling_of(naive, entity, MODEL_COMPONENTS, MODEL_NO_VALUE, MODEL_NO_VALUE);
    for (uint32_t i = 0; i < naive->group_count; i++)
        if (matches(naive->groups[i], 0))
            find_calls(naive, &telling, naive->groups[i], KIN_ADDED);
    tell(naive, &telling);
    return entity;
}

// One component of a strip, or none at its end: tells the groups that were without loss so far and lose now.
static void tell_loss(naive *naive, telling *telling, bool *contained, uint32_t left)
{
    telling->count = 0;
    for (uint32_t i = 0; i < MODEL_MATCHERS; i++) {
        if (!contained[i] || (telling->component < MODEL_COMPONENTS && matches(naive->groups[i], left)))
            continue;
        contained[i] = false;
        find_calls(naive, telling, naive->groups[i], KIN_REMOVED);
    }
    tell(naive, telling);
}

static void destroy(naive *naive, model_slot *slot)
{
    bool contained[MODEL_MATCHERS] = {false};
    uint32_t left = slot->mask;
    for (uint32_t i = 0; i < naive->group_count; i++)
        contained[i] = matches(naive->groups[i], left);
    slot->alive = false;
    slot->stripped = true;
    telling telling = telling_of(naive, slot->entity, 0, MODEL_NO_VALUE, MODEL_NO_VALUE);
    telling.strip = true;
    for (; telling.component < MODEL_COMPONENTS; telling.component++) {
        if ((left >> telling.component & 1) == 0)
            continue;
        left &= ~(1u << telling.component);
        telling.previous = is_flag(telling.component) ? MODEL_NO_VALUE : slot->values[telling.component];
        tell_loss(naive, &telling, contained, left);
    }
    telling.previous = MODEL_NO_VALUE;
    tell_loss(naive, &telling, contained, left);
    slot->mask = 0;
    slot->stripped = false;
    model_slots_free(&naive->slots, slot);
}

// Destroys those of a list that still are, and still match where a matcher is given. Ends when a reset is made.
static void destroy_list(naive *naive, int32_t matcher)
{
    kin_entity list[MODEL_SLOTS];
    uint32_t count = 0;
    uint64_t life = naive->life;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        if (naive->slots.slots[i].alive && (matcher < 0 || matches(matcher, naive->slots.slots[i].mask)))
            list[count++] = naive->slots.slots[i].entity;
    for (uint32_t i = 0; i < count && naive->life == life; i++) {
        model_slot *slot = model_slots_find(&naive->slots, list[i]);
        if (slot != NULL && (matcher < 0 || matches(matcher, slot->mask)))
            destroy(naive, slot);
    }
}

static kin_status destroy_all(naive *naive)
{
    while (model_slots_alive(&naive->slots) > 0)
        destroy_list(naive, -1);
    return model_slots_held(&naive->slots) > 0 ? refuse(naive, KIN_ERROR_RETAINED) : KIN_OK;
}

static kin_status reset(naive *naive)
{
    kin_status status = destroy_all(naive);
    naive->life++;
    model_slots_reset(&naive->slots);
    return status;
}

// ---- groups, subscriptions, collectors

static kin_status make_group(naive *naive, int32_t matcher)
{
    for (uint32_t i = 0; i < naive->group_count; i++)
        if (naive->groups[i] == matcher)
            return KIN_OK;
    naive->groups[naive->group_count++] = matcher;
    return KIN_OK;
}

static void subscribe(naive *naive, subscription made)
{
    make_group(naive, made.matcher);
    if (naive->subscription_count == SUBSCRIPTION_LIMIT)
        ck_abort_msg("the model subscribes too much");
    naive->subscriptions[naive->subscription_count++] = made;
}

static void end_subscriptions(naive *naive, int32_t number, int32_t collector)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < naive->subscription_count; i++) {
        subscription *subscription = &naive->subscriptions[i];
        if (subscription->collector == collector && (collector >= 0 || subscription->number == number))
            subscription->ended = true;
        if (naive->depth > 0 || !subscription->ended) // calls that are found name them by their places
            naive->subscriptions[kept++] = *subscription;
    }
    naive->subscription_count = kept;
}

static void clear(naive *naive, collector *collector)
{
    for (uint32_t i = 0; i < collector->count; i++) {
        model_slot *slot = &naive->slots.slots[kin_entity_slot(collector->entries[i])];
        slot->holders--;
        model_slots_free(&naive->slots, slot);
    }
    collector->count = 0;
}

static void set_active(naive *naive, int32_t number, bool active)
{
    collector *collector = &naive->collectors[number];
    if (collector->active == active)
        return;
    collector->active = active;
    for (int i = 0; i < 2 && active; i++)
        subscribe(naive, (subscription){-1, collector->matchers[i], number, collector->events[i], false});
    if (!active) {
        end_subscriptions(naive, -1, number);
        clear(naive, collector);
    }
}

static void make_collector(naive *naive, const model_operation *operation)
{
    collector *collector = &naive->collectors[operation->value];
    memset(collector, 0, sizeof *collector);
    collector->made = true;
    collector->matchers[0] = operation->number;
    collector->matchers[1] = operation->other;
    collector->events[0] = operation->event;
    collector->events[1] = KIN_ADDED_OR_REMOVED;
    make_group(naive, operation->number);
    make_group(naive, operation->other);
    set_active(naive, operation->value, true);
}

static kin_status change_watching(naive *naive, const model_operation *operation)
{
    switch (operation->code) {
    case MODEL_SUBSCRIBE:
        subscribe(naive, (subscription){operation->value, operation->number, -1, operation->event, false});
        break;
    case MODEL_UNSUBSCRIBE:
        end_subscriptions(naive, operation->number, -1);
        break;
    case MODEL_MAKE_COLLECTOR:
        make_collector(naive, operation);
        break;
    case MODEL_END_COLLECTOR:
        set_active(naive, operation->number, false);
        clear(naive, &naive->collectors[operation->number]);
        naive->collectors[operation->number].made = false;
        break;
    case MODEL_ACTIVATE:
    case MODEL_DEACTIVATE:
        set_active(naive, operation->number, operation->code == MODEL_ACTIVATE);
        break;
    default:
        clear(naive, &naive->collectors[operation->number]);
        break;
    }
    return KIN_OK;
}

// ---- the world

static void *begin(model_side *side, uint32_t max_entities)
{
    naive *made = calloc(1, sizeof *made);
    made->side = side;
    model_slots_begin(&made->slots, max_entities);
    return made;
}

static uint64_t apply(void *self, const model_operation *operation)
{
    naive *naive = self;
    model_slot *slot = NULL;
    switch (operation->code) {
    case MODEL_CREATE:
        return create(naive);
    case MODEL_DESTROY:
        slot = model_slots_find(&naive->slots, operation->entity);
        if (slot == NULL)
            return refuse(naive, KIN_ERROR_NOT_ALIVE);
        destroy(naive, slot);
        return KIN_OK;
    case MODEL_DESTROY_ALL:
        return destroy_all(naive);
    case MODEL_RESET:
        return reset(naive);
    case MODEL_MAKE_GROUP:
        return make_group(naive, operation->number);
    case MODEL_DESTROY_GROUP:
        make_group(naive, operation->number);
        destroy_list(naive, operation->number);
        return KIN_OK;
    default:
        return operation->code < MODEL_DESTROY_ALL ? change_component(naive, operation)
                                                   : change_watching(naive, operation);
    }
}

static bool is_alive(const void *self, kin_entity entity)
{
    return model_slots_find(&((naive *)(uintptr_t)self)->slots, entity) != NULL;
}

static void show_slot(naive *naive, const model_slot *slot)
{
    for (int32_t component = 0; component < MODEL_COMPONENTS; component++)
        model_log(naive->side, (model_record){.kind = MODEL_ENTITY,
                                              .entity = slot->entity,
                                              .component = component,
                                              .number = (slot->mask >> component & 1) != 0,
                                              .value = (slot->mask >> component & 1) == 0 || is_flag(component)
                                                           ? MODEL_NO_VALUE
                                                           : slot->values[component]});
}

static void show(void *self)
{
    naive *naive = self;
    for (uint32_t i = 0; i < MODEL_SLOTS; i++)
        if (naive->slots.slots[i].alive)
            show_slot(naive, &naive->slots.slots[i]);
    for (uint32_t g = 0; g < naive->group_count; g++)
        for (uint32_t i = 0; i < MODEL_SLOTS; i++)
            if (naive->slots.slots[i].alive && matches(naive->groups[g], naive->slots.slots[i].mask))
                model_log(naive->side, (model_record){.kind = MODEL_MEMBER,
                                                      .number = naive->groups[g],
                                                      .entity = naive->slots.slots[i].entity});
    for (int32_t c = 0; c < MODEL_COLLECTORS; c++)
        for (uint32_t i = 0; i < naive->collectors[c].count; i++)
            model_log(naive->side,
                      (model_record){.kind = MODEL_COLLECTED, .number = c, .entity = naive->collectors[c].entries[i]});
    model_log(naive->side, (model_record){.kind = MODEL_COUNT,
                                          .number = (int32_t)model_slots_held(&naive->slots),
                                          .value = (int32_t)naive->slots.freed_count});
}

const model_world model_naive = {begin, free, apply, is_alive, show};
