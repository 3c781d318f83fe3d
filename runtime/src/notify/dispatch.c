#include "notify/dispatch.h"

#include "notify/direct.h"
#include "notify/subscriber.h"
#include "storage/owned.h"
#include "storage/payload.h"

void kin__dispatch_watch_all(kin_context *context, bool on)
{
    for (uint32_t i = 0; i <= context->info->component_count; i++)
        kin__component_watch(context, i, on);
    kin__direct_refresh_all(context);
}

void kin__settle(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth == 0);
    kin__payload_settle(context);
    kin__subscribers_settle(context);
    kin__owned_settle(context);
    if (dispatch->direct_waits)
        kin__direct_refresh_all(context);
    KIN_ASSERT(dispatch->ended == NULL && !dispatch->direct_waits);
    context->unsettled = false;
}

void kin__subscriber_retire(kin_context *context, kin__subscriber *subscriber)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(subscriber->serial == 0 && subscriber->list != NULL);
    subscriber->next_ended = dispatch->ended;
    dispatch->ended = subscriber;
    context->unsettled = true;
    if (context->depth == 0)
        kin__settle(context);
}
