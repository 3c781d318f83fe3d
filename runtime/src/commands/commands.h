// Commands: the private part of a buffer (kin/generated/commands.h has the picture).
//
//   scope     the contexts and messages that the commands are about: one context, or all of the world of a job
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
//   4. `lock` is held while a job that records calls the allocator, as other jobs of the world may
//
// Cost: a command without a value takes 16 bytes. A block is at least 4 KiB.
#ifndef KIN_SRC_COMMANDS_H
#define KIN_SRC_COMMANDS_H

#include "base/base.h"
#include "store/store.h"

#include <kin/generated/commands.h>
#include <kin/world.h>

typedef struct kin__command_block {
    struct kin__command_block *next;
    size_t size, used; // bytes of commands
    _Alignas(KIN__COMMAND_ALIGNMENT) unsigned char bytes[];
} kin__command_block;

// What commands are about: contexts and messages by number.
typedef struct kin__command_scope {
    kin_context *const *contexts;
    const kin_message_info *messages; // NULL: of a buffer by hand, which has no messages
} kin__command_scope;

typedef struct kin__command_buffer {
    kin__commands head;
    kin__command_scope scope;
    kin_context *context; // of a buffer by hand, the whole scope; NULL: of a job
    kin__memory memory;
    kin__lock *lock; // NULL: nobody else uses the allocator while commands are recorded
    kin__command_block *blocks, *current, *playing;
    kin__array coming, made;
    uint32_t coming_count, made_count;
    uint32_t first_number, made_number; // of the first entity of `coming` and `made`
    uint32_t dropped;                   // commands of the last playback
    uint32_t lost;                      // commands of a job that could not be recorded in this turn
    uint32_t refused;                   // those with a list that an add refuses
    kin_status refusal;                 // of the first of these
    uint32_t trims;                     // of the context at the last playback
    const void *recorder;               // the thread that records, in checked builds
    bool is_shared;                     // several threads recorded
    bool is_playing;
    bool is_closed;      // of a job, in checked builds: no call of its system is running
    bool is_used_closed; // commands were recorded nevertheless, and lost
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

static inline bool kin__command_is_message(uint32_t op)
{
    return op >= KIN__COMMAND_MESSAGE(0);
}

// Returns the context of a command, which is no message.
static inline kin_context *kin__command_context(const kin__command_buffer *buffer, uint32_t op)
{
    return buffer->scope.contexts[op >> KIN__COMMAND_CONTEXT_SHIFT];
}

// Returns the component that a command is about; NULL if it is about an entity as a whole, or a message.
const kin_component_info *kin__command_component(const kin__command_buffer *buffer, uint32_t op);

// ---- buffers of jobs

// Creates the buffer of a job, which other jobs share the lock with. NULL when out of memory, not reported.
kin__command_buffer *kin__commands_make(const kin_allocator *allocator, kin__lock *lock, kin__command_scope scope);

// Frees the buffer, which is not being played, and drops what it recorded. NULL is allowed.
void kin__commands_free(kin__command_buffer *buffer);

// ---- recording

// Forgets what was recorded, and keeps the memory.
void kin__commands_rewind(kin__command_buffer *buffer);

// Frees all memory but the results of the last playback. Nothing is recorded.
void kin__commands_release(kin__command_buffer *buffer);

// ---- playing: kin__commands_take for all buffers that are played together, then for each kin__playback_enter, the
// generated loop and kin__playback_end

// Whether a listener of the context may be called, which may do anything.
bool kin__context_is_listened(const kin_context *context);

// Takes what was recorded from the buffer, and leaves it empty. If entities may die or be made before the last command
// has been called, marks the commands whose entity is alive now.
void kin__commands_take(kin__command_buffer *buffer, bool is_careful);

void kin__playback_enter(kin__playback *playback, kin__command_buffer *buffer, bool is_careful);

#endif
