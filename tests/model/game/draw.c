// Drawing operations: the possible next operations, with their parts, entities and watchers.

#include "side.h"

#include <kin/snapshot.h>

// Two bytes if one cannot give every number.
static uint32_t draw_from_bytes(model_side *side, uint32_t end)
{
    uint32_t number = *side->bytes++;
    side->byte_count--;
    if (end > 256 && side->byte_count > 0) {
        number |= (uint32_t)*side->bytes++ << 8;
        side->byte_count--;
    }
    return number % end;
}

// xorshift64*; Vigna, 2014.
uint32_t side_draw(model_side *side, uint32_t end)
{
    if (side->byte_count > 0)
        return draw_from_bytes(side, end);
    uint64_t x = side->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    side->random = x;
    return (uint32_t)((x * 2685821657736338717u) >> 33) % end;
}

static kin_entity draw_entity(model_side *side)
{
    if (side_draw(side, 50) == 0)
        return side_draw(side, 2) == 0 ? 0 : (kin_entity)side_draw(side, 1000) << 24 | side_draw(side, 2000);
    kin_entity entity = 0;
    for (int i = 0; i < 12 && !side->world->is_alive(side->self, entity); i++) // mostly a living entity
        entity = side->memory.handles[side_draw(side, side->mix->handle_count)];
    return entity;
}

static const struct {
    model_code code;
    uint32_t weight;
} weights[] = {
    {MODEL_CREATE, 100},
    {MODEL_CLONE, 40},
    {MODEL_SET_UNIQUE, 10},
    {MODEL_REPLACE_UNIQUE, 10},
    {MODEL_SPAWN, 60},
    {MODEL_SPAWN_MANY, 24},
    {MODEL_APPLY, 50},
    {MODEL_DESTROY, 70},
    {MODEL_ADD, 330},
    {MODEL_REPLACE, 200},
    {MODEL_REMOVE, 160},
    {MODEL_READD, 30},
    {MODEL_STASH, 50},
    {MODEL_RESTORE, 40},
    {MODEL_RESTORE_OR_ADD, 20},
    {MODEL_ENSURE, 20},
    {MODEL_TOUCH, 50},
    {MODEL_EDIT, 20},
    {MODEL_REMOVE_ALL, 14},
    {MODEL_REMOVE_SOME, 20},
    {MODEL_COPY, 40},
    {MODEL_REMOVE_UNIQUE, 8},
    {MODEL_SET_UNIQUE_FLAG, 16},
    {MODEL_RETAIN, 30},
    {MODEL_RELEASE, 44},
    {MODEL_DESTROY_ALL, 2},
    {MODEL_RESET, 3},
    {MODEL_MAKE_GROUP, 5},
    {MODEL_DESTROY_GROUP, 5},
    {MODEL_ASK_WRONGLY, 4},
    {MODEL_SINGLE, 8},
    {MODEL_WALK, 12},
    {MODEL_ASK, 40},
    {MODEL_DESCRIBE, 4},
    {MODEL_TRIM, 10},
    {MODEL_SUBSCRIBE, 34},
    {MODEL_SUBSCRIBE_ENTITY, 26},
    {MODEL_SUBSCRIBE_CONTEXT, 8},
    {MODEL_UNSUBSCRIBE, 50},
    {MODEL_MAKE_COLLECTOR, 8},
    {MODEL_END_COLLECTOR, 6},
    {MODEL_ACTIVATE, 10},
    {MODEL_DEACTIVATE, 8},
    {MODEL_CLEAR, 24},
    {MODEL_ADD_SYSTEM, 8},
    {MODEL_REMOVE_SYSTEM, 11},
    {MODEL_ENABLE_SYSTEM, 8},
    {MODEL_EXECUTE, 30},
    {MODEL_CLEANUP, 10},
    {MODEL_ACTIVATE_ALL, 3},
    {MODEL_DEACTIVATE_ALL, 2},
    {MODEL_CLEAR_ALL, 4},
    {MODEL_LISTEN, 110},
    {MODEL_UNLISTEN, 26},
    {MODEL_MAKE_EVENTS, 16},
    {MODEL_END_EVENTS, 2},
    {MODEL_DELIVER, 70},
    {MODEL_ENABLE_EVENT, 6},
    {MODEL_ACTIVATE_EVENTS, 4},
    {MODEL_DEACTIVATE_EVENTS, 1},
    {MODEL_CLEAR_EVENTS, 4},
    {MODEL_SPREAD, 1},
    {MODEL_SAVE, 12},
    {MODEL_REWIND, 8},
    {MODEL_END_SNAPSHOT, 4},
    {MODEL_REPLAY, 2},
};

