#include "storage/payload.h"

static void release_block(kin_context *context, kin__payload_block *block)
{
    kin__release(&context->core->group_memory, block, sizeof *block + KIN__MAX_DEPTH * block->value_size);
}

bool kin__payload_reserve(kin_context *context, size_t size)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    size_t value_size = kin__round_up(size);
    if (value_size == 0 || (dispatch->kept != NULL && dispatch->kept->value_size >= value_size))
        return true;
    kin__payload_block *block =
        kin__allocate(&context->core->group_memory, sizeof *block + KIN__MAX_DEPTH * value_size);
    if (block == NULL)
        return false;
    KIN_ASSERT(dispatch->kept == NULL || dispatch->kept->value_size < value_size);
    *block = (kin__payload_block){dispatch->kept, value_size};
    dispatch->kept = block;
    if (context->depth == 0)
        kin__payload_settle(context);
    else
        context->unsettled = true;
    return true;
}

void kin__payload_settle(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth == 0);
    while (dispatch->kept != NULL && dispatch->kept->next != NULL) {
        kin__payload_block *outgrown = dispatch->kept->next;
        dispatch->kept->next = outgrown->next;
        release_block(context, outgrown);
    }
}

void kin__payload_release(kin_context *context)
{
    kin__dispatch *dispatch = &context->core->dispatch;
    KIN_ASSERT(context->depth == 0);
    while (dispatch->kept != NULL) {
        kin__payload_block *block = dispatch->kept;
        dispatch->kept = block->next;
        release_block(context, block);
    }
}
