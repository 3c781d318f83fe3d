// Adds, replaces and removes a component where that concerns bits, value and listeners alone (fast.h). Calls
// component_unlistened.c if no group that watches the component has a listener, and component_slow.c or component.c for
// everything else.

#include "change/fast.h"

#include "base/base.h"
#include "change/component.h"
#include "change/component_unlistened.h"
#include "notify/notify.h"
#include "store/store.h"

kin_status kin__component_add_fast(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    if (context->core->watches[id].listened == 0)
        return kin__component_add_unlistened(context, entity, id, value);
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
    kin__notify_toggled(&frame, kin__fast_change_row(context, &change), true);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_remove_fast(kin_context *context, kin_entity entity, kin_component_id id)
{
    if (context->core->watches[id].listened == 0)
        return kin__component_remove_unlistened(context, entity, id);
    kin__fast_change change = kin__fast_change_of(context, entity, id, false);
    if (change.chunk == NULL || !change.has || kin__last_values_of(context, id) != NULL)
        return kin__component_remove_slow(context, entity, id);
    KIN_ASSERT(change.column != context->empty);
    size_t size = kin__value_size(context, id);
    const void *previous = kin__column_value(change.column, change.place, size);
    previous = kin__payload_keep(context, previous, size);
    kin__flip(change.chunk, change.column, id, context->row_words, change.place);
    context->components[id].changes++;
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, NULL}};
    kin__notify_toggled(&frame, kin__fast_change_row(context, &change), false);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_replace_fast(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    if (context->core->watches[id].listened == 0)
        return kin__component_replace_unlistened(context, entity, id, value);
    kin__fast_change change = kin__fast_change_of(context, entity, id, true);
    if (change.chunk == NULL || !change.has)
        return kin__component_replace_slow(context, entity, id, value);
    KIN_ASSERT(change.watch->size == kin__value_size(context, id) && change.watch->size > 0);
    void *place = kin__column_value(change.column, change.place, change.watch->size);
    const void *previous = kin__payload_keep(context, place, change.watch->size);
    kin__value_copy(place, value, change.watch->size);
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, value}};
    kin__notify_replacement(&frame, (kin__replaced_values){previous, value}, kin__fast_change_row(context, &change));
    return KIN_OK;
}
