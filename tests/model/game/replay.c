// SNP-01: a side saves, plays some operations, goes back, and plays the same again: both logs must be equal.
//
// Nothing is collected when it saves, and no entity has listeners of its own, because the snapshot does not have them;
// all groups are there. What follows changes nothing of that kind.
#include "side.h"

#include <string.h>

enum { SHORTEST = 4, LONGEST = 60 };

// Without operations of those that it calls.
static kin_status apply_alone(model_side *side, model_code code, int32_t number)
{
    uint32_t percent = side->nested_percent;
    side->nested_percent = 0;
    uint64_t result = side_apply(side, &(model_operation){.code = code, .number = number, .value = 1});
    side->nested_percent = percent;
    return (kin_status)result;
}

static void forget_collected(model_side *side)
{
    for (int32_t i = 0; i < MODEL_COLLECTORS; i++)
        if (side->collectors[i] == COLLECTOR_MADE)
            apply_alone(side, MODEL_CLEAR, i);
    apply_alone(side, MODEL_CLEAR_ALL, 0);
    for (int32_t i = 0; i < MODEL_SETS; i++)
        if (side->events[i] == COLLECTOR_MADE)
            apply_alone(side, MODEL_CLEAR_EVENTS, i);
}

static void prepare(model_side *side)
{
    for (int32_t i = side->subscription_count; i-- > 0;)
        if (side->is_of_entity[i])
            apply_alone(side, MODEL_UNSUBSCRIBE, side->subscriptions[i]);
    for (uint32_t i = 0; i < side->package->matcher_count; i++)
        apply_alone(side, MODEL_MAKE_GROUP, (int32_t)i);
    forget_collected(side);
}

// What the next draws depend on, beside the world.
typedef struct source {
    uint64_t random;
    const uint8_t *bytes;
    size_t byte_count;
    uint32_t starved, inner, reached;
    side_event_listener event_listeners[SIDE_EVENT_LISTENERS];
    uint32_t event_listener_count;
} source;

static source source_of(const model_side *side)
{
    source source = {side->random,  side->bytes, side->byte_count,          side->starved, side->inner,
                     side->reached, {{0}},       side->event_listener_count};
    memcpy(source.event_listeners, side->event_listeners, sizeof source.event_listeners);
    return source;
}

static void draw_from(model_side *side, const source *source)
{
    side->random = source->random;
    side->bytes = source->bytes;
    side->byte_count = source->byte_count;
    side->starved = source->starved;
    side->inner = source->inner;
    side->reached = source->reached;
    side->event_listener_count = source->event_listener_count;
    memcpy(side->event_listeners, source->event_listeners, sizeof source->event_listeners);
}

static void play(model_side *side, uint32_t count)
{
    while (count-- > 0)
        side_operate(side);
    side->world->show_all(side->self);
}

// Whether the log repeats from `second` on what it has between `first` and `end`; true if it was too short for that.
static bool is_same(const model_side *side, uint32_t first, uint32_t end, uint32_t second)
{
    bool is_equal = side->log_count - second == end - first;
    for (uint32_t i = 0; i < end - first && is_equal && side->log_count < SIDE_LOG; i++)
        is_equal = !side_differs(&side->log[first + i], &side->log[second + i]);
    return is_equal || side->log_count == SIDE_LOG;
}

static void play_twice(model_side *side, uint32_t count, int32_t number)
{
    source source = source_of(side);
    uint32_t first = side->log_count;
    play(side, count);
    uint32_t end = side->log_count;
    apply_alone(side, MODEL_REWIND, number);
    draw_from(side, &source);
    uint32_t second = side->log_count;
    play(side, count);
    if (!is_same(side, first, end, second)) // the worlds differ also if this is so in both
        model_log(side, (model_record){
                            .kind = MODEL_ANSWER, .value = MODEL_BROKEN, .number = side->world == &model_real ? 1 : 2});
}

void side_replay(model_side *side, int32_t number)
{
    uint32_t count = SHORTEST + side_draw(side, LONGEST);
    prepare(side);
    side->replaying = true;
    side->kept = number;
    if (apply_alone(side, MODEL_SAVE, number) == KIN_OK)
        play_twice(side, count, number);
    side->replaying = false;
}
