#include "store/store.h"
#include "world/jobs.h"
#include "world/world.h"

#include <stdio.h>

// Returns the system whose commands are played, unless a listener makes a call of its own.
static const char *culprit_of(const kin__world *world)
{
    if (world->jobs == NULL || world->jobs->culprit == NULL)
        return NULL;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (world->contexts[i]->depth > 0)
            return NULL;
    return world->jobs->culprit;
}

// Returns the options of a tool that catches the errors of a context of the world; zero, if none does or a listener
// runs.
static kin_context_options caught_of(const kin__world *world)
{
    kin_context_options caught = {0};
    if (world->info == NULL || world->root == NULL) // it is being created, or ends
        return caught;
    for (uint32_t i = 0; i < world->info->context_count; i++) {
        const kin_context *context = world->contexts[i];
        if (context->depth > 0)
            return (kin_context_options){0};
        if (context->core->caught != NULL)
            caught = (kin_context_options){.on_error = context->core->caught, .error_user = context->core->caught_user};
    }
    return caught;
}

kin_status kin__world_report_error(const kin__world *world, kin_status status, const char *verb, const char *name,
                                   const char *reason)
{
    char what[192];
    snprintf(what, sizeof what, "%s %s", verb, name);
    kin__attempt attempt = {.verb = what, .reason = reason, .culprit = world == NULL ? NULL : culprit_of(world)};
    if (world == NULL)
        return kin__report_error_to(NULL, status, &attempt, 0);
    kin_context_options caught = caught_of(world);
    if (caught.on_error != NULL)
        return kin__report_error_to(&caught, status, &attempt, world->memory.refused);
    kin__error_watch watch = world->error_watch; // the handler may change it
    kin__receiver receiver = {.options = &world->options, .watch = &watch};
    return kin__report_error_at(&receiver, status, &attempt, world->memory.refused);
}
