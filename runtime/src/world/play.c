// Playback: plays the commands that parallel systems recorded, after the last system of a node.
//
// A command is dropped if its entity was alive when the playback began and has died in it, by a command of any system.
// So the commands of all systems are taken first, which marks those whose entity is alive; then they are called.
#include "world/jobs.h"

#include <stdio.h>

// One round over all jobs whose commands wait.
typedef struct job_round {
    void (*step)(const kin__schema_system *schema_system, kin__command_buffer *buffer, struct job_round *round);
    bool is_careful; // entities may die or be made during the playback, or listeners be called
} job_round;

static void step_system(const kin__schema_system *schema_system, job_round *round)
{
    for (uint32_t i = 0; i < schema_system->parallel->count; i++)
        round->step(schema_system, kin__job_buffer(kin__parallel_job(schema_system->parallel, i)), round);
}

static void step_all(const kin__jobs *jobs, job_round *round)
{
    for (uint32_t i = 0; i < jobs->pending_count; i++)
        if (jobs->pending[i] != NULL)
            step_system(jobs->pending[i], round);
}

// ---- what a playback meets

static void look_at_job(const kin__schema_system *schema_system, kin__command_buffer *buffer, job_round *round)
{
    (void)schema_system;
    round->is_careful |= buffer->head.is_careful;
}

static bool is_careful(const kin__world *world)
{
    job_round looking = {.step = look_at_job};
    for (uint32_t i = 0; i < world->info->context_count; i++)
        looking.is_careful |= kin__context_is_listened(world->contexts[i]);
    step_all(world->jobs, &looking);
    return looking.is_careful;
}

static void take_job(const kin__schema_system *schema_system, kin__command_buffer *buffer, job_round *round)
{
    (void)schema_system;
    kin__commands_take(buffer, round->is_careful);
}

// ---- playing

static void play_job(const kin__schema_system *schema_system, kin__command_buffer *buffer, job_round *round)
{
    kin_parallel *last = &schema_system->parallel->last;
    kin__playback playback;
    kin__playback_enter(&playback, buffer, round->is_careful);
    schema_system->info->play(schema_system->world->typed, &playback);
    kin__playback_end(&playback);
    last->refused += playback.refused;
    last->dropped += buffer->dropped;
}

// Sets the culprit in reports about refused calls.
static void set_culprit(const kin__world *world, const char *culprit)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        world->contexts[i]->core->culprit = culprit;
}

static void play_system(const kin__schema_system *schema_system, job_round *round)
{
    char culprit[96];
    snprintf(culprit, sizeof culprit, "system '%s' ", schema_system->info->name);
    set_culprit(schema_system->world, culprit);
    step_system(schema_system, round);
    set_culprit(schema_system->world, NULL);
}

static void end_playback(kin__jobs *jobs)
{
    for (uint32_t i = 0; i < jobs->pending_count; i++)
        if (jobs->pending[i] != NULL)
            jobs->pending[i]->parallel->is_pending = false;
    jobs->pending_count = 0;
    jobs->is_playing = false;
}

void kin__world_play(kin__world *world)
{
    kin__jobs *jobs = world->jobs;
    if (jobs->is_playing || jobs->pending_count == 0)
        return;
    jobs->is_playing = true;
    job_round taking = {.step = take_job, .is_careful = is_careful(world)}, playing = taking;
    step_all(jobs, &taking);
    playing.step = play_job;
    for (uint32_t i = 0; i < jobs->pending_count; i++)
        if (jobs->pending[i] != NULL)
            play_system(jobs->pending[i], &playing);
    end_playback(jobs);
}