// Frees space for entities: those that are collected, held, or all.
static model_code draw_relief(model_side *side)
{
    static const model_code codes[] = {MODEL_CLEAR,         MODEL_CLEAR,   MODEL_CLEAR,   MODEL_CLEAR_ALL,
                                       MODEL_RELEASE,       MODEL_RELEASE, MODEL_DELIVER, MODEL_CLEAR_EVENTS,
                                       MODEL_END_COLLECTOR, MODEL_EXECUTE, MODEL_RESET};
    return codes[side_draw(side, sizeof codes / sizeof *codes)];
}

static bool makes_entities(model_code code)
{
    return code == MODEL_CREATE || code == MODEL_CLONE || code == MODEL_SPAWN || code == MODEL_SPAWN_MANY;
}

static model_code draw_moment_code(model_side *side)
{
    static const model_code codes[] = {MODEL_SAVE, MODEL_SAVE, MODEL_REWIND, MODEL_REPLAY, MODEL_END_SNAPSHOT};
    return codes[side_draw(side, sizeof codes / sizeof *codes)];
}

static model_code draw_code(model_side *side)
{
    if (side->moment_percent > 0 && side_draw(side, 100) < side->moment_percent)
        return draw_moment_code(side);
    enum { COUNT = sizeof weights / sizeof *weights };
    uint32_t sum = 0, i = 0, population = side->world->count(side->self);
    for (uint32_t k = 0; k < COUNT; k++)
        sum += weights[k].weight;
    uint32_t rest = side_draw(side, sum);
    for (; rest >= weights[i].weight; i++)
        rest -= weights[i].weight;
    model_code code = weights[i].code;
    if (side->starved > 2 && side_draw(side, 2) == 0)
        return draw_relief(side);
    bool empties = code == MODEL_DESTROY_ALL || code == MODEL_RESET || code == MODEL_DESTROY_GROUP;
    if (side->mix->population > 200 && empties && side_draw(side, 20) > 0)
        return MODEL_CREATE;
    if (population > side->mix->population && makes_entities(code))
        return MODEL_DESTROY;
    if (population < side->mix->population / 2 && (code == MODEL_DESTROY || side_draw(side, 6) == 0))
        return MODEL_CREATE;
    return code;
}

static bool has_operation(int32_t part, model_code code)
{
    const model_trait *trait = &model_traits[part];
    if (code == MODEL_TOUCH)
        return trait->is_editable || trait->is_touchable;
    return code != MODEL_EDIT || trait->is_editable;
}

static int32_t draw_part(model_side *side, model_code code)
{
    for (;;) {
        int32_t part = (int32_t)side_draw(side, MODEL_PARTS);
        if ((side->package->parts & model_bit(part)) != 0 && has_operation(part, code))
            return part;
    }
}

static bool has_part(const model_side *side, int32_t part)
{
    return (side->package->parts & model_bit(part)) != 0;
}

// Mostly a present part, if a part is to be stashed.
static bool draw_stash(model_side *side, model_operation *operation)
{
    static const int32_t parts[] = {PART_BOOK, PART_COIN, PART_CROWN, PART_FLOOR};
    uint32_t count = sizeof parts / sizeof *parts, first = side_draw(side, count);
    operation->part = parts[first];
    if (!has_part(side, operation->part))
        return false;
    for (uint32_t i = 1; i < count && operation->code == MODEL_STASH; i++)
        if (!side->world->has(side->self, operation->entity, operation->part))
            operation->part = parts[(first + i) % count];
    return true;
}

// Mostly an owner that is known to hold.
static void draw_hold(model_side *side, model_operation *operation)
{
    if (operation->code != MODEL_RELEASE || side->memory.hold_count == 0 || side_draw(side, 4) == 0)
        return;
    uint32_t place = side_draw(side, side->memory.hold_count--);
    operation->entity = side->memory.held[place];
    operation->owner = side->memory.owners[place];
    side->memory.held[place] = side->memory.held[side->memory.hold_count];
    side->memory.owners[place] = side->memory.owners[side->memory.hold_count];
}

// All parts, or some of them.
static void draw_copy(model_side *side, model_operation *operation)
{
    operation->target = draw_entity(side);
    operation->owner = side_draw(side, 3) > 0;
    if (side_draw(side, 2) == 0)
        operation->mask = side_draw(side, 1u << MODEL_PARTS) & side->package->parts;
}

// A part that the entity has, or the one whose default is the value of a tag.
static bool draw_ensure(const model_side *side, model_operation *operation)
{
    if (model_traits[operation->part].is_flag || !side->world->has(side->self, operation->entity, operation->part))
        operation->part = PART_PLAIN;
    return has_part(side, operation->part);
}

