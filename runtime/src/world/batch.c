#include "world/world.h"

#include <kin/generated/list.h>
#include <kin/share.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- sums

// Access checks: find values that a batch wrote and that none of its systems declares in `writes`.
//
// Around each batch all columns of all contexts are summed up, chunk by chunk. What values point to is not compared.
//
// Cost: each batch reads every value twice, and keeps 8 bytes for each column. For tests.

// Returns the bytes of a field that its value is in: without the padding after a list.
static size_t bytes_of(const kin_field_info *field)
{
    return field->is_list ? offsetof(kin__list_field, count) + sizeof(uint32_t) : field->size;
}

static uint64_t sum_field(const kin_field_info *field, const char *at, uint64_t sum);

// Recursive over structs in structs, of which the schema allows 32 levels.
static uint64_t sum_struct(const kin_type_info *type, const char *at, uint64_t sum)
{
    for (uint32_t i = 0; i < type->field_count; i++)
        sum = sum_field(&type->fields[i], at + type->fields[i].offset, sum);
    return sum;
}

static uint64_t sum_field(const kin_field_info *field, const char *at, uint64_t sum)
{
    uint32_t count = field->count == 0 ? 1 : field->count;
    if (field->type != KIN_TYPE_STRUCT || field->is_list)
        return kin__xxh64_of(at, bytes_of(field), sum);
    for (uint32_t i = 0; i < count; i++)
        sum = sum_struct(field->of, at + i * (field->size / count), sum);
    return sum;
}

static uint64_t sum_value(const kin_context *context, uint32_t slot, kin_component_id id, uint64_t sum)
{
    const kin_component_info *info = &context->info->components[id];
    for (uint32_t i = 0; i < info->field_count; i++)
        sum = sum_field(&info->fields[i], kin__value_part(context, slot, id, info->fields[i].offset), sum);
    return sum;
}

static uint64_t sum_column(const kin_context *context, uint32_t chunk, kin_component_id id)
{
    const kin__column *column = kin__chunk_column(context, chunk, id);
    uint64_t sum = 0;
    for (uint32_t place = 0; place < KIN__CHUNK_SLOTS; place++)
        if (kin__column_has(column, place))
            sum = sum_value(context, chunk * KIN__CHUNK_SLOTS + place, id, sum);
    return sum;
}

// ---- columns
//
//   sums   [ chunks of context 0 | chunks of context 1 | … | sum of column 0 | sum of column 1 | … ]
//
// Chunks are counted once, as a report may add some.

typedef struct place {
    const kin_context *context;
    uint32_t chunk;
    kin_component_id id;
    uint64_t *sum;
} place;

// Returns whether the column counts.
typedef bool visit_column(const place *place, void *data);

// Calls `visit` for every column that chunks could have, and returns whether one counts.
static bool for_each_column(const kin__world *world, visit_column *visit, void *data)
{
    uint64_t *counts = world->jobs->sums.elements;
    place place = {.sum = counts + world->info->context_count};
    bool found = false;
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        place.context = world->contexts[i];
        for (place.chunk = 0; place.chunk < counts[i]; place.chunk++)
            for (uint32_t id = 0; id < place.context->info->component_count; id++, place.sum++) {
                place.id = (kin_component_id)id;
                found |= visit(&place, data);
            }
    }
    return found;
}

static bool store(const place *place, void *data)
{
    (void)data;
    *place->sum = sum_column(place->context, place->chunk, place->id);
    return true;
}

static bool reserve(kin__world *world)
{
    kin__array *sums = &world->jobs->sums;
    uint32_t count = world->info->context_count;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        count += world->contexts[i]->chunk_count * world->contexts[i]->info->component_count;
    if (!kin__array_reserve(&world->memory, sums, count, sizeof(uint64_t)))
        return false;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        ((uint64_t *)sums->elements)[i] = world->contexts[i]->chunk_count;
    return true;
}

// Sums up all columns before a batch, if the world checks access. Reports an error and checks nothing when out of
// memory.
static void access_begin(kin__world *world)
{
    kin__jobs *jobs = world->jobs;
    jobs->is_summed = false;
    if (!jobs->checks_access)
        return;
    jobs->is_summed = reserve(world);
    if (jobs->is_summed)
        for_each_column(world, store, NULL);
    else
        kin__world_report_error(world, KIN_ERROR_NO_MEMORY, "check the access of systems of", world->info->name, NULL);
}

// ---- comparing

static bool is_in_batch(const kin__system_info *info, const kin__system_info *first)
{
    return info->node == first->node && info->batch == first->batch;
}

