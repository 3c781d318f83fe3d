/// Jobs of parallel systems, and the commands that they record; for generated code only. Changes with the interface
/// version.
///
/// A job is one call of a parallel system: for a piece of its group, or for all that it does in a turn. It may run on
/// any thread while others run, so it changes nothing but the columns that its piece owns. Everything else it records
/// as commands, which the world runs after the last system of the node.
///
///   commands   [ block ]→[ block ]→[ block ]       one list for each job, kept from turn to turn
///   block      [ command | value ][ command ][ command | value ] … free
///
/// Recording writes to the end of a block. A block does not move, so a value may point into its own block.
#ifndef KIN__JOB_H
#define KIN__JOB_H

#include <kin/executor.h>
#include <kin/generated/iterator.h>
#include <kin/systems.h>

#include <string.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__world kin__world;

typedef enum kin__command_kind {
    KIN__COMMAND_ADD,
    KIN__COMMAND_REPLACE,
    KIN__COMMAND_REMOVE,
    KIN__COMMAND_SET,   // a flag
    KIN__COMMAND_UNSET, // a flag
    KIN__COMMAND_SPAWN,
    KIN__COMMAND_SPAWN_TREE, // of a blueprint with children
    KIN__COMMAND_DESTROY,
    KIN__COMMAND_PUBLISH
} kin__command_kind;

enum { KIN__COMMAND_ALIGNMENT = 16 };

// A command. The value of a component or message follows it; what an owned value points to follows that.
typedef struct kin__command {
    kin_entity entity; // about which it is; that to come, of a spawn
    uint32_t size;     // bytes with what follows, a multiple of KIN__COMMAND_ALIGNMENT
    uint32_t id;       // of the component, blueprint or message
    uint16_t context;  // its number
    uint8_t kind;      // a kin__command_kind
    bool is_late;      // the entity was dead when the commands began to run
    uint32_t unused[2];
} kin__command;

typedef struct kin__command_block kin__command_block;

// The commands of one job.
typedef struct kin__commands {
    char *at;    // the first free byte of the last block
    size_t left; // free bytes from there on; 0 before the first block
    kin__command_block *first, *last;
    uint32_t count;   // commands recorded
    uint32_t to_come; // entities to come
    uint32_t lost;    // commands not recorded, when out of memory
} kin__commands;

// A job. What a system may do with it is in its generated functions.
typedef struct kin__job {
    kin__world *world;
    kin_context *const *contexts; // of the world, by number
    kin__commands commands;
    const void *self; // the generated world
    uint32_t piece, piece_count;
    uint32_t grain;
    uint32_t system;    // its number
    uint64_t busy;      // time that the call took
    const void *thread; // identifies the thread that it ran on
    uint32_t calls;     // by the executor in this batch
} kin__job;

#define KIN__GRAIN_ALL ((uint32_t)-1)

// What a parallel system does in a job: executes or updates, or reacts to entities of one context.
typedef void kin__job_call(kin__job *job, const kin_tick *tick);
typedef void kin__job_react(kin__job *job, kin_context *context, const kin_entity *entities, uint32_t count);

static inline kin_context *kin__job_context(const kin__job *job, uint32_t number)
{
    return job->contexts[number];
}

// Begins to iterate the part of a group that belongs to the job.
static inline kin__iterator kin__job_iterator(const kin__job *job, uint32_t context, uint32_t group)
{
    return job->grain == KIN__GRAIN_ALL
               ? kin__iterator_begin(job->contexts[context], group)
               : kin__iterator_begin_piece(job->contexts[context], group, job->piece, job->grain);
}

// ---- recording

static inline kin__command kin__command_of(kin__command_kind kind, uint32_t context, uint32_t id, kin_entity entity)
{
    kin__command command;
    memset(&command, 0, sizeof command);
    command.kind = (uint8_t)kind;
    command.context = (uint16_t)context;
    command.id = id;
    command.entity = entity;
    return command;
}

// Makes room for a command of that size at `at`. Counts the command as lost and returns false when out of memory.
KIN_API bool kin__job_reserve(kin__job *job, size_t size);

// Records a command with a copy of a value of the context's component, and of all that it owns. Returns KIN_OK, or
// KIN_ERROR_NO_MEMORY with nothing recorded.
KIN_API kin_status kin__job_record_owned(kin__job *job, kin__command command, const void *value, size_t size);

// Returns where the command's value goes; NULL when out of memory.
static inline void *kin__job_append(kin__job *job, kin__command command, size_t value_size)
{
    const size_t unit = KIN__COMMAND_ALIGNMENT;
    const size_t size = sizeof command + (value_size + unit - 1) / unit * unit;
    kin__commands *commands = &job->commands;
    if (commands->left < size && !kin__job_reserve(job, size))
        return NULL;
    kin__command *place = (kin__command *)(void *)commands->at;
    command.size = (uint32_t)size;
    *place = command;
    commands->at += size;
    commands->left -= size;
    commands->count++;
    return place + 1;
}

// The same for a value that owns nothing.
static inline kin_status kin__job_record_value(kin__job *job, kin__command command, const void *value, size_t size)
{
    void *place = kin__job_append(job, command, size);
    if (place == NULL)
        return KIN_ERROR_NO_MEMORY;
    memcpy(place, value, size);
    return KIN_OK;
}

// The same for a command without a value.
static inline kin_status kin__job_record(kin__job *job, kin__command_kind kind, uint32_t context, uint32_t id,
                                         kin_entity entity)
{
    return kin__job_append(job, kin__command_of(kind, context, id, entity), 0) == NULL ? KIN_ERROR_NO_MEMORY : KIN_OK;
}

// Records a spawn and returns the entity to come: creation index 0, and its number among those of the job, from 1 on.
// Returns 0 when out of memory.
static inline kin_entity kin__job_spawn(kin__job *job, kin__command_kind kind, uint32_t context, uint32_t blueprint)
{
    const kin_entity entity = (kin_entity)job->commands.to_come + 1;
    if (entity >> 24 != 0 || kin__job_record(job, kind, context, blueprint, entity) != KIN_OK)
        return 0;
    job->commands.to_come++;
    return entity;
}

// ---- the world

// Sets how the world runs jobs at once; copied. NULL: on the thread that updates. Reports KIN_ERROR_INVALID during a
// run, and for an executor without functions.
KIN_API kin_status kin__world_set_executor(kin__world *world, const kin_executor *executor);

KIN_END_DECLARATIONS

#endif
