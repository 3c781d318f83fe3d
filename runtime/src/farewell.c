#include "farewell.h"

#include "delivery.h"

#include <string.h>

kin_status kin__farewell_make(kin__farewell *farewell, kin_context *context, kin_component_id id)
{
    kin_status status = KIN_ERROR_NO_MEMORY;
    farewell->id = id;
    farewell->context = context;
    if (context->info->components[id].is_soa) {
        farewell->copy = kin__allocate(farewell->memory, kin__value_size(context, id));
        if (farewell->copy == NULL)
            return KIN_ERROR_NO_MEMORY;
    }
    farewell->keepsakes = kin__keepsakes_use(context, id);
    if (farewell->keepsakes != NULL)
        farewell->collector = kin__component_collector(context, id, KIN_REMOVED, &status);
    if (farewell->collector == NULL)
        return status;
    kin__collector_keep(farewell->collector, farewell->keepsakes);
    return KIN_OK;
}

void kin__farewell_release(kin__farewell *farewell)
{
    kin_collector_destroy(farewell->collector);
    if (farewell->keepsakes != NULL)
        kin__keepsakes_leave(farewell->context, farewell->keepsakes);
    if (farewell->copy != NULL)
        kin__release(farewell->memory, farewell->copy, kin__value_size(farewell->context, farewell->id));
    kin__array_release(farewell->memory, &farewell->kept, sizeof(bool));
}

bool kin__farewell_reserve(kin__farewell *farewell, uint32_t count)
{
    return kin__array_reserve(farewell->memory, &farewell->kept, count, sizeof(bool));
}

// The place of an entity among those who left; their number when it is not among them.
static uint32_t place_of(const kin__roster *roster, kin_entity entity)
{
    const kin_entity *left = roster->left.elements;
    uint32_t low = 0, high = roster->left_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (kin_entity_slot(left[middle]) < kin_entity_slot(entity))
            low = middle + 1;
        else
            high = middle;
    }
    return low < roster->left_count && left[low] == entity ? low : roster->left_count;
}

void kin__farewell_begin(kin__farewell *farewell, const kin__roster *roster)
{
    bool *kept = farewell->kept.elements;
    if (roster->left_count > 0)
        memset(kept, 0, roster->left_count * sizeof *kept);
    kin__collector_take(farewell->collector);
    uint32_t count = 0;
    const kin_entity *lost = kin__collector_taken(&farewell->collector->sources[0], &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = place_of(roster, lost[i]);
        if (place < roster->left_count)
            kept[place] = true;
    }
}

void kin__farewell_end(kin__farewell *farewell)
{
    kin__collector_put_back(farewell->collector);
}

const void *kin__farewell_value(kin__farewell *farewell, const kin__roster *roster, uint32_t place)
{
    kin_context *context = farewell->context;
    kin_entity entity = ((const kin_entity *)roster->left.elements)[place];
    uint32_t slot = kin_entity_slot(entity);
    if (roster->is_reset || !kin_has(context, entity, farewell->id))
        return ((const bool *)farewell->kept.elements)[place]
                   ? kin__keepsake_room(context, farewell->keepsakes, slot).value
                   : NULL;
    if (farewell->copy == NULL)
        return kin__value_of(context, slot, farewell->id);
    kin__value_read(context, slot, farewell->id, farewell->copy);
    return farewell->copy;
}