// Whether the system is in the batch and has the component of its group's context in `writes`.
static bool declares(const kin__schema_system *schema_system, const kin__schema_system *first, const place *place)
{
    const kin__world *world = schema_system->world;
    const kin__system_info *info = schema_system->info;
    const kin_system_info *shown = &world->info->shown->systems[info - world->info->systems];
    const char *name = place->context->info->components[place->id].name;
    if (!is_in_batch(info, first->info) || !info->has_group || world->contexts[info->group.context] != place->context)
        return false;
    for (uint32_t i = 0; i < shown->write_count; i++)
        if (strcmp(shown->writes[i], name) == 0)
            return true;
    return false;
}

static bool is_declared(const kin__schema_system *first, const place *place)
{
    const kin__world *world = first->world;
    for (uint32_t i = 0; i < world->info->system_count; i++)
        if (world->schema_systems[i] != NULL && declares(world->schema_systems[i], first, place))
            return true;
    return false;
}

// Replaces the sum by whether the column was written without a declaration. `data` is the first system of the batch.
static bool compare(const place *place, void *data)
{
    bool is_same = *place->sum == sum_column(place->context, place->chunk, place->id);
    *place->sum = !is_same && !is_declared(data, place);
    return *place->sum != 0;
}

// Compares them after the batch of that system, while the contexts are shared. Returns whether one was written that no
// system of the batch declares.
static bool access_compare(kin__schema_system *first)
{
    return first->world->jobs->is_summed && for_each_column(first->world, compare, first);
}

// ---- reporting

static bool report(const place *place, void *culprit)
{
    char reason[160];
    uint32_t first = place->chunk * KIN__CHUNK_SLOTS;
    if (*place->sum == 0)
        return false;
    snprintf(reason, sizeof reason,
             "values in slots %" PRIu32 " to %" PRIu32 " changed, but no system of the batch has it in 'writes'", first,
             first + KIN__CHUNK_SLOTS - 1);
    kin__report_error(place->context, KIN_ERROR_INVALID,
                      &(kin__attempt){.verb = "write",
                                      .component = place->context->info->components[place->id].name,
                                      .reason = reason,
                                      .is_unique = true, // names no entity
                                      .culprit = culprit});
    return true;
}

// Reports each of these. `culprit` names the systems of the batch.
static void access_report(const kin__world *world, char *culprit)
{
    for_each_column(world, report, culprit);
}

kin_status kin__world_check_access(kin__world *world, bool on)
{
    const char *verb = "check the access of systems of";
    if (kin__world_report_null(world, verb))
        return KIN_ERROR_INVALID;
    if (world->root->running > 0)
        return kin__world_report_error(world, KIN_ERROR_INVALID, verb, world->info->name,
                                       "it is running; call this after the run");
    if (world->jobs != NULL)
        world->jobs->checks_access = on;
    return KIN_OK;
}

// Batches: parallel systems of a node that run side by side.
//
//   prepare   each system in order: leave, enter, inbox, first update, or filter        on the updating thread
//   reserve   the jobs of each: one for each piece of its group in which an entity can match
//   run       all jobs, while the contexts are shared: by the executor, or one after the other
//   finish    each system in order: what was refused, and whether its commands wait
//
// A system whose last turns were cheap runs on the updating thread, after the other jobs were given to the executor.

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

static void report_no_memory(const kin__schema_system *member)
{
    kin__world_report_error(member->world, KIN_ERROR_NO_MEMORY, "run the jobs of", member->info->name, NULL);
}

// A reactive system has its job before it takes what was collected, which would be lost without.
static void prepare(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    bool has_run = parallel->is_done || parallel->is_pending;
    if (has_run || member->in_turn || !is_enabled(member->node))
        return;
    if (member->info->run_react != NULL && !kin__parallel_reserve_first(member)) {
        report_no_memory(member);
        return;
    }
    member->in_turn = true;
    parallel->count = 0;
    parallel->is_prepared = kin__schema_system_prepare(member);
    if (!parallel->is_prepared)
        member->in_turn = false;
}

// ---- reserve

static bool splits(const kin__schema_system *member)
{
    const kin_executor *executor = &member->world->jobs->executor;
    return executor->threads > 1 && (executor->now == NULL || member->parallel->cheap < KIN__CHEAP_TURNS);
}

// Reserves room for the tasks of a system; without it, its jobs run on this thread.
static bool reserve_tasks(const kin__schema_system *member)
{
    kin__jobs *jobs = member->world->jobs;
    return kin__array_reserve(&member->world->memory, &jobs->tasks, jobs->task_count + member->parallel->count,
                              sizeof(kin__job *));
}

