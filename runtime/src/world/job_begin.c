// The jobs of a turn: one for each piece of the group in which an entity can match, or of the tree.
#include "base/base.h"
#include "lookup/lookup.h"
#include "world/jobs.h"

// Commands recorded outside of a call are lost, and reported in a checked build.
static void open_commands(const kin__schema_system *member, kin__command_buffer *buffer)
{
    if (buffer->is_used_closed)
        kin__world_report_error(member->world, KIN_ERROR_INVALID, "record commands of", member->info->name,
                                "a job was used after its call; it is valid until the function returns");
    buffer->is_closed = buffer->is_used_closed = false;
}

static bool make_buffer(const kin__schema_system *member, kin__job *job)
{
    return member->info->play == NULL || kin__job_make_buffer(member->world, job);
}

bool kin__parallel_reserve_first(kin__schema_system *member)
{
    return kin__parallel_reserve(member, 1) && make_buffer(member, kin__parallel_job(member->parallel, 0));
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
    uint32_t grain = member->info->grain, count = kin__piece_count(context, grain);
    uint32_t chunks = kin__piece_chunks(context, grain), all = context->core->slots.assigned_chunks, end;
    if (!kin__parallel_reserve(member, count))
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
    bool has_jobs = kin__parallel_reserve(member, count);
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
    return kin__parallel_reserve(member, 1) && begin_job(member, 0, 1, 0);
}

bool kin__parallel_begin(kin__schema_system *member)
{
    if (member->has_group && kin__group_is_empty(member->membership.group))
        return true;
    if (begin_jobs(member))
        return true;
    member->parallel->count = 0;
    return false;
}
