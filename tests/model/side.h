// One side of the model: a world, what its operations are drawn from, and the log of what was seen.
//
// Each turn draws from a seed of its own, so that turns can be left out without changing what the others draw. As long
// as the worlds are the same, both sides draw the same.
#ifndef KIN_TESTS_MODEL_SIDE_H
#define KIN_TESTS_MODEL_SIDE_H

#include "model.h"

enum { SIDE_HANDLES = 1500, SIDE_SUBSCRIPTIONS = 24, SIDE_HOLDS = 32, SIDE_EARS = 96, SIDE_LOG = 1 << 16 };

// How a world is played, beside its package.
typedef struct model_mix {
    const char *name;
    model_options options;
    uint32_t handle_count; // known to a side: more than can be alive, so that few of those are forgotten
    uint32_t population;   // about how many are to be alive
    bool spread;
    uint32_t nested_percent; // how many of the calls do operations
    uint32_t max_depth, max_inner;
    uint32_t deep_percent; // how many of the turns nest nearly always, as deep as may be
    uint32_t show_every;   // about how many turns: shows everything
} model_mix;

// Of a collector, or a collection of event systems.
typedef enum side_collector { COLLECTOR_NONE, COLLECTOR_MADE, COLLECTOR_ENDING } side_collector;

typedef struct side_ear {
    kin_entity entity;
    int32_t event, number;
} side_ear;

struct model_side {
    const model_world *world;
    void *self;
    const model_package *package;
    const model_mix *mix;
    uint64_t random;
    const uint8_t *bytes; // drawn from as long as they last; NULL: none
    size_t byte_count;
    kin_entity handles[SIDE_HANDLES];
    int32_t subscriptions[SIDE_SUBSCRIPTIONS], subscription_count, next_subscription;
    side_collector collectors[MODEL_COLLECTORS], events[MODEL_SETS];
    side_ear ears[SIDE_EARS]; // of those that were added, some
    uint32_t ear_count;
    kin_entity held[SIDE_HOLDS]; // by an owner each
    int32_t owners[SIDE_HOLDS];
    uint32_t hold_count;
    uint32_t starved; // how many entities could not be made since the last that could
    bool deep;
    uint32_t reached; // depth, in this turn
    uint32_t depth, inner, nested_percent, max_depth, max_inner;
    uint64_t operation_count;
    model_record log[SIDE_LOG];
    uint32_t log_count;
};

void side_begin(model_side *side, const model_world *world, const model_package *package, const model_mix *mix);
void side_end(model_side *side);

// One operation, and those inside it: `inner` at most, where that is not 0.
void side_turn(model_side *side, uint64_t seed, uint64_t turn, uint32_t inner);

// Logs what the last turn can have changed, or everything.
void side_show(model_side *side, bool all);

// draw.c: a number below `end`, and an operation; false when it cannot be done now.
uint32_t side_draw(model_side *side, uint32_t end);
bool side_draw_operation(model_side *side, model_operation *operation);

#endif
