// Batches: parallel systems of a node that run side by side.
//
//   prepare   each system in order: leave, enter, inbox, first update, or filter        on the updating thread
//   reserve   the jobs of each: one for each piece of its group in which an entity can match
//   run       all jobs, while the contexts are shared: by the executor, or one after the other
//   finish    each system in order: what was refused, and whether its commands wait
//
// A system whose last turns were cheap runs on the updating thread, after the other jobs were given to the executor.
#include "base/assertion.h"
#include "collect/collector.h"
#include "core/sharing.h"
#include "group/group.h"
#include "world/jobs.h"

#include <inttypes.h>
#include <kin/share.h>
#include <stdio.h>
#include <string.h>

// ---- the systems of a batch

// Returns the system of a node, if it is in the batch; else NULL.
static kin__schema_system *member_of(const kin__node *node, const kin__schema_system *first)
{
    kin__schema_system *member = node == NULL ? NULL : kin__schema_system_of(node);
    return member != NULL && member->info->batch == first->info->batch ? member : NULL;
}

static kin__schema_system *next_member(const kin__schema_system *member, const kin__schema_system *first)
{
    return member_of(member->node->next, first);
}

static bool is_enabled(const kin__node *node)
{
    return !node->removed && node->enabled && !node->owner->is_off;
}

// ---- prepare

static void prepare(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    if (member->in_turn || parallel->is_pending || !is_enabled(member->node))
        return;
    member->in_turn = true;
    parallel->count = 0;
    parallel->is_prepared = kin__schema_system_prepare(member);
    if (!parallel->is_prepared)
        member->in_turn = false;
}

// ---- reserve

static void begin_job(kin__schema_system *member, uint32_t piece, uint32_t piece_count)
{
    kin__world *world = member->world;
    kin__job *job = kin__parallel_job(member->parallel, member->parallel->count++);
    kin__commands commands = job->commands;
    *job = (kin__job){.world = world,
                      .contexts = world->contexts,
                      .commands = commands,
                      .self = world->typed,
                      .piece = piece,
                      .piece_count = piece_count,
                      .grain = member->info->grain,
                      .system = (uint32_t)(member->info - world->info->systems)};
}

// Makes a job for each piece of the group in which an entity can match. Returns false when out of memory.
static bool begin_pieces(kin__schema_system *member)
{
    const kin_group *group = member->membership.group;
    uint32_t grain = member->info->grain, count = kin__piece_count(group->context, grain);
    uint32_t chunks = kin__piece_chunks(group->context, grain), called = 0;
    for (uint32_t i = 0; i < count; i++)
        called += kin__group_may_match(group, i * chunks, (i + 1) * chunks);
    if (!kin__parallel_reserve(member, called))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (kin__group_may_match(group, i * chunks, (i + 1) * chunks))
            begin_job(member, i, count);
    return true;
}

static bool begin_jobs(kin__schema_system *member)
{
    kin__jobs *jobs = member->world->jobs;
    bool has_jobs;
    if (member->has_group && member->info->grain != KIN__GRAIN_ALL) {
        has_jobs = begin_pieces(member);
    } else {
        has_jobs = kin__parallel_reserve(member, 1);
        if (has_jobs)
            begin_job(member, 0, 1);
    }
    uint32_t count = jobs->task_count + member->parallel->count;
    if (has_jobs && kin__array_reserve(&member->world->memory, &jobs->tasks, count, sizeof(kin__job *)))
        return true;
    member->parallel->count = 0;
    return false;
}

static bool splits(const kin__schema_system *member)
{
    const kin_executor *executor = &member->world->jobs->executor;
    return executor->threads > 1 && (executor->now == NULL || member->parallel->cheap < KIN__CHEAP_TURNS);
}

// Reserves the jobs of a system. The tasks are those of all systems whose jobs the executor gets.
static void reserve(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    kin__jobs *jobs = member->world->jobs;
    if (!parallel->is_prepared)
        return;
    parallel->last = (kin_parallel){0};
    if (!begin_jobs(member)) {
        kin__world_report_error(member->world, KIN_ERROR_NO_MEMORY, "run the jobs of", member->info->name, NULL);
        return;
    }
    parallel->is_split = splits(member);
    for (uint32_t i = 0; parallel->is_split && i < parallel->count; i++)
        ((kin__job **)jobs->tasks.elements)[jobs->task_count++] = kin__parallel_job(parallel, i);
}

