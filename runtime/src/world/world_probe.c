// The probe of a world: a tool that is called around each update, and when a message is published (world_run.c).

#include "world/world.h"

#include <stddef.h>

void kin__world_update_followed(kin__world *world)
{
    world->is_followed = world->recorder != NULL || world->probe.begin != NULL;
}

// The list of a message ends in the tap if the probe sees messages, so that publishing without one is as long as ever.
static void set_tap(kin__world *world, uint32_t message)
{
    kin__inbox **link = &world->subscribers[message];
    while (*link != NULL && *link != &world->tap)
        link = &(*link)->next;
    *link = world->probe.published != NULL ? &world->tap : NULL;
}

// A context whose errors another tool watches stays as it is if no probe watches them.
static void watch_errors(kin__world *world)
{
    kin__error_watch watch = {world->probe.refused, world->probe.user};
    if (watch.refused == NULL && world->error_watch.refused == NULL)
        return;
    world->error_watch = watch;
    world->root->error_watch = &world->error_watch;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        kin_context_watch_errors(world->contexts[i], watch.refused, watch.user);
}

static void use_probe(kin__world *world, const kin_probe *probe)
{
    bool was_tapped = world->probe.published != NULL;
    world->probe = *probe;
    world->tap = (kin__inbox){.unreported = KIN_ERROR_LIMIT};
    for (uint32_t i = 0; i < world->info->message_count && was_tapped != (probe->published != NULL); i++)
        set_tap(world, i);
    watch_errors(world);
    kin__world_update_followed(world);
}

void kin__world_end_probe(kin__world *world)
{
    static const kin_probe none;
    kin_probe probe = world->probe;
    use_probe(world, &none);
    if (probe.ended != NULL)
        probe.ended(probe.user);
}

static const char *find_fault(const kin__world *world, const kin_probe *probe)
{
    if (world->root == NULL)
        return "the world is ending; do without a probe";
    if (probe == NULL)
        return NULL;
    if (probe->begin == NULL)
        return "the probe has no function begin; set one";
    if (world->probe.begin != NULL && world->probe.user != probe->user)
        return "the world has another probe; remove that first";
    return NULL;
}

kin_status kin_world_set_probe(kin_world *world, const kin_probe *probe)
{
    static const kin_probe none;
    if (kin__world_report_null(world, "set the probe of"))
        return KIN_ERROR_INVALID;
    const char *fault = find_fault(world, probe);
    if (fault != NULL)
        return kin__world_report_error(world, KIN_ERROR_INVALID, "set the probe of", world->info->name, fault);
    use_probe(world, probe != NULL ? probe : &none);
    return KIN_OK;
}

bool kin_world_is_open(const kin_world *world)
{
    return world != NULL && world->is_open;
}
