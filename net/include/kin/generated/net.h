/// What of a package is sent to replicas, as constant tables; for generated code only. Changes with the interface
/// version.
///
/// A leaf is a number, string, entity, enum, array or list inside of a value. Structs have no row: their fields have.
/// An array or a list of structs is one leaf, and `inner` has the leaves of an element. A frame has one bit for each
/// leaf of a component, in the order of the rows.
#ifndef KIN_INTERNAL_NET_H
#define KIN_INTERNAL_NET_H

#include <kin/generated/save.h>
#include <kin/info.h>
#include <kin/net.h>

#include <stddef.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__net_leaf {
    const char *path; // "at.x", by the names that saves have
    uint32_t offset;  // bytes from the beginning of the value, or of the element that `inner` describes
    uint32_t size;    // bytes; of an array or a list, of an element
    uint32_t count;   // elements of an array in place; 0: not an array
    uint16_t field;   // index of the field of the component, message or element that contains it
    uint8_t type;     // a kin_type: of an array or a list, that of its elements, which may be KIN_TYPE_STRUCT
    bool is_list;     // `struct { const T *at; uint32_t count; }`
    bool is_blended;  // `blend: true`, also of the field around it
    double precision; // the value is sent as a multiple of this; 0: exactly. Of an array of structs: of leaves that
                      // have none themselves
    const struct kin__net_leaf *inner; // of an array or list of structs: the leaves of an element
    uint32_t inner_count;
    uint32_t value_count;     // of an enum
    const int32_t *values;    // of an enum, in the order of the schema
    const char *const *names; // of the values, that saves have; NULL: unknown
    const char *target;       // of an entity: the context, by the name that saves have; NULL: any
} kin__net_leaf;

// To whom a component is sent.
typedef enum kin__net_to {
    KIN__NET_TO_ALL,  // that see the entity
    KIN__NET_TO_OWNER // the peer that owns it
} kin__net_to;

// A component that is sent. Others of the context have no row.
typedef struct kin__net_component {
    const char *name; // that saves have
    kin_component_id id;
    uint8_t to; // kin__net_to
    const kin__net_leaf *leaves;
    uint32_t leaf_count; // 0: of a flag, or if no field is sent
} kin__net_component;

#define KIN__NET_NO_COMPONENT ((kin_component_id)-1)

// A field of a component: `zone: true` or `peer: true`.
typedef struct kin__net_place {
    kin_component_id component; // KIN__NET_NO_COMPONENT: the context has none
    uint16_t field;             // index in the component
    uint32_t offset;            // bytes from the beginning of the value
} kin__net_place;

// A context with `replicate: true`.
typedef struct kin__net_context {
    const char *name; // that saves have
    const kin_context_info *info;
    uint32_t number;                      // of the context in the world
    const kin__net_component *components; // in the order of their ids
    uint32_t component_count;
    kin__net_place zone; // int32_t
    kin__net_place peer; // uint32_t
} kin__net_context;

#define KIN__NET_NO_OFFSET ((uint32_t)-1)

// A message that crosses the transport.
typedef struct kin__net_message {
    const char *name; // that saves have
    uint32_t number;  // of the message in the world
    uint32_t size;    // bytes of the value; 0: no fields
    bool is_from_replica, is_to_replica;
    const kin__net_leaf *leaves;
    uint32_t leaf_count;
    uint32_t peer, zone; // offsets of these fields; KIN__NET_NO_OFFSET: none
} kin__net_message;

// Where a system of a world with a session runs.
typedef enum kin__net_runs { KIN__RUNS_HOST, KIN__RUNS_REPLICA, KIN__RUNS_PREDICTED } kin__net_runs;

typedef struct kin__net_info {
    const char *package;
    uint64_t hash;                    // of everything here by names: equal hashes need no conversion
    const kin__net_context *contexts; // in the order of their numbers
    uint32_t context_count;
    const kin__net_message *messages; // in the order of their numbers
    uint32_t message_count;
    const uint8_t *runs; // kin__net_runs of each system, in the order of the world
    uint32_t system_count;
} kin__net_info;

struct kin__world;

// Those of <kin/net.h>. `world` may be NULL, which is reported as KIN_ERROR_INVALID.
KIN_API kin_session *kin__world_host(struct kin__world *world, const kin__net_info *info, kin_transport *transport,
                                     const kin_session_options *options);
KIN_API kin_session *kin__world_follow(struct kin__world *world, const kin__net_info *info, kin_transport *transport,
                                       const kin_session_options *options);

// `migrations` are those of the package for saves, or NULL.
KIN_API kin_session *kin__world_stand_by(struct kin__world *world, const kin__net_info *info, kin_transport *transport,
                                         const kin_session_options *options, const kin__migrations *migrations);

// At a replica sends the message to the host; otherwise publishes it. `number` is that of the message in the world.
KIN_API kin_status kin__world_send(struct kin__world *world, uint32_t number, const void *message);

// Writes the value of the component between the last two frames; all zero if the entity has it in none of them.
KIN_API void kin__session_blend(const kin_session *session, uint32_t context, kin_component_id component,
                                kin_entity entity, void *value, size_t size);

KIN_END_DECLARATIONS

#endif