// ---- run

static uint64_t read_clock(const kin__jobs *jobs)
{
    return jobs->executor.now == NULL ? 0 : jobs->executor.now(jobs->executor.user);
}

static void react(const kin__schema_system *member, kin__job *job)
{
    const kin_collector *collector = member->node->reactive.collector;
    for (uint32_t i = 0; i < collector->source_count; i++) {
        uint32_t count = 0;
        const kin_entity *entities = kin__collector_taken(&collector->sources[i], &count);
        if (count > 0)
            member->info->run_react(job, collector->sources[i].context, entities, count);
    }
}

static void call(kin__job *job)
{
    const kin__schema_system *member = job->world->schema_systems[job->system];
    if (member->info->run != NULL)
        member->info->run(job, job->world->jobs->tick);
    else
        react(member, job);
}

// One for each thread: its address says which threads ran jobs.
static _Thread_local char this_thread;

static void run_task(void *work, uint32_t index)
{
    const kin__jobs *jobs = work;
    kin__job *job = ((kin__job **)jobs->tasks.elements)[index];
    uint64_t began = read_clock(jobs);
    job->calls++;
    job->thread = &this_thread;
    call(job);
    job->busy = read_clock(jobs) - began;
}

static void begin_turn(kin__schema_system *member)
{
    member->parallel->began = read_clock(member->world->jobs);
    member->parallel->profiled = kin__profile_begin(member->node->profile);
}

static void end_turn(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    kin_role role = member->has_group ? KIN_ROLE_UPDATE : KIN_ROLE_EXECUTE;
    kin__profile_end(member->node->profile, role, parallel->profiled);
    parallel->last.passed = read_clock(member->world->jobs) - parallel->began;
}

// Runs all jobs of a system on this thread, in ascending order of pieces. One measure for all of them is enough.
static void run_here(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    if (parallel->count == 0)
        return;
    begin_turn(member);
    for (uint32_t i = 0; i < parallel->count; i++) {
        kin__job *job = kin__parallel_job(parallel, i);
        job->calls++;
        job->thread = &this_thread;
        call(job);
    }
    end_turn(member);
    kin__parallel_job(parallel, 0)->busy = parallel->last.passed;
}

static void run_each(kin__schema_system *first, bool is_split, void (*step)(kin__schema_system *member))
{
    for (kin__schema_system *member = first; member != NULL; member = next_member(member, first))
        if (member->parallel->is_prepared && member->parallel->is_split == is_split)
            step(member);
}

// Returns the ticket of the executor; NULL if it has begun nothing.
static void *submit(kin__schema_system *first)
{
    kin__jobs *jobs = first->world->jobs;
    void *ticket = NULL;
    if (jobs->task_count > 1)
        ticket = jobs->executor.submit(run_task, jobs, jobs->task_count, jobs->executor.user);
    for (kin__schema_system *member = first; ticket == NULL && member != NULL; member = next_member(member, first))
        member->parallel->is_split = false;
    return ticket;
}

static void run_jobs(kin__schema_system *first)
{
    kin__jobs *jobs = first->world->jobs;
    void *ticket = submit(first);
    run_each(first, true, begin_turn);
    run_each(first, false, run_here);
    if (ticket == NULL)
        return;
    jobs->executor.wait(ticket, jobs->executor.user);
    run_each(first, true, end_turn);
}

// ---- sharing

// Whether all contexts of the world can be shared: not inside a listener of one, unless it is shared already.
static bool can_share(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (world->contexts[i]->depth > 0 && !kin__context_is_shared(world->contexts[i]))
            return false;
    return true;
}

// Formats "systems Steer, Move " of the systems that ran.
static void describe(kin__schema_system *first, char *text, size_t size)
{
    int used = snprintf(text, size, "a job of ");
    const char *separator = "";
    for (kin__schema_system *member = first; member != NULL; member = next_member(member, first)) {
        if (!member->parallel->is_prepared || used < 0 || (size_t)used >= size)
            continue;
        used += snprintf(text + used, size - (size_t)used, "%s%s", separator, member->info->name);
        separator = ", ";
    }
    if (used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " ");
}

