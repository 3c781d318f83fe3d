// The jobs of a turn: one for each piece of the group in which an entity can match, or of the tree.
#include "world/world.h"

#include <stdio.h>
#include <string.h>

// Commands recorded outside of a call are lost, and reported in a checked build.
static void open_commands(const kin__schema_system *member, kin__command_buffer *buffer)
{
    if (buffer->is_used_closed)
        kin__world_report_error(member->world, KIN_ERROR_INVALID, "record commands of", member->info->name,
                                "a job was used after its call; it is valid until the function returns");
    buffer->is_closed = buffer->is_used_closed = false;
}

static bool job_make_buffer(kin__world *world, kin__job *job);

static bool make_buffer(const kin__schema_system *member, kin__job *job)
{
    return member->info->play == NULL || job_make_buffer(member->world, job);
}

static bool parallel_reserve(kin__schema_system *schema_system, uint32_t count);

bool kin__parallel_reserve_first(kin__schema_system *member)
{
    return parallel_reserve(member, 1) && make_buffer(member, kin__parallel_job(member->parallel, 0));
}

// Returns false when out of memory.
static bool begin_job(kin__schema_system *member, uint32_t piece, uint32_t piece_count, uint64_t place)
{
    kin__job *job = kin__parallel_job(member->parallel, member->parallel->count++);
    if (!make_buffer(member, job))
        return false;
    if (job->commands != NULL)
        open_commands(member, kin__job_buffer(job));
    job->place = place;
    job->piece = piece;
    job->piece_count = piece_count;
    job->busy = 0;
    job->calls = 0;
    return true;
}

// Makes a job for each piece of the group in which an entity can match. Returns false when out of memory.
static bool begin_pieces(kin__schema_system *member)
{
    const kin_group *group = member->membership.group;
    const kin_context *context = group->context;
    uint32_t grain = member->info->grain;
    uint32_t count = kin__piece_count(context, grain);
    uint32_t chunks = kin__piece_chunks(context, grain);
    uint32_t all = context->core->slots.assigned_chunks;
    uint32_t end;
    if (!parallel_reserve(member, count))
        return false;
    for (uint32_t chunk = kin__group_find_chunk(group, 0); chunk < all; chunk = kin__group_find_chunk(group, end)) {
        uint32_t piece = chunk / chunks;
        end = (piece + 1) * chunks < all ? (piece + 1) * chunks : all;
        if (!begin_job(member, piece, count, kin__piece_place(chunk, end)))
            return false;
    }
    return true;
}

// Makes a job for each piece of a tree.
static bool begin_branches(kin__schema_system *member)
{
    uint32_t count = member->order->piece_count;
    bool has_jobs = parallel_reserve(member, count);
    for (uint32_t i = 0; has_jobs && i < count; i++)
        has_jobs = begin_job(member, i, count, 0);
    return has_jobs;
}

static bool is_divided(const kin__schema_system *member)
{
    return member->order != NULL && member->order->info->is_divided;
}

bool kin__parallel_has_first_job(const kin__schema_system *member)
{
    return is_divided(member) && member->order->above_count > 0;
}

static bool begin_jobs(kin__schema_system *member)
{
    if (member->order != NULL && !kin__tree_order_prepare(member->order))
        return false;
    if (is_divided(member))
        return begin_branches(member);
    if (member->has_group && member->info->grain != KIN__GRAIN_ALL)
        return begin_pieces(member);
    return parallel_reserve(member, 1) && begin_job(member, 0, 1, 0);
}

bool kin__parallel_begin(kin__schema_system *member)
{
    if (member->has_group && kin__schema_system_is_empty(member))
        return true;
    if (begin_jobs(member))
        return true;
    member->parallel->count = 0;
    return false;
}

// Jobs: making, releasing and describing them.

// ---- of a world

