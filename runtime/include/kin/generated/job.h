/// Jobs of parallel systems, for generated code only. Changes with the interface version.
///
/// A job is one call of a parallel system: for a piece of its group, or for all that it does in a turn. It may run on
/// any thread while others run, so it changes nothing but the columns that its piece owns. Everything else it records
/// as commands, which the world plays after the last system of the node (kin/generated/commands.h).
#ifndef KIN_INTERNAL_JOB_H
#define KIN_INTERNAL_JOB_H

#include <kin/executor.h>
#include <kin/generated/commands.h>
#include <kin/generated/iterator.h>
#include <kin/systems.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__world kin__world;

// A job. What a system may do with it is in its generated functions. The members before `place` are the same in each
// turn.
typedef struct kin__job {
    kin_context *const *contexts; // of the world, by number
    kin__commands *commands;      // NULL: the system records none
    const void *self;             // the generated world
    struct kin__schema_system *system;
    uint64_t place; // of an iterator: the first chunk of the piece that can have members, and its end
    uint32_t piece, piece_count;
    uint64_t busy;      // time that the call took
    const void *thread; // identifies the thread that it ran on
    uint32_t calls;     // by the executor in this batch
} kin__job;

#define KIN__GRAIN_ALL ((uint32_t)-1)

// What a parallel system does in a job: executes or updates, or reacts to entities of one context.
typedef void kin__job_call(kin__job *job, const kin_tick *tick);
typedef void kin__job_react(kin__job *job, kin_context *context, const kin_entity *entities, uint32_t count);

// Makes the calls of the commands that a job recorded.
typedef void kin__job_play(void *self, kin__playback *playback);

static inline kin_context *kin__job_context(const kin__job *job, uint32_t number)
{
    return job->contexts[number];
}

// Begins to iterate the part of a group that belongs to the job.
static inline kin__iterator kin__job_iterator(const kin__job *job, uint32_t context, uint32_t group)
{
    kin__iterator iterator = kin__iterator_begin(job->contexts[context], group);
    iterator.place = job->place;
    return iterator;
}

// Sets how the world runs jobs at once; copied. NULL: on the thread that updates. Reports KIN_ERROR_INVALID during a
// run, and for an executor without functions.
KIN_API kin_status kin__world_set_executor(kin__world *world, const kin_executor *executor);

// Makes the world look for undeclared writes of its parallel systems, or not. Reports KIN_ERROR_INVALID during a run.
KIN_API kin_status kin__world_check_access(kin__world *world, bool on);

KIN_END_DECLARATIONS

#endif