// Makes the jobs of a system, unless it was disabled meanwhile. The tasks are those of all systems whose jobs the
// executor gets.
static void reserve_batch(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    kin__jobs *jobs = member->world->jobs;
    if (!parallel->is_prepared)
        return;
    parallel->last = (kin_parallel){0};
    if (!is_enabled(member->node))
        return;
    if (!kin__parallel_begin(member)) {
        report_no_memory(member);
        return;
    }
    parallel->is_split = splits(member) && reserve_tasks(member);
    for (uint32_t i = kin__parallel_has_first_job(member); parallel->is_split && i < parallel->count; i++)
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

static void call(const kin__schema_system *member, kin__job *job)
{
    if (member->info->run != NULL)
        member->info->run(job, member->world->jobs->tick);
    else
        react(member, job);
}

// One for each thread: its address says which threads ran jobs.
static _Thread_local char this_thread;

static void run_job(const kin__jobs *jobs, kin__job *job)
{
    uint64_t began = read_clock(jobs);
    job->thread = &this_thread;
    call(job->system, job);
    job->busy = read_clock(jobs) - began;
}

// Returns the job of a task, which begins; NULL if it must not run: it has run, or the executor was not given it.
static kin__job *enter_task(kin__jobs *jobs, uint32_t index)
{
    kin__job *job = NULL;
    kin__lock_acquire(&jobs->gate);
    if (jobs->is_open && index < jobs->task_count)
        job = ((kin__job **)jobs->tasks.elements)[index];
    else
        jobs->misplaced++;
    if (job != NULL && job->calls++ > 0)
        job = NULL;
    jobs->running += job != NULL;
    kin__lock_release(&jobs->gate);
    return job;
}

static void run_task(void *work, uint32_t index)
{
    kin__jobs *jobs = work;
    kin__job *job = enter_task(jobs, index);
    if (job == NULL)
        return;
    run_job(jobs, job);
    kin__lock_acquire(&jobs->gate);
    jobs->running--;
    kin__lock_release(&jobs->gate);
}

static void open_gate(kin__jobs *jobs)
{
    kin__lock_acquire(&jobs->gate);
    jobs->is_open = true;
    kin__lock_release(&jobs->gate);
}

// No task begins any more. Waits for those that an executor which returned early has left running.
static void close_gate(kin__jobs *jobs)
{
    for (bool is_idle = false; !is_idle;) {
        kin__lock_acquire(&jobs->gate);
        jobs->is_open = false;
        is_idle = jobs->running == 0;
        kin__lock_release(&jobs->gate);
    }
}

static kin_role role_of(const kin__schema_system *member)
{
    return member->has_group ? KIN_ROLE_UPDATE : KIN_ROLE_EXECUTE;
}

static void begin_turn(kin__schema_system *member)
{
    member->parallel->began = read_clock(member->world->jobs);
    member->parallel->profiled = kin__profile_begin(member->node->profile, role_of(member));
}

// Ends the turn; `share` is the part of the time since its begin that its profile counts.
static void end_turn(const kin__schema_system *member, double share)
{
    struct kin__parallel *parallel = member->parallel;
    kin__profile *profile = member->node->profile;
    if (profile != NULL)
        kin__profile_append(profile, role_of(member), parallel->profiled, share);
    parallel->last.passed = read_clock(member->world->jobs) - parallel->began;
}

static void run_first_job(kin__schema_system *member)
{
    if (!kin__parallel_has_first_job(member))
        return;
    kin__job *job = kin__parallel_job(member->parallel, 0);
    job->calls++;
    run_job(member->world->jobs, job);
}

// Runs all jobs of a system on this thread, in ascending order of pieces. One measure for all of them is enough.
static void run_here(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    if (parallel->count == 0)
        return;
    begin_turn(member);
    for (uint32_t i = 0; i < parallel->count; i++)
        if (kin__parallel_job(parallel, i)->calls == 0) // the first one ran if the executor refused the others
            call(member, kin__parallel_job(parallel, i));
    end_turn(member, 1);
    parallel->last.passed += kin__parallel_job(parallel, 0)->busy;
    parallel->last.busy = parallel->last.passed;
    parallel->last.threads = 1;
}

static void run_each(kin__schema_system *first, bool is_split, void (*step)(kin__schema_system *member))
{
    for (kin__schema_system *member = first; member != NULL; member = next_member(member, first))
        if (member->parallel->is_prepared && member->parallel->is_split == is_split)
            step(member);
}

static void do_not_split(kin__schema_system *member)
{
    member->parallel->is_split = false;
}

// Returns the ticket of the executor; NULL if it has begun nothing.
static void *submit(kin__schema_system *first)
{
    kin__jobs *jobs = first->world->jobs;
    void *ticket = NULL;
    if (jobs->task_count > 1) {
        run_each(first, true, begin_turn);
        run_each(first, true, run_first_job);
        open_gate(jobs);
        ticket = jobs->executor.submit(run_task, jobs, jobs->task_count, jobs->executor.user);
        if (ticket == NULL)
            close_gate(jobs);
    }
    if (ticket == NULL)
        run_each(first, true, do_not_split);
    return ticket;
}

// ---- the times of systems that ran side by side

// The time of a batch, by the executor's clock: the jobs that it ran, and the systems that ran on this thread.
typedef struct batch_time {
    uint64_t split_busy, here_busy;
    uint32_t split_count; // jobs
} batch_time;

static uint64_t busy_of(const struct kin__parallel *parallel)
{
    uint64_t busy = 0;
    for (uint32_t i = 0; i < parallel->count; i++)
        busy += kin__parallel_job(parallel, i)->busy;
    return busy;
}

static batch_time time_of(kin__schema_system *first)
{
    batch_time time = {0};
    for (kin__schema_system *member = first; member != NULL; member = next_member(member, first)) {
        const struct kin__parallel *parallel = member->parallel;
        if (!parallel->is_prepared)
            continue;
        if (!parallel->is_split) {
            time.here_busy += parallel->last.passed;
            continue;
        }
        time.split_busy += busy_of(parallel);
        time.split_count += parallel->count;
    }
    return time;
}

// Returns the part of the time of the batch that counts for a system whose jobs the executor ran: what the systems on
// this thread leave of it, shared out by the time that the jobs were busy.
static double share_of(const kin__schema_system *member, kin__schema_system *first)
{
    const struct kin__parallel *parallel = member->parallel;
    batch_time time = time_of(first);
    uint64_t passed = read_clock(member->world->jobs) - parallel->began;
    double left = 1;
    if (passed > 0)
        left = time.here_busy < passed ? (double)(passed - time.here_busy) / (double)passed : 0;
    if (time.split_busy > 0)
        return left * (double)busy_of(parallel) / (double)time.split_busy;
    return left * (double)parallel->count / (double)time.split_count;
}

static void end_split(kin__schema_system *first)
{
    for (kin__schema_system *member = first; member != NULL; member = next_member(member, first)) {
        if (!member->parallel->is_prepared || !member->parallel->is_split)
            continue;
        bool is_profiled = member->node->profile != NULL;
        end_turn(member, is_profiled ? share_of(member, first) : 1);
    }
}

static void run_jobs(kin__schema_system *first)
{
    kin__jobs *jobs = first->world->jobs;
    void *ticket = submit(first);
    run_each(first, false, run_here);
    if (ticket == NULL)
        return;
    jobs->executor.wait(ticket, jobs->executor.user);
    close_gate(jobs);
    end_split(first);
}

// ---- sharing

// Whether all contexts of the world can be shared: not inside a listener of one, unless it is shared already.
static bool can_share(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_inside(world->contexts[i]) && !kin__context_is_shared(world->contexts[i]))
            return false;
    return true;
}