// Makes the jobs of a world that has none yet. Returns false when out of memory, not reported.
static bool jobs_create(kin__world *world)
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
    bool has_threads = executor != NULL && executor->threads > 1;
    if (has_threads && (executor->submit == NULL || executor->wait == NULL))
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
    if (world->jobs == NULL && !jobs_create(world))
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

// Makes the buffer of its commands, unless it has one. Returns false when out of memory.
static bool job_make_buffer(kin__world *world, kin__job *job)
{
    if (job->commands != NULL)
        return true;
    kin__command_buffer *made = kin__commands_make(&world->memory.allocator, &world->jobs->lock, scope_of(world));
    if (made == NULL)
        return false;
    job->commands = &made->head;
    return true;
}

// Makes room for so many jobs, keeping those that exist with their memory. Returns false when out of memory.
static bool parallel_reserve(kin__schema_system *schema_system, uint32_t count)
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

// Playback: plays the commands that parallel systems recorded, after the last system of a node.
//
// A command is dropped if its entity was alive when the playback began and has died in it, by a command of any system.
// So the commands of all systems are taken first, which marks those whose entity is alive; then they are called.

static kin__command_buffer *buffer_at(const kin__schema_system *schema_system, uint32_t number)
{
    return kin__job_buffer(kin__parallel_job(schema_system->parallel, number));
}

// Whether entities may die or be made while the commands of the system are played.
static bool ends_or_makes(const kin__schema_system *schema_system)
{
    for (uint32_t i = 0; i < schema_system->parallel->count; i++)
        if (buffer_at(schema_system, i)->head.is_careful)
            return true;
    return false;
}

static bool is_careful(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_listened(world->contexts[i]))
            return true;
    for (uint32_t i = 0; i < world->jobs->pending_count; i++)
        if (ends_or_makes(world->jobs->pending[i]))
            return true;
    return false;
}

static void take(const kin__schema_system *schema_system, bool careful)
{
    for (uint32_t i = 0; i < schema_system->parallel->count; i++)
        kin__commands_take(buffer_at(schema_system, i), careful);
}

static void play_buffer(const kin__schema_system *schema_system, kin__command_buffer *buffer, bool careful)
{
    kin_parallel *last = &schema_system->parallel->last;
    kin__playback playback;
    kin__playback_enter(&playback, buffer, careful);
    schema_system->info->play(schema_system->world->typed, &playback);
    kin__playback_end(&playback);
    last->refused += playback.refused;
    last->dropped += buffer->dropped;
}

// Sets the culprit in reports about refused calls and lost messages.
static void set_culprit(const kin__world *world, const char *culprit)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        world->contexts[i]->core->culprit = culprit;
    world->jobs->culprit = culprit;
}

static void play_system(kin__schema_system *schema_system, bool careful)
{
    char culprit[96];
    kin__profile *profile = schema_system->node->profile;
    uint64_t began = kin__profile_begin(profile, KIN_ROLE_COMMANDS);
    snprintf(culprit, sizeof culprit, "system '%s' ", schema_system->info->name);
    set_culprit(schema_system->world, culprit);
    for (uint32_t i = 0; i < schema_system->parallel->count; i++)
        play_buffer(schema_system, buffer_at(schema_system, i), careful);
    set_culprit(schema_system->world, NULL);
    kin__profile_end(profile, KIN_ROLE_COMMANDS, began);
}

// No system of a walk that is under way is destroyed, so all that wait are there to the end.
void kin__world_play(kin__world *world)
{
    kin__jobs *jobs = world->jobs;
    if (jobs->is_playing || jobs->pending_count == 0)
        return;
    bool careful = is_careful(world);
    jobs->is_playing = true;
    for (uint32_t i = 0; i < jobs->pending_count; i++)
        take(jobs->pending[i], careful);
    for (uint32_t i = 0; i < jobs->pending_count; i++)
        play_system(jobs->pending[i], careful);
    for (uint32_t i = 0; i < jobs->pending_count; i++)
        jobs->pending[i]->parallel->is_pending = false;
    jobs->pending_count = 0;
    jobs->is_playing = false;
}
