#include "change/stash.h"

#include "base/base.h"

// The last values of the chunk in which the slot has a stashed value; NULL when it has none.
static kin__last_value_block *find(const kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__last_values *last_values = context->core->stashed == 0 ? NULL : kin__last_values_of(context, id);
    kin__last_value_block *block =
        last_values == NULL ? NULL : kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    return block != NULL && kin__last_value_block_stashes(block, slot % KIN__CHUNK_SLOTS) ? block : NULL;
}

static void flip(kin_context *context, kin__last_value_block *block, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS, one = kin__last_value_block_stashes(block, place) ? (uint32_t)-1 : 1;
    kin__bits_flip(block->stashed, place);
    context->core->stashed += one;
    context->core->events.destroy_subscribers += one;
    KIN_ASSERT(context->core->events.destroy_subscribers >= context->core->stashed);
}

bool kin__stash_has(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return find(context, slot, id) != NULL;
}

bool kin__stash_reserve(kin_context *context, kin_component_id id)
{
    kin__last_values *last_values = kin__last_values_of(context, id);
    if (last_values != NULL && last_values->is_stash)
        return true;
    last_values = kin__last_values_add_user(context, id);
    if (last_values != NULL)
        last_values->is_stash = true;
    return last_values != NULL;
}

void kin__stash_add(kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__last_values *last_values = kin__last_values_of(context, id);
    KIN_ASSERT(last_values != NULL && last_values->is_stash && find(context, slot, id) == NULL);
    flip(context, kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS), slot);
    kin__last_value_add_hold(last_values, slot);
}

void kin__stash_discard(kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__last_value_block *block = find(context, slot, id);
    if (block == NULL)
        return;
    flip(context, block, slot);
    kin__last_value_remove_hold(context, kin__last_values_of(context, id), slot);
}

void kin__stash_discard_all(kin_context *context, uint32_t slot)
{
    for (uint32_t id = 0; context->core->stashed > 0 && id < context->info->component_count; id++)
        kin__stash_discard(context, slot, (kin_component_id)id);
}
