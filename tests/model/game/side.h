// One side of the model: a world, the source of its random operations, and its log.
//
// Each turn draws from a seed of its own, so that leaving turns out does not change what the others draw. As long
// as the worlds are the same, both sides draw the same.
#ifndef KIN_TESTS_MODEL_SIDE_H
#define KIN_TESTS_MODEL_SIDE_H

#include "model/model.h"

enum { SIDE_HANDLES = 1500, SIDE_SUBSCRIPTIONS = 24, SIDE_HOLDS = 32, SIDE_EVENT_LISTENERS = 96, SIDE_LOG = 1 << 16 };

// The settings of a played world, beside its package.
typedef struct model_mix {
    const char *name;
    model_options options;
    uint32_t handle_count; // handles that a side remembers: more than can be alive, so that few are forgotten
    uint32_t population;   // the approximate number of living entities
    bool spread;
    uint32_t nested_percent; // the share of calls that perform operations
    uint32_t max_depth, max_inner;
    uint32_t deep_percent; // the share of turns that nest nearly always, up to the limit
    uint32_t show_every;   // all state is shown about every so many turns
} model_mix;

// The state of a collector, or of a collection of event systems.
typedef enum side_collector { COLLECTOR_NONE, COLLECTOR_MADE, COLLECTOR_ENDING } side_collector;

// What a side remembers of its world, and goes back to when the world does.
typedef struct side_memory {
    kin_entity handles[SIDE_HANDLES];
    kin_entity held[SIDE_HOLDS]; // each by one owner
    int32_t owners[SIDE_HOLDS];
    uint32_t hold_count;
} side_memory;

typedef struct side_event_listener {
    kin_entity entity;
    int32_t event, number;
} side_event_listener;

struct model_side {
    const model_world *world;
    void *self;
    const model_package *package;
    const model_mix *mix;
    uint64_t random;
    const uint8_t *bytes; // the first source of random choices; NULL: the seed alone
    size_t byte_count;
    uint32_t moment_percent; // the share of operations that concern snapshots, beside those drawn like others
    side_memory memory, memories[MODEL_SNAPSHOTS];
    bool snapshots[MODEL_SNAPSHOTS]; // that there are
    bool replaying;
    int32_t kept; // the snapshot of a replay
    bool is_of_entity[SIDE_SUBSCRIPTIONS];
    int32_t subscriptions[SIDE_SUBSCRIPTIONS], subscription_count, next_subscription;
    side_collector collectors[MODEL_COLLECTORS], events[MODEL_SETS];
    side_event_listener event_listeners[SIDE_EVENT_LISTENERS]; // some of the listeners that were added
    uint32_t event_listener_count;
    uint32_t starved; // refused creations since the last successful one
    bool deep;
    uint32_t reached; // the greatest depth in this turn
    uint32_t depth, refusals, inner, nested_percent, max_depth, max_inner;
    uint64_t operation_count;
    model_record log[SIDE_LOG];
    uint32_t log_count;
};

void side_begin(model_side *side, const model_world *world, const model_package *package, const model_mix *mix);
void side_end(model_side *side);

// One operation, and the operations inside it: at most `inner`, unless that is 0.
void side_turn(model_side *side, uint64_t seed, uint64_t turn, uint32_t inner);

// Logs the state that the last turn can have changed, or all state.
void side_show(model_side *side, bool all);

// One operation, drawn and applied.
void side_operate(model_side *side);

// An operation that was not drawn.
uint64_t side_apply(model_side *side, const model_operation *operation);

// Whether two records differ.
bool side_differs(const model_record *a, const model_record *b);

// replay.c
void side_replay(model_side *side, int32_t number);

// draw.c: a number below `end`, and an operation; false if it cannot be performed now.
uint32_t side_draw(model_side *side, uint32_t end);
bool side_draw_operation(model_side *side, model_operation *operation);

#endif