static void end_sharing(kin__schema_system *first)
{
    const kin__world *world = first->world;
    char culprit[160];
    describe(first, culprit, sizeof culprit);
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        world->contexts[i]->core->culprit = culprit;
        kin_context_end_shared(world->contexts[i]);
        world->contexts[i]->core->culprit = NULL;
    }
}

static void run_shared(kin__schema_system *first)
{
    const kin__world *world = first->world;
    if (!can_share(world)) { // on this thread alone
        run_each(first, true, run_here);
        run_each(first, false, run_here);
        return;
    }
    for (uint32_t i = 0; i < world->info->context_count; i++)
        kin_context_begin_shared(world->contexts[i]);
    run_jobs(first);
    end_sharing(first);
}

// ---- finish

// An executor that calls a job twice, or not at all, makes results depend on threads.
static void check_calls(const kin__schema_system *member)
{
    uint32_t wrong = 0;
    char reason[128];
    for (uint32_t i = 0; i < member->parallel->count; i++)
        wrong += kin__parallel_job(member->parallel, i)->calls != 1;
    if (wrong == 0)
        return;
    snprintf(reason, sizeof reason, "the executor did not call %" PRIu32 " %s exactly once; correct its functions",
             wrong, wrong == 1 ? "job" : "jobs");
    kin__world_report_error(member->world, KIN_ERROR_INVALID, "run the jobs of", member->info->name, reason);
}

// Turns that no clock measured are not cheap.
static void sum_up(struct kin__parallel *parallel, bool has_clock)
{
    kin_parallel *last = &parallel->last;
    last->pieces = parallel->count;
    for (uint32_t i = 0; i < parallel->count; i++) {
        const kin__job *job = kin__parallel_job(parallel, i);
        last->busy += job->busy;
        last->recorded += job->commands.count;
        last->refused += job->commands.lost;
    }
    bool is_cheap = has_clock && last->busy < KIN__CHEAP_NANOSECONDS;
    parallel->cheap = !is_cheap                            ? 0
                      : parallel->cheap < KIN__CHEAP_TURNS ? (uint8_t)(parallel->cheap + 1)
                                                           : KIN__CHEAP_TURNS;
}

// Reports the commands that were lost, piece by piece.
static void report_lost(const kin__schema_system *member)
{
    for (uint32_t i = 0; i < member->parallel->count; i++) {
        kin__commands *commands = &kin__parallel_job(member->parallel, i)->commands;
        if (commands->lost > 0)
            kin__world_report_error(member->world, KIN_ERROR_NO_MEMORY, "record all commands of", member->info->name,
                                    NULL);
        commands->lost = 0;
    }
}

static void finish(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    kin__jobs *jobs = member->world->jobs;
    if (!parallel->is_prepared)
        return;
    if (member->node->reactive.collector != NULL)
        kin__reactive_end(member->node);
    sum_up(parallel, jobs->executor.now != NULL);
    parallel->is_pending = parallel->last.recorded > 0;
    if (parallel->is_pending)
        jobs->pending[jobs->pending_count++] = member;
    check_calls(member);
    report_lost(member);
}

// The walk over the node comes to the other systems next, and skips them. Nothing is called in between.
static void end(kin__schema_system *first)
{
    for (kin__schema_system *member = first; member != NULL; member = next_member(member, first)) {
        if (!member->parallel->is_prepared)
            continue;
        member->parallel->is_prepared = false;
        member->parallel->is_split = false;
        member->in_turn = false;
        member->parallel->is_done = member != first && is_enabled(member->node);
    }
}

void kin__batch_run(kin__schema_system *first, const kin_tick *tick)
{
    kin__jobs *jobs = first->world->jobs;
    kin__schema_system *member;
    for (member = first; member != NULL; member = next_member(member, first))
        prepare(member);
    jobs->task_count = 0;
    jobs->tick = tick;
    for (member = first; member != NULL; member = next_member(member, first))
        reserve(member);
    run_shared(first);
    for (member = first; member != NULL; member = next_member(member, first))
        finish(member);
    end(first);
}
