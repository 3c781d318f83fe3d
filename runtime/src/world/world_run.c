// Worlds: running them, their time, their messages and last values.

#include "base/base.h"
#include "store/store.h"
#include "world/schema_system.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char kin__null_world[] = "the world is NULL; check the result of the call that created it";

bool kin__world_report_null(const kin__world *world, const char *verb)
{
    if (world != NULL)
        return false;
    kin__world_report_error(NULL, KIN_ERROR_INVALID, verb, "a world", kin__null_world);
    return true;
}

// ---- running

// Returns whether the world cannot run now, and reports that.
static bool report_running(const kin__world *world, const char *verb)
{
    if (kin__world_report_null(world, verb))
        return true;
    if (world->root->running == 0)
        return false;
    kin__world_report_error(world, KIN_ERROR_INVALID, verb, world->info->name,
                            "it is running; call this after the run");
    return true;
}

static bool report_delta(const kin__world *world, double delta, const char *verb, const char *name)
{
    if (kin__is_finite(delta))
        return false;
    kin__world_report_error(world, KIN_ERROR_INVALID, verb, name, "the delta is not a finite number; pass one that is");
    return true;
}

static void update(const kin__world *world, double delta)
{
    kin__systems_pin(world->root);
    kin_systems_execute(world->root, delta);
    kin_systems_cleanup(world->root);
    kin__systems_unpin(world->root);
}

static void update_recorded(const kin__world *world, double delta)
{
    kin__tracker *recorder = world->recorder;
    if (recorder != NULL)
        recorder->before_update(recorder, delta);
    update(world, delta);
    if (recorder != NULL)
        recorder->after_update(recorder);
}

// Returns whether a callback of a context of the world is being called.
static bool is_in_use(const kin__world *world)
{
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (kin__context_is_in_use(world->contexts[i]))
            return true;
    return false;
}

// Calls `begin` of the probe, if there is one and nothing of the world runs. Returns whether the update is to run.
static bool begin_probe(kin__world *world, double *delta, bool *has_begun)
{
    if (world->probe.begin == NULL || is_in_use(world))
        return true;
    *has_begun = world->probe.begin(world->probe.user, delta);
    return *has_begun;
}

// The probe begins before the recorder, as what it changes is outside of the update.
KIN__APART void update_followed(kin__world *world, double delta)
{
    bool has_begun = false;
    if (!begin_probe(world, &delta, &has_begun) || report_delta(world, delta, "update", world->info->name))
        return;
    world->is_open = has_begun && world->recorder == NULL;
    update_recorded(world, delta);
    world->is_open = false;
    if (has_begun && world->probe.end != NULL)
        world->probe.end(world->probe.user);
}

void kin__world_update_unprobed(kin__world *world, double delta)
{
    if (!report_running(world, "update") && !report_delta(world, delta, "update", world->info->name))
        update_recorded(world, delta);
}

void kin__world_update(kin__world *world, double delta)
{
    if (report_running(world, "update") || report_delta(world, delta, "update", world->info->name))
        return;
    if (world->is_followed)
        update_followed(world, delta);
    else
        update(world, delta);
}

// Returns the node of a manual collection, or NULL if it was removed. Compares the names of the top-level nodes.
static const kin__node *find_manual(const kin_systems *root, const char *name)
{
    const kin__node *node = root->first;
    while (node != NULL &&
           (node->removed || node->nested == NULL || !node->nested->is_manual || strcmp(node->nested->name, name) != 0))
        node = node->next;
    return node;
}

void kin__world_run(kin__world *world, uint32_t number, double delta)
{
    if (kin__world_report_null(world, "run a node of"))
        return;
    const char *name = world->info->nodes[number].name;
    KIN_ASSERT(number < world->info->node_count && world->info->nodes[number].is_manual);
    if (report_running(world, "run a node of") || report_delta(world, delta, "run the node", name))
        return;
    const kin__node *node = find_manual(world->root, name);
    if (node == NULL) {
        kin__world_report_error(world, KIN_ERROR_INVALID, "run the node", name,
                                "it was removed from the systems of the world; disable it instead");
        return;
    }
    kin__systems_pin(world->root);
    if (node->enabled)
        kin__systems_run_manual(world->root, node->nested, delta);
    kin__systems_unpin(world->root);
}

