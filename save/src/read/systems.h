// Systems: the state of the systems of a world. Each block SYST is decoded into a node; once all were read, what they
// have collected is checked against the slots of the contexts, and the state is written as snapshots have it.
//
// The nodes are those of the world now, found by their paths. What the file has of others is checked and left out;
// nodes that the file lacks are as in a new world.
#ifndef KIN_SRC_READ_SYSTEMS_H
#define KIN_SRC_READ_SYSTEMS_H

#include "file/file.h"
#include "read/reading.h"
#include "snapshot/systems_state.h"
#include "world/world.h"
#include "world_snapshot/message_leaves.h"

// What a collector of the file has collected, and, once it is resolved, the entries of the collector now.
typedef struct kin__read_collected {
    uint32_t count;
    uint32_t *contexts; // numbers in the file
    kin_entity *entities;
    uint32_t entry_count;
    kin__saved_entry *entries;
} kin__read_collected;

typedef struct kin__read_inbox {
    uint32_t number;                   // of the message in the file
    const kin__component_shape *shape; // of the message now, whose number is `id`; NULL: it is no more
    uint32_t count;
    bool is_warned;
    uint64_t *serials;
    unsigned char *values; // structs of shape->info->size bytes
} kin__read_inbox;

typedef struct kin__read_node {
    kin__node *node;              // of the world; NULL: it is no more
    const kin__saved_node *saved; // as the world would save it now: which pieces it has
    const char *path;
    size_t path_size;
    bool is_read; // the file has it, and so what follows
    uint32_t flags;
    bool has_step;
    kin__saved_clock clock;
    uint32_t collector_count, member_count, inbox_count, word_count;
    kin__read_collected *collected;
    kin_entity *members;
    kin__read_inbox *inboxes;
    uint64_t *words; // marks of a system over a tree
} kin__read_node;

typedef struct kin__systems_reading {
    kin__world *world;
    kin__block_reader *blocks;
    kin__fault *fault;
    kin__heap heap;
    kin__reading *contexts; // of the world that are saved, by name
    uint32_t context_count;
    kin__file_schema *schema; // of the file
    kin__message_leaves leaves;
    kin__component_shape *messages; // of the world; their `id` is the number there
    unsigned char *now;             // the state of the world now (systems_state.h)
    kin__read_node *nodes;          // in order of running
    uint32_t node_count;
    bool has_root;
    kin__saved_world root;
    uint32_t **marks; // by context and slot: the number of the collector that had the entity last
    uint32_t collector_count;
} kin__systems_reading;

// Makes the nodes of the world, and ends what this and the others have made.
bool kin__systems_begin(kin__systems_reading *systems);
void kin__systems_end(kin__systems_reading *systems);

// Matches the messages of the file with those of the world.
bool kin__systems_match_schema(kin__systems_reading *systems, kin__file_schema *schema);

// Reads SYST. False, with a fault noted, if it is wrong.
bool kin__system_block_read(kin__systems_reading *systems, kin__decoder *decoder);

// Decodes what follows the path of a node, or of the root. (system_block.c)
bool kin__system_decode(kin__systems_reading *systems, kin__decoder *decoder, kin__read_node *node);
bool kin__root_decode(kin__systems_reading *systems, kin__decoder *decoder);

// Finds the collectors of what was collected, and holds the slots of dead entities, which were checked. (resolve.c)
bool kin__systems_resolve(kin__systems_reading *systems);

// Writes the state into the snapshot, which has room for it; NULL: nowhere. Returns its size. (system_state.c)
size_t kin__systems_write_state(const kin__systems_reading *systems, kin_snapshot *snapshot);

#endif
