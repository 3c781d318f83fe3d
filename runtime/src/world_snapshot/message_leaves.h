// Message leaves: the leaves of all messages of a schema, and which number each message has in hashes and files.
#ifndef KIN_SRC_MESSAGE_LEAVES_H
#define KIN_SRC_MESSAGE_LEAVES_H

#include "base/base.h"
#include "snapshot/snapshot.h"

#include <kin/world.h>

typedef struct kin__message_leaves {
    kin__memory memory;
    void *block;
    size_t size;
    kin__leaves *of; // by number of the message in the schema
} kin__message_leaves;

// Makes the leaves; `info` may be NULL: then there are no messages. False when out of memory.
bool kin__message_leaves_make(kin__message_leaves *leaves, const kin_world_info *info, kin_allocator allocator);
void kin__message_leaves_release(kin__message_leaves *leaves);

static inline const char *kin__message_identity(const kin_message_info *info)
{
    return info->identity != NULL ? info->identity : info->name;
}

// Returns the number of a message in the order of the identities.
uint32_t kin__message_number(const kin_world_info *info, uint32_t message);

#endif
