#include "value.h"

#include <string.h>

static bool is_boxed(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].is_boxed;
}

static void *place_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    return kin__column_value(kin__column_of(context, slot, id), slot % KIN__CHUNK_SLOTS, kin__place_size(context, id));
}

void *kin__value_of(const kin_context *context, uint32_t slot, kin_component_id id)
{
    if (kin__value_size(context, id) == 0)
        return NULL;
    void *place = place_of(context, slot, id);
    return is_boxed(context, id) ? *(void **)place : place;
}

bool kin__box_make(kin_context *context, kin_component_id id, void **box)
{
    *box = NULL;
    if (!is_boxed(context, id))
        return true;
    *box = kin__allocate(&context->core->memory, kin__value_size(context, id));
    return *box != NULL;
}

void kin__box_release(kin_context *context, kin_component_id id, void *box)
{
    kin__release(&context->core->memory, box, kin__value_size(context, id));
}

void kin__value_write(kin_context *context, uint32_t slot, kin_component_id id, const void *value, void *box)
{
    if (kin__value_size(context, id) == 0)
        return;
    if (box != NULL)
        *(void **)place_of(context, slot, id) = box;
    memcpy(kin__value_of(context, slot, id), value, kin__value_size(context, id));
}

void kin__value_drop(kin_context *context, uint32_t slot, kin_component_id id)
{
    if (is_boxed(context, id))
        kin__box_release(context, id, kin__value_of(context, slot, id));
}
