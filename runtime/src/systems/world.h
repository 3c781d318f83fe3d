// World: the systems of a package, in the order of its schedule, with the messages that they send each other.
//
//   root ─┬─ node ─┬─ declared system …        systems.h: a collection for each node, a node for each system
//         │        └─ node …
//         └─ what delivers events of each context, then what cleans up in each
//   subscribers[message] → inbox → inbox …     whose they are, in order of their systems
//   declared[system]                           NULL: it was removed
//   typed[]                                    the generated world, which all functions of systems get
#ifndef KIN_SRC_WORLD_H
#define KIN_SRC_WORLD_H

#include "systems/inbox.h"
#include "systems/systems.h"

#include <kin/generated/world.h>

struct kin__schema_system;

struct kin__world {
    const kin__world_info *info;
    kin__memory memory;
    kin_context_options options; // whom to tell
    kin_context **contexts;
    kin_systems *root; // NULL once it has ended
    struct kin__schema_system **schema_system;
    kin__inbox **subscribers;
    uint64_t published; // messages that ever were
    kin__pushed pushed;
    bool is_broken, has_begun;
    max_align_t typed[];
};

// Tells of what cannot be done in a world. `name`: a system's or the world's, behind the verb.
kin_status kin__world_refuse(const kin__world *world, kin_status status, const char *verb, const char *name,
                             const char *reason);

#endif
