// Commands: the private part of a buffer (kin/generated/commands.h has the picture).
//
//   blocks    all blocks, in the order in which they are filled
//   current   the block that is being filled; those after it are empty
//   coming    room for the entities to come of the recorded commands
//   made      the entities that the last playback made
//
// A playback takes the blocks and `coming`, so that listeners may record meanwhile: for the next playback.
//
// Invariants:
//   1. `used` of each block before the current one is the end of its last command
//   2. `coming` has room for `coming_count` entities; their numbers begin with `first_number`
//   3. the memory is the buffer's own: it is counted by no context, as another thread may record
//
// Cost: a command without a value takes 16 bytes. A block is at least 4 KiB.
#ifndef KIN_SRC_COMMANDS_H
#define KIN_SRC_COMMANDS_H

#include "core/core.h"

#include <kin/generated/commands.h>

typedef struct kin__command_block {
    struct kin__command_block *next;
    size_t size, used; // bytes of commands
    _Alignas(KIN__COMMAND_ALIGNMENT) unsigned char bytes[];
} kin__command_block;

typedef struct kin__command_buffer {
    kin__commands head;
    kin_context *context;
    kin__memory memory;
    kin__command_block *blocks, *current, *playing;
    kin__array coming, made;
    uint32_t coming_count, made_count;
    uint32_t first_number, made_number; // of the first entity of `coming` and `made`
    uint32_t dropped;                   // commands of the last playback
    uint32_t trims;                     // of the context at the last playback
    const void *recorder;               // the thread that records, in checked builds
    bool is_shared;                     // several threads recorded
    bool is_playing;
} kin__command_buffer;

static inline kin__command_buffer *kin__buffer_of(const kin__commands *commands)
{
    return (kin__command_buffer *)(uintptr_t)commands;
}

// Returns the bytes of a command with its value.
static inline uint32_t kin__command_size(const kin__command *command)
{
    return command->size / KIN__COMMAND_ALIGNMENT * KIN__COMMAND_ALIGNMENT;
}

// Returns the component that a command is about; NULL if it is about an entity as a whole.
static inline const kin_component_info *kin__command_component(const kin_context *context, uint32_t op)
{
    uint32_t id = op / KIN__COMMAND_KINDS;
    return id < context->info->component_count ? &context->info->components[id] : NULL;
}

// Forgets what was recorded, and keeps the memory.
void kin__commands_rewind(kin__command_buffer *buffer);

// Frees all memory but the results of the last playback.
void kin__commands_release(kin__command_buffer *buffer);

#endif
