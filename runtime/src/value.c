#include "value.h"

#include "slab.h"

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

bool kin__room_make(kin_context *context, kin_component_id id, const void *value, kin__room *room)
{
    *room = (kin__room){.value = kin__value_size(context, id) == 0 ? NULL : value};
    if (is_boxed(context, id)) {
        room->box = kin__slab_take(context, id);
        if (room->box == NULL)
            return false;
    }
    if (kin__parcel_make(context, id, &room->value, &room->parcel))
        return true;
    kin__slab_give(context, id, room->box);
    room->box = NULL;
    return false;
}

void kin__room_release(kin_context *context, kin_component_id id, const kin__room *room)
{
    kin__slab_give(context, id, room->box);
    kin__parcel_release(context, room->parcel);
}

void kin__value_write(kin_context *context, uint32_t slot, kin_component_id id, const kin__room *room)
{
    if (room->value == NULL)
        return;
    if (room->box != NULL)
        *(void **)place_of(context, slot, id) = room->box;
    memcpy(kin__value_of(context, slot, id), room->value, kin__value_size(context, id));
    kin__owned_put(context, slot, id, room->parcel);
}

kin__room kin__value_room(const kin_context *context, uint32_t slot, kin_component_id id)
{
    void *value = kin__value_of(context, slot, id);
    return (kin__room){
        .value = value, .box = is_boxed(context, id) ? value : NULL, .parcel = kin__owned_parcel(context, slot, id)};
}

void kin__value_leave(const kin_context *context, uint32_t slot, kin_component_id id)
{
    if (is_boxed(context, id))
        *(void **)place_of(context, slot, id) = kin__slab_spare(context, id);
}

void kin__room_give_up(kin_context *context, kin_component_id id, const kin__room *room)
{
    kin__slab_give(context, id, room->box);
    kin__parcel_give_up(context, room->parcel);
}

void kin__value_drop(kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__room room = kin__value_room(context, slot, id);
    kin__value_leave(context, slot, id);
    kin__room_give_up(context, id, &room);
}