// Formats "a job of Steer, Move ", with the systems that ran.
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

static bool was_refused(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (world->contexts[i]->core->sharing.refused > 0)
            return true;
    return false;
}

// `culprit` is NULL to keep that of a playback around the batch.
static void stop_sharing(const kin__world *world, const char *culprit)
{
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        kin__core *core = world->contexts[i]->core;
        const char *former = core->culprit;
        core->culprit = culprit != NULL ? culprit : former;
        kin_context_end_shared(world->contexts[i]);
        core->culprit = former;
    }
}

// Reports what the batch may not do. The systems are described only then, which takes longer than a small batch.
static void end_sharing(kin__schema_system *first)
{
    char culprit[160];
    bool wrote = access_compare(first);
    if (!wrote && !was_refused(first->world)) {
        stop_sharing(first->world, NULL);
        return;
    }
    describe(first, culprit, sizeof culprit);
    stop_sharing(first->world, culprit);
    if (wrote)
        access_report(first->world, culprit);
}

static void run_shared(kin__schema_system *first)
{
    kin__world *world = first->world;
    if (!can_share(world)) { // on this thread alone
        run_each(first, true, do_not_split);
        run_each(first, false, run_here);
        return;
    }
    access_begin(world);
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

// Reports tasks that the executor made up, or called after it had waited.
static void check_tasks(const kin__world *world)
{
    char reason[128];
    kin__lock_acquire(&world->jobs->gate);
    uint32_t count = world->jobs->misplaced;
    world->jobs->misplaced = 0;
    kin__lock_release(&world->jobs->gate);
    if (count == 0)
        return;
    snprintf(reason, sizeof reason,
             "the executor made %" PRIu32 " %s that it was not given, or after its `wait`; correct its functions",
             count, count == 1 ? "call" : "calls");
    kin__world_report_error(world, KIN_ERROR_INVALID, "run the jobs of", world->info->name, reason);
}

// Whether an earlier job ran on the same thread as this one.
static bool has_met(const struct kin__parallel *parallel, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++)
        if (kin__parallel_job(parallel, i)->thread == kin__parallel_job(parallel, number)->thread)
            return true;
    return false;
}

