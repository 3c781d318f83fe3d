// Sharing a context with threads, and sealing it: what changes it is refused meanwhile, as at the limit of nesting
// (store/store.h).
#include "context/context.h"
#include "lookup/lookup.h"
#include "notify/notify.h"

#include <kin/share.h>

#include <inttypes.h>
#include <stdio.h>

static kin_status refuse(const kin_context *context, const char *verb, const char *reason)
{
    kin__attempt attempt = {.verb = verb, .reason = reason};
    return context == NULL ? kin__report_error_to(NULL, KIN_ERROR_INVALID, &attempt, 0)
                           : kin__report_error(context, KIN_ERROR_INVALID, &attempt);
}

static void stop_changes(kin_context *context)
{
    kin__grids_sort(context);
    context->depth = KIN__MAX_DEPTH;
    kin__dispatch_watch_all(context, true);
    kin__groups_toggle_lists(context);
}

static void allow_changes(kin_context *context)
{
    kin__groups_toggle_lists(context);
    context->depth = context->core->is_sealed ? KIN__MAX_DEPTH : 0;
    kin__dispatch_watch_all(context, false);
    if (context->unsettled && context->depth == 0)
        kin__settle(context);
}

void kin__context_seal(kin_context *context, bool on)
{
    KIN_ASSERT(context->core->is_sealed != on && !kin__context_is_shared(context) && !kin__context_is_in_use(context));
    context->core->is_sealed = on;
    context->depth = on ? KIN__MAX_DEPTH : 0;
    kin__dispatch_watch_all(context, on);
    if (context->unsettled && !on)
        kin__settle(context);
}

kin_status kin_context_begin_shared(kin_context *context)
{
    const char *verb = "share the context with threads";
    if (context == NULL)
        return refuse(NULL, verb, "the context is NULL; check the result of the call that created it");
    kin__sharing *sharing = &context->core->sharing;
    if (sharing->begun == 0 && context->depth > 0 && !context->core->is_sealed)
        return refuse(context, verb, "its listener is being called; call this after it returns");
    if (sharing->begun++ == 0)
        stop_changes(context);
    return KIN_OK;
}

static void report_refused(const kin_context *context, uint32_t count)
{
    char reason[128];
    snprintf(reason, sizeof reason,
             "%" PRIu32 " %s refused while threads shared the context; change it after they have finished", count,
             count == 1 ? "call was" : "calls were");
    refuse(context, "change a shared context", reason);
}

kin_status kin_context_end_shared(kin_context *context)
{
    const char *verb = "end sharing the context with threads";
    if (context == NULL)
        return refuse(NULL, verb, "the context is NULL; check the result of the call that created it");
    kin__sharing *sharing = &context->core->sharing;
    if (sharing->begun == 0)
        return refuse(context, verb, "it is not shared; begin first, and end once for each begin");
    if (--sharing->begun > 0)
        return KIN_OK;
    allow_changes(context);
    uint32_t refused = kin__counter_take(&sharing->refused);
    if (refused > 0)
        report_refused(context, refused);
    return KIN_OK;
}
