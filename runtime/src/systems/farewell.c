#include "systems/farewell.h"

#include "systems/delivery.h"

#include <string.h>

kin_status kin__farewell_make(kin__farewell *farewell, kin_context *context, kin_component_id id)
{
    kin_status status = KIN_ERROR_NO_MEMORY;
    farewell->id = id;
    farewell->context = context;
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
    kin__array_release(farewell->memory, &farewell->last, sizeof(kin__last));
    if (farewell->values.capacity > 0)
        kin__array_release(farewell->memory, &farewell->values, kin__value_size(farewell->context, farewell->id));
}

bool kin__farewell_reserve(kin__farewell *farewell, uint32_t count)
{
    size_t size = kin__value_size(farewell->context, farewell->id);
    return kin__array_reserve(farewell->memory, &farewell->last, count, sizeof(kin__last)) &&
           kin__array_reserve(farewell->memory, &farewell->values, count, size);
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

static void *value_at(const kin__farewell *farewell, uint32_t place)
{
    return (char *)farewell->values.elements + place * kin__value_size(farewell->context, farewell->id);
}

// Marks those whose loss was collected.
static void mark_lost(kin__farewell *farewell, const kin__roster *roster)
{
    kin__last *last = farewell->last.elements;
    uint32_t count = 0;
    const kin_entity *lost = kin__collector_taken(&farewell->collector->sources[0], &count);
    for (uint32_t i = 0; i < roster->left_count; i++)
        last[i] = (kin__last){0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = place_of(roster, lost[i]);
        if (place < roster->left_count)
            last[place].exists = true;
    }
}

// Copies the value of a component that the entity still has, or else of its keepsake.
static void copy_value(const kin__farewell *farewell, const kin__roster *roster, uint32_t place)
{
    kin__last *last = &((kin__last *)farewell->last.elements)[place];
    kin_entity entity = ((const kin_entity *)roster->left.elements)[place];
    uint32_t slot = kin_entity_slot(entity);
    if (!roster->is_reset && kin_has(farewell->context, entity, farewell->id)) {
        kin__value_read(farewell->context, slot, farewell->id, value_at(farewell, place));
        last->parcel = kin__value_room(farewell->context, slot, farewell->id).parcel;
        last->exists = true;
    } else if (last->exists) {
        kin__room room = kin__keepsake_room(farewell->context, farewell->keepsakes, slot);
        memcpy(value_at(farewell, place), room.value, kin__value_size(farewell->context, farewell->id));
        last->parcel = room.parcel;
    }
    kin__parcel_keep(last->parcel);
}

void kin__farewell_begin(kin__farewell *farewell, const kin__roster *roster)
{
    kin__collector_take(farewell->collector);
    mark_lost(farewell, roster);
    for (uint32_t place = 0; place < roster->left_count; place++)
        copy_value(farewell, roster, place);
}

void kin__farewell_end(kin__farewell *farewell, const kin__roster *roster)
{
    const kin__last *last = farewell->last.elements;
    for (uint32_t place = 0; place < roster->left_count; place++)
        kin__parcel_let_go(farewell->context, last[place].parcel);
    kin__collector_put_back(farewell->collector);
}

const void *kin__farewell_value(const kin__farewell *farewell, uint32_t place)
{
    return ((const kin__last *)farewell->last.elements)[place].exists ? value_at(farewell, place) : NULL;
}