static void add_up(struct kin__parallel *parallel)
{
    parallel->last.busy = busy_of(parallel);
    for (uint32_t i = 0; i < parallel->count; i++)
        parallel->last.threads += !has_met(parallel, i);
}

// Turns that no clock measured are not cheap.
static void note_cheap(struct kin__parallel *parallel, bool has_clock)
{
    if (!has_clock || parallel->last.busy >= KIN__CHEAP_NANOSECONDS)
        parallel->cheap = 0;
    else if (parallel->cheap < KIN__CHEAP_TURNS)
        parallel->cheap++;
}

static void report_unrecorded(const kin__schema_system *member, kin_status status, const char *reason)
{
    kin__world_report_error(member->world, status, "record all commands of", member->info->name, reason);
}

// Ends the recording of a job, and reports the commands that were lost or refused.
static void close_commands(const kin__schema_system *member, kin__command_buffer *buffer)
{
    kin_parallel *last = &member->parallel->last;
    last->recorded += buffer->head.count;
    last->refused += buffer->lost + buffer->refused;
    if (buffer->lost > 0)
        report_unrecorded(member, KIN_ERROR_NO_MEMORY, NULL);
    if (buffer->refused > 0)
        report_unrecorded(member, buffer->refusal,
                          buffer->refusal == KIN_ERROR_LIMIT
                              ? "a list has more than 16777216 elements; store fewer"
                              : "a list has a count and no address; pass the address of its elements");
    buffer->lost = buffer->refused = 0;
    buffer->is_closed = true;
}

// The commands of the system wait from now on.
static void finish_commands(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    kin__jobs *jobs = member->world->jobs;
    for (uint32_t i = 0; i < parallel->count; i++)
        close_commands(member, kin__job_buffer(kin__parallel_job(parallel, i)));
    parallel->is_pending = parallel->last.recorded > 0;
    if (parallel->is_pending)
        jobs->pending[jobs->pending_count++] = member;
}

static void finish(kin__schema_system *member)
{
    struct kin__parallel *parallel = member->parallel;
    if (!parallel->is_prepared)
        return;
    if (member->node->reactive.collector != NULL)
        kin__reactive_end(member->node);
    kin__schema_system_refresh(member);
    parallel->last.pieces = parallel->count;
    if (parallel->is_split) {
        check_calls(member);
        add_up(parallel);
    }
    note_cheap(parallel, member->world->jobs->executor.now != NULL);
    if (member->info->play != NULL)
        finish_commands(member);
}

// The walk over the node comes to the other systems next, and skips them, also those that had nothing to do. Nothing is
// called in between. It does not come to those whose turn is under way.
static void end(kin__schema_system *first)
{
    for (kin__schema_system *member = first; member != NULL; member = next_member(member, first)) {
        struct kin__parallel *parallel = member->parallel;
        if (member->in_turn && !parallel->is_prepared)
            continue;
        if (parallel->is_prepared)
            member->in_turn = false;
        parallel->is_prepared = parallel->is_split = false;
        parallel->is_done = member != first && is_enabled(member->node);
    }
}

void kin__batch_run(kin__schema_system *first, const kin_tick *tick)
{
    kin__jobs *jobs = first->world->jobs;
    kin__schema_system *member;
    if (jobs->is_playing) // by a listener: what they recorded would wait for the playback to end
        return;
    for (member = first; member != NULL; member = next_member(member, first))
        prepare(member);
    kin__jobs_follow_trims(first->world);
    jobs->task_count = 0;
    jobs->tick = tick;
    for (member = first; member != NULL; member = next_member(member, first))
        reserve_batch(member);
    run_shared(first);
    check_tasks(first->world);
    for (member = first; member != NULL; member = next_member(member, first))
        finish(member);
    end(first);
}