// A flag is set instead.
static bool draw_change(model_side *side, model_operation *operation)
{
    bool is_written = operation->code == MODEL_TOUCH || operation->code == MODEL_EDIT;
    bool taken = is_written || operation->code == MODEL_REMOVE || operation->code == MODEL_REPLACE ||
                 operation->code == MODEL_READD;
    operation->part = draw_part(side, operation->code);
    for (int i = 0; i < 5 && taken && !side->world->has(side->self, operation->entity, operation->part); i++)
        operation->part = draw_part(side, operation->code); // mostly a present part
    bool flag = model_traits[operation->part].is_flag;
    switch (operation->code) {
    case MODEL_ADD:
    case MODEL_REPLACE:
    case MODEL_REMOVE:
        operation->owner = operation->code != MODEL_REMOVE;
        operation->code = flag ? MODEL_SET : operation->code;
        return true;
    case MODEL_READD:
        return !flag;
    case MODEL_STASH:
    case MODEL_RESTORE:
    case MODEL_RESTORE_OR_ADD:
        return draw_stash(side, operation);
    case MODEL_SET_UNIQUE:
    case MODEL_REPLACE_UNIQUE:
    case MODEL_REMOVE_UNIQUE:
        operation->part = PART_CROWN;
        return has_part(side, PART_CROWN);
    case MODEL_SET_UNIQUE_FLAG:
        operation->part = PART_KING;
        operation->owner = (int32_t)side_draw(side, 2);
        return has_part(side, PART_KING);
    case MODEL_REMOVE_SOME:
        operation->mask =
            side_draw(side, 1u << MODEL_PARTS) & side_draw(side, 1u << MODEL_PARTS) & side->package->parts;
        return operation->mask != 0;
    case MODEL_COPY:
        draw_copy(side, operation);
        return true;
    case MODEL_ENSURE:
        return draw_ensure(side, operation);
    default:
        return true;
    }
}

// Mostly a few, rarely more than a word has bits.
static void draw_spawn(model_side *side, model_operation *operation)
{
    if (operation->code != MODEL_SPAWN && operation->code != MODEL_SPAWN_MANY && operation->code != MODEL_APPLY)
        return;
    operation->number = (int32_t)side_draw(side, side->package->blueprint_count);
    operation->other = (int32_t)side_draw(side, 3);
    operation->event = (int32_t)side_draw(side, 2);
    operation->owner = (int32_t)side_draw(side, side_draw(side, 20) == 0 ? MODEL_BATCH + 1 : 5);
}

// Chooses what is watched and by which watcher. False if there is nothing to watch, or no space for another watcher.
static bool draw_watcher(model_side *side, model_operation *operation)
{
    int32_t collector = (int32_t)side_draw(side, MODEL_COLLECTORS);
    switch (operation->code) {
    case MODEL_SUBSCRIBE:
    case MODEL_SUBSCRIBE_CONTEXT:
    case MODEL_SUBSCRIBE_ENTITY:
        operation->value = side->next_subscription;
        operation->event = (int32_t)side_draw(side, operation->code == MODEL_SUBSCRIBE          ? 4
                                                    : operation->code == MODEL_SUBSCRIBE_ENTITY ? 5
                                                                                                : 6);
        operation->owner = side_draw(side, 30) > 0; // rarely without a listener
        return side->subscription_count < SIDE_SUBSCRIPTIONS;
    case MODEL_UNSUBSCRIBE:
        if (side->subscription_count > 0)
            operation->number = side->subscriptions[side_draw(side, (uint32_t)side->subscription_count)];
        return side->subscription_count > 0;
    case MODEL_MAKE_COLLECTOR:
        operation->value = collector;
        return side->collectors[collector] == COLLECTOR_NONE;
    case MODEL_END_COLLECTOR:
    case MODEL_ACTIVATE:
    case MODEL_DEACTIVATE:
    case MODEL_CLEAR:
        operation->number = collector;
        return side->collectors[collector] == COLLECTOR_MADE;
    default:
        return true;
    }
}

static bool draw_system(model_side *side, model_operation *operation)
{
    switch (operation->code) {
    case MODEL_ADD_SYSTEM:
        operation->value = operation->number;
        operation->number = (int32_t)side_draw(side, MODEL_SYSTEMS);
        return side->depth < 4;
    case MODEL_REMOVE_SYSTEM:
        operation->number = (int32_t)side_draw(side, MODEL_SYSTEMS);
        return true;
    case MODEL_ENABLE_SYSTEM:
        operation->number = (int32_t)side_draw(side, MODEL_NAMES);
        operation->owner = side_draw(side, 4) > 0;
        return true;
    case MODEL_EXECUTE:
    case MODEL_CLEANUP:
        return side->depth < 6;
    default:
        return true;
    }
}

