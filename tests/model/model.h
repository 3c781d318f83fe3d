// Model: two worlds that must behave the same. One is a context of a generated package; the other implements the rules
// of meaning in the simplest way: arrays, linear searches, groups and indices computed anew for each query.
//
//   test_model.c      which packages and mixes are played
//     play.c            plays both worlds, compares their logs; shrink.c finds the shortest game that fails
//       side.c, draw.c    one side: draws operations from a seed, performs them, logs the results
//       replay.c          one side saves, plays, goes back, and plays the same again
//         real*.c           with the runtime, by the functions of port_*.c, whose memory it measures
//         naive*.c          by the rules
//     schema.c          the schema, for both worlds: parts, matchers, indices
//
// An operation logs its status, its refusals, and each call of a listener, filter or system, which may draw and perform
// further operations. Components are called parts here: they have the same numbers in all packages, whatever their ids.
#ifndef KIN_TESTS_MODEL_MODEL_H
#define KIN_TESTS_MODEL_MODEL_H

#include "model/game/schema.h"

#include <kin/kin.h>
#include <kin/snapshot.h>

enum {
    MODEL_SLOTS = 8192,
    MODEL_COLLECTORS = 4,
    MODEL_SYSTEMS = 4,
    MODEL_OWNERS = 4,
    MODEL_EVENT_LISTENERS = 4, // `user` arguments of listeners of generated events
    MODEL_SETS = 2,            // collections of event systems
    MODEL_SNAPSHOTS = 6,
    MODEL_NO_VALUE = INT32_MIN,
    MODEL_BROKEN = INT32_MIN + 1, // a value that is torn or freed
    MODEL_NO_PART = -1
};

typedef enum model_kind {
    MODEL_OPERATION, // about to be performed; its other records follow
    MODEL_STATUS,
    MODEL_ERROR,
    MODEL_CALL,
    MODEL_EVENT_CALL, // by a listener of a generated event
    MODEL_ASKED,      // of a filter
    MODEL_EXECUTED,
    MODEL_VISITED, // in typed iteration
    MODEL_ANSWER,
    MODEL_ENTITY, // the visible state at the end
    MODEL_MEMBER,
    MODEL_COLLECTED,
    MODEL_FOUND, // by an index
    MODEL_COUNT
} model_kind;

// The meaning of the numbers depends on the kind; numbers without a meaning are 0.
typedef struct model_record {
    kin_entity entity;
    int32_t kind, number, part, previous, value, place, event;
} model_record;

typedef struct model_side model_side;

typedef enum model_code {
    MODEL_CREATE,
    MODEL_CLONE,
    MODEL_SET_UNIQUE,
    MODEL_REPLACE_UNIQUE,
    MODEL_SPAWN, // the operations up to this one return an entity; unless `event` is 0, the tag of one part is `value`
    MODEL_DESTROY,
    MODEL_ADD,
    MODEL_REPLACE,
    MODEL_REMOVE,
    MODEL_READD,
    MODEL_STASH,
    MODEL_RESTORE,
    MODEL_RESTORE_OR_ADD,
    MODEL_ENSURE,
    MODEL_TOUCH,
    MODEL_EDIT,
    MODEL_SET,
    MODEL_APPLY,
    MODEL_REMOVE_ALL,
    MODEL_REMOVE_SOME,
    MODEL_COPY, // to `target`: the parts `mask`, 0: all; `owner` is whether it replaces
    MODEL_REMOVE_UNIQUE,
    MODEL_SET_UNIQUE_FLAG,
    MODEL_RETAIN,
    MODEL_RELEASE,
    MODEL_DESTROY_ALL,
    MODEL_RESET,
    MODEL_MAKE_GROUP,
    MODEL_DESTROY_GROUP,
    MODEL_SPAWN_MANY, // of `owner` entities; unless `event` is 0, the tags of one part are `value`, `value` + `other` …
    MODEL_ASK_WRONGLY, // with an invalid matcher
    MODEL_SINGLE,
    MODEL_WALK,
    MODEL_ASK,
    MODEL_DESCRIBE,
    MODEL_TRIM, // frees memory, without any visible change
    MODEL_SUBSCRIBE,
    MODEL_SUBSCRIBE_ENTITY,
    MODEL_SUBSCRIBE_CONTEXT,
    MODEL_UNSUBSCRIBE,
    MODEL_MAKE_COLLECTOR, // on two matchers, the second for added or removed
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
    MODEL_LISTEN, // a listener of a generated event
    MODEL_UNLISTEN,
    MODEL_MAKE_EVENTS, // a collection of event systems
    MODEL_END_EVENTS,
    MODEL_DELIVER,
    MODEL_ENABLE_EVENT,
    MODEL_ACTIVATE_EVENTS,
    MODEL_DEACTIVATE_EVENTS,
    MODEL_CLEAR_EVENTS,
    MODEL_SAVE,         // into the snapshot `number`
    MODEL_REWIND,       // to the snapshot `number`, with the mode `other`
    MODEL_END_SNAPSHOT, // the snapshot `number`
    MODEL_REPLAY,       // of a side, not of its world: saves, plays, rewinds, and plays the same again
    MODEL_SPREAD,       // the next entities get slots around the ends of words and chunks
    MODEL_CODE_COUNT
} model_code;

// `entity`, `part` and `value` if the operation has them; `number` is a matcher, a subscription, a collector, a system,
// a generated event, a collection of event systems, a blueprint or a snapshot, `other` a second matcher, `event` of the
// kind that the code needs, `mask` a set of parts, `owner` a holder.
typedef struct model_operation {
    model_code code;
    kin_entity entity, target;
    int32_t part, value, number, other, event, owner;
    uint32_t mask;
} model_operation;

// The options of a context, beside its package.
typedef struct model_options {
    bool fast_retain;
    uint64_t first_creation_index;
    uint32_t max_entities;
} model_options;

typedef struct model_world {
    void *(*begin)(model_side *side, const model_package *package, const model_options *options);
    void (*end)(void *self);
    // Returns a status, or the created entity.
    uint64_t (*apply)(void *self, const model_operation *operation);
    bool (*is_alive)(const void *self, kin_entity entity);
    bool (*has)(const void *self, kin_entity entity, int32_t part);
    uint32_t (*count)(const void *self); // of living entities
    void (*show_entity)(void *self, kin_entity entity);
    void (*show_all)(void *self); // logs all visible state
} model_world;

extern const model_world model_real, model_naive;

// For the worlds: appends to the log of the side, and makes the call, during which further operations may be applied.
void model_log(model_side *side, model_record record);
void model_call(model_side *side, model_record record);

// Logs a created entity, beside the result of the operation.
void model_made(model_side *side, kin_entity entity);

// The tags that MODEL_SPAWN and MODEL_SPAWN_MANY set; NULL for the tags of the blueprint.
const int32_t *model_batch_tags(const model_operation *operation, int32_t tags[MODEL_BATCH]);

// The result of a filter.
bool model_ask(model_side *side, model_record record);

// The names of systems, by number: first the systems that are added, then the cleanup systems, then an unused name.
enum { MODEL_NAMES = MODEL_SYSTEMS + 4 };
extern const char *const model_names[MODEL_NAMES];

// The names of owners, by number; NULL: retains without a name.
extern const char *const model_owner_names[MODEL_OWNERS];

// The order in which MODEL_SPREAD destroys the entities that it has created: the slot freed last is used first.
enum { MODEL_SPREAD_COUNT = 520 };
uint32_t model_spread_place(uint32_t index);

#endif
