// Playback: plays the commands that parallel systems recorded, after the last system of a node.
//
// A command is dropped if its entity was alive when the playback began and has died in it, by a command of any system.
// So the commands of all systems are taken first, which marks those whose entity is alive; then they are called.
#include "world/jobs.h"

#include <stdio.h>

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
