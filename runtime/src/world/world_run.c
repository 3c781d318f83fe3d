// Worlds: running them, their time, their messages and last values.

#include "base/assertion.h"
#include "world/schema_system.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>

// Returns whether there is no world, and reports that.
static bool refuse_null(const kin__world *world, const char *verb)
{
    if (world != NULL)
        return false;
    kin__world_refuse(NULL, KIN_ERROR_INVALID, verb, "a world", "there is none; check what creating it returned");
    return true;
}

// ---- running

// Returns whether the world cannot run now, and reports that.
static bool refuse_run(const kin__world *world, const char *verb)
{
    if (refuse_null(world, verb))
        return true;
    if (world->root->running == 0)
        return false;
    kin__world_refuse(world, KIN_ERROR_INVALID, verb, world->info->name, "it is running; go on afterwards");
    return true;
}

void kin__world_update(kin__world *world, double delta)
{
    if (refuse_run(world, "update"))
        return;
    if (!kin__is_finite(delta)) {
        kin__world_refuse(world, KIN_ERROR_INVALID, "update", world->info->name, "its delta is no number; give one");
        return;
    }
    kin__systems_hold(world->root);
    kin_systems_execute(world->root, delta);
    kin_systems_cleanup(world->root);
    kin__systems_let_go(world->root);
}

void kin__world_draw(kin__world *world)
{
    if (refuse_run(world, "draw"))
        return;
    kin__systems_draw(world->root);
}

kin_systems *kin__world_systems(kin__world *world)
{
    return refuse_null(world, "show the systems of") ? NULL : world->root;
}

// ---- time

void kin__world_set_time(kin__world *world, double time)
{
    if (refuse_null(world, "set the time of"))
        return;
    if (kin__is_finite(time))
        kin__systems_set_time(world->root, time);
    else
        kin__world_refuse(world, KIN_ERROR_INVALID, "set the time of", world->info->name, "it is no number; give one");
}

void kin__world_push_time(kin__world *world, kin_tick tick)
{
    if (refuse_null(world, "push a time on"))
        return;
    if (world->pushed.count == KIN__MAX_PUSHED)
        kin__world_refuse(world, KIN_ERROR_LIMIT, "push a time on", world->info->name,
                          "8 are pushed, which is the limit; pop one first");
    else
        world->pushed.ticks[world->pushed.count++] = tick;
}

void kin__world_pop_time(kin__world *world)
{
    if (refuse_null(world, "pop a time of"))
        return;
    if (world->pushed.count == 0)
        kin__world_refuse(world, KIN_ERROR_INVALID, "pop a time of", world->info->name,
                          "none is pushed; pop as often as you push");
    else
        world->pushed.count--;
}

// ---- messages

// Returns the first inbox with an error to report, or NULL.
static kin__inbox *find_unreported(kin__inbox *inbox)
{
    while (inbox != NULL && inbox->unreported == KIN_OK)
        inbox = inbox->next;
    return inbox;
}

static void report_loss(const kin__world *world, kin__inbox *inbox)
{
    char verb[160], reason[160];
    kin_status status = inbox->unreported;
    inbox->unreported = KIN_OK;
    snprintf(verb, sizeof verb, "publish %s to", world->info->messages[inbox->info->message].name);
    snprintf(reason, sizeof reason,
             "%" PRIu32 " wait in its inbox, the most it takes, and %s is lost; give it room for more",
             inbox->info->capacity, inbox->info->full == KIN__FULL_OLDEST ? "the oldest one" : "this one");
    kin__world_refuse(world, status, verb, inbox->system, status == KIN_ERROR_LIMIT ? reason : NULL);
}

// The error handler may remove systems, but not destroy the world.
static void report_losses(kin__world *world, uint32_t message)
{
    kin__inbox *inbox = NULL;
    kin__systems_hold(world->root);
    while ((inbox = find_unreported(world->subscribers[message])) != NULL)
        report_loss(world, inbox);
    kin__systems_let_go(world->root);
}

void kin__world_publish(kin__world *world, uint32_t message, const void *value)
{
    if (refuse_null(world, "publish in"))
        return;
    KIN_ASSERT(message < world->info->message_count);
    uint64_t serial = world->published++;
    bool is_complete = true;
    for (kin__inbox *inbox = world->subscribers[message]; inbox != NULL; inbox = inbox->next)
        is_complete = kin__inbox_put(inbox, serial, value) && is_complete;
    if (!is_complete)
        report_losses(world, message);
}

// ---- last values

const void *kin__world_left(const kin__world *world, uint32_t system, uint32_t kept, uint32_t place)
{
    const kin__schema_system *schema_system = world == NULL ? NULL : world->schema_systems[system];
    if (schema_system == NULL || !schema_system->is_leaving || place >= schema_system->membership.left_count)
        return NULL;
    KIN_ASSERT(kept < schema_system->info->kept_count);
    return kin__leave_values_get(&schema_system->leave_values[kept], place);
}
