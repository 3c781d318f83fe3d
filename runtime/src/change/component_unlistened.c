#include "change/component_unlistened.h"

#include "base/base.h"
#include "change/component.h"
#include "change/fast.h"
#include "notify/notify.h"
#include "store/store.h"

// Inverts the component's bits, and notes that if the component has a journal.
static inline void toggle(kin_context *context, const kin__fast_change *change, kin_component_id id, kin_entity entity)
{
    KIN_ASSERT(change->watch->listened == 0 && change->column != context->empty);
    kin__flip(change->chunk, change->column, id, context->row_words, change->place);
    context->components[id].changes++;
    if (kin__journal_is_on(change->watch))
        kin__journal_note(context, id, kin_entity_slot(entity));
}

kin_status kin__component_add_unlistened(kin_context *context, kin_entity entity, kin_component_id id,
                                         const void *value)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id, true);
    if (change.chunk == NULL || change.has || change.column == context->empty)
        return kin__component_add(context, entity, id, value);
    size_t size = change.watch->size;
    KIN_ASSERT(context->carriers[id] == 0);
    toggle(context, &change, id, entity);
    if (size > 0)
        kin__value_copy(kin__column_value(change.column, change.place, size), value, size);
    if (kin__has_change_subscribers(context, kin_entity_slot(entity)))
        kin__notify_added(context, entity, id, size > 0 ? value : NULL);
    else
        kin__gather_crossed(context, id, kin__fast_change_row(context, &change), true, entity);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_remove_unlistened(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id, true);
    if (change.chunk == NULL || !change.has || kin__last_values_of(context, id) != NULL)
        return kin__component_remove(context, entity, id);
    const void *previous = kin__column_value(change.column, change.place, change.watch->size);
    bool notifies = kin__has_change_subscribers(context, kin_entity_slot(entity));
    if (notifies)
        previous = kin__payload_keep(context, previous, change.watch->size);
    toggle(context, &change, id, entity);
    if (notifies)
        kin__notify_removed(context, entity, id, previous);
    else
        kin__gather_crossed(context, id, kin__fast_change_row(context, &change), false, entity);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_replace_unlistened(kin_context *context, kin_entity entity, kin_component_id id,
                                             const void *value)
{
    kin__fast_change change = kin__fast_change_of(context, entity, id, true);
    if (change.chunk == NULL || !change.has)
        return kin__component_replace_slow(context, entity, id, value);
    size_t size = change.watch->size;
    void *place = kin__column_value(change.column, change.place, size);
    KIN_ASSERT(change.watch->listened == 0 && size > 0);
    bool notifies = kin__has_change_subscribers(context, kin_entity_slot(entity));
    const void *previous = notifies ? kin__payload_keep(context, place, size) : NULL;
    kin__value_copy(place, value, size);
    if (notifies)
        kin__notify_replaced(context, entity, id, previous, value);
    else
        kin__gather_members(context, id, kin__fast_change_row(context, &change), KIN__EVENTS_OF_GROUPS, entity);
    return KIN_OK;
}
