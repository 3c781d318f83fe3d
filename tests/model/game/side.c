#include "side.h"

#include <check.h>
#include <string.h>

const char *const model_names[MODEL_NAMES] = {"first",  "second", "third",   "fourth",
                                              "Doomed", "Fading", "cleanup", "unused"};

const char *const model_owner_names[MODEL_OWNERS] = {NULL, "owner-1", NULL, "owner-3"};

// Around the ends of the first word, the first chunk and the second word of each.
uint32_t model_spread_place(uint32_t index)
{
    static const uint32_t used_first[] = {63, 511, 64, 512, 62, 510, 65, 513, 0, 1, 127, 128, 448, 447, 61, 66};
    enum { COUNT = sizeof used_first / sizeof *used_first };
    uint32_t place = index;
    if (index >= MODEL_SPREAD_COUNT - COUNT)
        return used_first[MODEL_SPREAD_COUNT - 1 - index];
    for (uint32_t at = 0, passed = 0; at < MODEL_SPREAD_COUNT; at++) {
        bool is_kept = false;
        for (uint32_t i = 0; i < COUNT; i++)
            is_kept = is_kept || used_first[i] == at;
        if (!is_kept && passed++ == index)
            place = at;
    }
    return place;
}

// ---- logging

// Records that do not fit are mixed into the last record, so that a difference in them is still visible.
void model_log(model_side *side, model_record record)
{
    if (side->log_count < SIDE_LOG) {
        side->log[side->log_count++] = record;
        return;
    }
    model_record *last = &side->log[SIDE_LOG - 1];
    last->entity = (last->entity ^ record.entity ^ (uint64_t)(uint32_t)record.value << 32 ^
                    (uint64_t)(uint32_t)record.number << 8 ^ (uint64_t)(uint32_t)record.kind) *
                   UINT64_C(0x9E3779B97F4A7C15);
}

bool side_differs(const model_record *a, const model_record *b)
{
    return a->entity != b->entity || a->kind != b->kind || a->number != b->number || a->part != b->part ||
           a->previous != b->previous || a->value != b->value || a->place != b->place || a->event != b->event;
}

// ---- applying

static void remember_entity(model_side *side, kin_entity entity)
{
    uint32_t place = side_draw(side, side->mix->handle_count);
    for (int i = 0; i < 8 && side->world->is_alive(side->self, side->memory.handles[place]); i++)
        place = (place + 1) % side->mix->handle_count;
    side->memory.handles[place] = entity;
}

void model_made(model_side *side, kin_entity entity)
{
    model_log(side, (model_record){.kind = MODEL_ANSWER, .entity = entity});
    if (entity != 0)
        remember_entity(side, entity);
}

const int32_t *model_batch_tags(const model_operation *operation, int32_t tags[MODEL_BATCH])
{
    for (int32_t i = 0; i < MODEL_BATCH; i++)
        tags[i] = (operation->value + i * operation->other) % 1000;
    return operation->event != 0 ? tags : NULL;
}

// Remembers the subscription before the operation, because its listeners may draw next.
static void remember_watcher(model_side *side, const model_operation *operation)
{
    switch (operation->code) {
    case MODEL_SUBSCRIBE:
    case MODEL_SUBSCRIBE_ENTITY:
    case MODEL_SUBSCRIBE_CONTEXT:
        side->is_of_entity[side->subscription_count] = operation->code == MODEL_SUBSCRIBE_ENTITY;
        side->subscriptions[side->subscription_count++] = side->next_subscription++;
        break;
    case MODEL_UNSUBSCRIBE:
        for (int32_t i = 0; i < side->subscription_count; i++)
            if (side->subscriptions[i] == operation->number) {
                side->subscriptions[i] = side->subscriptions[--side->subscription_count];
                side->is_of_entity[i] = side->is_of_entity[side->subscription_count];
            }
        break;
    case MODEL_MAKE_COLLECTOR:
        side->collectors[operation->value] = COLLECTOR_ENDING;
        break;
    case MODEL_END_COLLECTOR:
        side->collectors[operation->number] = COLLECTOR_ENDING;
        break;
    case MODEL_MAKE_EVENTS:
    case MODEL_END_EVENTS:
        side->events[operation->number] = COLLECTOR_ENDING;
        break;
    default:
        break;
    }
}

static void remember_event_listener(model_side *side, const model_operation *operation)
{
    uint32_t place = side->event_listener_count < SIDE_EVENT_LISTENERS ? side->event_listener_count++
                                                                       : side_draw(side, SIDE_EVENT_LISTENERS);
    side->event_listeners[place] = (side_event_listener){operation->entity, operation->number, operation->value};
}

// Other entities are released by chance or never.
static void remember_hold(model_side *side, const model_operation *operation)
{
    uint32_t place = side->memory.hold_count < SIDE_HOLDS ? side->memory.hold_count++ : side_draw(side, SIDE_HOLDS);
    side->memory.held[place] = operation->entity;
    side->memory.owners[place] = operation->owner;
}

// SNP-06: what was refused has changed nothing.
static void remember_moment(model_side *side, const model_operation *operation, uint64_t result)
{
    int32_t number = operation->number;
    if (operation->code == MODEL_SAVE && (result == KIN_OK || result == KIN_ERROR_RETAINED)) {
        side->snapshots[number] = true;
        side->memories[number] = side->memory;
    }
    if (operation->code == MODEL_REWIND && result == KIN_OK)
        side->memory = side->memories[number];
    if (operation->code == MODEL_END_SNAPSHOT)
        side->snapshots[number] = false;
}

