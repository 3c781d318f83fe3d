// Model: two worlds that must not be told apart. One is a context of package relay; the other keeps the rules of
// meaning in the plainest way: arrays, linear searches, groups worked out anew for each question.
//
//   driver (test_model.c)   draws operations from a seed, does each in both worlds, compares what they logged
//     model_real.c          does it with the runtime
//     model_naive.c         does it by the rules; model_slots.c gives out its slots
//
// An operation logs its status, its refusals, and each call of a listener, which may draw and do further operations.
#ifndef KIN_TESTS_RUNTIME_MODEL_H
#define KIN_TESTS_RUNTIME_MODEL_H

#include <kin/kin.h>

enum {
    MODEL_COMPONENTS = 6, // of the relay: A, B, Big and C with a value, F and G without
    MODEL_MATCHERS = 14,
    MODEL_SLOTS = 1024,
    MODEL_COLLECTORS = 4,
    MODEL_NO_VALUE = INT32_MIN
};

typedef enum model_kind {
    MODEL_OPERATION, // about to be done; the others follow from it
    MODEL_STATUS,
    MODEL_ERROR,
    MODEL_CALL,
    MODEL_ENTITY, // what can be seen in the end
    MODEL_MEMBER,
    MODEL_COLLECTED,
    MODEL_COUNT
} model_kind;

// What the numbers are depends on the kind; those without a meaning are 0.
typedef struct model_record {
    kin_entity entity;
    int32_t kind, number, component, previous, value, place;
} model_record;

typedef struct model_side model_side;

// An operation. `entity`, `component` and `value` as far as it has them; `number` is a matcher, a subscription or a
// collector; `event` one of kin_group_event, `other` a second matcher.
typedef struct model_operation {
    uint32_t code;
    kin_entity entity;
    int32_t component, value, number, other;
    kin_group_event event;
} model_operation;

typedef enum model_code {
    MODEL_CREATE,
    MODEL_DESTROY,
    MODEL_ADD,
    MODEL_REPLACE,
    MODEL_REMOVE,
    MODEL_TOUCH,
    MODEL_EDIT,
    MODEL_DESTROY_ALL,
    MODEL_RESET,
    MODEL_MAKE_GROUP,
    MODEL_DESTROY_GROUP,
    MODEL_SUBSCRIBE,
    MODEL_UNSUBSCRIBE,
    MODEL_MAKE_COLLECTOR, // on two matchers, the second for what is added or removed
    MODEL_END_COLLECTOR,
    MODEL_ACTIVATE,
    MODEL_DEACTIVATE,
    MODEL_CLEAR,
    MODEL_CODE_COUNT
} model_code;

typedef struct model_world {
    void *(*begin)(model_side *side, uint32_t max_entities);
    void (*end)(void *self);
    // Answers a status, or for MODEL_CREATE what was made.
    uint64_t (*apply)(void *self, const model_operation *operation);
    bool (*is_alive)(const void *self, kin_entity entity);
    // Logs everything that can be seen.
    void (*show)(void *self);
} model_world;

extern const model_world model_real, model_naive;

// Matchers by number, in the runtime's terms and as sets of components.
kin_matcher model_matcher(int32_t number);

// For the worlds: appends to the log of the side, and has a listener called, which may apply further operations.
void model_log(model_side *side, model_record record);
void model_call(model_side *side, model_record record);

#endif
