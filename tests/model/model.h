// Model: two worlds that must not be told apart. One is a context of a generated package; the other keeps the rules of
// meaning in the plainest way: arrays, linear searches, groups and indices worked out anew for each question.
//
//   test_model.c      which packages and mixes are played
//     play.c            plays both worlds, compares what they logged; shrink.c finds the shortest game that fails
//       side.c, draw.c    one side: draws operations from a seed, does them, logs what is seen
//         real*.c           with the runtime, by the functions of port_*.c, whose memory it measures
//         naive*.c          by the rules
//     schema.c          what both know of the schema: parts, matchers, indices
//
// An operation logs its status, its refusals, and each call of a listener, filter or system, which may draw and do
// further operations. Components are called parts here: they have the same numbers in all packages, whatever their ids.
#ifndef KIN_TESTS_MODEL_MODEL_H
#define KIN_TESTS_MODEL_MODEL_H

#include "schema.h"

#include <kin/kin.h>

enum {
    MODEL_SLOTS = 8192,
    MODEL_COLLECTORS = 4,
    MODEL_SYSTEMS = 4,
    MODEL_OWNERS = 4,
    MODEL_EARS = 4, // users that listeners of generated events have
    MODEL_SETS = 2, // collections of event systems
    MODEL_NO_VALUE = INT32_MIN,
    MODEL_BROKEN = INT32_MIN + 1, // a value that is not whole
    MODEL_NO_PART = -1
};

typedef enum model_kind {
    MODEL_OPERATION, // about to be done; the others follow from it
    MODEL_STATUS,
    MODEL_ERROR,
    MODEL_CALL,
    MODEL_HEARD, // by a listener of a generated event
    MODEL_ASKED, // of a filter
    MODEL_EXECUTED,
    MODEL_VISITED, // in typed iteration
    MODEL_ANSWER,
    MODEL_ENTITY, // what can be seen in the end
    MODEL_MEMBER,
    MODEL_COLLECTED,
    MODEL_FOUND, // by an index
    MODEL_COUNT
} model_kind;

// What the numbers are depends on the kind; those without a meaning are 0.
typedef struct model_record {
    kin_entity entity;
    int32_t kind, number, part, previous, value, place;
} model_record;

typedef struct model_side model_side;

typedef enum model_code {
    MODEL_CREATE,
    MODEL_CLONE,
    MODEL_SET_UNIQUE,
    MODEL_REPLACE_UNIQUE,
    MODEL_SPAWN, // so far answer an entity
    MODEL_DESTROY,
    MODEL_ADD,
    MODEL_REPLACE,
    MODEL_REMOVE,
    MODEL_READD,
    MODEL_STASH,
    MODEL_RESTORE,
    MODEL_TOUCH,
    MODEL_EDIT,
    MODEL_SET,
    MODEL_APPLY,
    MODEL_REMOVE_ALL,
    MODEL_REMOVE_SOME,
    MODEL_REMOVE_UNIQUE,
    MODEL_SET_UNIQUE_FLAG,
    MODEL_RETAIN,
    MODEL_RELEASE,
    MODEL_DESTROY_ALL,
    MODEL_RESET,
    MODEL_MAKE_GROUP,
    MODEL_DESTROY_GROUP,
    MODEL_SPAWN_MANY, // `owner` of them; where `event` is not 0 the tags of one part are `value`, `value` + `other` …
    MODEL_ASK_WRONGLY, // with a matcher that is refused
    MODEL_SINGLE,
    MODEL_WALK,
    MODEL_ASK,
    MODEL_DESCRIBE,
    MODEL_TRIM, // gives memory back, which nobody can tell
    MODEL_SUBSCRIBE,
    MODEL_SUBSCRIBE_ENTITY,
    MODEL_SUBSCRIBE_CONTEXT,
    MODEL_UNSUBSCRIBE,
    MODEL_MAKE_COLLECTOR, // on two matchers, the second for what is added or removed
    MODEL_END_COLLECTOR,
    MODEL_ACTIVATE,
    MODEL_DEACTIVATE,
    MODEL_CLEAR,
    MODEL_ADD_SYSTEM,
    MODEL_REMOVE_SYSTEM,
    MODEL_ENABLE_SYSTEM,
    MODEL_EXECUTE,
    MODEL_CLEANUP,
    MODEL_ACTIVATE_ALL,
    MODEL_DEACTIVATE_ALL,
    MODEL_CLEAR_ALL,
    MODEL_HEAR, // of a generated event
    MODEL_UNHEAR,
    MODEL_MAKE_EVENTS, // a collection of event systems
    MODEL_END_EVENTS,
    MODEL_DELIVER,
    MODEL_ENABLE_EVENT,
    MODEL_ACTIVATE_EVENTS,
    MODEL_DEACTIVATE_EVENTS,
    MODEL_CLEAR_EVENTS,
    MODEL_SPREAD, // the next entities will come to the slots around the ends of words and chunks
    MODEL_CODE_COUNT
} model_code;

// `entity`, `part` and `value` as far as it has them; `number` is a matcher, a subscription, a collector, a system, a
// generated event, a collection of event systems or a blueprint, `other` a second matcher, `event` of the kind that the code says,
// `mask` a set of parts, `owner` a holder.
typedef struct model_operation {
    model_code code;
    kin_entity entity;
    int32_t part, value, number, other, event, owner;
    uint32_t mask;
} model_operation;

// How a context is made, beside its package.
typedef struct model_options {
    bool fast_retain;
    uint64_t first_creation_index;
    uint32_t max_entities;
} model_options;

typedef struct model_world {
    void *(*begin)(model_side *side, const model_package *package, const model_options *options);
    void (*end)(void *self);
    // Answers a status, or what was made.
    uint64_t (*apply)(void *self, const model_operation *operation);
    bool (*is_alive)(const void *self, kin_entity entity);
    bool (*has)(const void *self, kin_entity entity, int32_t part);
    uint32_t (*count)(const void *self); // of living entities
    void (*show_entity)(void *self, kin_entity entity);
    void (*show_all)(void *self); // logs everything that can be seen
} model_world;

extern const model_world model_real, model_naive;

// For the worlds: appends to the log of the side, and has somebody called, who may apply further operations.
void model_log(model_side *side, model_record record);
void model_call(model_side *side, model_record record);

// Tells of an entity that was made, beside what the operation answers.
void model_made(model_side *side, kin_entity entity);

// The tags that MODEL_SPAWN_MANY gives; NULL for those of the blueprint.
const int32_t *model_batch_tags(const model_operation *operation, int32_t tags[MODEL_BATCH]);

// What a filter says.
bool model_ask(model_side *side, model_record record);

// The names of systems, by number: first those that are added, then those of the cleanup, then nobody's.
enum { MODEL_NAMES = MODEL_SYSTEMS + 4 };
extern const char *const model_names[MODEL_NAMES];

// In which order MODEL_SPREAD destroys what it has made: what comes last is used first.
enum { MODEL_SPREAD_COUNT = 520 };
uint32_t model_spread_place(uint32_t index);

#endif
