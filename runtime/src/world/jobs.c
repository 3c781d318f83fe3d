// Jobs: making, releasing and describing them.
#include "world/jobs.h"

#include "base/base.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

// ---- of a world

bool kin__jobs_create(kin__world *world)
{
    KIN_ASSERT(world->jobs == NULL);
    world->jobs = kin__allocate_zero(&world->memory, sizeof *world->jobs);
    if (world->jobs == NULL)
        return false;
    kin__lock_init(&world->jobs->lock);
    kin__lock_init(&world->jobs->gate);
    world->jobs->pending =
        kin__allocate(&world->memory, kin__bytes_of(world->info->system_count, sizeof(kin__schema_system *)));
    return world->jobs->pending != NULL;
}

void kin__jobs_destroy(kin__world *world)
{
    kin__jobs *jobs = world->jobs;
    if (jobs == NULL)
        return;
    kin__array_release(&world->memory, &jobs->tasks, sizeof(kin__job *));
    kin__array_release(&world->memory, &jobs->sums, sizeof(uint64_t));
    kin__release(&world->memory, jobs->pending, world->info->system_count * sizeof(kin__schema_system *));
    kin__release(&world->memory, jobs, sizeof *jobs);
    world->jobs = NULL;
}

static const char *find_executor_fault(const kin__world *world, const kin_executor *executor)
{
    if (world->root->running > 0)
        return "it is running; set it after the run";
    if (executor != NULL && executor->threads > 1 && (executor->submit == NULL || executor->wait == NULL))
        return "it lacks a function; set both `submit` and `wait`";
    return NULL;
}

kin_status kin__world_set_executor(kin__world *world, const kin_executor *executor)
{
    const char *verb = "set the executor of";
    if (kin__world_report_null(world, verb))
        return KIN_ERROR_INVALID;
    const char *fault = find_executor_fault(world, executor);
    if (fault != NULL)
        return kin__world_report_error(world, KIN_ERROR_INVALID, verb, world->info->name, fault);
    if (world->jobs != NULL)
        world->jobs->executor = executor != NULL ? *executor : (kin_executor){0};
    return KIN_OK;
}

// ---- of a system

bool kin__parallel_create(kin__schema_system *schema_system)
{
    kin__world *world = schema_system->world;
    if (world->jobs == NULL && !kin__jobs_create(world))
        return false;
    schema_system->parallel = kin__allocate_zero(&world->memory, sizeof *schema_system->parallel);
    return schema_system->parallel != NULL;
}

void kin__parallel_destroy(kin__schema_system *schema_system)
{
    struct kin__parallel *parallel = schema_system->parallel;
    kin__world *world = schema_system->world;
    if (parallel == NULL)
        return;
    KIN_ASSERT(!parallel->is_pending || world->is_abandoned);
    for (uint32_t i = 0; i < parallel->jobs.capacity; i++)
        kin__commands_free(kin__job_buffer(kin__parallel_job(parallel, i)));
    kin__array_release(&world->memory, &parallel->jobs, sizeof(kin__job));
    kin__release(&world->memory, parallel, sizeof *parallel);
    schema_system->parallel = NULL;
}

// Returns what the commands of jobs are about.
static kin__command_scope scope_of(const kin__world *world)
{
    return (kin__command_scope){.contexts = world->contexts, .messages = world->info->shown->messages};
}

bool kin__job_make_buffer(kin__world *world, kin__job *job)
{
    if (job->commands != NULL)
        return true;
    kin__command_buffer *made = kin__commands_make(&world->memory.allocator, &world->jobs->lock, scope_of(world));
    if (made == NULL)
        return false;
    job->commands = &made->head;
    return true;
}

bool kin__parallel_reserve(kin__schema_system *schema_system, uint32_t count)
{
    kin__array *jobs = &schema_system->parallel->jobs;
    kin__world *world = schema_system->world;
    uint32_t before = jobs->capacity;
    if (!kin__array_reserve(&world->memory, jobs, count, sizeof(kin__job)))
        return false;
    for (uint32_t i = before; i < jobs->capacity; i++)
        *kin__parallel_job(schema_system->parallel, i) =
            (kin__job){.contexts = world->contexts, .self = world->typed, .system = schema_system};
    return true;
}

static void release_commands(const struct kin__parallel *parallel)
{
    for (uint32_t i = 0; i < parallel->jobs.capacity; i++) {
        kin__command_buffer *buffer = kin__job_buffer(kin__parallel_job(parallel, i));
        if (buffer != NULL && buffer->head.count == 0 && !buffer->is_playing)
            kin__commands_release(buffer);
    }
}

void kin__jobs_follow_trims(kin__world *world)
{
    uint64_t trims = 0;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        trims += world->contexts[i]->core->trims;
    if (trims == world->jobs->trims)
        return;
    world->jobs->trims = trims;
    for (uint32_t i = 0; i < world->info->system_count; i++)
        if (world->schema_systems[i] != NULL && world->schema_systems[i]->parallel != NULL)
            release_commands(world->schema_systems[i]->parallel);
}

kin_status kin_systems_parallel(const kin_systems *systems, const char *name, kin_parallel *last)
{
    const char *verb = "get the last turn of a system";
    if (last == NULL)
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb,
                                         "the result is NULL; pass a pointer to a kin_parallel");
    const kin__node *node = kin__systems_find_or_report(systems, name, verb);
    *last = (kin_parallel){0};
    if (node == NULL)
        return KIN_ERROR_INVALID;
    const struct kin__parallel *parallel = kin__schema_system_parallel(node);
    if (parallel == NULL) {
        char escaped[KIN__ESCAPED_SIZE], reason[KIN__ESCAPED_SIZE + 80];
        snprintf(reason, sizeof reason, "'%s' is not parallel; add 'parallel: true' to it in the schema",
                 kin__escape(escaped, name, strlen(name)));
        return kin__systems_report_error(systems, KIN_ERROR_INVALID, verb, reason);
    }
    *last = parallel->last;
    return KIN_OK;
}
