// Adding, replacing and removing a component where the fast path does not apply: with an entry in its journal if that
// is on, and a note for a tool.

#include "change/component.h"
#include "change/fast.h"
#include "notify/notify.h"
#include "store/store.h"

kin_status kin__component_add_slow(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    return kin__journal_is_on(&context->core->watches[id]) ? kin__component_add_noted(context, entity, id, value)
                                                           : kin__component_add(context, entity, id, value);
}

kin_status kin__component_remove_slow(kin_context *context, kin_entity entity, kin_component_id id)
{
    return kin__journal_is_on(&context->core->watches[id]) ? kin__component_remove_noted(context, entity, id)
                                                           : kin__component_remove(context, entity, id);
}

// Returns the place of a value that is noted and could be replaced by the fast path otherwise, or NULL.
static void *find_noted(const kin_context *context, kin_entity entity, kin_component_id id)
{
    const kin__watch *watch = &context->core->watches[id];
    if ((watch->side_effects & KIN__SIDE_EFFECT_NOTED_FAST) == 0 || context->depth + 1 >= KIN__MAX_DEPTH)
        return NULL;
    kin__chunk *chunk = kin__chunk_of(context, entity);
    kin__column *column = chunk == NULL ? NULL : kin__chunk_columns(chunk, context->row_words)[id];
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    return column == NULL || !kin__column_has(column, place) ? NULL : kin__column_value(column, place, watch->size);
}

kin_status kin__component_replace_slow(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    void *place = find_noted(context, entity, id);
    size_t size = context->core->watches[id].size;
    if (place == NULL)
        return kin__component_replace(context, entity, id, value);
    kin__note_change(context, entity, id, KIN_RECORD_REPLACED, value);
    bool is_watched = kin__is_watched(context, entity, id);
    const void *previous = is_watched ? kin__payload_keep(context, place, size) : NULL;
    kin__value_copy(place, value, size);
    if (is_watched)
        kin__notify_replaced(context, entity, id, previous, value);
    return KIN_OK;
}
