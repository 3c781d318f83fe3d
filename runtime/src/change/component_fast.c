// Adds, replaces and removes a component where that concerns bits, value and listeners alone (fast.h). Calls
// component.c for everything else.

#include "change/fast.h"

#include "base/assertion.h"
#include "change/component.h"
#include "notify/notify.h"
#include "notify/notify_component.h"
#include "storage/last_value.h"
#include "storage/payload.h"
#include "storage/slot.h"

kin_status kin__component_add_fast(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id, false);
    if (change.chunk == NULL || change.has || change.column == context->empty)
        return kin__component_add_slow(context, entity, id, value);
    KIN_ASSERT(context->carriers[id] == 0 && !change.has);
    size_t size = kin__value_size(context, id);
    kin__flip(change.chunk, change.column, id, context->row_words, change.place);
    context->components[id].changes++;
    if (size > 0)
        kin__value_copy(kin__column_value(change.column, change.place, size), value, size);
    kin__frame frame = {.change = {context, NULL, entity, id, 0, NULL, size > 0 ? value : NULL}};
    if (kin__is_watched(context, entity, id))
        kin__notify_toggled(&frame, kin__fast_change_row(context, &change), true);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_remove_fast(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id, false);
    if (change.chunk == NULL || !change.has || kin__last_values_of(context, id) != NULL)
        return kin__component_remove_slow(context, entity, id);
    KIN_ASSERT(change.column != context->empty);
    size_t size = kin__value_size(context, id);
    bool watched = kin__is_watched(context, entity, id);
    const void *previous = kin__column_value(change.column, change.place, size);
    if (watched)
        previous = kin__payload_keep(context, previous, size);
    kin__flip(change.chunk, change.column, id, context->row_words, change.place);
    context->components[id].changes++;
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, NULL}};
    if (watched)
        kin__notify_toggled(&frame, kin__fast_change_row(context, &change), false);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_replace_fast(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id, true);
    if (change.chunk == NULL || !change.has)
        return kin__component_replace(context, entity, id, value);
    KIN_ASSERT(change.watch->size == kin__value_size(context, id) && change.watch->size > 0);
    void *place = kin__column_value(change.column, change.place, change.watch->size);
    bool watched = kin__is_watched(context, entity, id);
    const void *previous = watched ? kin__payload_keep(context, place, change.watch->size) : NULL;
    kin__value_copy(place, value, change.watch->size);
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, value}};
    if (watched)
        kin__notify_replacement(&frame, (kin__replaced_values){previous, value},
                                kin__fast_change_row(context, &change));
    return KIN_OK;
}
