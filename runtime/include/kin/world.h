/// Worlds for tools: the systems, schedule and messages of a schema as constant tables, and the contexts and systems of
/// a world whose type the tool does not know.
///
/// `arena_world_base(world)` returns the kin_world of a generated world. Names and docs are those of the schema.
#ifndef KIN_WORLD_H
#define KIN_WORLD_H

#include <kin/inventory.h>
#include <kin/profile.h>

KIN_BEGIN_DECLARATIONS

/// The base of every generated world. It is part of the generated world and ends with it.
typedef struct kin__world kin_world;

/// The parent of a node at the top of the schedule.
#define KIN_NO_NODE ((uint32_t)-1)

/// A node of the schedule.
typedef struct kin_node_info {
    const char *name;   ///< the name in the schema
    const char *doc;    ///< the description in the schema, or NULL
    uint32_t parent;    ///< number of the node around it; KIN_NO_NODE at the top
    double step;        ///< length of its fixed steps, in the unit of the deltas; 0: runs once for each update
    uint32_t max_steps; ///< with a fixed step: steps in one update at most
} kin_node_info;

/// A message.
typedef struct kin_message_info {
    const char *name;             ///< the name in the schema
    const char *doc;              ///< the description in the schema, or NULL
    size_t size;                  ///< bytes; 0 for a message without fields
    const kin_field_info *fields; ///< in the order of the schema
    uint32_t field_count;         ///< number of them
    const char *identity;         ///< the name that saves have, or NULL: that of the schema
} kin_message_info;

/// A change that causes a reactive system to execute.
typedef struct kin_trigger_info {
    uint32_t context;      ///< number of the context in `contexts` of the world's info
    uint32_t group;        ///< number of the group in `groups` of that context's info
    kin_group_event event; ///< what happens in the group
} kin_trigger_info;

/// What a full inbox loses when a message is published.
typedef enum kin_full {
    KIN_FULL_OLDEST, ///< its oldest message
    KIN_FULL_NEWEST, ///< the published message
    KIN_FULL_ERROR   ///< the published message, and each loss is reported
} kin_full;

/// The messages of one type that a system receives.
typedef struct kin_inbox_info {
    uint32_t message;  ///< number of the message in `messages`
    uint32_t capacity; ///< messages that can wait; 0: no limit
    kin_full full;     ///< with a capacity: what is lost
} kin_inbox_info;

/// What a parallel system does besides reading and writing columns, by names of the schema. Empty lists are NULL.
typedef struct kin_job_info {
    uint32_t batch;               ///< systems of a node with the same number run side by side
    const char *const *looks_up;  ///< names of the indices in which it looks up entities
    uint32_t look_up_count;       ///< number of them
    const char *const *changes;   ///< names of the components that its commands add, replace and remove
    uint32_t change_count;        ///< number of them
    const char *const *spawns;    ///< names of the blueprints that its commands spawn
    uint32_t spawn_count;         ///< number of them
    const char *const *publishes; ///< names of the messages that its commands publish
    uint32_t publish_count;       ///< number of them
    bool destroys;                ///< its commands destroy entities
} kin_job_info;

/// A system of the schema. Empty lists are NULL.
typedef struct kin_system_info {
    const char *name;                 ///< the name in the schema
    const char *doc;                  ///< the description in the schema, or NULL
    kin_system_kind kind;             ///< KIN_SYSTEM_PLAIN, KIN_SYSTEM_REACTIVE or KIN_SYSTEM_GROUP
    uint32_t node;                    ///< number of its node in `nodes`
    const kin_role *roles;            ///< those that have a function; with an inbox, KIN_ROLE_INBOX is the last
    uint32_t role_count;              ///< number of them
    bool has_filter;                  ///< a reactive system has a `filter`
    bool keeps_left;                  ///< `leave` can read last values
    uint32_t context;                 ///< of a group system: number of the group's context
    uint32_t group;                   ///< of a group system: number of the group in `groups` of the context's info
    uint32_t order;                   ///< 1 + the index that orders the group, or what it reacts to; 0: none
    const kin_trigger_info *triggers; ///< of a reactive system
    uint32_t trigger_count;           ///< number of them
    const kin_inbox_info *inboxes;    ///< in the order of the schema
    uint32_t inbox_count;             ///< number of them
    const char *const *reads;         ///< names of the components that the system declares to read
    uint32_t read_count;              ///< number of them
    const char *const *writes;        ///< names of the components that the system declares to write
    uint32_t write_count;             ///< number of them
    const uint32_t *predecessors;     ///< numbers of the systems that `before` and `after` put before it
    uint32_t predecessor_count;       ///< number of them
    const char *identity;             ///< the name that saves have, or NULL: that of the schema
    const kin_job_info *job;          ///< what a parallel system does; NULL if the system is not parallel
} kin_system_info;

/// A world. Numbers are indices in these lists. Empty lists are NULL.
typedef struct kin_world_info {
    const char *name;                        ///< the package in the schema
    uint64_t stamp;                          ///< hash of the layout of the generated world
    const kin_context_info *const *contexts; ///< in order of name
    uint32_t context_count;                  ///< number of them
    const kin_node_info *nodes;              ///< in the order in which they run: a node, then its children
    uint32_t node_count;                     ///< number of them
    const kin_system_info *systems;          ///< in the order in which they run, node by node
    uint32_t system_count;                   ///< number of them
    const kin_message_info *messages;        ///< in order of name
    uint32_t message_count;                  ///< number of them
} kin_world_info;

/// Returns the tables of the world's schema, which are constant; NULL for NULL. Cost: two loads.
KIN_API const kin_world_info *kin_world_info_of(const kin_world *world);

/// Returns the context with this number in `contexts` of the info; NULL for NULL, and for a number out of range. The
/// world owns it. Cost: a few loads.
KIN_API kin_context *kin_world_context(const kin_world *world, uint32_t number);

/// Returns the tick, as arena_world_tick does; all zero for NULL. Cost: a few loads.
KIN_API kin_tick kin_world_tick(const kin_world *world);

/// Returns the systems, as arena_world_systems does, or NULL for NULL. The world owns them. Cost: one load.
KIN_API kin_systems *kin_world_systems(const kin_world *world);

/// For a program in which a C++ exception or a `longjmp` left a callback, which is not allowed: makes it possible to
/// destroy the world. Call it when none of the calls in progress will return; tasks of an executor must have finished.
/// It calls kin_context_abandon for each context. The world then refuses everything but being destroyed, which calls no
/// `tear_down` and no `dispose`, and leaves the contexts that were given to it. NULL is allowed. Cost: that of
/// kin_context_abandon for each context, and a few instructions for each system.
KIN_API void kin_world_abandon(kin_world *world);

KIN_END_DECLARATIONS

#endif
