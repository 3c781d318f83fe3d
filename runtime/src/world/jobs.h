// Jobs: what a world with parallel systems needs to run them and to play their commands (kin/generated/job.h).
//
//   jobs      of the world      the executor, the jobs of the batch that runs, the systems whose commands wait
//   parallel  of each system    its jobs, with their commands: kept from turn to turn
//
// Invariants:
//   1. `jobs` exists if the world has a parallel system; `parallel` of a system exists if this one is parallel
//   2. while a batch runs, the jobs in `tasks` are called once each, by any threads; only these record commands.
//      A task runs only between submitting and the end of waiting: `gate` is held to enter and to leave it, so
//      that an executor that calls other tasks, or returns early, is harmless
//   3. `pending` has the systems with `is_pending`, in the order in which they ran: their commands have not run
//
// Cost: worlds without parallel systems have one pointer more.
#ifndef KIN_SRC_JOBS_H
#define KIN_SRC_JOBS_H

#include "base/base.h"
#include "commands/commands.h"
#include "world/schema_system.h"

#include <kin/parallel.h>

typedef struct kin__jobs {
    kin_executor executor; // `threads` below 2: none
    kin__lock lock;        // held while a job records and allocates
    const kin_tick *tick;  // of the batch that runs
    kin__array tasks;      // of kin__job *
    uint32_t task_count;
    kin__lock gate;               // held to read and write what follows, and `calls` of the jobs in `tasks`
    bool is_open;                 // tasks may begin
    uint32_t running;             // tasks that have begun and not ended
    uint32_t misplaced;           // calls of tasks that the executor was not given, or after it had waited
    kin__schema_system **pending; // room for all systems
    uint32_t pending_count;
    uint64_t trims;  // of the contexts at the last batch
    kin__array sums; // of uint64_t: of the columns before a batch (access.h)
    bool checks_access, is_summed;
    bool is_playing;
    const char *culprit; // the system whose commands are played, such as "system 'Steer' "; NULL: none
} kin__jobs;

struct kin__parallel {
    kin__array jobs; // of kin__job
    uint32_t count;  // of them: those of the last turn
    bool is_prepared;
    bool is_done;      // it ran in the batch of an earlier system, and is skipped next
    bool is_pending;   // its commands have not run
    bool is_split;     // its jobs are given to the executor in this turn
    uint8_t cheap;     // turns in a row that were too cheap to split, at most KIN__CHEAP_TURNS
    uint64_t began;    // when its turn began, by the executor's clock
    uint64_t profiled; // the same by the clock of its profile
    kin_parallel last; // of the last turn
};

// A turn that takes less is not split after KIN__CHEAP_TURNS such turns.
enum { KIN__CHEAP_NANOSECONDS = 20000, KIN__CHEAP_TURNS = 3 };

// ---- making and releasing (jobs.c)

// Makes the jobs of a world that has none yet. Returns false when out of memory, not reported.
bool kin__jobs_create(kin__world *world);
void kin__jobs_destroy(kin__world *world);

// Makes `parallel` of a system. Returns false when out of memory, not reported.
bool kin__parallel_create(kin__schema_system *schema_system);
void kin__parallel_destroy(kin__schema_system *schema_system);

// Makes room for so many jobs, keeping those that exist with their memory. Returns false when out of memory.
bool kin__parallel_reserve(kin__schema_system *schema_system, uint32_t count);

// Returns a job that kin__parallel_reserve has made.
static inline kin__job *kin__parallel_job(const struct kin__parallel *parallel, uint32_t number)
{
    KIN_ASSERT(number < parallel->jobs.capacity);
    return (kin__job *)parallel->jobs.elements + number;
}

// Makes the buffer of its commands, unless it has one. Returns false when out of memory.
bool kin__job_make_buffer(kin__world *world, kin__job *job);

// Returns the buffer of its commands; NULL if the system records none.
static inline kin__command_buffer *kin__job_buffer(const kin__job *job)
{
    return job->commands == NULL ? NULL : kin__buffer_of(job->commands);
}

// Frees the memory of commands that are not being recorded or played, if a context was trimmed since the last call.
void kin__jobs_follow_trims(kin__world *world);

// Makes the jobs of a turn. Returns false, with none, when out of memory. (job_begin.c)
bool kin__parallel_begin(kin__schema_system *member);

// Makes all that a turn with one job needs. Returns false when out of memory. (job_begin.c)
bool kin__parallel_reserve_first(kin__schema_system *member);

// Whether the first job of the turn must end before the others begin.
bool kin__parallel_has_first_job(const kin__schema_system *member);

// ---- running (batch.c, play.c)

// Runs the batch of which the system is the first that is enabled. Does nothing in a playback.
void kin__batch_run(kin__schema_system *first, const kin_tick *tick);

// Plays the commands that wait, in order of system, piece and recording.
void kin__world_play(kin__world *world);

#endif
