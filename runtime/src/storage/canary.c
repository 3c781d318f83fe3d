#include "storage/canary.h"

#include <stdio.h>
#include <string.h>

enum { CANARY_BYTE = 0xC5 };

static unsigned char *canary_of(const kin_context *context, const kin__column *column, kin_component_id id)
{
    return kin__column_value(column, KIN__CHUNK_SLOTS, kin__place_size(context, id));
}

void kin__canary_write(const kin_context *context, kin__column *column, kin_component_id id)
{
    memset(canary_of(context, column, id), CANARY_BYTE, kin__canary_size(context, id));
}

bool kin__canary_is_intact(const kin_context *context, const kin__column *column, kin_component_id id)
{
    size_t size = kin__canary_size(context, id);
    if (column == context->empty || size == 0)
        return true;
    const unsigned char *canary = canary_of(context, column, id);
    if (canary[0] == CANARY_BYTE && memcmp(canary, canary + 1, size - 1) == 0)
        return true;
    fprintf(stderr,
            "kin: %s: the memory after a column of %s was overwritten; check the indices of loops that write %s\n",
            context->info->name, context->info->components[id].name, context->info->components[id].name);
    return false;
}

bool kin__chunk_is_intact(const kin_context *context, uint32_t number)
{
    if (number >= context->chunk_count)
        return true;
    kin__column *const *columns = kin__chunk_columns(context->chunks[number], context->row_words);
    for (uint32_t id = 0; id < context->info->component_count; id++)
        if (!kin__canary_is_intact(context, columns[id], (kin_component_id)id))
            return false;
    return true;
}