// Mostly removes a listener if the entity has one, and adds none while there are many.
static void draw_event_listener(model_side *side, model_operation *operation)
{
    if (operation->code == MODEL_LISTEN && side->event_listener_count == SIDE_EVENT_LISTENERS)
        operation->code = MODEL_UNLISTEN;
    do
        operation->number = (int32_t)side_draw(side, MODEL_EVENTS);
    while (!has_part(side, model_events[operation->number].part));
    operation->value = (int32_t)side_draw(side, MODEL_EVENT_LISTENERS);
    operation->owner = side_draw(side, 30) > 0; // rarely without a function
    if (operation->code != MODEL_UNLISTEN || side->event_listener_count == 0 || side_draw(side, 4) == 0)
        return;
    uint32_t place = side_draw(side, side->event_listener_count);
    operation->entity = side->event_listeners[place].entity;
    operation->number = side->event_listeners[place].event;
    operation->value = side->event_listeners[place].number;
    side->event_listeners[place] = side->event_listeners[--side->event_listener_count];
}

static bool draw_event(model_side *side, model_operation *operation)
{
    if (operation->code < MODEL_LISTEN || operation->code > MODEL_CLEAR_EVENTS)
        return true;
    draw_event_listener(side, operation);
    if (operation->code == MODEL_LISTEN || operation->code == MODEL_UNLISTEN)
        return true;
    operation->value = operation->number;
    operation->number = (int32_t)side_draw(side, MODEL_SETS);
    operation->owner = side_draw(side, 4) > 0;
    if (operation->code == MODEL_DELIVER && side->depth >= 6)
        return false;
    return side->events[operation->number] == (operation->code == MODEL_MAKE_EVENTS ? COLLECTOR_NONE : COLLECTOR_MADE);
}

static void draw_existing_snapshot(model_side *side, model_operation *operation)
{
    for (int i = 0; i < MODEL_SNAPSHOTS && !side->snapshots[operation->number]; i++)
        operation->number = (operation->number + 1) % MODEL_SNAPSHOTS;
}

// While a side replays, its snapshots stay.
static bool draw_moment(model_side *side, model_operation *operation)
{
    if (operation->code < MODEL_SAVE || operation->code > MODEL_REPLAY)
        return true;
    operation->number = (int32_t)side_draw(side, MODEL_SNAPSHOTS);
    operation->other = side_draw(side, 12) == 0 ? KIN_RESTORE_ANEW : KIN_RESTORE_EXACTLY;
    if (operation->code == MODEL_REWIND || operation->code == MODEL_END_SNAPSHOT)
        draw_existing_snapshot(side, operation);
    switch (operation->code) {
    case MODEL_SAVE:
        return !side->replaying && side->refusals == 0;
    case MODEL_REWIND:
        return side->refusals == 0 && side->snapshots[operation->number] &&
               (!side->replaying || operation->number != side->kept);
    case MODEL_REPLAY:
        return !side->replaying && side->depth == 0;
    default:
        return !side->replaying && side->snapshots[operation->number];
    }
}

// What a context's snapshot does not have stays while a side replays: who listens, collects and runs.
static bool may_replay(const model_side *side, model_code code)
{
    bool changes = code >= MODEL_SUBSCRIBE && code <= MODEL_DEACTIVATE_EVENTS && code != MODEL_CLEAR &&
                   code != MODEL_EXECUTE && code != MODEL_CLEANUP && code != MODEL_CLEAR_ALL;
    return !side->replaying || !changes;
}

bool side_draw_operation(model_side *side, model_operation *operation)
{
    *operation = (model_operation){.code = draw_code(side),
                                   .entity = draw_entity(side),
                                   .value = (int32_t)side_draw(side, 1000),
                                   .number = (int32_t)side_draw(side, side->package->matcher_count),
                                   .other = (int32_t)side_draw(side, side->package->matcher_count),
                                   .event = (int32_t)side_draw(side, 4),
                                   .owner = (int32_t)side_draw(side, MODEL_OWNERS)};
    if (operation->code == MODEL_WALK)
        operation->number %= (int32_t)side->package->declared_count;
    if (operation->code == MODEL_SPREAD && (!side->mix->spread || side->depth > 0))
        operation->code = MODEL_CREATE;
    bool possible = draw_change(side, operation);
    possible = draw_watcher(side, operation) && possible;
    draw_hold(side, operation);
    draw_spawn(side, operation);
    possible = draw_event(side, operation) && possible;
    possible = draw_moment(side, operation) && possible;
    return draw_system(side, operation) && possible && may_replay(side, operation->code);
}
