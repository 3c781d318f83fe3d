// Port: the generated functions of one package, so that one driver can call those of all packages. Functions that a
// package lacks are NULL.
//
// Values are passed as tags: a part's value follows from its tag, and reading checks that it does.
#ifndef KIN_TESTS_MODEL_PORT_H
#define KIN_TESTS_MODEL_PORT_H

#include "model/game/schema.h"

#include <kin/kin.h>
#include <kin/snapshot.h>

typedef struct model_port_part {
    kin_component_id id;
    kin_status (*add)(void *context, kin_entity entity, int32_t tag);
    kin_status (*replace)(void *context, kin_entity entity, int32_t tag);
    kin_status (*add_by_id)(void *context, kin_entity entity, kin_component_id id, int32_t tag);
    kin_status (*replace_by_id)(void *context, kin_entity entity, kin_component_id id, int32_t tag);
    kin_status (*remove)(void *context, kin_entity entity);
    kin_status (*readd)(void *context, kin_entity entity, int32_t tag);
    kin_status (*touch)(void *context, kin_entity entity);
    void (*edit)(void *context, kin_entity entity, int32_t tag);
    const void *(*ensure)(void *context, kin_entity entity);
    kin_status (*set)(void *context, kin_entity entity, bool on);
    bool (*has)(const void *context, kin_entity entity);
    const void *(*get)(const void *context, kin_entity entity);
    const void *(*get_unchecked)(const void *context, kin_entity entity);
    int32_t (*standard)(void);
    int32_t (*read)(const void *value);
    kin_entity (*set_unique)(void *context, int32_t tag);
    kin_entity (*replace_unique)(void *context, int32_t tag);
    kin_status (*remove_unique)(void *context);
    kin_status (*set_unique_flag)(void *context, bool on);
    bool (*has_unique)(const void *context);
    const void *(*get_unique)(const void *context);
    kin_entity (*unique_entity)(const void *context);
} model_port_part;

// Called for each run or block (`count` places, of a block those in `mask`), then for each place.
typedef struct model_walker {
    void (*begin)(void *user, uint32_t count);
    void (*visit)(void *user, kin_entity entity, int32_t tag);
    void *user;
} model_walker;

typedef struct model_port_group {
    kin_group *(*group)(void *context);
    const kin_entity *(*entities)(void *context, uint32_t *count);
    void (*walk)(void *context, bool by_blocks, const model_walker *walker);
} model_port_group;

typedef struct model_port_index {
    kin_entity (*find)(void *context, int32_t first, int32_t second);
    const kin_entity *(*find_all)(void *context, int32_t first, int32_t second, uint32_t *count);
} model_port_index;

// The `user` of listeners of generated events: forwards their arguments, without a value for a flag.
typedef struct model_event_listener {
    void (*call)(struct model_event_listener *listener, void *context, kin_entity entity, const void *value);
} model_event_listener;

// Adds or removes a listener; without a function unless it is `whole`.
typedef struct model_port_event {
    kin_status (*add_listener)(void *context, kin_entity entity, bool whole, model_event_listener *listener);
    kin_status (*remove_listener)(void *context, kin_entity entity, bool whole, model_event_listener *listener);
} model_port_event;

// `tags` are those of the one part with given values, NULL: no part has any; `made` gets the handles.
typedef struct model_port_blueprint {
    kin_entity (*spawn)(void *context, const int32_t *tags);
    kin_status (*spawn_many)(void *context, uint32_t count, const int32_t *tags, kin_entity *made);
    kin_status (*apply)(void *context, kin_entity entity);
} model_port_blueprint;

typedef struct model_port {
    const kin_context_info *info;
    void *(*create)(const kin_context_options *options);
    void (*destroy)(void *context);
    kin_status (*reset)(void *context);
    kin_entity (*create_entity)(void *context);
    kin_entity (*clone_entity)(void *context, kin_entity source);
    kin_status (*destroy_entity)(void *context, kin_entity entity);
    kin_status (*destroy_all)(void *context);
    kin_status (*remove_all)(void *context, kin_entity entity);
    kin_status (*copy)(void *context, kin_entity from, kin_entity to, kin_rule rule, bool replace);
    kin_status (*retain)(void *context, kin_entity entity, const void *owner);
    kin_status (*release)(void *context, kin_entity entity, const void *owner);
    bool (*is_alive)(const void *context, kin_entity entity);
    uint32_t (*count)(const void *context);
    const kin_entity *(*entities)(void *context, uint32_t *count);
    kin_group *(*group)(void *context, kin_matcher matcher);
    kin_systems *(*cleanup_systems)(void *context);
    kin_systems *(*event_systems)(void *context);
    kin_status (*save)(void *context, kin_snapshot **snapshot);
    kin_status (*rewind)(void *context, const kin_snapshot *snapshot, kin_restore_mode mode);
    model_port_part parts[MODEL_PARTS];
    model_port_group groups[MODEL_DECLARED];
    model_port_index indices[MODEL_INDICES];
    model_port_event events[MODEL_EVENTS];
    model_port_blueprint blueprints[MODEL_BLUEPRINTS];
} model_port;

extern const model_port model_port_1, model_port_63, model_port_64, model_port_65, model_port_300;

#endif
