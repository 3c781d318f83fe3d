// Adding and removing a component whose journal is on: by the fast path (fast.h) where that is allowed, with an entry
// in the journal; otherwise by component.c.

#include "base/base.h"
#include "change/component.h"
#include "change/fast.h"
#include "notify/notify.h"
#include "store/store.h"

static void toggle(kin_context *context, kin_entity entity, kin_component_id id, const kin__fast_change *change)
{
    kin__flip(change->chunk, change->column, id, context->row_words, change->place);
    context->components[id].changes++;
    kin__journal_note(context, id, kin_entity_slot(entity));
}

kin_status kin__component_add_noted(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id, true);
    if (change.chunk == NULL || change.has || change.column == context->empty)
        return kin__component_add(context, entity, id, value);
    size_t size = change.watch->size;
    toggle(context, entity, id, &change);
    if (size > 0)
        kin__value_copy(kin__column_value(change.column, change.place, size), value, size);
    kin__frame frame = {.change = {context, NULL, entity, id, 0, NULL, size > 0 ? value : NULL}};
    if (kin__is_watched(context, entity, id))
        kin__notify_toggled(&frame, kin__fast_change_row(context, &change), true);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_remove_noted(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id, true);
    if (change.chunk == NULL || !change.has || kin__last_values_of(context, id) != NULL)
        return kin__component_remove(context, entity, id);
    bool watched = kin__is_watched(context, entity, id);
    const void *previous = kin__column_value(change.column, change.place, change.watch->size);
    if (watched)
        previous = kin__payload_keep(context, previous, change.watch->size);
    toggle(context, entity, id, &change);
    kin__frame frame = {.change = {context, NULL, entity, id, 0, previous, NULL}};
    if (watched)
        kin__notify_toggled(&frame, kin__fast_change_row(context, &change), false);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}