void kin__world_draw(kin__world *world)
{
    if (report_running(world, "draw"))
        return;
    kin__systems_draw(world->root);
}

kin_systems *kin__world_systems(kin__world *world)
{
    return kin__world_report_null(world, "get the systems of") ? NULL : world->root;
}

// ---- time

kin_tick kin__world_tick(const kin__world *world)
{
    if (kin__world_report_null(world, "get the tick of"))
        return (kin_tick){0};
    return kin__systems_tick(world->root);
}

void kin__world_set_time(kin__world *world, double time)
{
    if (kin__world_report_null(world, "set the time of"))
        return;
    if (kin__is_finite(time))
        kin__systems_set_time(world->root, time);
    else
        kin__world_report_error(world, KIN_ERROR_INVALID, "set the time of", world->info->name,
                                "the time is not a finite number; pass one that is");
}

void kin__world_push_time(kin__world *world, kin_tick tick)
{
    if (kin__world_report_null(world, "push a time on"))
        return;
    if (world->pushed.count == KIN__MAX_PUSHED)
        kin__world_report_error(world, KIN_ERROR_LIMIT, "push a time on", world->info->name,
                                "8 times are pushed, which is the limit; pop one first");
    else
        world->pushed.ticks[world->pushed.count++] = tick;
}

void kin__world_pop_time(kin__world *world)
{
    if (kin__world_report_null(world, "pop a time of"))
        return;
    if (world->pushed.count == 0)
        kin__world_report_error(world, KIN_ERROR_INVALID, "pop a time of", world->info->name,
                                "no time is pushed; pop once for each push");
    else
        world->pushed.count--;
}

// ---- messages

// Returns the first inbox of a message with an error to report, or NULL.
static kin__inbox *find_unreported(const kin__world *world, uint32_t message)
{
    kin__inbox *inbox = world->subscribers[message];
    while (inbox != NULL && (inbox->unreported == KIN_OK || inbox == &world->tap))
        inbox = inbox->next;
    return inbox;
}

static void report_loss(const kin__world *world, kin__inbox *inbox)
{
    char verb[160], reason[160];
    kin_status status = inbox->unreported;
    inbox->unreported = KIN_OK;
    snprintf(verb, sizeof verb, "publish %s to", world->info->messages[inbox->info->message].name);
    snprintf(reason, sizeof reason, "%" PRIu32 " messages fill its inbox, and %s is lost; raise its capacity",
             inbox->info->capacity, inbox->info->full == KIN__FULL_OLDEST ? "the oldest one" : "the new one");
    kin__world_report_error(world, status, verb, inbox->system, status == KIN_ERROR_LIMIT ? reason : NULL);
}

// The error handler may remove systems, but not destroy the world.
static void report_losses(kin__world *world, uint32_t message)
{
    kin__inbox *inbox = NULL;
    kin__systems_pin(world->root);
    while ((inbox = find_unreported(world, message)) != NULL)
        report_loss(world, inbox);
    kin__systems_unpin(world->root);
}

// What is left when an inbox has something to report. The probe, whose `tap` always has, comes first.
KIN__APART void end_publish(kin__world *world, uint32_t message, const void *value)
{
    if (world->probe.published != NULL)
        world->probe.published(world->probe.user, message, value);
    report_losses(world, message);
}

void kin__world_publish(kin__world *world, uint32_t message, const void *value)
{
    if (kin__world_report_null(world, "publish in"))
        return;
    KIN_ASSERT(message < world->info->message_count);
    uint64_t serial = world->published++;
    bool is_complete = true;
    for (kin__inbox *inbox = world->subscribers[message]; inbox != NULL; inbox = inbox->next)
        is_complete = kin__inbox_put(inbox, serial, value) && is_complete;
    if (!is_complete)
        end_publish(world, message, value);
}

// ---- last values

const void *kin__world_leave_value(const kin__world *world, uint32_t system, uint32_t kept, uint32_t place)
{
    const kin__schema_system *schema_system = world == NULL ? NULL : world->schema_systems[system];
    if (schema_system == NULL || !schema_system->is_leaving || place >= schema_system->membership.left_count)
        return NULL;
    KIN_ASSERT(kept < schema_system->info->kept_count);
    return kin__leave_values_get(&schema_system->leave_values[kept], place);
}