static void remember_result(model_side *side, const model_operation *operation, uint64_t result)
{
    bool makes = operation->code < MODEL_DESTROY;
    if (makes && result != 0)
        remember_entity(side, result);
    if (operation->code == MODEL_CREATE)
        side->starved = result != 0 ? 0 : side->starved + 1;
    if (operation->code == MODEL_RETAIN && result == KIN_OK)
        remember_hold(side, operation);
    if (operation->code == MODEL_MAKE_COLLECTOR)
        side->collectors[operation->value] = result == KIN_OK ? COLLECTOR_MADE : COLLECTOR_NONE;
    if (operation->code == MODEL_END_COLLECTOR)
        side->collectors[operation->number] = COLLECTOR_NONE;
    if (operation->code == MODEL_LISTEN && result == KIN_OK)
        remember_event_listener(side, operation);
    if (operation->code == MODEL_MAKE_EVENTS || operation->code == MODEL_END_EVENTS)
        side->events[operation->number] =
            (operation->code == MODEL_MAKE_EVENTS) == (result == KIN_OK) ? COLLECTOR_MADE : COLLECTOR_NONE;
    remember_moment(side, operation, result);
    model_log(side, (model_record){
                        .kind = MODEL_STATUS, .entity = makes ? result : 0, .number = makes ? 0 : (int32_t)result});
}

uint64_t side_apply(model_side *side, const model_operation *operation)
{
    model_log(side, (model_record){.kind = MODEL_OPERATION,
                                   .place = (int32_t)operation->code,
                                   .entity = operation->entity,
                                   .part = operation->part,
                                   .value = operation->value,
                                   .number = operation->number,
                                   .previous = operation->other});
    remember_watcher(side, operation);
    uint64_t result = side->world->apply(side->self, operation);
    remember_result(side, operation, result);
    return result;
}

void side_operate(model_side *side)
{
    model_operation operation;
    side->operation_count++;
    if (!side_draw_operation(side, &operation))
        return;
    if (operation.code == MODEL_REPLAY)
        side_replay(side, operation.number);
    else
        side_apply(side, &operation);
}

void model_call(model_side *side, model_record record)
{
    model_log(side, record);
    side->reached = side->depth > side->reached ? side->depth : side->reached;
    bool is_full = side->depth >= side->max_depth || side->inner >= side->max_inner;
    is_full = is_full || (side->deep && record.kind != MODEL_CALL); // only listeners of changes count as depth
    if (is_full || side_draw(side, 100) >= side->nested_percent)
        return;
    side->depth++;
    side->refusals += record.kind == MODEL_ERROR;
    for (uint32_t left = 1 + side_draw(side, 3); left > 0; left--) {
        side->inner++;
        side_operate(side);
        if (side->deep && side->reached <= side->depth && side->inner < side->max_inner)
            left++; // a callback needs at least one operation
    }
    side->refusals -= record.kind == MODEL_ERROR;
    side->depth--;
}

bool model_ask(model_side *side, model_record record)
{
    bool passes = side_draw(side, 3) > 0;
    record.value = passes;
    model_call(side, record);
    return passes;
}

// ---- turns

void side_begin(model_side *side, const model_world *world, const model_package *package, const model_mix *mix)
{
    memset(side, 0, sizeof *side);
    side->world = world;
    side->package = package;
    side->mix = mix;
    side->self = world->begin(side, package, &mix->options);
}

void side_end(model_side *side)
{
    side->log_count = 0;
    side->nested_percent = 0;
    side->world->end(side->self);
}

void side_turn(model_side *side, uint64_t seed, uint64_t turn, uint32_t inner)
{
    const model_mix *mix = side->mix;
    side->random = (seed * UINT64_C(0x9E3779B97F4A7C15) ^ (turn + 1) * UINT64_C(0xBF58476D1CE4E5B9)) | 1;
    side->log_count = side->inner = 0;
    for (int i = 0; i < 4; i++)
        side_draw(side, 2);
    bool deep = side_draw(side, 100) < mix->deep_percent;
    side->deep = deep;
    side->reached = 0;
    side->nested_percent = deep ? 98 : mix->nested_percent;
    side->max_depth = deep ? 70 : mix->max_depth;
    side->max_inner = deep ? 400 : mix->max_inner;
    if (inner != 0 && inner < side->max_inner)
        side->max_inner = inner;
    side_operate(side);
}

// The log has all that the turn did; this adds the state of the entities that it names.
void side_show(model_side *side, bool all)
{
    uint32_t count = side->log_count, shown = 0;
    for (uint32_t i = 0; i < count && shown < 16; i++)
        if (side->log[i].entity != 0 && (side->log[i].kind == MODEL_OPERATION || side->log[i].kind == MODEL_STATUS)) {
            side->world->show_entity(side->self, side->log[i].entity);
            shown++;
        }
    model_log(side, (model_record){.kind = MODEL_COUNT, .value = (int32_t)side->world->count(side->self)});
    if (all)
        side->world->show_all(side->self);
}
